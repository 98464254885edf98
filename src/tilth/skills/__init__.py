"""Playbooks as files that agents load: drafted, approved byte by byte by a human, installed."""
