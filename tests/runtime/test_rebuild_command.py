"""`tilth rebuild` where what was made from the ledger is damaged, and the store does not open."""

import os
import re
import signal
import subprocess
import sys
import textwrap
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
import psycopg
import pytest

from tests.program import Inside, acting
from tilth import connect
from tilth.core.table import tables
from tilth.ledger.postgres.schema import WRITING
from tilth.ledger.sqlite.schema import PAGE_BYTES
from tilth.ledger.sqlite.text import register_functions

_GUARDS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ledger'"
_GUARDED_AGAIN = """
DO $$ DECLARE guard name; BEGIN
    FOR guard IN SELECT tgname FROM pg_trigger
        WHERE tgrelid = 'ledger'::regclass AND NOT tgisinternal
    LOOP EXECUTE format('ALTER TABLE ledger ENABLE ALWAYS TRIGGER %I', guard);
    END LOOP;
END $$;
"""
_IS_COPY = re.compile(r".*tilth\.db(\.replaced-.*|\..*\.new)?").fullmatch


@dataclass(frozen=True)
class Kept:
    """A store with a little in it, on an engine: its program, and how others get at its tables."""

    program: Inside
    engine: str
    url: str = ""

    def __call__(self, *words, by="human"):
        with acting(by):
            return self.program(*words, environ=self.environ)

    @property
    def environ(self):
        return {"TILTH_STORE": self.url} if self.url else {}

    def run(self, *statements):
        """Run SQL past the store, with the rights of whoever owns the database."""
        if self.url:
            with psycopg.connect(self.url, autocommit=True) as conn:
                conn.execute(WRITING.replace("LOCAL", "SESSION"))
                return [self._asked(conn.execute(one)) for one in statements][-1]
        with closing(apsw.Connection(str(self.program.store))) as conn:
            register_functions(conn)
            return [conn.execute(one).fetchall() for one in statements][-1]

    @staticmethod
    def _asked(cursor):
        return cursor.fetchall() if cursor.description else []

    def without_guards(self, statement):
        """Return the statements that do what the guards of the ledger forbid, and leave none."""
        if self.url:
            return [f"ALTER TABLE ledger DISABLE TRIGGER USER; {statement}; {_GUARDED_AGAIN}"]
        guards = self.run(_GUARDS)
        taken = [f"DROP TRIGGER {name}" for name, _ in guards]
        return [*taken, statement, *(made for _, made in guards)]

    def files(self):
        """Return what lies beside a store in a file, as far as copies of it go."""
        found = self.program.store.parent.glob("*tilth.db*")
        return [] if self.url else sorted(one.name for one in found if _IS_COPY(one.name))

    def ledger(self):
        return self.run("SELECT * FROM ledger ORDER BY seq")

    def answers(self):
        """Return what a person sees of what is kept."""
        facts = self("fact", "list", "--json").answer["facts"]
        hits = self("recall", "ferry island noon", "--json").answer["hits"]
        return facts, [hit["text"] for hit in hits]


@pytest.fixture
def kept(request, tilth, make_place_on):
    engine = request.param
    url = make_place_on("postgres").url if engine == "postgres" else ""
    made = Kept(tilth, engine, url)
    if engine == "sqlite":
        assert made("init").code == 0
    assert made("remember", "The ferry to the island leaves at noon.").code == 0
    assert made("fact", "add", "The ferry is called Lotte.", "--about", "ferry").code == 0
    return made


both = pytest.mark.parametrize(
    "kept", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)


def mended(kept, before):
    """Let a person do what doctor names, and prove that all is as it was *before*."""
    facts, ledger = before
    checks = kept("doctor", "--json").answer["checks"]
    fixes = {one["id"]: one["fix"] for one in checks if one["status"] == "fail"}
    assert "tilth rebuild" in fixes.values(), fixes
    rebuilt = kept("rebuild", "--json")
    assert rebuilt.code == 0, rebuilt
    assert rebuilt.answer["event_count"] == len(ledger)
    assert kept("verify").code == 0
    assert kept.answers() == facts
    assert kept.ledger() == ledger
    assert kept("remember", "And it comes back at six.").code == 0
    return rebuilt


