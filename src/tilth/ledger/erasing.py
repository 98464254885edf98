"""
Erasing in the tables: payloads go from the ledger, and everything is made again without them.

All projections are replayed in the transaction of the erase. That takes as long as a rebuild,
and leaves nothing to forget: what a replay shows is what `rebuild` and `verify` arrive at.
"""

from tilth.core.ids import decode_ulid
from tilth.core.table import tables
from tilth.ledger.engine import Connection, Engine
from tilth.ledger.events import Erased
from tilth.ledger.log import iter_rows, recorded_of, remains_in
from tilth.ledger.projection import Rows, project

_ERASE = "UPDATE ledger SET payload = NULL, salt = NULL WHERE event_id = ? AND payload IS NOT NULL"


def erase_lines(conn: Connection, event: Erased) -> None:
    """Take payload and salt from every line that *event* names; it must be the last one."""
    for one in event.gone:
        conn.rows(_ERASE, (decode_ulid(one.event_id),))


def remake(conn: Connection, engine: Engine) -> int:
    """Make every projection and text index again from the ledger, and count its events."""
    for table in tables():
        conn.rows(f"DELETE FROM {table.name}")  # noqa: S608 - a name of ours
    for index in (engine.text.episodes, engine.text.facts):
        index.clear(conn)
    count, remains, rows = 0, remains_in(conn), Rows(conn, engine.text)
    for line in iter_rows(conn):
        if recorded := recorded_of(line, remains):
            project(rows, recorded)
        count += 1
    return count
