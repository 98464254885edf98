"""
Project events into tables; each feature declares its own projections.

`tx.append`, `rebuild` and `verify` all use `project`, so what is stored, rebuilt and verified
cannot differ.

    @projects(GapDetected)
    def detected(rows: Rows, recorded: Recorded, event: GapDetected) -> None:
        rows.run(_NEW, (recorded.seq, ...))
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from tilth.core.event import Event, Recorded
from tilth.core.scope import Scope
from tilth.core.table import load_declarations
from tilth.ledger.engine import Connection, Indexed, Texts, TextSink
from tilth.ledger.realms import realm_of
from tilth.ledger.records import place_of


class Rows:
    """The target of projections: the tables of a connection or a replay, and the text indexes."""

    def __init__(self, conn: Connection, texts: Texts[TextSink]) -> None:
        self.conn = conn
        self.texts = texts
        # Run one statement and return its rows; an attribute, since a replay calls it five times
        # for each event.
        self.run = conn.rows

    def place_of(self, id_: str) -> int:
        """
        Return the place of the event that made *id_*.

        Raises:
            CorruptionError: the ledger has none, though an event names it.
        """
        return place_of(self.conn, id_)

    def realm_of(self, recorded: Recorded, scope: Scope) -> int:
        """Return the number of the realm of an event's owner and *scope*; a new one if needed."""
        return realm_of(self.conn, recorded.seq, recorded.owner, scope)


E = TypeVar("E")
Handler: TypeAlias = Callable[[Rows, Recorded, E], None]
TermsIn: TypeAlias = Callable[[str], list[str]]

_HANDLERS: defaultdict[type, list[Handler[Any]]] = defaultdict(list)
_TERMS: dict[Indexed, TermsIn] = {}


def projects(kind: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """
    Register a function that projects events of this kind into tables of its feature.

    Several features may project one kind; none of their functions reads what another wrote for the
    same event. `Event` stands for every kind.
    """

    def register(handler: Handler[E]) -> Handler[E]:
        _HANDLERS[kind].append(handler)
        return handler

    return register


def project(rows: Rows, recorded: Recorded) -> None:
    """Project *recorded* into the tables of all features."""
    load_declarations()
    for kind in (Event, type(recorded.event)):
        for handler in _HANDLERS.get(kind, ()):
            handler(rows, recorded, recorded.event)


def projected_kinds() -> frozenset[type]:
    """Return the kinds of events that any feature projects."""
    load_declarations()
    return frozenset(_HANDLERS)


def indexes_terms(indexed: Indexed) -> Callable[[TermsIn], TermsIn]:
    """Register the function that reads the index terms of a payload."""

    def register(terms_in: TermsIn) -> TermsIn:
        _TERMS[indexed] = terms_in
        return terms_in

    return register


def terms_in(indexed: Indexed, payload: str) -> list[str]:
    """
    Return the terms in the full-text index for the episode or fact with this *payload*.

    Raises:
        CorruptionError: it is not valid.
    """
    if indexed not in _TERMS:
        load_declarations()
    return _TERMS[indexed](payload)


def storable(text: str) -> str:
    """Return *text* without NULs, which PostgreSQL cannot hold; the ledger keeps the original."""
    return text.replace("\0", "\ufffd")
