"""The words that facts may use: closed lists, and registries that a human extends."""
