"""Replays of the ledger: to make its tables, to compare them, and ahead of a change."""
