"""
Patterns that are compiled when something is first looked for.

The modules that a command loads declare hundreds, and most commands look for few of them; to
compile them all takes longer than such a command does (docs/adr/0024-start-up.md).
"""

import re
from typing import Any, AnyStr, cast


class _Pattern:
    """Stands for a compiled pattern; what was asked of it once is its own from then on."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._given = flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the pattern's
        # `re` keeps what it compiled last, and each method is asked for once.
        found = getattr(re.compile(self.pattern, self._given), name)
        setattr(self, name, found)
        return found


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what stands for `re.compile(text, flags)`."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))
