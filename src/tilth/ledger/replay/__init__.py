"""Replay the ledger: to rebuild tables, to compare them, and to prepare a change."""
