"""Merge and split entities, ask whether two are one, and tidy names."""
