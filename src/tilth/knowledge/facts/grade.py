"""
How far a fact may be relied on: whose word it is, and what bears it out.

Every surface that shows a fact shows its grade. What is only a candidate is in no brief.
"""

from enum import StrEnum


class Grade(StrEnum):
    """How far a fact may be relied on."""

    # A person typed or confirmed it, answered so, or a tool proved it.
    KNOWN = "known"
    # It came again in another session, or what was done for it was proved by a tool.
    CORROBORATED = "corroborated"
    # Somebody said so.
    CANDIDATE = "candidate"


GRADED = "grade"
