"""A store is known by the text of its tables, comments and all: it must stay what was released."""

import hashlib

import apsw

import tilth
from tilth.core.table import tables

# Of every table, index and trigger that a store of schema 2 was released with.
RELEASED = "18dac6dd08f8f2623935454b065c3530f47812e1ea13e6cb88d239abd2e4293c"


def test_the_tables_of_a_new_store_are_word_for_word_those_that_were_released(tmp_path):
    path = tmp_path / "tilth.db"
    tilth.connect(path, create=True).close()
    conn = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = conn.execute(
        "SELECT type, name, sql, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL"
    )
    # What came after it stands beside it.
    newer = {table.name for table in tables() if table.since > 2}
    rows = sorted(row[:3] for row in found if row[3] not in newer)
    conn.close()
    assert hashlib.sha256(repr(rows).encode()).hexdigest() == RELEASED
