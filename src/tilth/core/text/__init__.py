"""Text for comparison: words, names, keys, URNs."""
