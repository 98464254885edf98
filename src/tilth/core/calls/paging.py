"""Check the length of a page of a list."""

from tilth.core.errors import InvalidInputError

# The most items of a page.
PAGE_MAX = 1000


def check_page(limit: int, most: int) -> None:
    """
    Refuse a page that is empty or too long.

    Raises:
        InvalidInputError: *limit* is not from 1 to *most*.
    """
    if not 1 <= limit <= most:
        raise InvalidInputError(f"limit is 1 to {most}, not {limit}")
