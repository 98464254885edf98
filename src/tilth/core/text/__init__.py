"""Text as it is compared: words, names, keys, URNs."""
