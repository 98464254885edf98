"""Triples of another store, in the schema that seed 002 prints."""

from datetime import UTC, datetime
from hashlib import sha256

import apsw
import pytest

from tests.brains import a_brain
from tilth.core.errors import InvalidInputError
from tilth.core.instant import EPOCH
from tilth.core.lifecycle import Lifecycle, Review
from tilth.transfer.legacy.fact_lines import read_legacy_facts

SCHEMA = """
CREATE TABLE triples (
  id          TEXT PRIMARY KEY,
  channel     TEXT NOT NULL,
  subject     TEXT NOT NULL,
  predicate   TEXT NOT NULL,
  object      TEXT NOT NULL,
  confidence  REAL NOT NULL DEFAULT 1.0,
  source      TEXT NOT NULL,
  created_at  TEXT NOT NULL DEFAULT (datetime('now')),
  superseded_by TEXT,
  metadata    TEXT
);
CREATE INDEX idx_subject ON triples(subject, channel);
CREATE INDEX idx_predicate ON triples(predicate);
CREATE INDEX idx_created ON triples(created_at DESC);
CREATE INDEX idx_active ON triples(subject, predicate) WHERE superseded_by IS NULL;
"""
MARINA = "urn:person:marina"
ACME = "urn:client:acme"
ROWS = [
    ("t1", "relationship", MARINA, "role_at", "urn:client:acme/Dev", 1.0, "s1",
     "2025-01-01 09:00:00", "t2", None),
    ("t2", "relationship", MARINA, "role_at", "urn:client:acme/CTO", 0.7, "s2",
     "2025-03-01 09:00:00", None, '{"via": "call"}'),
    ("t3", "entity", ACME, "is_a", "client", 1.0, "s1", "2025-01-01 09:00:00", None, "not json"),
    ("t4", "misc", ACME, "is_a", "client", 1.0, "s1", "2025-01-01 09:00:00", None, None),
    ("t5", "entity", ACME, "uses", "DOS", 1.0, "s1", "some day", None, None),
]  # fmt: skip


@pytest.fixture
def brain(place):
    store = place.open()
    yield a_brain(store, place.clock)
    assert list(store.verify()) == []
    store.close()


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "knowledge_graph.sqlite3"
    conn = apsw.Connection(str(path))
    conn.execute(SCHEMA)
    conn.executemany(f"INSERT INTO triples VALUES ({', '.join('?' * 10)})", ROWS)
    conn.close()
    return path


def bring(brain, path, *, is_dry_run=False):
    return brain.facts.import_rows(read_legacy_facts(str(path)), is_dry_run=is_dry_run)


@pytest.mark.row("DU-011")
def test_a_database_in_the_printed_schema_comes_in_as_history(brain, database):
    before = sha256(database.read_bytes()).hexdigest()

    report = bring(brain, database)

    assert report.new_count == 4
    assert [one.where.split()[-1] for one in report.skipped] == ["t4"]
    told = brain.facts.list(subject=MARINA, lifecycles=["historical"])
    assert {one.life.lifecycle for one in told} == {Lifecycle.HISTORICAL}
    assert {one.life.review for one in told} == {Review.UNREVIEWED}
    assert brain.kg.query(ACME, depth=2).triples == ()
    assert sha256(database.read_bytes()).hexdigest() == before


@pytest.mark.row("DU-011")
def test_what_superseded_a_triple_ends_it(brain, database):
    bring(brain, database)

    new, old = brain.facts.list(subject=MARINA, lifecycles=["historical"])
    assert old.life.valid_to == new.life.valid_from == datetime(2025, 3, 1, 9, tzinfo=UTC)
    assert new.metadata["legacy"] == {"id": "t2", "source": "s2", "metadata": {"via": "call"}}
    (then,) = brain.kg.query(MARINA, as_of=datetime(2025, 2, 1, tzinfo=UTC)).triples
    assert then.object == "urn:client:acme/Dev"


@pytest.mark.row("DU-011")
def test_bringing_it_in_again_adds_nothing_and_a_dry_run_writes_nothing(brain, database):
    pretended = bring(brain, database, is_dry_run=True)
    assert brain.facts.list(lifecycles=["historical"]) == []
    bring(brain, database)

    again = bring(brain, database)

    assert (pretended.new_count, again.new_count, again.known_count) == (4, 0, 4)


@pytest.mark.row("DU-062")
def test_a_triple_whose_time_is_malformed_is_kept_and_is_the_oldest(brain, database):
    bring(brain, database)

    oldest, *_ = brain.kg.timeline(ACME)
    assert (oldest.object, oldest.valid_from) == ("DOS", EPOCH)
    assert brain.facts.get(oldest.id).metadata["legacy"]["created_at"] == "some day"


@pytest.mark.row("DU-011")
def test_another_database_is_refused(brain, tmp_path):
    path = tmp_path / "other.db"
    conn = apsw.Connection(str(path))
    conn.execute("CREATE TABLE triples (id, subject)")
    conn.close()
    with pytest.raises(InvalidInputError, match="not one of triples"):
        bring(brain, path)

    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(InvalidInputError):
        bring(brain, path)
