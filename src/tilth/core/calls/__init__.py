"""Calls of functions: their parameters, and the length of a page."""
