"""Exchanges: one ask with the report that ended it, read from episodes and never copied."""
