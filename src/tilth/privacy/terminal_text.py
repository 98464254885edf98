r"""
Make text safe for a terminal, which shows it and obeys nothing in it.

What was recorded may hold anything: colours, cursor movements, a new window title, a clipboard
write, letters that run backwards. Shown to a person it becomes visible instead, `\x1b` and `\u202e`
(I35).
"""

import unicodedata

from tilth.core.text.pattern import pattern

_LAYOUT = frozenset("\n\t")
# Emoji and several scripts are joined by these; they move nothing.
_JOINERS = frozenset("\u200c\u200d")
# Control, format (the bidirectional overrides among them), line and paragraph separators,
# and lone surrogates, which no encoding can write.
_ACTIVE = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})

# Colours and cursor movements; titles and links; which letters are meant.
_PAINT = pattern(
    r"\x1b(?:\[[0-9;:<=>?]{0,64}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[()][0-9A-B])"
)


def without_ansi_codes(text: str) -> str:
    """Return *text*, which a program wrote to a terminal, without what only paints it there."""
    return _PAINT.sub("", text) if "\x1b" in text else text


def inert(text: str) -> str:
    """Return *text* with everything that a terminal would obey spelled out."""
    if text.isprintable():
        return text
    return "".join(_spelled(char) for char in text)


def one_line(text: str, width: int) -> str:
    """Return the beginning of *text* on one line of at most *width* characters, inert."""
    return cut(inert(" ".join(text[: width * 8].split())), width)


def cut(line: str, width: int) -> str:
    """Return *line* cut to *width*: behind a word, or within one that is as long as half of it."""
    if len(line) <= width:
        return line
    whole = line[: max(width - 1, 0)].rpartition(" ")[0]
    return f"{whole} …" if len(whole) > width // 2 else line[: max(width - 1, 0)] + "…"


def _spelled(char: str) -> str:
    is_active = unicodedata.category(char) in _ACTIVE and char not in _LAYOUT | _JOINERS
    return char.encode("unicode_escape").decode("ascii") if is_active else char
