"""The review queue: what waits for a human, and what each decision does."""