@pytest.mark.row("MP-12", "I11")
@both
@pytest.mark.parametrize(
    "fault",
    [
        "DROP TABLE episode_terms",
        "ALTER TABLE episodes ADD COLUMN colour TEXT",
        "ALTER TABLE facts RENAME COLUMN fact_no TO number",
        "DROP INDEX lives_rejected",
    ],
)
def test_what_is_made_from_the_ledger_is_made_again_though_the_store_does_not_open(kept, fault):
    before = kept.answers(), kept.ledger()
    kept.run(fault)
    refused = kept("recall", "ferry", "--json")
    assert refused.code == 8
    assert "tilth rebuild" in refused.answer["error"]["hint"]
    assert kept("rebuild", by="agent").code == 5

    mended(kept, before)


@pytest.mark.row("MP-12", "I11")
@both
def test_without_any_table_but_the_ledger_everything_comes_back(kept):
    before = kept.answers(), kept.ledger()
    indexes = ("episode_terms", "fact_terms", "vectors", "spaces")
    for table in (*(one.name for one in tables()), *indexes):
        kept.run(f"DROP TABLE {table}")

    mended(kept, before)


@pytest.mark.row("MP-12", "I11")
@both
def test_rows_that_nobody_wrote_are_made_again_in_place(kept):
    before = kept.answers(), kept.ledger()
    kept.run("UPDATE lives SET since = since + 1", "DELETE FROM anchors", "DELETE FROM realms")

    assert mended(kept, before).answer["replaced"] is None


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
def test_options_of_a_text_index_that_nobody_set_are_set_again(kept):
    before = kept.answers(), kept.ledger()
    kept.run("INSERT OR REPLACE INTO fact_terms_config VALUES ('rank', 'bm25(0.1)')")

    assert mended(kept, before).answer["replaced"] is None


# What SQLite itself cannot empty: its index refuses to be opened, or a page is of nothing.
def unreadable_index(kept):
    kept.run("UPDATE episode_terms_config SET v = 99 WHERE k = 'version'")


def lost_shadow(kept):
    kept.run("DROP TABLE fact_terms_idx")


def lost_page(kept, table="episodes"):
    (page,) = kept.run(f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")[0]
    data = bytearray(kept.program.store.read_bytes())
    data[(page - 1) * PAGE_BYTES : page * PAGE_BYTES] = b"\x55" * PAGE_BYTES
    kept.program.store.write_bytes(data)


def spoilt_space(kept):
    kept.run("UPDATE spaces SET total = zeroblob(7)")


def swapped_pages(kept):
    """Put the pages of two indexes, one of the ledger's, in each other's place."""
    names = ("one_event_for_a_key", "lives_rejected")
    sql = "SELECT rootpage FROM sqlite_schema WHERE name = '{}'"
    one, other = (kept.run(sql.format(name))[0][0] - 1 for name in names)
    data = bytearray(kept.program.store.read_bytes())
    here, there = (slice(at * PAGE_BYTES, (at + 1) * PAGE_BYTES) for at in (one, other))
    data[here], data[there] = data[there], data[here]
    kept.program.store.write_bytes(data)


def unreadable_schema(kept):
    kept.run(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE facts (nonsense' WHERE name = 'facts'",
    )


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
@pytest.mark.parametrize("harm", [unreadable_index, lost_shadow, lost_page, unreadable_schema])
def test_what_the_engine_cannot_empty_is_made_in_a_new_file(kept, harm):
    before = kept.answers(), kept.ledger()
    harm(kept)
    damaged = kept.program.store.read_bytes()

    rebuilt = mended(kept, before)

    # But for the mark in its header that a log lies beside it.
    assert Path(rebuilt.answer["replaced"]).read_bytes()[100:] == damaged[100:]


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
def test_pages_that_are_damaged_below_tables_that_can_be_filled_are_left_behind(kept):
    before = kept.answers(), kept.ledger()
    swapped_pages(kept)

    assert mended(kept, before).answer["replaced"] is not None


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
def test_what_is_left_of_a_space_of_vectors_keeps_nobody_from_a_rebuild(kept):
    before = kept.ledger()
    spoilt_space(kept)

    assert kept("rebuild").code == kept("verify").code == 0
    assert kept.ledger() == before


@pytest.mark.row("MP-12", "I11")
@both
@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE ledger SET payload = replace(payload, 'noon', 'nine') WHERE seq = 2",
        "DELETE FROM ledger WHERE seq = (SELECT max(seq) FROM ledger)",
        "DROP INDEX one_event_for_a_key",
        "ALTER TABLE ledger ADD COLUMN colour TEXT",
    ],
)
def test_a_damaged_ledger_is_refused_and_nothing_is_changed(kept, harm):
    kept.run("DROP TABLE facts", *kept.without_guards(harm))
    before, files = kept.ledger(), kept.files()

    refused = kept("rebuild", "--json")

    assert refused.code == 8
    assert "restore" in refused.answer["error"]["hint"]
    fixes = [one["fix"] for one in kept("doctor", "--json").answer["checks"]]
    assert "tilth rebuild" not in fixes
    assert (kept.ledger(), kept.files()) == (before, files)


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
def test_a_store_that_is_in_use_is_not_made_anew_below_its_user(kept):
    with connect(kept.program.store) as brain:
        brain.remember("said meanwhile")
        kept.run("DROP INDEX lives_rejected")
        refused = kept("rebuild", "--json")

        assert (refused.code, "in use" in refused.answer["error"]["message"]) == (4, True)
        assert kept.files() == ["tilth.db"]

    assert kept("rebuild").code == 0
    assert "said meanwhile" in kept("recall", "said meanwhile").out


