"""
Patterns that are compiled when something is first looked for.

The modules that a command loads declare hundreds, and most commands look for few of them; to
compile them all takes longer than such a command does (docs/adr/0024-start-up.md).
"""

import re
import sys
from collections.abc import Callable
from typing import Any, AnyStr, cast


class _Pattern:
    """Stands for a compiled pattern; what was asked of it once is its own from then on."""

    def __init__(self, text: str | bytes, compiled: Callable[[], Any]) -> None:
        self.pattern = text
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the pattern's
        # `re` and RE2 keep what they compiled last, and each method is asked for once.
        found = getattr(self._compiled(), name)
        setattr(self, name, found)
        return found


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what stands for `re.compile(text, flags)`."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, lambda: re.compile(text, flags)))


def linear(text: bytes) -> Any:  # noqa: ANN401 - re2 has no types
    """Return what stands for `re2.compile(text)`, and loads RE2 when something is looked for."""

    def compiled() -> Any:  # noqa: ANN401 - likewise
        import re2  # noqa: PLC0415 - for who looks through much

        return re2.compile(text)

    return _Pattern(text, compiled)


class Worded:
    """
    A pattern that needs certain words: where they are not, it is not looked for, nor compiled.

    Args:
        text: The pattern; it passes over case.
        flags: The others of its flags.
        needs: Words between spaces, of each text of which one stands where the pattern is found;
            a part of a word will do.
    """

    def __init__(self, text: str, *needs: str, flags: int = 0) -> None:
        self._needs = [words.split() for words in needs]
        self._form = pattern(text, flags | re.IGNORECASE)

    def search(self, text: str, start: int = 0, stop: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first place between *start* and *stop* where it is; None if there is none."""
        return self._form.search(text, start, stop) if self._may_be_in(text[start:stop]) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return how *text* begins with it; None if it does not."""
        return self._form.match(text) if self._may_be_in(text) else None

    def _may_be_in(self, text: str) -> bool:
        said = text.lower()
        # Beyond ASCII letters have more than two cases.
        return not said.isascii() or all(
            any(word in said for word in words) for words in self._needs
        )
