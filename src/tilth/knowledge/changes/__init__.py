"""Planned changes of facts, how facts relate, and why they are believed."""
