"""
What was recorded since somebody looked last: all of it, in order, each thing once.

Places in the ledger have no gaps and are taken one commit after the other, so
whoever goes on where a page ended misses nothing and meets nothing again.
"""

import base64
import binascii
import logging
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.event import HasHeadline, Recorded
from tilth.core.ids import ids_in, with_ids_in_words
from tilth.core.instant import parse_instant
from tilth.core.scope import Visibility
from tilth.episodes.tables import Episodes
from tilth.ledger.realms import is_visible
from tilth.ledger.records import find_places, records_at
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.terminal_text import one_line

logger = logging.getLogger(__name__)

LIMIT_MAX = 1000
CURSOR_PREFIX = "chg_"
_SEQ_BYTES = 6
# 72 bits of the chain: enough that no other history has this place by chance.
_CHAIN_BYTES = 9
_WORDS_CHARS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """
    What an event did to something that was known: it ceased to hold, or it `holds` from then on.

    `was` and `now` are its lifecycles before and after, `successor` what came in its place.
    """

    id: str
    text: str
    was: str
    now: str
    holds: bool
    successor: str = ""
    successor_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """
    A page of what was recorded, oldest first.

    `cursor` is where to go on; with `has_more` there is more to read already. `effects` are those
    of each event, by its place. `words` are those of what the events name by an ID.
    """

    items: tuple[Recorded, ...]
    cursor: str
    has_more: bool
    effects: Mapping[int, tuple[Effect, ...]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def line_of(self, recorded: Recorded) -> str:
        """Return the words of a change: what it is about, if it is not new by it, and what."""
        line = recorded.headline
        said = with_ids_in_words(line.text, self.words)
        about = self.words.get(line.id, "") if line.id != recorded.made else ""
        named = {one.id for one in self.effects.get(recorded.seq, ())}
        if not about or line.id in named:
            return said
        # What names something stands in quotes already.
        quoted = about if about.startswith("“") else f"“{about}”"
        return f"{quoted}: {said}".removesuffix(": ")


def changes(store: Store, since: str, within: Visibility, *, limit: int) -> Changes:
    """
    Return what was recorded, stated, ended, asked and decided since.

    What tells nothing of what is known (imports, receipts, feedback) is left out.

    A cursor stands for a place and for all that was recorded up to it. It is
    good in that history alone: in another store, or in this one after an older
    backup took its place, it is refused rather than answered wrongly.

    Args:
        store: Where to look.
        since: A cursor that an earlier page gave, an instant, or an empty text
            for the beginning.
        within: Whose, and in which scopes.
        limit: How many at most.

    Raises:
        InvalidInputError: *since* is neither cursor nor instant, or *limit* is
            not from 1 to 1000.
        ConflictError: the cursor belongs to another history.
    """
    if not 1 <= limit <= LIMIT_MAX:
        raise InvalidInputError(f"limit is 1 to {LIMIT_MAX}, not {limit}")
    with store.read() as view:
        found = Episodes(view).changes(within, since=_begin(view, since), limit=limit + 1)
        page, has_more = found[:limit], len(found) > limit
        # Nothing else that may be seen lies before the end, so the next look begins there.
        end = page[-1].seq if has_more else view.head().seq
        cursor = _cursor(view, end)
        words = words_of(view, {id_ for one in page for id_ in _named_by(one)}, within)
    logger.log(logging.INFO if page else logging.DEBUG, "changes read: found=%d", len(page))
    return Changes(items=tuple(page), cursor=cursor, has_more=has_more, words=words)


def _named_by(recorded: Recorded) -> list[str]:
    line = recorded.headline
    return ids_in(line.text) + (ids_in(line.id) if line.id != recorded.made else [])


def words_of(view: Snapshot, ids: Iterable[str], within: Visibility) -> Mapping[str, str]:
    """
    Return how each of *ids* was told of when it was made, cut; an ID within that in words, too.

    What may not be seen from *within*, or is gone, has no words.
    """
    said = _said_of(view, ids, within)
    inner = _said_of(view, {id_ for text in said.values() for id_ in ids_in(text)}, within)
    return {id_: with_ids_in_words(text, inner) for id_, text in said.items()}


def _said_of(view: Snapshot, ids: Iterable[str], within: Visibility) -> dict[str, str]:
    places = find_places(view.conn, ids)
    told = {
        one.seq: one_line(one.headline.text, _WORDS_CHARS)
        for one in records_at(view.conn, [*places.values()], view.integers)
        if isinstance(one.event, HasHeadline) and is_visible(view.conn, one, within)
    }
    return {id_: told[seq] for id_, seq in places.items() if seq in told}


def _begin(view: Snapshot, since: str) -> int | datetime:
    """Return the place after which, or the instant from which on to read."""
    if not since:
        return 0
    if not since.startswith(CURSOR_PREFIX):
        return parse_instant(since)
    try:
        raw = base64.urlsafe_b64decode(since.removeprefix(CURSOR_PREFIX).encode("ascii"))
    except (UnicodeEncodeError, binascii.Error) as error:
        raise _not_a_cursor(since) from error
    if len(raw) != _SEQ_BYTES + _CHAIN_BYTES:
        raise _not_a_cursor(since)
    seq = int.from_bytes(raw[:_SEQ_BYTES])
    if _cursor(view, seq) != since:
        raise ConflictError(
            "this cursor belongs to another store, or to a history that was replaced",
            hint="begin again without a cursor, or with the date of your last look",
        )
    return seq


def _cursor(view: Snapshot, seq: int) -> str:
    """Write the place *seq* of this history; an empty text where the ledger ends before it."""
    chain = view.chain_at(seq)
    if chain is None:
        return ""
    raw = seq.to_bytes(_SEQ_BYTES) + chain[:_CHAIN_BYTES]
    return CURSOR_PREFIX + base64.urlsafe_b64encode(raw).decode("ascii")


def _not_a_cursor(text: str) -> InvalidInputError:
    return InvalidInputError(
        f"{text[:60]!r} is not a cursor", hint="give back the cursor of the last page as it was"
    )
