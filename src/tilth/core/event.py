"""
Declare events: each is one class, with all that other features need to know of it.

    @event("gap_moved", subject="gap_id", goes_with=("gap_id",))
    class GapMoved(Event):
        gap_id: GapId
        status: GapStatus
        todo_ref: str = ""

        def headline(self) -> Headline:
            return Headline("gap", self.status)

Its payload follows from its fields (`tilth.core.codec`). A payload holds what the header does not:
no owner, actor, session or time of recording. A kind whose meaning changes gets a new name and is
read as what it meant when it was written; where only its form changes, `upcast` reads the old one.
"""

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import (
    Any,
    ClassVar,
    NamedTuple,
    Protocol,
    TypeVar,
    dataclass_transform,
    runtime_checkable,
)

from tilth.core.actor import Actor
from tilth.core.codec import Payload, codec_of
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, InvalidInputError
from tilth.core.ids import EventId, Id, Place, SessionId, is_identifier, ulid_of
from tilth.core.json import canonical
from tilth.core.scope import Owner, Scope
from tilth.core.table import load_declarations

E = TypeVar("E", bound="Event")

# The text in place of erased words.
ERASED = "(erased)"
# The exceptions from reading a value that Tilth did not write.
_UNREADABLE = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
    InvalidInputError,
)


class Headline(NamedTuple):
    """
    A line on an event: the kind, the words, and the ID of its object.

    If the ID is empty, it is that of the event's subject, or else of what it made.
    """

    kind: str
    text: str
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspects:
    """
    What an event states of itself; the names are those of fields, dotted where one lies deeper.

    Attributes:
        kind: The name under which the ledger keeps it, for ever.
        goes_with: The IDs of which any takes it along when it is erased. What it rests on is
            weighed apart, since other evidence may hold it up.
        makes: The type of the IDs of what it makes; what people call that, where it has no ID.
        subject: The ID of what it is about: who may see that, may see the event. Empty where it
            names its scope itself, or nobody is told of it.
        seen_in: The scope in which it is seen, or where that stands under its own place in the
            ledger; for those that name neither a scope nor a subject.
        undoes: The ID of the event that it takes back: it is seen where that is, if not in
            `seen_in`.
        rests_on: The episodes that it says it rests on.
        says: The words in it that may be somebody's own.
        is_telling: Whether it keeps the things known that it names.
        drops: The words that go when it is erased, where the rest of it goes on holding: what
            happened to things that stay.
        stays: Whether it stands where knowledge goes back to an earlier day: what was said, read
            and spent happened all the same.
        named: Of what it is about and has no ID: its sort, and the fields that name it, the
            whole before the part.
        cause: The ID of the event that brought it about, in the same act: whoever undoes that
            undoes both.
    """

    kind: str
    goes_with: tuple[str, ...]
    makes: type[Id] | str | None = None
    subject: str = ""
    seen_in: Scope | Place | None = None
    undoes: str = ""
    rests_on: str = ""
    says: tuple[str, ...] = ()
    is_telling: bool = False
    drops: str = ""
    stays: bool = False
    named: tuple[str, ...] = ()
    cause: str = ""


class Event:
    """Something that happened. `changes` lists it if it has a headline (`Told`)."""

    __slots__ = ()

    aspects: ClassVar[Aspects]

    @property
    def kind(self) -> str:
        """The name under which the ledger keeps it."""
        return self.aspects.kind

    @property
    def session(self) -> SessionId | None:
        """The session that it belongs to, which the header carries."""
        return codec_of(type(self)).session(self)

    @property
    def named_scope(self) -> Scope | None:
        """The scope in its own fields; None if there is none."""
        scope = getattr(self, "scope", None) or getattr(getattr(self, "draft", None), "scope", None)
        return Scope(scope) if isinstance(scope, str) else None

    @property
    def subject(self) -> str:
        """The ID of its subject; empty if it has none."""
        name = self.aspects.subject
        return str(_getter(name)(self)) if name else ""

    @property
    def undoes(self) -> str:
        """The ID of the event that it undoes; empty if none."""
        name = self.aspects.undoes
        return str(_getter(name)(self)) if name else ""

    @property
    def cause(self) -> str:
        """The ID of the event of the same act that caused it; empty if none."""
        name = self.aspects.cause
        return str(_getter(name)(self) or "") if name else ""

    @property
    def named(self) -> tuple[str, ...]:
        """The name of its object: the sort, the whole, the part."""
        sort, *names = self.aspects.named or ("",)
        return (sort, *(str(_getter(name)(self)) for name in names)) if sort else ()

    @property
    def goes_with(self) -> list[str]:
        """The IDs whose erase erases it."""
        return list(_texts(self, self.aspects.goes_with))

    @property
    def rests_on(self) -> frozenset[EventId]:
        """The episodes that it says it rests on."""
        name = self.aspects.rests_on
        evidence = _getter(name)(self) if name else ()
        return frozenset(ulid_of(getattr(one, "episode_id", one)) for one in evidence)

    @property
    def says(self) -> list[str]:
        """The texts in it that may be somebody's own words."""
        return list(_texts(self, self.aspects.says))

    @property
    def names(self) -> frozenset[EventId]:
        """The events that made what it goes with, and those that it rests on."""
        aspects = self.aspects
        if not (aspects.goes_with or aspects.rests_on):
            return frozenset()
        # A receipt may name a page, which has a name and no event of its own.
        made = (ulid_of(one) for one in self.goes_with if is_identifier(one))
        return frozenset(made) | self.rests_on

    def goes(self, gone: AbstractSet[str]) -> bool:
        """Say whether an erase of the event IDs *gone* erases it."""
        return is_named(gone, *self.goes_with)

    def left(self, gone: AbstractSet[str]) -> "Event | None":
        """
        Return what remains when its payload is gone; None for nothing.

        Effects on things that remain hold on: a fact superseded by an erased one has ended, and a
        decision keeps its effects. None of that repeats a word.
        """
        if isinstance(self, LeavesRemainder):
            return self.remains(gone)
        drops = self.aspects.drops
        if not drops or self.goes(gone):
            return None
        return replace(self, **{drops: ""})  # type: ignore[type-var] # each event is a dataclass

    @classmethod
    def made_by(cls, event_id: EventId) -> str:
        """Return the ID of what such an event made; empty if that has no ID."""
        makes = cls.aspects.makes
        return makes.of(event_id) if isinstance(makes, type) else ""

    @classmethod
    def upcast(cls, payload: Payload) -> Payload:
        """Return an older payload in today's form; most kinds have had only one."""
        return payload


