"""Deciding what waits: cards, questions, one proposal after another, and many at once."""
