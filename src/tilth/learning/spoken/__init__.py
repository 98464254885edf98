"""Extractors of decisions, commitments, preferences and other speech."""
