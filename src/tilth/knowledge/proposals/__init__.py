"""Proposals: questions that wait for a human, and the human's decisions."""
