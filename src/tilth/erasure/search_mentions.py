"""
Search the ledger for mentions of an entity by name or address.

That reads the whole ledger. The search goes in stretches, and continues from its state
(`MentionSearch`), so that nobody has to wait for all of it.
"""

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import re2

from tilth.core.dataclass import dataclass
from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.erasure.model import strings_in
from tilth.ledger.records import records_at
from tilth.ledger.snapshot import Snapshot

_TERM_CHARS_MIN = 3
# The characters of texts and JSON by frequency; all others are rare.
_COMMON = '%_ etaoinrslcd"mup:h,gf.b-y/wv1k0x~'
_LEFT_CHARS_MIN = 4
# How many events are read between two checks of whether to stop.
STRETCH = 500
# Characters that folding keeps: plain ASCII, and scripts without case.
_KEPT = r"a-z0-9 .,:;@/+'\u0590-\u109f\u3040-\ua48c\uac00-\ud7a3-"
# What `str.casefold` makes of ligatures, sharp and long s; letters with marks fold to something
# beside a character not kept. An i folds by language.
_LIGATURE = "s+t?|f+[il]?"
_OPEN = re.compile(rf"(?:{_LIGATURE}|[a-z])?[^{_KEPT}]+(?:{_LIGATURE}|[a-z])?|{_LIGATURE}|[ik]")


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionSearch:
    """The state of a search for *terms*: the place that it reached, and the places found."""

    terms: tuple[str, ...]
    through: int = 0
    found: tuple[int, ...] = ()


def continue_search(
    view: Snapshot, search: MentionSearch, owner: Owner, is_enough: Callable[[], bool]
) -> MentionSearch:
    """Search until *is_enough* or the end, at least one stretch; return the new state."""
    end = view.head().seq
    while search.through < end:
        through = min(search.through + STRETCH, end)
        fresh = mentioning(view, search.terms, owner, after=search.through, through=through)
        found = (*search.found, *(one.seq for one in fresh))
        search = replace(search, through=through, found=found)
        if is_enough():
            break
    return search


def time_limit(seconds: float) -> Callable[[], bool]:
    """Return a function that says whether *seconds* have passed since."""
    ends_at = time.monotonic() + seconds
    return lambda: time.monotonic() >= ends_at


def mentions_in(view: Snapshot, search: MentionSearch) -> list[Recorded]:
    """Return the events that a search found and that were not erased meanwhile."""
    return records_at(view.conn, search.found, view.integers)


def mentioning(
    view: Snapshot,
    terms: Sequence[str],
    owner: Owner,
    *,
    after: int = 0,
    through: int | None = None,
) -> Sequence[Recorded]:
    """Return the events after one place, up to another, that contain one of *terms*."""
    folded = sorted({one.casefold().strip() for one in terms}, key=lambda one: (-len(one), one))
    known = [one for one in folded if len(one) >= _TERM_CHARS_MIN]
    if not known:
        return ()
    hint, whole = hint_of(known), [*map(_whole_term, known)]

    def mentions(payload: str) -> bool:
        # Folding long texts costs most, so texts that cannot match are skipped.
        if not hint.search(payload.encode()):
            return False
        words = (word.casefold() for word in strings_in(json.loads(payload)))
        return any(term.search(word) for word in words for term in whole)

    return view.like(like_any(known), owner, mentions, after=after, through=through)


def like_any(terms: Sequence[str]) -> Sequence[str]:
    """
    Return SQL patterns that match whatever JSON contains one of the folded *terms*.

    Characters that may fold differently, or that JSON or SQL escapes, are wildcards; how an i folds
    depends on the language of the database.
    """
    one_letter = {"s": "_", "i": "_", "k": "_", "f": "f"}
    opened = (_OPEN.sub(lambda open_: one_letter.get(open_[0], "%"), one) for one in terms)
    return [f"%{_from_rarest(one)}%" for one in opened]


def _from_rarest(pattern: str) -> str:
    """
    Return the end of a pattern that begins with its rarest letter, if it is long enough.

    SQLite searches for the first letter of a pattern, and tries the rest at each match.
    """
    pattern = pattern.lstrip("%_")
    begin = range(max(1, len(pattern) - _LEFT_CHARS_MIN + 1))
    return pattern[max(begin, key=lambda at: _COMMON.find(pattern[at : at + 1]) % len(_COMMON)) :]


def hint_of(terms: Sequence[str]) -> re2._Regexp:
    """Return a regular expression for the same, stricter than `LIKE`; it may match too much."""
    split = (
        _OPEN.sub(lambda open_: open_[0] if open_[0] in "sikf" else "\0", one) for one in terms
    )
    hints = (".*".join(map(re2.escape, one.split("\0"))) for one in split)
    return re2.compile(f"(?is){'|'.join(hints)}".encode())


def _whole_term(term: str) -> re.Pattern[str]:
    """Return a pattern for a term that is no part of a longer word."""
    # The character before it is checked last, since a literal beginning is found faster.
    word = re.escape(term)
    return re.compile(rf"{word}(?!\w)(?<!\w{word})")
