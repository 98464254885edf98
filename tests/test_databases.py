"""What one test hands on to the next is what a new copy would be, or it is not handed on."""

import threading
from contextlib import closing

import psycopg
import pytest

from tests import databases
from tests.conftest import a_draft, a_place, append, texts
from tests.databases import TURNS_MAX, Databases, LeakError
from tests.processes import fresh_processes
from tilth.core.errors import UnavailableError

pytestmark = pytest.mark.postgres


@pytest.fixture
def lent(postgres_server, monkeypatch):
    """Databases of which no other test has one."""
    with closing(Databases(postgres_server)) as lent:
        monkeypatch.setattr(psycopg, "connect", lent.connect)
        yield lent


@pytest.fixture
def first(place_after):
    return place_after("postgres", None)[0]


@pytest.fixture
def another(request, tmp_path, lent, first):
    """Make a place as the next test would have it."""
    numbers = iter(range(100))

    def make(copied=first):
        place = a_place(request, "postgres", tmp_path / str(next(numbers)))
        place._lender = lent
        place.copy(copied)
        return place

    return make


@pytest.fixture
def begun(request, place_after):
    """A place with something in it, to copy."""
    return place_after("postgres", say_something)[0]


def say_something(store, clock):
    append(store, a_draft("as it began"))


def everything_in(place):
    """Return every row of every table, and where each sequence stands."""
    tables = place.run("""
        SELECT relname FROM pg_class WHERE relkind IN ('r', 'S')
        AND relnamespace = current_schema()::regnamespace ORDER BY relname
    """)
    return {name: sorted(map(str, place.run(f"SELECT * FROM {name}"))) for (name,) in tables}


def is_handed_on(place, another):
    """Return whether the next test has the database of this one."""
    before = place.name
    place.remove()
    after = another()
    try:
        return after.name == before
    finally:
        after.remove()


def write(place):
    with closing(place.open()) as store:
        append(store, a_draft("left here"))
    # Without the guards of the program: what no event of this test would fill.
    place.run("INSERT INTO spaces (space, vector_count, total) VALUES ('s', 0, '')")
    place.run("INSERT INTO fact_tags VALUES (1, 0, 'left')")


def test_what_a_test_wrote_is_gone_for_the_next(another):
    place = another()
    as_copied = everything_in(place)
    write(place)
    assert everything_in(place) != as_copied
    place.remove()

    again = another()

    assert again.name == place.name
    assert everything_in(again) == as_copied
    with closing(again.open()) as store:
        assert texts(store) == []
        assert list(store.verify()) == []
        append(store, a_draft("mine"))
        assert texts(store) == ["mine"]
    again.remove()


def test_the_next_may_begin_with_another_story(another, begun):
    # Each is copied once, so that it is known.
    places = [another(), another(begun)]
    as_copied = everything_in(places[1])
    for place in places:
        write(place)
        place.remove()

    again = [another(begun), another()]

    assert {one.name for one in again} == {one.name for one in places}
    assert everything_in(again[0]) == as_copied
    for place, told in zip(again, (["as it began"], []), strict=True):
        with closing(place.open()) as store:
            assert texts(store) == told
            assert list(store.verify()) == []
        place.remove()


