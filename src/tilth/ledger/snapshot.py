"""A snapshot: one consistent state of a store, from which every reader is made."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from tilth.core.errors import InvalidInputError
from tilth.core.event import Recorded
from tilth.core.ids import EventId, SessionId, parse_beginning
from tilth.core.instant import from_micros
from tilth.core.scope import Owner, Visibility
from tilth.ledger.chain import Head, Row
from tilth.ledger.engine import Connection, Engine
from tilth.ledger.engine import Row as Values
from tilth.ledger.log import (
    chain_at,
    described,
    events_after,
    events_like,
    head_of,
    is_rebuilt_after,
    iter_rows,
    named_by,
    places_of,
    remains_shown,
    set_aside_through,
    tail_of,
)
from tilth.ledger.realms import visible_realms
from tilth.ledger.verification import digest

# In characters: a shorter beginning of an ID would fit a year of records.
_SHOWN_MAX = 5
_PAGE = 1000
_Found = TypeVar("_Found")


class Snapshot:
    """
    One consistent snapshot. Nothing in it changes while it is open.

    A reader of a concept is made from it and costs nothing to make: `Facts(view).get(…)`.
    """

    def __init__(self, conn: Connection, engine: Engine) -> None:
        self.conn = conn
        self.engine = engine

    @property
    def integers(self) -> str:
        """A subquery that turns the parameter `?`, a JSON array, into rows of one integer."""
        return self.engine.integers

    def select(self, sql: str, *params: object) -> list[Values]:
        """
        Run *sql*, in which `{integers}` stands for a list of numbers.

        A list among *params* is bound as one; what may be seen, as the numbers of its realms.
        """
        return self.conn.rows(sql.replace("{integers}", self.integers), [*map(self._bound, params)])

    def _bound(self, param: object) -> object:
        if isinstance(param, Visibility):
            return visible_realms(self.conn, param)
        if isinstance(param, Collection) and not isinstance(param, str | bytes):
            return json.dumps(list(param))
        return param

    def head(self) -> Head:
        """Return the end of the chain."""
        return head_of(self.conn)

    def recorded_until(self) -> datetime:
        """Return the time of the last event, by the clock that recorded it."""
        return from_micros(tail_of(self.conn).recorded_at)

    def chain_at(self, seq: int) -> bytes | None:
        """Return the chain's value at a place; None if the ledger ends before it."""
        return chain_at(self.conn, seq)

    def is_rebuilt_after(self, seq: int) -> bool:
        """Say whether every table was rebuilt since a place, by an erase or what was set aside."""
        return is_rebuilt_after(self.conn, seq)

    def events(self, *, after: int = 0, limit: int = 1000) -> list[Recorded]:
        """Return events in ledger order; erased ones are left out."""
        return events_after(self.conn, after, limit)

    def later(self, after: int, *, but: Sequence[str] = ()) -> Iterator[Recorded]:
        """
        Yield the events after a place, in order; of erased ones, what remains.

        Events of the kinds *but* are left out without being read.
        """
        remains = remains_shown(self.conn)
        while page := events_after(self.conn, after, _PAGE, remains, but):
            yield from page
            after = page[-1].seq

    def described(self, session_id: SessionId) -> list[Recorded]:
        """Return events that describe sessions of this ID as a whole, of every owner."""
        return described(self.conn, session_id)

    def like(
        self,
        patterns: Sequence[str],
        owner: Owner,
        is_meant: Callable[[str], bool],
        *,
        after: int = 0,
        through: int | None = None,
    ) -> list[Recorded]:
        """
        Return the events of an owner whose payloads are like any of *patterns*, in order.

        Args:
            patterns: `%` stands for any text, `_` for any character; case does not count.
            owner: Whose events.
            is_meant: Says of a payload whether it is one of those.
            after: The place after which to look.
            through: The last place to look at; None: the end.
        """
        stretch = (after, self.head().seq if through is None else through)
        return events_like(self.conn, patterns, owner, is_meant, self.engine.like, stretch)

    def rows(self) -> Iterator[Row]:
        """Yield every row of the ledger as stored, of every owner, in order."""
        return iter_rows(self.conn)

    def asides(self, through: int) -> frozenset[EventId]:
        """Return the events that were set aside at the place *through*."""
        return set_aside_through(self.conn, through)

    def digest(self) -> str:
        """Return one digest over all projections."""
        return digest(self.conn)

    def knowledge_digest(self) -> str:
        """Return one digest over knowledge, which no episode and no spending changes."""
        return digest(self.conn, is_of_knowledge=True)

    def whole_id(self, owner: Owner, text: str) -> str:
        """
        Return the ID that starts with *text*; *text* itself if none does.

        Raises:
            InvalidInputError: several IDs start with it.
        """
        begun = parse_beginning(text)
        if begun is None:
            return text
        made, letters = begun
        named = named_by(self.conn, owner, letters, made, _SHOWN_MAX + 1)
        if len(named) > 1:
            shown = ", ".join(named[:_SHOWN_MAX]) + (", …" if len(named) > _SHOWN_MAX else "")
            raise InvalidInputError(
                f"{text!r} begins the IDs of several {made.plural}", hint=f"one of {shown}"
            )
        return named[0] if named else text

    def by_key(self, owner: Owner, keys: Sequence[str]) -> Mapping[str, int]:
        """Return the places of the events that were appended under these idempotency keys."""
        return places_of(self.conn, owner, keys)


def every(select: Callable[..., Sequence[_Found]]) -> Iterator[_Found]:
    """Yield everything that *select* finds, page by page."""
    offset = 0
    while page := select(limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)


class SnapshotReader:
    """The base of readers of a concept's tables in one snapshot."""

    def __init__(self, view: Snapshot) -> None:
        self._view = view
        self._conn = view.conn
        self._integers = view.integers
        self._rows = view.select
