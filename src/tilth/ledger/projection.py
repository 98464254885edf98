"""
How events show in the tables: each feature says it of its own.

`tx.append`, `rebuild` and `verify` all come through `project`, so what is
stored, what is rebuilt and what is checked cannot drift apart.

    @projects(GapDetected)
    def detected(rows: Rows, recorded: Recorded, event: GapDetected) -> None:
        rows.run(_NEW, (recorded.seq, ...))
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from tilth.core.event import Event, Recorded
from tilth.core.scope import Scope
from tilth.core.table import know_all
from tilth.ledger.engine import Connection, Indexed, Texts, TextSink
from tilth.ledger.realms import realm_of
from tilth.ledger.records import place_of


class Rows:
    """Where events show: the tables behind a connection, or a replay's, and the text indexes."""

    def __init__(self, conn: Connection, texts: Texts[TextSink]) -> None:
        self.conn = conn
        self.texts = texts
        # Runs one statement and returns its rows; a replay does it five times an event.
        self.run = conn.rows

    def place_of(self, id_: str) -> int:
        """
        Return the place of the event that *id_* was made by.

        Raises:
            CorruptionError: the ledger has none, though an event of it names it.
        """
        return place_of(self.conn, id_)

    def realm_of(self, recorded: Recorded, scope: Scope) -> int:
        """Return the number of the realm of an event's owner and *scope*; the event may open it."""
        return realm_of(self.conn, recorded.seq, recorded.owner, scope)


E = TypeVar("E")
Handler: TypeAlias = Callable[[Rows, Recorded, E], None]
TermsIn: TypeAlias = Callable[[str], list[str]]

_HANDLERS: defaultdict[type, list[Handler[Any]]] = defaultdict(list)
_TERMS: dict[Indexed, TermsIn] = {}


def projects(kind: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """
    Say that a function shows events of this kind in tables of its own.

    A kind may show in the tables of several features: none of their functions sees
    what another wrote for the same event. `Event` is any kind.
    """

    def register(handler: Handler[E]) -> Handler[E]:
        _HANDLERS[kind].append(handler)
        return handler

    return register


def project(rows: Rows, recorded: Recorded) -> None:
    """Show *recorded* wherever a feature says that it shows."""
    know_all()
    for kind in (Event, type(recorded.event)):
        for handler in _HANDLERS.get(kind, ()):
            handler(rows, recorded, recorded.event)


def projected_kinds() -> frozenset[type]:
    """Return the kinds of events that show in any table."""
    know_all()
    return frozenset(_HANDLERS)


def indexes_terms(indexed: Indexed) -> Callable[[TermsIn], TermsIn]:
    """Say that a function reads from a payload the terms by which it is found."""

    def register(terms_in: TermsIn) -> TermsIn:
        _TERMS[indexed] = terms_in
        return terms_in

    return register


def terms_in(indexed: Indexed, payload: str) -> list[str]:
    """
    Return what the full-text index holds of the episode or fact with this *payload*.

    Raises:
        CorruptionError: it is not that of one.
    """
    if indexed not in _TERMS:
        know_all()
    return _TERMS[indexed](payload)


def storable(text: str) -> str:
    """Return *text* without NULs, which PostgreSQL cannot hold; the ledger keeps what was said."""
    return text.replace("\0", "\ufffd")
