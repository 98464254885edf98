"""Stating a fact: its words, what it is about, its place, and what becomes of what was there."""
