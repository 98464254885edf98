"""
Compare a backup with the place for it: whose it is, and what restoring would lose.

Two ledgers share what came before they parted: a chain that is equal at one line is equal at every
line before it. So what they share is found in a few looks, and what only one of them holds is
counted.
"""

from bisect import bisect_left
from collections.abc import Collection
from pathlib import Path
from typing import Any

import apsw

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, TilthError
from tilth.ledger.chain import Head
from tilth.ledger.heads import store_named_in
from tilth.ledger.sqlite.connection import translated_errors
from tilth.ledger.sqlite.open_database import opened_read_only
from tilth.ledger.sqlite.store import far_heads_path, heads_path, signed_heads
from tilth.ledger.store import StoreEnvironment

# What somebody said decides nothing, and an erasure is carried out again wherever it is missing.
_DECISIONS = f"""
SELECT count(*) FROM ledger WHERE seq > ? AND actor_kind = '{ActorKind.HUMAN}'
AND kind NOT IN ('episode_recorded', 'erased')
"""  # noqa: S608 - a word of ours
_CHAIN = "SELECT chain FROM ledger WHERE seq = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupComparison:
    """
    A backup, as it stands to the store that is or was in a place.

    Attributes:
        store_id: Which store it is a copy of.
        event_count: How many events it holds.
        here: The store that is there, or was there last; None if this installation knows of none.
        is_known: Whether this installation signed its end, or the store there holds all of it.
        lost: How many decisions of people the store there holds, and it does not.
        brought: How many decisions of people it holds, and the store there does not.
        left: How many events of any kind the store there holds, and it does not.
    """

    store_id: str
    event_count: int
    here: str | None
    is_known: bool
    lost: int
    brought: int
    left: int

    @property
    def is_another(self) -> bool:
        """Whether another store is or was in the place."""
        return self.here not in {None, self.store_id}


def compare_backup(
    backup: Path, path: Path, around: StoreEnvironment, known: Collection[Head]
) -> BackupComparison:
    """
    Compare *backup* with what is at *path*; *known* are ends of backups that were made here.

    Raises:
        ForeignStoreError: it is no store of ours.
        CorruptionError: it cannot be read.
    """
    with opened_read_only(backup) as copy, translated_errors(backup):
        end, store_id = _end(copy), _store_id(copy)
        signed = [*known, *signed_heads(path, around, store_id)]
        here, shared, lost, left = store_named_in(far_heads_path(path, around)), 0, 0, 0
        here = here or store_named_in(heads_path(path))
        try:
            with opened_read_only(path) as other, translated_errors(path):
                here = _store_id(other)
                last = _end(other).seq
                shared = _shared(copy, other, min(end.seq, last))
                # The first one is that a store was made.
                lost, left = _count(other, shared), _left(other, max(shared, 1))
        except TilthError:
            # Nothing is there, or nothing that could be read.
            shared = 0
        return BackupComparison(
            store_id=store_id,
            event_count=end.seq,
            here=here,
            is_known=end in signed or shared == end.seq,
            lost=lost,
            brought=_count(copy, shared),
            left=left,
        )


def _end(conn: apsw.Connection) -> Head:
    sql = "SELECT seq, chain FROM ledger ORDER BY seq DESC LIMIT 1"
    found: list[tuple[Any, ...]] = conn.execute(sql).fetchall()
    if not found:
        raise CorruptionError("the ledger has no beginning", hint="try an older backup")
    return Head(*found[0])


def _store_id(conn: apsw.Connection) -> str:
    """Return the ID that the first event of a store gave it."""
    sql = "SELECT json_extract(payload, '$.store_id') FROM ledger WHERE seq = 1"
    return str(conn.execute(sql).fetchall()[0][0])


def _shared(one: apsw.Connection, other: apsw.Connection, most: int) -> int:
    """Return up to which place two ledgers are one, *most* at the most."""

    def is_apart(place: int) -> bool:
        return (
            one.execute(_CHAIN, (place,)).fetchall() != other.execute(_CHAIN, (place,)).fetchall()
        )

    return bisect_left(range(1, most + 1), True, key=is_apart)


def _left(conn: apsw.Connection, after: int) -> int:
    """Count what a backup lacks and nobody brings in by itself: erasures are applied again."""
    sql = "SELECT count(*) FROM ledger WHERE seq > ? AND kind <> 'erased'"
    found: list[tuple[Any, ...]] = conn.execute(sql, (after,)).fetchall()
    return int(found[0][0])


def _count(conn: apsw.Connection, after: int) -> int:
    found: list[tuple[Any, ...]] = conn.execute(_DECISIONS, (after,)).fetchall()
    return int(found[0][0])
