"""The model of snapshots and operations, and the rule for a rollback."""

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
# Events that name what they removed or set aside, and do not depend on it.
_REMOVING = (Erased, SetAside)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSnapshot:
    """
    The file of a day's snapshot.

    `through` and `chain` are the last place of the ledger at the time and the hash there, `digest`
    is that of the tables of knowledge, and `sha256` that of the file's lines. `erased` counts
    operations that were erased since, which a rollback does not bring back.
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
    """One change, as shown to somebody who may undo it."""

    id: EventId
    at: datetime
    by: Actor
    kind: str
    text: str
    made: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackPlan:
    """The operations that a rollback sets aside and brings back, and the later ones that stay."""

    aside: tuple[EventId, ...]
    back: tuple[EventId, ...]
    kept: tuple[Recorded, ...]

    @property
    def digest(self) -> str:
        """The digest that ties a confirmation to exactly this."""
        return hashlib.sha256("\n".join([*self.aside, "", *self.back]).encode()).hexdigest()[:16]


def operation_of(recorded: Recorded) -> Operation:
    """Return an event as an operation, even a kind that is usually not shown."""
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
    """Say whether an event stays when knowledge goes back, as a rejection does."""
    is_rejection = isinstance(event, ProposalDecided) and event.ruling.action is Action.REJECT
    return is_rejection or event.aspects.stays


def named_in(event: Event) -> frozenset[EventId]:
    """
    Return the events that an event depends on by naming what they made.

    Of an event that stays, such as an episode, only those that it is erased with count: its text
    may name anything.
    """
    if isinstance(event, _REMOVING):
        return frozenset()
    if event.aspects.stays:
        return frozenset(map(ulid_of, event.goes_with))
    return frozenset(EventId(one) for one in _ULID.findall(encode(event)))


def plan_of(
    later: Sequence[Recorded],
    aside_now: AbstractSet[EventId],
    aside_then: AbstractSet[EventId],
    earlier_aside: Collection[EventId],
) -> RollbackPlan:
    """
    Return the operations that must go, and come back, to restore earlier knowledge.

    Episodes stay, and so do rejections and erasures, with what they name.

    Args:
        later: The events since, in ledger order.
        aside_now: The events set aside now.
        aside_then: The events set aside at that time.
        earlier_aside: Events set aside now or then that were recorded before that time.
    """
    kept = _kept(later, aside_now)
    aside = [
        one.event_id for one in later if one.event_id not in kept and one.event_id not in aside_now
    ]
    aside += sorted(set(earlier_aside) & (aside_then - aside_now))
    back = sorted(set(earlier_aside) & (aside_now - aside_then))
    rejected = tuple(one for one in later if one.event_id in kept and not one.event.aspects.stays)
    return RollbackPlan(aside=tuple(aside), back=tuple(back), kept=rejected)


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
    """Return the operation itself, and the events that made what it changed or decided on."""
    event = recorded.event
    ruling = getattr(event, "ruling", None)
    decided: Iterable[str] = (
        () if ruling is None else (*ruling.facts, *ruling.retires, *ruling.rejects)
    )
    subject = [event.subject] if event.subject else []
    return frozenset({recorded.event_id, *map(ulid_of, (*subject, *decided))})
