"""The order of an answer."""
