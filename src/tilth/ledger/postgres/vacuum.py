"""Rewrite tables, so that their files hold no deleted row."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from psycopg import sql
from psycopg.errors import Diagnostic

from tilth.core.errors import UnavailableError
from tilth.ledger.postgres.connection import Address, RawConnection

# Where nothing was ever written, an index has its first page and a table none.
_WRITTEN_TABLES = b"""
SELECT relname::text FROM pg_class c
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
AND pg_total_relation_size(oid) > current_setting('block_size')::bigint * (
    SELECT count(*) FROM pg_index WHERE indrelid IN (c.oid, c.reltoastrelid))
AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e') ORDER BY relname
"""
# "3 dead row versions cannot be removed yet", in the server's language.
_DEAD_ROWS = re.compile(r"\d+")
_AGAIN_S = 0.02


class _Notice(NamedTuple):
    """What a server says beside its answer."""

    said: str = ""
    detail: str = ""


def write_tables_anew(raw: RawConnection, address: Address, *, wait_s: float) -> None:
    """
    Write every table anew that holds or held a row, until no dead row is left in it.

    The server keeps a dead row as long as anybody in the database may see it: who reads other
    tables, a replica that asks for it, the server itself while it samples one for the planner.

    Raises:
        UnavailableError: *wait_s* seconds passed, or the server did not write a table.
    """
    ends_at = time.monotonic() + wait_s
    for (table,) in raw.execute(_WRITTEN_TABLES).fetchall():
        while not _is_written_anew(raw, table, address):
            if time.monotonic() >= ends_at:
                raise UnavailableError(
                    f"somebody still reads the old state of {address.name}",
                    hint="end what is open in that database, then run: tilth worker --once",
                )
            time.sleep(_AGAIN_S)


def _is_written_anew(raw: RawConnection, table: str, address: Address) -> bool:
    """Write one table anew; say whether no dead row is left."""
    with _heard(raw) as heard:
        raw.execute(sql.SQL("VACUUM (FULL, VERBOSE) {}").format(sql.Identifier(table)))
    if counted := _DEAD_ROWS.search(heard[-1].detail):
        return int(counted[0]) == 0
    raise UnavailableError(
        f"the server at {address.name} did not write {table} anew: {heard[-1].said}",
        hint="its owner can: connect as that role, then run: tilth worker --once",
    )


@contextmanager
def _heard(raw: RawConnection) -> Iterator[list[_Notice]]:
    """Hear what the server says beside its answers."""
    heard = [_Notice()]

    def hear(said: Diagnostic) -> None:
        # Its text is gone once this returns.
        heard.append(_Notice(said.message_primary or "", said.message_detail or ""))

    raw.add_notice_handler(hear)
    try:
        yield heard
    finally:
        raw.remove_notice_handler(hear)
