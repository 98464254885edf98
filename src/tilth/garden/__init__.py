"""The garden: topics that are tended in cycles, their sources, and candidates for a human."""