@runtime_checkable
class HasHeadline(Protocol):
    """An event that `changes` lists: any with a headline."""

    def headline(self) -> Headline:
        """Return its line."""
        ...


@runtime_checkable
class LeavesRemainder(Protocol):
    """An event of which more remains after an erase than `drops` says."""

    def remains(self, gone: AbstractSet[str]) -> "Event | None":
        """Return what remains; *gone* holds the IDs of the erased events."""
        ...


_BY_KIND: dict[str, type[Event]] = {}
_READERS: dict[str, Callable[[Any, SessionId | None], Event]] = {}


@dataclass_transform(frozen_default=True)
def event(  # noqa: PLR0913 - each is an aspect, and most have none
    kind: str,
    *,
    goes_with: tuple[str, ...],
    makes: type[Id] | str | None = None,
    subject: str = "",
    seen_in: Scope | Place | None = None,
    undoes: str = "",
    rests_on: str = "",
    says: tuple[str, ...] = (),
    is_telling: bool = False,
    drops: str = "",
    stays: bool = False,
    named: tuple[str, ...] = (),
    cause: str = "",
    kw_only: bool = False,
) -> Callable[[type[E]], type[E]]:
    """
    Make a frozen dataclass of a class, and an event of the ledger; see `Aspects`.

    Raises:
        TypeError: the kind is taken.
    """
    aspects = Aspects(
        kind=kind,
        goes_with=goes_with,
        makes=makes,
        subject=subject,
        seen_in=seen_in,
        undoes=undoes,
        rests_on=rests_on,
        says=says,
        is_telling=is_telling,
        drops=drops,
        stays=stays,
        named=named,
        cause=cause,
    )

    def register(cls: type[E]) -> type[E]:
        if kind in _BY_KIND:
            raise TypeError(f"{_BY_KIND[kind].__name__} is {kind!r} already, not {cls.__name__}")
        made = dataclass(frozen=True, slots=True, kw_only=kw_only)(cls)
        made.aspects = aspects
        _BY_KIND[kind] = made
        return made

    return register


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One event with its place in the ledger."""

    seq: int
    event_id: EventId
    recorded_at: datetime
    owner: Owner
    by: Actor
    session_id: SessionId | None
    event: Event

    @property
    def made(self) -> str:
        """The ID of what it made; empty if that has none."""
        return self.event.made_by(self.event_id)

    @property
    def headline(self) -> Headline:
        """
        Its line in `changes`.

        Raises:
            TypeError: the event has no headline.
        """
        if not isinstance(self.event, HasHeadline):
            raise TypeError(f"nobody is told of {self.event.kind!r}")
        line = self.event.headline()
        return line if line.id else line._replace(id=self.event.subject or self.made)


def events_by_kind() -> Mapping[str, type[Event]]:
    """Return every kind of event that a feature declares."""
    load_declarations()
    return _BY_KIND


def kinds_without_headline() -> list[str]:
    """Return the kinds of events without headlines."""
    return [kind for kind, one in events_by_kind().items() if not hasattr(one, "headline")]


def encode(event: Event) -> str:
    """Return the canonical payload of *event*."""
    return canonical(codec_of(type(event)).write(event))


def decode(kind: str, payload: str, session_id: SessionId | None) -> Event:
    """
    Read a payload back.

    Raises:
        CorruptionError: the kind is unknown, or the payload is not one of its kind.
    """
    try:
        read = _READERS.get(kind) or _reader_of(kind)
        return read(json.loads(payload), session_id)
    except _UNREADABLE as error:
        raise CorruptionError(f"a {kind!r} event cannot be read: {error}") from error


def _reader_of(kind: str) -> Callable[[Any, SessionId | None], Event]:
    cls = _BY_KIND.get(kind) or events_by_kind()[kind]
    read = codec_of(cls).read
    if "upcast" in vars(cls):
        _READERS[kind] = lambda payload, session_id: read(cls.upcast(payload), session_id)
    else:
        _READERS[kind] = read
    return _READERS[kind]


def is_named(gone: AbstractSet[str], *ids: str | None) -> bool:
    """Say whether any of *ids* belongs to an event in *gone*."""
    return any(id_ is not None and ulid_of(id_) in gone for id_ in ids)


@functools.cache
def _getter(name: str) -> Callable[[Any], Any]:
    return attrgetter(name)


def _texts(event: Event, names: Iterable[str]) -> Iterator[str]:
    """Yield the texts in the fields *names*, including those in tuples."""
    for name in names:
        value = _getter(name)(event)
        if isinstance(value, str):
            yield value
        elif value is not None:
            yield from value
