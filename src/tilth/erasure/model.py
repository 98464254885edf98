"""
The model of erasures: their results, counts and digests.

An erase destroys payloads, not events: their places, IDs and headers stay, so the chain holds. The
IDs that an event names decide whether it goes; each kind of event declares which
(`tilth.core.event`).
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from tilth.core.dataclass import dataclass
from tilth.core.event import Event, Recorded, encode
from tilth.core.ids import EventId
from tilth.core.json import canonical
from tilth.ledger.events import Gone

# The label for all other events: decisions, merges, moves and undos.
_OTHERS = "changes"
# Nouns of things that several events describe; each thing counts once.
_TOLD_AGAIN = frozenset({"sessions", "pages"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file that still holds erased words, and how many."""

    path: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidElsewhere:
    """
    Erased words that remaining records contain as well, so files may hold them rightly.

    `words` counts them, and `ids` are some of the owner's records with them, newest first.
    """

    words: int
    ids: tuple[str, ...]

    @property
    def told(self) -> str:
        """The message to a person, without the records' IDs."""
        if self.words == 1:
            return "1 of the words is also in what was not erased"
        return f"{self.words} of the words are also in what was not erased"


def gone_of(event_id: EventId, event: Event, gone: AbstractSet[str]) -> Gone:
    """Return the tombstone of *event*; *gone* are the IDs of all events that go."""
    left = event.left(gone)
    if left is None:
        return Gone(event_id, event.named_scope)
    return Gone(event_id, event.named_scope, left.kind, encode(left))


def counted(events: Iterable[Recorded]) -> Mapping[str, int]:
    """
    Count events by the nouns of what they made, the most frequent first.

    A session that was described twice counts once, and so does a page that was compiled twice.
    """
    counts: dict[str, int] = {}
    known = set()
    for one in events:
        event = one.event
        makes = event.aspects.makes or _OTHERS
        noun = makes if isinstance(makes, str) else makes.plural
        named = one.headline.id if noun in _TOLD_AGAIN else ""
        thing = (noun, one.owner, event.named_scope, named or one.event_id)
        if thing not in known:
            known.add(thing)
            counts[noun] = counts.get(noun, 0) + 1
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def erasure_digest(event_ids: Iterable[EventId]) -> str:
    """Return the digest that ties a confirmation to exactly these events."""
    return hashlib.sha256(canonical(sorted(event_ids)).encode()).hexdigest()


def strings_in(value: object) -> Iterator[str]:
    """Yield every string value in JSON, without the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from strings_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)
