"""Proposals: what waits for a human, and what the human decided."""