@pytest.mark.parametrize(
    "deed",
    [
        "CREATE TABLE spare (x INTEGER)",
        "DROP INDEX episodes_in_session",
        "ALTER TABLE episodes ALTER COLUMN role DROP NOT NULL",
        "ALTER TABLE episodes DROP COLUMN role",
        "ALTER TABLE episodes ALTER COLUMN role SET DEFAULT 'x'",
        "ALTER TABLE ledger DISABLE TRIGGER ledger_is_gapless",
        "ALTER TABLE ledger ENABLE TRIGGER ledger_is_gapless",
        "DROP TRIGGER ledger_is_append_only ON ledger",
        "CREATE FUNCTION public.spare() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        """CREATE OR REPLACE FUNCTION ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RETURN NULL; END $$""",
        "GRANT SELECT ON ledger TO pg_monitor",
        "CREATE SCHEMA spare",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = off', current_database()); END $$",
        "VACUUM FULL ledger",
    ],
)
def test_a_database_whose_tables_are_others_is_not_handed_on(another, deed):
    place = another()
    place.run(deed)

    assert not is_handed_on(place, another)


def test_a_database_that_was_tampered_with_is_not_handed_on(another):
    place = another()
    place.tamper("UPDATE ledger SET owner = 'mallory'")

    assert not is_handed_on(place, another)


def test_a_database_that_a_store_is_open_on_is_not_handed_on(another):
    place = another()
    with closing(place.open()) as store:
        assert not is_handed_on(place, another)
    store.close()


def count_on(place):
    place.open().close()


def test_a_database_that_another_process_knows_is_not_handed_on(another):
    place = another()
    process = fresh_processes().Process(target=count_on, args=(place,))
    process.start()
    process.join()
    assert process.exitcode == 0

    assert not is_handed_on(place, another)


def test_a_database_is_worn_out_one_day(another):
    place = another()
    names = []
    for _ in range(TURNS_MAX + 1):
        names.append(place.name)
        place.remove()
        place = another()
    place.remove()

    assert len(set(names)) == 2


def test_who_comes_back_when_the_test_is_over_is_refused(another):
    place = another()
    place.open().close()
    place.remove()
    again = another()

    with pytest.raises(psycopg.OperationalError, match="is over"):
        psycopg.connect(place.url)
    with pytest.raises(UnavailableError, match="is over"):
        place.open()

    again.remove()


@pytest.mark.parametrize(
    "leak", ["INSERT INTO fact_tags VALUES (1, 0, 'left')", "DELETE FROM tilth_store"]
)
def test_a_row_too_many_or_too_few_is_seen(another, monkeypatch, leak):
    place = another()
    place.remove()
    check = databases.check

    def leaking(keeper, contents):
        keeper.execute(leak)
        check(keeper, contents)

    monkeypatch.setattr(databases, "check", leaking)
    with pytest.raises(LeakError, match=r"fact_tags|tilth_store"):
        another()


def test_rows_that_cannot_be_deleted_are_seen(another, monkeypatch):
    place = another()
    write(place)
    place.remove()
    monkeypatch.setattr(databases, "_LET_PASS", "SELECT 1")

    with pytest.raises(psycopg.Error, match="append-only"):
        another()


def backend(conn):
    return conn.execute("SELECT pg_backend_pid()").fetchone()


def test_a_session_goes_on_as_a_new_one(another):
    place = another()
    first = psycopg.connect(place.url)
    session = backend(first)
    first.execute("SET search_path = public; SET lock_timeout = 77; LISTEN news")
    first.execute("SET ROLE pg_monitor")
    first.execute("SELECT pg_advisory_lock(4711)")
    first.execute("DECLARE c CURSOR WITH HOLD FOR SELECT 1")
    first.commit()
    first.execute("CREATE TEMPORARY TABLE spare (x INTEGER)")
    # Within a transaction.
    first.close()

    with psycopg.connect(place.url) as conn, psycopg.connect(place.url) as other:
        assert backend(conn) == session
        assert conn.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        assert conn.execute("SHOW search_path").fetchone() == (f"{place.schema},public",)
        assert conn.execute("SHOW lock_timeout").fetchone() == ("0",)
        assert conn.execute("SELECT current_user").fetchone() == ("postgres",)
        assert conn.execute("SELECT to_regclass('pg_temp.spare')").fetchone() == (None,)
        assert conn.execute("SELECT count(*) FROM pg_cursors").fetchone() == (0,)
        assert conn.execute("SELECT count(*) FROM pg_listening_channels()").fetchone() == (0,)
        assert other.execute("SELECT pg_try_advisory_lock(4711)").fetchone() == (True,)
        assert conn.execute("SHOW application_name").fetchone() == (place._label,)
    place.remove()


def test_a_session_that_has_temporary_tables_is_not_gone_on_with(another):
    place = another()
    first = psycopg.connect(place.url, autocommit=True)
    session = backend(first)
    first.execute("CREATE TEMPORARY TABLE episodes (x INTEGER)")
    first.close()

    with psycopg.connect(place.url) as conn:
        assert backend(conn) != session
    place.remove()


def test_whoever_closed_a_connection_has_it_no_more(another):
    place = another()
    first = psycopg.connect(place.url)
    session = backend(first)
    first.close()
    second = psycopg.connect(place.url)

    assert backend(second) == session
    assert first.closed
    with pytest.raises(psycopg.OperationalError, match="closed"):
        first.execute("SELECT 1")
    first.close()
    assert not second.closed
    second.close()
    place.remove()


def test_a_session_that_died_is_not_gone_on_with(another):
    place = another()
    first = psycopg.connect(place.url)
    ((session,),) = [backend(first)]
    first.close()
    place._lent.keeper.execute("SELECT pg_terminate_backend(%s, 5000)", (session,))

    with psycopg.connect(place.url) as conn:
        assert backend(conn) != (session,)
    place.remove()


def test_threads_have_sessions_of_their_own(another):
    place = another()
    psycopg.connect(place.url).close()
    found, gate = [], threading.Barrier(3)

    def connect():
        with psycopg.connect(place.url) as conn:
            found.append(backend(conn))
            gate.wait()

    threads = [threading.Thread(target=connect) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 3
    place.remove()
