"""
Prepare the replay for a change in advance, so that writers need not wait for it.

What an erase, an undo, a rollback or a rebuild leaves is what a replay of the whole ledger shows.
That replay is made in temporary tables, from a snapshot, while others write. Under the write lock
it takes in what they wrote, and the stored tables become what it is, row by row where they differ.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from tilth.core.ids import EventId, decode_ulid
from tilth.core.table import tables
from tilth.ledger.engine import Connection, Engine, OwnConnection, StagedText, Texts
from tilth.ledger.events import Erased, Gone, SetAside
from tilth.ledger.log import head_of, is_rebuilt_after, remains_in, rows_after, set_aside_through
from tilth.ledger.projection import Rows
from tilth.ledger.realms import forget_realms
from tilth.ledger.records import find_places
from tilth.ledger.replay.fill_tables import show
from tilth.ledger.replay.shadow_tables import Shadows

# None is a rebuild: what is to be seen stays what it is.
Change: TypeAlias = Erased | SetAside | None

# Whatever is asked of the ledger meanwhile, it is answered as it will be: without what goes.
_GOING = "CREATE TEMPORARY TABLE going (seq $integer PRIMARY KEY)"
_LEDGER = """
CREATE TEMPORARY VIEW ledger AS SELECT seq, event_id, recorded_at, owner, actor, actor_kind,
    session_id, kind, key,
    CASE WHEN seq IN (SELECT seq FROM {going}) THEN NULL ELSE payload END AS payload,
    CASE WHEN seq IN (SELECT seq FROM {going}) THEN NULL ELSE salt END AS salt,
    commitment, chain
FROM {ledger}
"""
_GONE = """
DELETE FROM {stored} WHERE ({key}) IN (SELECT {key} FROM ({kept} EXCEPT {replayed}) AS gone)
"""
_COME = "INSERT INTO {stored} SELECT * FROM ({replayed} EXCEPT {kept}) AS come"


class PreparedReplay:
    """What a replay shows after a change, up to a place in the ledger."""

    def __init__(self, engine: Engine, connection: OwnConnection, change: Change) -> None:
        """Replay the ledger as if *change* had been its last event."""
        self._connection = connection
        self._change = change
        with connection.reading() as conn:
            self._texts = Texts[StagedText](
                engine.text.episodes.stage(conn), engine.text.facts.stage(conn)
            )
            self._hide_erased(conn)
            shadows = Shadows(conn, is_indexed=True)
            passed = {decode_ulid(one) for one in set_aside_after(conn, change)}
            lines = (row for row in rows_after(conn, 0) if row.header.event_id not in passed)
            show(Rows(shadows, self._texts), lines, remains_in(conn) | _remains_of(change))
            self._made, self.through = shadows.made, head_of(conn).seq

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open the one write transaction, and take in what was written since the snapshot."""
        with self._connection.writing() as conn:
            self._is_stale = is_rebuilt_after(conn, self.through)
            if not self._is_stale:
                shadows = Shadows(conn, made=self._made, is_indexed=True)
                lines = rows_after(conn, self.through)
                show(Rows(shadows, self._texts), lines, {})
                self._made, self.through = shadows.made, head_of(conn).seq
            conn.rows(f"DROP VIEW {conn.temporary('ledger')}")
            conn.unshadow(self._made, is_kept=True)
            yield conn

    def is_of(self, conn: Connection, change: Change) -> bool:
        """Say whether it shows what is to be seen after *change*."""
        return not self._is_stale and self._effect_of(conn, change) == self._effect_of(
            conn, self._change
        )

    def take_over(self, conn: Connection) -> None:
        """Make every table and text index what the replay shows; *conn* is `writing`."""
        for table in tables():
            if table.name in self._made:
                _make_equal(conn, table.name, table.key)
        for name in conn.filled([one.name for one in tables() if one.name not in self._made]):
            conn.rows(f"DELETE FROM {name}")  # noqa: S608 - a name of ours
        forget_realms(conn)
        for text in (self._texts.episodes, self._texts.facts):
            text.take_over(conn)

    def _hide_erased(self, conn: Connection) -> None:
        conn.rows(_GOING.replace("$integer", conn.types["integer"]))
        places = find_places(conn, [one.event_id for one in _gone_by(self._change)])
        for place in places.values():
            conn.rows("INSERT INTO going (seq) VALUES (?)", (place,))
        going, ledger = conn.temporary("going"), conn.stored("ledger")
        conn.rows(_LEDGER.format(going=going, ledger=ledger))

    def _effect_of(self, conn: Connection, change: Change) -> object:
        """Return what a change does to events up to here; those that came with it come after."""
        if not isinstance(change, SetAside):
            return _gone_by(change)
        places = find_places(conn, change.aside)
        before = {one for one in change.aside if places.get(one, self.through + 1) <= self.through}
        return before, set(change.back)


@contextmanager
def prepare_replay(engine: Engine, change: Change) -> Iterator[PreparedReplay]:
    """
    Replay the ledger as it will be after *change*, while others write.

    Raises:
        ConflictError: what comes back cannot stand beside what was recorded since.
    """
    with engine.own_connection() as connection:
        yield PreparedReplay(engine, connection, change)


def set_aside_after(conn: Connection, change: Change) -> frozenset[EventId]:
    """Return what is aside after *change*."""
    aside = set_aside_through(conn, head_of(conn).seq)
    if not isinstance(change, SetAside):
        return aside
    return (aside | set(change.aside)) - set(change.back)


def _gone_by(change: Change) -> Sequence[Gone]:
    return change.gone if isinstance(change, Erased) else ()


def _remains_of(change: Change) -> dict[bytes, Gone]:
    return {decode_ulid(one.event_id): one for one in _gone_by(change)}


def _make_equal(conn: Connection, name: str, key: Iterable[str]) -> None:
    """Make a stored table what the temporary one of that name is."""
    told = {
        "stored": conn.stored(name),
        "key": ", ".join(key),
        "kept": f"SELECT * FROM {conn.stored(name)}",  # noqa: S608 - names of ours
        "replayed": f"SELECT * FROM {conn.temporary(name)}",  # noqa: S608 - likewise
    }
    conn.rows(_GONE.format(**told))
    conn.rows(_COME.format(**told))
