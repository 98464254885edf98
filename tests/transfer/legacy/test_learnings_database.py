"""What agents learned elsewhere, in the schema of the reference system of seed 004."""

from hashlib import sha256

import apsw
import pytest

from tests.brains import a_brain
from tilth.core.errors import InvalidInputError
from tilth.core.instant import parse_instant
from tilth.core.lifecycle import Lifecycle, Review
from tilth.transfer.legacy.fact_lines import read_legacy_facts

SCHEMA = """
CREATE VIRTUAL TABLE learnings USING fts5(
    id UNINDEXED, session_id UNINDEXED, content, type, tags, confidence UNINDEXED,
    created_at UNINDEXED, event_date UNINDEXED, project_path UNINDEXED, source UNINDEXED,
    tokenize='porter unicode61');
CREATE TABLE learning_access (
    id TEXT PRIMARY KEY, last_accessed_at TEXT, access_count INTEGER, graduated_at TEXT);
CREATE TABLE learning_relations (
    id TEXT NOT NULL, supersedes_id TEXT, relation_type TEXT, created_at TEXT);
"""
TERSE, DETAILED = "Prefers terse output.", "Prefers detailed output for audits."
ROWS = [
    ("mem_old", "session_stable", TERSE, "USER_PREFERENCE", "preference, style", "high",
     "2026-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "/project/a", "manual"),
    ("mem_new", "session_stable", DETAILED, "USER_PREFERENCE", "preference", "high",
     "2026-02-01T00:00:00Z", None, "/project/b", "manual"),
    ("mem_wrong", "session_other", "The kettle has 3 legs.", "LEARNING", "", "odd",
     "2026-01-05T00:00:00Z", None, "", "auto"),
    ("mem_right", "session_other", "The kettle has 4 legs.", "LEARNING", "", "medium",
     "2026-01-06T00:00:00Z", None, "", "auto"),
    ("mem_empty", "session_other", "undefined", "LEARNING", "", "low",
     "2026-01-07T00:00:00Z", None, "", "auto"),
    ("mem_undated", "session_other", "It rains.", "LEARNING", "", "low",
     "some day", None, "", "auto"),
]  # fmt: skip
RELATIONS = [
    ("mem_new", "mem_old", "updates", "2026-02-01T00:00:00Z"),
    ("mem_right", "mem_wrong", "debunks", "2026-01-06T00:00:00Z"),
    ("mem_right", "mem_new", "extends", "2026-01-06T00:00:00Z"),
    ("mem_gone", "mem_right", "updates", "2026-03-01T00:00:00Z"),
]


@pytest.fixture
def brain(whole_store, place):
    return a_brain(whole_store, place.clock)


def made(path, *more):
    conn = apsw.Connection(str(path))
    conn.execute(SCHEMA)
    conn.executemany(f"INSERT INTO learnings VALUES ({', '.join('?' * 10)})", ROWS)
    conn.executemany("INSERT INTO learning_relations VALUES (?, ?, ?, ?)", RELATIONS)
    conn.execute("INSERT INTO learning_access VALUES ('mem_new', '2026-02-02', 3, '2026-02-03')")
    for sql in more:
        conn.execute(sql)
    conn.close()
    return path


@pytest.fixture
def database(tmp_path):
    return made(tmp_path / "memory.db")


def imported(brain, path, **options):
    return brain.facts.import_rows(
        read_legacy_facts(str(path)), **({"is_dry_run": False} | options)
    )


def facts(brain):
    found = brain.facts.list(lifecycles=[*Lifecycle], limit=100)
    return {fact.metadata["legacy"]["id"]: fact for fact in found}


@pytest.mark.row("EM-070")
def test_every_learning_is_a_historical_fact_of_its_project(brain, database):
    report = imported(brain, database)

    assert (report.new_count, len(report.skipped)) == (4, 2)
    known = facts(brain)
    old, new = known["mem_old"], known["mem_new"]
    assert (old.said.text, new.said.text) == (TERSE, DETAILED)
    assert (old.life.scope, new.life.scope) == ("project:project/a", "project:project/b")
    assert old.said.taxonomy.tags == ("user_preference", "preference", "style")
    assert old.life.valid_from == parse_instant("2025-12-31T00:00:00Z")
    assert known["mem_wrong"].life.scope == "global"
    assert {(one.life.lifecycle, one.life.review) for one in known.values()} == {
        (Lifecycle.HISTORICAL, Review.UNREVIEWED)
    }
    assert all(one.evidence for one in known.values())


@pytest.mark.row("EM-070")
def test_session_consent_sensitivity_and_status_are_told(brain, database):
    imported(brain, database)

    legacy = facts(brain)["mem_new"].metadata["legacy"]

    assert legacy | {"access": None} == {
        "id": "mem_new", "session_id": "session_stable", "type": "USER_PREFERENCE",
        "project_path": "/project/b", "source": "manual", "consent": "unspecified",
        "sensitivity": "internal", "status": "active", "access": None,
    }  # fmt: skip
    assert legacy["access"]["access_count"] == "3"
    assert legacy["access"]["graduated_at"] == "2026-02-03"


@pytest.mark.row("EM-070")
def test_what_superseded_or_debunked_a_learning_ends_it(brain, database):
    imported(brain, database)

    known = facts(brain)
    ends = {
        id_: (one.metadata["legacy"]["status"], one.metadata["legacy"].get("ended_by"))
        for id_, one in known.items()
    }
    assert ends == {
        "mem_old": ("superseded", "mem_new"), "mem_wrong": ("debunked", "mem_right"),
        "mem_new": ("active", None), "mem_right": ("active", None),
    }  # fmt: skip
    assert known["mem_old"].life.valid_to == known["mem_new"].life.valid_from
    assert known["mem_new"].life.valid_to is None


@pytest.mark.row("EM-070")
def test_imported_twice_nothing_is_new_and_no_evidence_is_made_up(brain, database, whole_store):
    imported(brain, database)
    before = whole_store.digest()

    again = imported(brain, database)

    assert (again.new_count, again.known_count) == (0, 4)
    assert whole_store.digest() == before


@pytest.mark.row("EM-070")
def test_a_dry_run_counts_the_same_and_the_file_is_only_read(brain, database, whole_store):
    before, digest = whole_store.digest(), sha256(database.read_bytes()).hexdigest()

    report = imported(brain, database, is_dry_run=True)

    assert (report.new_count, len(report.skipped)) == (4, 2)
    assert whole_store.digest() == before
    assert sha256(database.read_bytes()).hexdigest() == digest


@pytest.mark.row("EM-070")
def test_what_the_canonical_observations_say_comes_first(brain, tmp_path):
    path = made(
        tmp_path / "newer.db",
        """CREATE TABLE observations (observation_id TEXT, session_id TEXT, consent TEXT,
           sensitivity TEXT, status TEXT)""",
        "INSERT INTO observations VALUES ('obs_learning_mem_new', 's9', 'granted', 'private', '')",
    )

    imported(brain, path)

    known = facts(brain)
    legacy = known["mem_new"].metadata["legacy"]
    told = [legacy[key] for key in ("session_id", "consent", "sensitivity", "status")]
    assert told == ["s9", "granted", "private", "active"]
    assert known["mem_right"].metadata["legacy"]["consent"] == "unspecified"


@pytest.mark.row("EM-070")
def test_an_older_database_without_the_tables_beside_it_is_read_too(brain, tmp_path):
    path = tmp_path / "oldest.db"
    conn = apsw.Connection(str(path))
    conn.execute("CREATE TABLE learnings (id TEXT, content TEXT, created_at TEXT)")
    conn.execute("INSERT INTO learnings VALUES ('mem_1', 'It rains in May.', '2026-01-01')")
    conn.close()

    assert imported(brain, path).new_count == 1


@pytest.mark.row("EM-070")
def test_what_is_neither_triples_nor_learnings_is_refused(tmp_path):
    path = tmp_path / "other.db"
    conn = apsw.Connection(str(path))
    conn.execute("CREATE TABLE learnings (id TEXT)")
    conn.close()

    with pytest.raises(InvalidInputError, match="not one of triples or learnings"):
        list(read_legacy_facts(str(path)))
