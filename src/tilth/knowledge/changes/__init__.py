"""Planned changes of facts, relations between facts, and their provenance."""
