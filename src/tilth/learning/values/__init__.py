"""Extractors of values, roles, moves and outcomes."""
