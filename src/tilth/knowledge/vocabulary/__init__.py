"""The words of facts: closed lists, and registries that a human extends."""
