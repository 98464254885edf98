"""How many columns a text takes on a terminal."""

import unicodedata

# Marks that stand on the character before them, and what is not seen at all.
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})
_WIDE = frozenset("WF")


def display_width(text: str) -> int:
    """Return the columns of *text*: two of a wide character, none of what joins or stands above."""
    return len(text) if text.isascii() else sum(map(_width_of, text))


def _width_of(char: str) -> int:
    if unicodedata.category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
