"""Who opens the file with another program reads it, and writes nothing that Tilth derives."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import psycopg
import pytest

from tests.brains import a_brain
from tests.places import SqlitePlace
from tilth.core.actor import Human
from tilth.core.errors import CorruptionError
from tilth.core.table import tables
from tilth.ledger.sqlite.schema import known_migrations
from tilth.ledger.sqlite.store import create_store
from tilth.ledger.tables import WRITES_HERE

# Runs each statement in a transaction of its own, and prints what became of it.
_SHELL = """
import json, sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
told = []
for sql in json.load(sys.stdin):
    try:
        told.append(f"done: {conn.execute(sql).fetchall()}")
    except sqlite3.Error as error:
        told.append(str(error))
print(json.dumps(told))
"""
GUARDED = [*(table.name for table in tables()), "spaces", "vectors"]


def shell(path, *statements):
    """Run SQL as a stranger's program does, and return what it was told."""
    run = subprocess.run(
        [sys.executable, "-c", _SHELL, str(path)],
        input=json.dumps(statements),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


def every_edit(path):
    with sqlite3.connect(path) as conn:
        for table in GUARDED:
            column = conn.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
            yield f"INSERT INTO {table} SELECT * FROM {table}"
            yield f"REPLACE INTO {table} SELECT * FROM {table}"
            yield f"UPDATE {table} SET {column} = {column}"
            yield f"DELETE FROM {table} WHERE {column} = 2"
            yield f"DELETE FROM {table}"
    conn.close()


@pytest.mark.row("OB-007", "X-02")
def test_no_other_program_writes_what_derives_from_the_ledger(place):
    store = place.open()
    brain = a_brain(store, place.clock, by=Human("ana"))
    brain.facts.add("DNS answers on .100.", system="pi-hole", component="ip")
    before = store.digest()
    edits = [*every_edit(place.path), "INSERT INTO ledger SELECT * FROM ledger"]

    told = shell(place.path, *edits)

    assert [one for one in zip(edits, told, strict=True) if WRITES_HERE not in one[1]] == []
    assert len(edits) > 200
    assert store.digest() == before
    assert list(store.verify()) == []
    assert shell(place.path, "SELECT count(*) FROM lives") == ["done: [(1,)]"]


def test_we_rebuild_erase_and_restore_what_others_may_not_touch(place, tmp_path):
    store = place.open()
    brain = a_brain(store, place.clock, by=Human("ana"))
    said = brain.remember("The key of the shed is under the stone.")
    before = store.digest()

    store.rebuild()
    assert store.digest() == before
    store.backup(str(tmp_path / "copy.db"))
    brain.erase.confirm(brain.erase.plan(episodes=[said]).digest, episodes=[said])
    brain.erase.finish()

    assert list(store.verify()) == []
    for path in (place.path, tmp_path / "copy.db"):
        (told,) = shell(path, "DELETE FROM episodes")
        assert WRITES_HERE in told, path


def test_a_store_of_an_older_schema_is_guarded_once_it_is_opened(tmp_path):
    place = SqlitePlace(tmp_path)
    create_store(place.path, place.around(), migrations=known_migrations()[:2])
    assert shell(place.path, "DELETE FROM lives") == ["done: []"]

    place.open().close()

    assert WRITES_HERE in shell(place.path, "DELETE FROM lives")[0]


@pytest.mark.row("X-02")
def test_who_takes_a_guard_away_is_found(place, tmp_path):
    place.open().close()
    shutil.copyfile(place.path, tmp_path / "copy.db")
    (told,) = shell(place.path, "DROP TRIGGER lives_refuses_update")
    assert told.startswith("done")

    with pytest.raises(CorruptionError, match="are not those of schema"):
        place.open()


@pytest.mark.row("OB-007", "X-02")
def test_nor_does_the_owner_of_a_database(make_place_on):
    place = make_place_on("postgres")
    with closing(place.open()) as store:
        brain = a_brain(store, place.clock, by=Human("ana"))
        brain.facts.add("DNS answers on .100.", system="pi-hole", component="ip")
        before = store.digest()

        with psycopg.connect(place.url, autocommit=True) as conn:
            for table in (*GUARDED, "episode_terms", "fact_terms"):
                (column,) = conn.execute(_FIRST_COLUMN, (table,)).fetchone()
                for sql in (
                    f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM {table}",
                    f"UPDATE {table} SET {column} = {column}",
                    f"DELETE FROM {table}",
                    f"TRUNCATE {table} CASCADE",
                    f"SET session_replication_role = replica; DELETE FROM {table}",
                ):
                    with pytest.raises(psycopg.IntegrityError, match=WRITES_HERE):
                        conn.execute(sql)
            assert conn.execute("SELECT count(*) FROM lives").fetchall() == [(1,)]

        assert store.digest() == before
        store.rebuild()
        assert store.digest() == before
        assert list(store.verify()) == []


_FIRST_COLUMN = """
SELECT attname::text FROM pg_attribute WHERE attrelid = %s::regclass AND attnum = 2
"""
