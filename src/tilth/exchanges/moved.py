"""
Versions that a commit moves, and whether an earlier text tells of an older one as it is.

"Upgrade typst to 0.13" ends "PDFs are made by typst 0.12", and "Release 0.5.0" ends "the version
is 0.4.0", not what was so since 0.4.0.
"""

import re
from typing import NamedTuple

from tilth.core.text.pattern import pattern

_NUMBER = r"v?(?P<to>\d+(?:\.\d+)*)"
_MOVES = pattern(
    rf"\b(?:upgrade|bump|update|move|migrate)\s+(?:to\s+)?`?(?P<thing>[\w@./-]*[a-z][\w@./-]*)`?"
    rf"\s+(?:from\s+\S+\s+)?(?:to\s+)?{_NUMBER}",
    re.IGNORECASE,
)
_RELEASES = pattern(
    r"^(?:\w+(?:\([^()\n]*\))?!?: )?(?:(?:release|publish|prepare|bump)\s+)?(?:the\s+)?"
    rf"(?:(?:version|release)\s+)?(?:to\s+)?{_NUMBER}(?!\w)",
    re.IGNORECASE,
)
_TELLS = pattern(
    r"(?:^\W*|\b(?:the|our|its|current|api|app|package|project)\s+)version\s+(?:number\s+)?"
    r"(?:is|stands at)\s+(?:now\s+)?v?(?P<is>\d+(?:\.\d+)+)",
    re.IGNORECASE,
)
_SINCE = pattern(r"\b(?:since|from|before|until|in|than)\s+$", re.IGNORECASE)


class Moved(NamedTuple):
    """What a commit moved to which version; the project itself where the thing is empty."""

    thing: str
    to: str

    def ends(self, older: str) -> bool:
        """Say whether *older* tells of an older version of it as the one that there is."""
        form = _TELLS
        if self.thing:
            named = rf"\b{re.escape(self.thing)}(?:\s+is(?:\s+at)?)?\s+v?(?P<is>\d+(?:\.\d+)+)"
            form = pattern(named, re.IGNORECASE)
        return any(
            _is_before(found["is"], self.to) and not _SINCE.search(older[: found.start()])
            for found in form.finditer(older)
        )


def moved_by(title: str) -> Moved | None:
    """Return which version the commit of this *title* moved; None if it moved none."""
    if found := _MOVES.search(title):
        is_own = found["thing"].lower() in {"version", "release"}
        return Moved("" if is_own else found["thing"], found["to"])
    found = _RELEASES.match(title)
    return Moved("", found["to"]) if found and "." in found["to"] else None


def _is_before(one: str, other: str) -> bool:
    here, there = ([int(part) for part in each.split(".")] for each in (one, other))
    # "0.13" says no more than that it is some 0.13.
    return here < there[: len(here)]
