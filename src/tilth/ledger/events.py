"""The events of the store itself, and of erasures."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from tilth.core.actor import Actor
from tilth.core.codec import Row
from tilth.core.dataclass import dataclass
from tilth.core.event import Event, Headline, Recorded, event
from tilth.core.ids import EventId, OperationId
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.core.view import number_of


@event("store_created", goes_with=(), stays=True)
class StoreCreated(Event):
    """A store came to be; always the first event."""

    store_id: str


class Basis(StrEnum):
    """What somebody named to be erased; everything that follows from it goes with it."""

    ENTITY = "entity"
    EPISODES = "episodes"
    SESSION = "session"
    FACTS = "facts"


_NAMED = {
    Basis.ENTITY: "of an entity",
    Basis.EPISODES: "of episodes",
    Basis.SESSION: "of a session",
    Basis.FACTS: "of facts",
}


@dataclass(frozen=True, slots=True)
class Gone:
    """
    One event whose payload is destroyed: its ID and scope, and what is left of it.

    What is left is a payload of the kind `left_kind`, without anybody's words: a replay reads it
    in the place of what was there. Both are empty where nothing is left.
    """

    event_id: EventId
    scope: Scope | None = None
    left_kind: str = ""
    left: str = ""


@event("erased", kw_only=True, goes_with=(), stays=True)
class Erased(Event):
    """
    Payloads were destroyed, and whatever was made of them.

    It names events and where they were seen, and none of their words. `repeats` is the erasure
    that was applied again, after an older store came back.
    """

    basis: Basis
    gone: tuple[Annotated[Gone, Row(keeps=2)], ...]
    repeats: EventId | None = None

    @property
    def scope(self) -> Scope:
        """Where people are told of it: where all of it was seen, if that is one place."""
        scopes = {one.scope for one in self.gone if one.scope is not None}
        return scopes.pop() if len(scopes) == 1 else GLOBAL

    def headline(self) -> Headline:
        """Return how much went, and what was named; never a word of it."""
        again = ", again" if self.repeats else ""
        records = number_of(len(self.gone), "record")
        return Headline("erased", f"{records} {_NAMED[self.basis]}{again}")


@event(
    "set_aside",
    kw_only=True,
    makes=OperationId,
    seen_in=GLOBAL,
    goes_with=(),
    drops="reason",
    stays=True,
)
class SetAside(Event):
    """
    Operations were taken out of what holds, and others were brought `back` into it.

    Nothing leaves the ledger: a replay passes over what is aside. `through` is the place whose
    knowledge came back; None where single operations were named.
    """

    aside: tuple[EventId, ...] = ()
    back: tuple[EventId, ...] = ()
    through: int | None = None
    reason: str = ""

    def headline(self) -> Headline:
        """Return why, or else of how much."""
        kind, moved = ("set aside", self.aside) if self.aside else ("brought back", self.back)
        return Headline(kind, self.reason or number_of(len(moved), "operation"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What stands where something was erased: its ID, when, by whom, and where it was seen."""

    id: str
    erased_at: datetime
    by: Actor
    scope: Scope | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """
    One erasure by reference: which events it took, when, and who said so.

    It is kept outside the store too, so that a store that comes back is erased again.
    """

    event_id: EventId
    repeats: EventId | None
    at: datetime
    by: Actor
    owner: Owner
    basis: Basis
    event_ids: tuple[EventId, ...]

    @property
    def first_id(self) -> EventId:
        """The erasure itself, or the one that it applied again."""
        return self.repeats or self.event_id


def erasure_of(recorded: Recorded, event: Erased) -> Erasure:
    """Return the erasure that *event* records."""
    return Erasure(
        event_id=recorded.event_id,
        repeats=event.repeats,
        at=recorded.recorded_at,
        by=recorded.by,
        owner=recorded.owner,
        basis=event.basis,
        event_ids=tuple(one.event_id for one in event.gone),
    )
