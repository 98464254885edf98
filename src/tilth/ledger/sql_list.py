"""Words as SQL lists them."""

from collections.abc import Iterable


def one_of(values: Iterable[str]) -> str:
    """Return *values* as the inside of an SQL list."""
    return ", ".join(f"'{value}'" for value in values)
