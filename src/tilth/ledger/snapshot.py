"""One consistent state of a store: what every reader is made from."""

from collections.abc import Mapping, Sequence

from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.ledger.chain import Head
from tilth.ledger.engine import Connection, Engine
from tilth.ledger.log import chain_at, events_after, head_of, places_of


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

    def head(self) -> Head:
        """Return the end of the chain."""
        return head_of(self.conn)

    def chain_at(self, seq: int) -> bytes | None:
        """Return the chain's value at a place; None where the ledger ends before it."""
        return chain_at(self.conn, seq)

    def events(self, *, after: int = 0, limit: int = 1000) -> list[Recorded]:
        """Return events in ledger order; erased ones are left out."""
        return events_after(self.conn, after, limit)

    def by_key(self, owner: Owner, keys: Sequence[str]) -> Mapping[str, int]:
        """Return the places of the events that were appended under these idempotency keys."""
        return places_of(self.conn, owner, keys)
