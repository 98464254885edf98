"""Outcomes: what others found when they put a fact to the test."""
