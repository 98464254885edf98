"""Clauses of a sentence, and the signs by which they are read."""
