"""A store is known by the text of its tables, comments and all: it must stay what was released."""

import hashlib

import apsw
import pytest

from tests.places import SqlitePlace
from tilth.ledger.sqlite.schema import known_migrations
from tilth.ledger.sqlite.store import create_store

# Of every table, index and trigger that stores of a schema were released with.
RELEASED = {
    2: "18dac6dd08f8f2623935454b065c3530f47812e1ea13e6cb88d239abd2e4293c",
    3: "35f27900f74cd5adeeee9cafc3475a4184c892be44d4a035a41b88fb21af8513",
    4: "2b2dc051dd472550ae29f03ff85ffe00bd92eb3bd7826e0146de3cdd85f28342",
    5: "88101b9d7227ebdfbc427bdcae04d2603ec23823f8cc61061b7cce6dc455716c",
    6: "842c6f14fd804926a8a7f8d2b9bbb14b3fe28caad3e675ba401c166408116a10",
}


@pytest.mark.parametrize("schema", RELEASED)
def test_the_tables_of_a_schema_are_word_for_word_those_that_were_released(tmp_path, schema):
    place = SqlitePlace(tmp_path)
    create_store(place.path, place.around(), migrations=known_migrations()[:schema])
    conn = apsw.Connection(str(place.path), flags=apsw.SQLITE_OPEN_READONLY)
    rows = sorted(
        conn.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    )
    conn.close()
    assert hashlib.sha256(repr(rows).encode()).hexdigest() == RELEASED[schema]
