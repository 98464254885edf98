"""A store is known by the text of its tables, comments and all: it must stay what was released."""

import hashlib

import apsw

import tilth

# Of every table, index and trigger that a store of schema 2 was released with.
RELEASED = "18dac6dd08f8f2623935454b065c3530f47812e1ea13e6cb88d239abd2e4293c"


def test_the_tables_of_a_new_store_are_word_for_word_those_that_were_released(tmp_path):
    path = tmp_path / "tilth.db"
    tilth.connect(path, create=True).close()
    conn = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    rows = sorted(
        conn.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    )
    conn.close()
    assert hashlib.sha256(repr(rows).encode()).hexdigest() == RELEASED