@pytest.mark.row("MP-12", "I11")
@pytest.mark.postgres
@pytest.mark.parametrize("kept", ["postgres"], indirect=True)
@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ("CREATE TABLE spare (x INTEGER)", "spare"),
        ("CREATE VIEW latest AS SELECT * FROM episodes", "latest"),
    ],
)
def test_what_is_not_ours_is_named_and_left_alone(kept, theirs, told):
    before = kept.answers(), kept.ledger()
    kept.run("DROP INDEX lives_rejected", theirs)

    refused = kept("rebuild", "--json")

    assert (refused.code, told in refused.answer["error"]["message"]) == (4, True)
    assert kept.run(f"SELECT count(*) FROM {told}")
    kept.run(theirs.replace("CREATE", "DROP").split(" AS ")[0].split(" (")[0])
    mended(kept, before)


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
def test_what_was_erased_and_undone_stays_so(kept):
    said = kept("remember", "The cook is allergic to nuts.", "--json").answer["episode_id"]
    fact = kept("fact", "add", "The pump whistles.", "--about", "pump", "--json").answer["fact"]
    assert kept("undo", fact["id"]).code == 0
    assert kept("erase", "--episode", said, "--confirm").code == 0
    before = kept.answers(), kept.ledger()
    kept.run("DROP TABLE tombstones", "DROP TABLE lives")

    rebuilt = mended(kept, before)

    assert "nuts" not in kept("recall", "allergic to nuts").out
    assert "allergic" not in Path(rebuilt.answer["replaced"]).read_bytes().decode("latin-1")
    assert kept("episode", "show", said).code == 3


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
def test_doctor_names_no_rebuild_where_a_page_of_the_ledger_is_lost_too(kept):
    kept.run("DELETE FROM realms")
    lost_page(kept, "ledger")

    fixes = {one["fix"] for one in kept("doctor", "--json").answer["checks"]}

    assert "tilth rebuild" not in fixes
    assert kept("rebuild").code == 8


KILLED_AT_THE_SWAP = """
    import os, signal, sys
    from pathlib import Path
    from tilth.core.actor import Actor, ActorKind
    from tilth.interfaces.cli import invocation, main
    from tilth.ledger.sqlite import store
    invocation.caller = lambda *_, **__: Actor("ada", ActorKind.HUMAN)
    store._refuse_if_taken = lambda path: path.exists() or os.kill(os.getpid(), signal.SIGKILL)
    main(sys.argv[1:])
"""


@pytest.mark.row("MP-12", "I11")
@pytest.mark.parametrize("kept", ["sqlite"], indirect=True)
@pytest.mark.parametrize("words", [["rebuild"], ["restore", "one.db", "--replace"]])
def test_a_kill_between_two_stores_loses_none_of_them(kept, words):
    program = kept.program
    assert kept("backup", "one.db").code == 0
    before = kept.answers(), kept.ledger()
    kept.run("DROP TABLE facts")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED_AT_THE_SWAP), *words],
        env=program.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=program.home,
        check=False,
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    refused = kept("recall", "ferry", "--json")

    assert refused.code == 3
    told = refused.answer["error"]["hint"]
    assert "it was moved aside, and nothing took its place" in told
    (fix,) = (
        one["fix"]
        for one in kept("doctor", "--json").answer["checks"]
        if one["id"] == "store.opens"
    )
    commands = told.partition("put it back: ")[2]
    assert commands in fix
    subprocess.run(commands, shell=True, check=True)
    mended(kept, before)
    assert [*program.store.parent.glob(".*.new*")] == []
