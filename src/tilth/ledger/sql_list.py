"""Conditions and lists in SQL."""

from collections.abc import Iterable
from typing import TypeAlias

# A limit that excludes nothing, on both engines.
EVERY_ROW = 2**63 - 1
Clause: TypeAlias = tuple[str, tuple[object, ...]]


def one_of(values: Iterable[str]) -> str:
    """Return *values* as the inside of an SQL list."""
    return ", ".join(f"'{value}'" for value in values)


def among(column: str, values: Iterable[str]) -> Clause:
    """Return the condition that *column* is one of *values*."""
    words = sorted({str(value) for value in values})
    return f"{column} IN ({', '.join('?' * len(words)) or 'NULL'})", tuple(words)
