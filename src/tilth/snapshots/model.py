"""Snapshots, operations, and what has to go for knowledge to be what it was."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.event import Event, Recorded, encode
from tilth.core.ids import EventId, ulid_of
from tilth.knowledge.proposals.events import ChangeUndone, ProposalDecided
from tilth.knowledge.proposals.proposal import Action
from tilth.ledger.events import Erased, SetAside

KEPT = 30
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
# They name what they took, and rest on none of it.
_TAKING = (Erased, SetAside)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSnapshot:
    """
    One file of what was known on a day.

    `through` and `chain` are the end of the ledger then, `digest` is that of the tables of what
    is known, `sha256` that of the file's lines. `erased` says that something was erased since,
    which a rollback does not bring back.
    """

    day: str
    path: str
    store_id: str
    owner: str
    taken_at: datetime
    through: int
    chain: str
    digest: str
    counts: Mapping[str, int]
    sha256: str = ""
    erased: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One change, as somebody sees it who may take it back."""

    id: EventId
    at: datetime
    by: Actor
    kind: str
    text: str
    made: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is set aside and brought back, and the later events that stay nevertheless."""

    aside: tuple[EventId, ...]
    back: tuple[EventId, ...]
    kept: tuple[Recorded, ...]

    @property
    def digest(self) -> str:
        """What binds a yes to exactly this."""
        return hashlib.sha256("\n".join([*self.aside, "", *self.back]).encode()).hexdigest()[:16]


def operation_of(recorded: Recorded) -> Operation:
    """Return an event as an operation; one that nobody is told of by its kind."""
    line = recorded.headline if hasattr(recorded.event, "headline") else None
    return Operation(
        id=recorded.event_id,
        at=recorded.recorded_at,
        by=recorded.by,
        kind=recorded.event.kind,
        text="" if line is None else line.text,
        made=recorded.made,
    )


def stays(event: Event) -> bool:
    """Say whether an event stands where knowledge goes back: a rejection does, too."""
    is_rejection = isinstance(event, ProposalDecided) and event.ruling.action is Action.REJECT
    return is_rejection or event.aspects.stays


def named_in(event: Event) -> frozenset[EventId]:
    """
    Return the events whose things an event rests on, as far as it names them.

    What happened rests on what it goes with alone: a protocol may name anything.
    """
    if isinstance(event, _TAKING):
        return frozenset()
    if event.aspects.stays:
        return frozenset(map(ulid_of, event.goes_with))
    return frozenset(EventId(one) for one in _ULID.findall(encode(event)))


def turn_back(
    later: Sequence[Recorded],
    aside_now: AbstractSet[EventId],
    aside_then: AbstractSet[EventId],
    earlier_aside: Collection[EventId],
) -> Turn:
    """
    Return what has to go, and to come back, for knowledge to be what it was.

    What was said, read and spent stays, and so do rejections and erasures, with what they name:
    none of it is undone by going back.

    Args:
        later: What was recorded since, in ledger order.
        aside_now: What is aside now.
        aside_then: What was aside then.
        earlier_aside: Of what is aside now or was then, what was recorded before.
    """
    kept = _kept(later, aside_now)
    aside = [
        one.event_id for one in later if one.event_id not in kept and one.event_id not in aside_now
    ]
    aside += sorted(set(earlier_aside) & (aside_then - aside_now))
    back = sorted(set(earlier_aside) & (aside_now - aside_then))
    rejected = tuple(one for one in later if one.event_id in kept and not one.event.aspects.stays)
    return Turn(aside=tuple(aside), back=tuple(back), kept=rejected)


def _kept(later: Sequence[Recorded], aside: AbstractSet[EventId]) -> set[EventId]:
    by_id = {one.event_id: one for one in later}
    taken_back = {
        one.event.event_id
        for one in later
        if isinstance(one.event, ChangeUndone) and one.event_id not in aside
    }
    kept: set[EventId] = set()
    waiting = [one for one in later if stays(one.event) and one.event_id not in aside | taken_back]
    while waiting:
        one = waiting.pop()
        if one.event_id not in kept:
            kept.add(one.event_id)
            waiting += [by_id[name] for name in named_in(one.event) if name in by_id]
    return kept


def things_of(recorded: Recorded) -> frozenset[EventId]:
    """Return the events that made what an operation made, changed or decided on."""
    event = recorded.event
    ruling = getattr(event, "ruling", None)
    decided: Iterable[str] = (
        () if ruling is None else (*ruling.facts, *ruling.retires, *ruling.rejects)
    )
    subject = [event.subject] if event.subject else []
    return frozenset({recorded.event_id, *map(ulid_of, (*subject, *decided))})
