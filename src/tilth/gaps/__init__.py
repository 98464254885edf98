"""Gaps: missing capabilities seen in conversations, and the TODOs they become."""
