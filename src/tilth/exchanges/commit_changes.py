"""
Read what a commit replaces, and whether an earlier text states the old state as current.

"Upgrade typst to 0.13" ends "PDFs are made by typst 0.12". "Release 0.5.0" ends "the version is
0.4.0" and "0.5.0 is next", but not what has been so since 0.4.0. "Replace bbolt with SQLite" ends
"readings are stored in bbolt".
"""

import re
from typing import NamedTuple

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.exchanges.reversals import turns_down

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
_SWAPS = pattern(
    r"\b(?:(?:replace|swap(?: out)?)\s+(?P<old>[\w+#./-]*\w)\s+(?:with|by|for)\s"
    r"|(?:in place|instead) of\s+(?P<other>[\w+#./-]*\w)\W*$)",
    re.IGNORECASE,
)
_WAS = pattern(
    r"\b(?:replac\w+|instead|in place of|no longer|not|dropp\w+|remov\w+|moved|switched|was"
    r"|were)\b",
    re.IGNORECASE,
)
# A text with more terms says more than what it uses.
_TERMS_MAX = 10
_NEXT = pattern(r"\bv?(?P<is>\d+(?:\.\d+)+) (?:is|comes) next\b", re.IGNORECASE)
_SINCE = pattern(r"\b(?:since|from|before|until|in|than)\s+$", re.IGNORECASE)


class VersionMove(NamedTuple):
    """What a commit moved to which version; an empty thing stands for the project itself."""

    thing: str
    to: str

    def ends(self, older: str) -> bool:
        """Say whether *older* states an older version of the thing as the current one."""
        form = _TELLS
        if not self.thing and (found := _NEXT.search(older)):
            return not _is_before(self.to, found["is"])
        if self.thing:
            named = rf"\b{re.escape(self.thing)}(?:\s+is(?:\s+at)?)?\s+v?(?P<is>\d+(?:\.\d+)+)"
            form = pattern(named, re.IGNORECASE)
        return any(
            _is_before(found["is"], self.to) and not _SINCE.search(older[: found.start()])
            for found in form.finditer(older)
        )


class Substitution(NamedTuple):
    """The terms of what a commit replaced."""

    thing: str

    def ends(self, older: str) -> bool:
        """Say whether *older* states that the replaced thing is in use."""
        terms = index_terms(older)
        is_told = re.search(rf"(?<![\w-]){re.escape(self.thing)}(?![\w-])", older, re.IGNORECASE)
        if is_told is None or len(terms) > _TERMS_MAX or _WAS.search(older):
            return False
        return not turns_down(older, frozenset(index_terms(self.thing)))


def substitution_in(title: str) -> Substitution | None:
    """Return what the commit of this *title* replaced; None if nothing."""
    found = _SWAPS.search(title)
    return Substitution(found["old"] or found["other"]) if found else None


def version_move_in(title: str) -> VersionMove | None:
    """Return which version the commit of this *title* moved; None if none."""
    if found := _MOVES.search(title):
        is_own = found["thing"].lower() in {"version", "release"}
        return VersionMove("" if is_own else found["thing"], found["to"])
    found = _RELEASES.match(title)
    return VersionMove("", found["to"]) if found and "." in found["to"] else None


def _is_before(one: str, other: str) -> bool:
    here, there = ([int(part) for part in each.split(".")] for each in (one, other))
    # A shorter version such as "0.13" covers every 0.13.x, so it is not before them.
    return here < there[: len(here)]
