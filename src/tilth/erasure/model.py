"""
Erasing: what people are told of it, and what binds their word to it.

An erase destroys payloads, not events: their places, IDs and headers stay, so the chain holds.
What an event names by ID decides whether it goes, and each says so itself (`tilth.core.event`).
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from tilth.core.dataclass import dataclass
from tilth.core.event import Event, Recorded, encode
from tilth.core.ids import EventId
from tilth.core.json import canonical
from tilth.ledger.events import Gone

# Whatever else goes: what was decided, merged, moved and taken back.
_OTHERS = "changes"
# What has a name of its own, under which events tell of it again and again.
_TOLD_AGAIN = frozenset({"sessions", "pages"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file that still holds words that were erased, and how many of them."""

    path: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidElsewhere:
    """
    Words of what was erased that what was not erased says, too.

    They are no rest of it: a file that holds them holds what stays. `words` counts them, and `ids`
    name some of what says them, the newest first, as far as it is the owner's.
    """

    words: int
    ids: tuple[str, ...]

    @property
    def told(self) -> str:
        """What a person is told of it, before what says them."""
        if self.words == 1:
            return "1 of the words is also in what was not erased"
        return f"{self.words} of the words are also in what was not erased"


def gone_of(event_id: EventId, event: Event, gone: AbstractSet[str]) -> Gone:
    """Return how an erasure names *event*."""
    left = event.left(gone)
    if left is None:
        return Gone(event_id, event.named_scope)
    return Gone(event_id, event.named_scope, left.kind, encode(left))


def counted(events: Iterable[Recorded]) -> Mapping[str, int]:
    """
    Count events by what people call what they made, the most frequent first.

    A session that was described twice is one, and so is a page that was compiled twice.
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
    """Return what binds a human's word to exactly these events."""
    return hashlib.sha256(canonical(sorted(event_ids)).encode()).hexdigest()


def strings_in(value: object) -> Iterator[str]:
    """Yield every string that a JSON value holds, without the names of its fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from strings_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)
