"""
Looking through the ledger for what tells of somebody by a name or an address.

That reads all that was ever recorded. Who waits for it need not wait for all: it is looked through
in stretches, and how far it is (`Looked`) is enough to go on.
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
# The letters of texts and of JSON, the most frequent first; any other is rare.
_COMMON = '%_ etaoinrslcd"mup:h,gf.b-y/wv1k0x~'
_LEFT_CHARS_MIN = 4
# So many events are looked at between two looks at the clock.
STRETCH = 500
# What stands in JSON as it stands in a folded term: plain ASCII, and scripts without case.
_KEPT = r"a-z0-9 .,:;@/+'\u0590-\u109f\u3040-\ua48c\uac00-\ud7a3-"
# What `str.casefold` makes of ligatures, sharp and long s; what it makes of letters with marks
# stands beside something that is not kept. What becomes of an i depends on the language.
_LIGATURE = "s+t?|f+[il]?"
_OPEN = re.compile(rf"(?:{_LIGATURE}|[a-z])?[^{_KEPT}]+(?:{_LIGATURE}|[a-z])?|{_LIGATURE}|[ik]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """How far somebody looked for what holds any of *terms*, and the places where it was found."""

    terms: tuple[str, ...]
    through: int = 0
    found: tuple[int, ...] = ()


def look_on(view: Snapshot, looked: Looked, owner: Owner, is_enough: Callable[[], bool]) -> Looked:
    """Return how far it is when that *is_enough*, or at the end: one stretch further at least."""
    end = view.head().seq
    while looked.through < end:
        through = min(looked.through + STRETCH, end)
        fresh = telling(view, looked.terms, owner, after=looked.through, through=through)
        found = (*looked.found, *(one.seq for one in fresh))
        looked = replace(looked, through=through, found=found)
        if is_enough():
            break
    return looked


def spent(seconds: float) -> Callable[[], bool]:
    """Return what says whether so many seconds have gone by since."""
    ends_at = time.monotonic() + seconds
    return lambda: time.monotonic() >= ends_at


def found_by(view: Snapshot, looked: Looked) -> list[Recorded]:
    """Return what was found and still tells of somebody: what was erased since tells nothing."""
    return records_at(view.conn, looked.found, view.integers)


def telling(
    view: Snapshot,
    terms: Sequence[str],
    owner: Owner,
    *,
    after: int = 0,
    through: int | None = None,
) -> Sequence[Recorded]:
    """Return what tells of somebody by one of *terms*, after a place and up to another."""
    known = _known_terms(terms)
    if not known:
        return ()
    hint, whole = hint_of(known), [*map(_whole, known)]

    def tells(payload: str) -> bool:
        # Folding long texts costs more than all else, so what cannot hold a term is spared it.
        if not hint.search(payload.encode()):
            return False
        words = (word.casefold() for word in strings_in(json.loads(payload)))
        return any(term.search(word) for word in words for term in whole)

    return view.like(like_any(known), owner, tells, after=after, through=through)


def _known_terms(terms: Sequence[str]) -> Sequence[str]:
    """Return terms as they are looked for, the longest first."""
    known = sorted({one.casefold().strip() for one in terms}, key=lambda one: (-len(one), one))
    return [one for one in known if len(one) >= _TERM_CHARS_MIN]


def like_any(terms: Sequence[str]) -> Sequence[str]:
    """
    Return patterns of SQL that let through whatever JSON holds one of the folded *terms*.

    What other characters may be folded to, and what JSON or SQL escapes, is left open; what
    becomes of an i depends on the language of the database.
    """
    one_letter = {"s": "_", "i": "_", "k": "_", "f": "f"}
    opened = (_OPEN.sub(lambda open_: one_letter.get(open_[0], "%"), one) for one in terms)
    return [f"%{_from_rarest(one)}%" for one in opened]


def _from_rarest(pattern: str) -> str:
    """
    Return a pattern without what stands before its rarest letter, where enough is left.

    SQLite looks for the first letter of a pattern, and tries the rest at each that it finds.
    """
    pattern = pattern.lstrip("%_")
    begin = range(max(1, len(pattern) - _LEFT_CHARS_MIN + 1))
    return pattern[max(begin, key=lambda at: _COMMON.find(pattern[at : at + 1]) % len(_COMMON)) :]


def hint_of(terms: Sequence[str]) -> re2._Regexp:
    """Return a pattern that lets through the same, and tells a letter alone from any other."""
    apart = (
        _OPEN.sub(lambda open_: open_[0] if open_[0] in "sikf" else "\0", one) for one in terms
    )
    hints = (".*".join(map(re2.escape, one.split("\0"))) for one in apart)
    return re2.compile(f"(?is){'|'.join(hints)}".encode())


def _whole(term: str) -> re.Pattern[str]:
    """Return a pattern of a term between no letters; what stands before it is looked at last."""
    word = re.escape(term)
    return re.compile(rf"{word}(?!\w)(?<!\w{word})")
