"""What every store promises about staying whole: append-only, verified, rebuilt, digested."""

import threading
from datetime import timedelta
from itertools import pairwise

import numpy as np
import pytest

from tests.conftest import AGENT, a_draft, append, append_all, texts
from tests.fakes import START, FixedClock
from tilth.core.actor import ActorKind
from tilth.core.errors import ConflictError, CorruptionError, UnsupportedError
from tilth.core.ids import SessionId
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import tables
from tilth.episodes.episode import EpisodeKind
from tilth.episodes.events import ImportFinished, SessionDescribed
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search

S = SessionId("s")
ANYTHING = EpisodeFilter(within=Visibility())


@pytest.fixture
def full(place):
    """A store with some of everything in it."""
    store = place.open()
    alice = Owner("alice")
    kinds = list(EpisodeKind)
    for n in range(12):
        draft = a_draft(
            f"number {n}: the quick kettle \x00 \u0301",
            session_id=SessionId(f"s{n % 3}") if n % 4 else None,
            scope=Scope("project:work") if n % 2 else Scope("global"),
            kind=kinds[n % len(kinds)],
            occurred_at=START - timedelta(hours=n),
            idempotency_key=f"k{n}",
        )
        append(store, draft, owner=alice if n % 5 == 0 else Owner("local"))
    with store.begin() as tx:
        described = SessionDescribed(session_id=S, info=SessionInfo(title="a title", tags=("x",)))
        tx.append(described, by=AGENT, owner=alice)
        finished = ImportFinished(
            uri="file:///x", format="codex", sha256="0" * 64, new_count=1, known_count=2,
            skipped_count=3,
        )  # fmt: skip
        tx.append(finished, by=AGENT, owner=alice)
    with store.begin() as tx:
        vectors = np.eye(12, 16, dtype=np.float32)
        tx.put_vectors("space", zip(range(2, 14), vectors, strict=True))
    yield store
    store.close()


def problems(place):
    """Return what a fresh opening finds wrong, as (part, seq)."""
    store = place.open()
    try:
        return [(one.part, one.seq) for one in store.verify()]
    finally:
        store.close()


@pytest.mark.row("EM-002")
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ledger SET owner = 'mallory' WHERE seq = 3",
        "UPDATE ledger SET payload = NULL, salt = NULL WHERE seq = 3",
        "UPDATE ledger SET payload = payload WHERE seq = 3",
        "DELETE FROM ledger WHERE seq = 3",
        "DELETE FROM ledger",
        """INSERT INTO ledger SELECT * FROM ledger WHERE seq = 3
        ON CONFLICT (seq) DO UPDATE SET owner = 'mallory'""",
    ],
)
def test_nothing_in_the_ledger_is_changed_or_deleted(place, full, sql):
    head, digest = _head(full), full.digest()

    with pytest.raises(place.refusals):
        place.run(sql)

    assert _head(full) == head
    assert full.digest() == digest
    assert list(full.verify()) == []


@pytest.mark.row("I2")
def test_whatever_else_the_engine_has_for_it_is_refused_too(place, full):
    for sql in place.ways_around:
        with pytest.raises(place.refusals):
            place.run(sql)

    assert list(full.verify()) == []


@pytest.mark.row("I2")
@pytest.mark.parametrize("seq", [16, 18, 3, -1])
def test_a_line_goes_to_the_end_of_the_ledger_or_nowhere(place, full, seq):
    assert _head(full).seq == 15
    columns = (
        "event_id, recorded_at, owner, actor, actor_kind, session_id, kind, key, payload, salt, "
        "commitment, chain"
    )
    copied = columns.replace("event_id", place.first_16).replace(" key", " NULL")
    sql = f"INSERT INTO ledger (seq, {columns}) SELECT {seq}, {copied} FROM ledger WHERE seq = 3"

    if seq == 16:
        place.run(sql)
        assert ("ledger", 16) in problems(place)
    else:
        with pytest.raises(place.refusals):
            place.run(sql)
        assert problems(place) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [("actor_kind", "'god'"), ("seq", "0"), ("salt", "NULL")],
)
def test_the_ledger_takes_only_what_it_knows(place, full, column, value):
    columns = [
        "seq", "event_id", "recorded_at", "owner", "actor", "actor_kind", "session_id", "kind",
        "key", "payload", "salt", "commitment", "chain",
    ]  # fmt: skip
    values = {"seq": "16", "event_id": place.first_16, "key": "NULL", column: value}
    listed = ", ".join(values.get(name, name) for name in columns)

    with pytest.raises(place.refusals):
        place.run(f"INSERT INTO ledger SELECT {listed} FROM ledger WHERE seq = 3")


@pytest.mark.row("I4")
def test_a_clean_store_has_no_findings(full, place):
    assert list(full.verify()) == []
    assert problems(place) == []


@pytest.mark.row("I4")
def test_a_store_just_made_has_no_findings(store):
    assert list(store.verify()) == []


def test_a_check_reads_what_is_stored_now_however_often_there_was_one(place, store):
    append(store, a_draft("one", session_id=S))
    for text in ("two", "three"):
        assert list(store.verify()) == []
        append(store, a_draft(text, session_id=S))
        assert texts(store)[-1] == text

    place.tamper("UPDATE sessions SET episode_count = 7")

    assert {one.part for one in store.verify()} == {"sessions"}
    place.tamper("UPDATE sessions SET episode_count = 3")
    assert list(store.verify()) == []


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    "change",
    [
        "recorded_at = recorded_at + 1",
        "owner = 'mallory'",
        "actor = 'mallory'",
        f"actor_kind = '{ActorKind.HUMAN}'",
        "session_id = 'other'",
        "kind = 'session_described'",
        "key = NULL",
        'payload = \'{"text":"never said"}\'',
        "payload = '{'",
        "commitment = chain",
        "chain = commitment",
    ],
)
def test_a_changed_line_of_the_ledger_is_found(place, full, change):
    place.tamper(f"UPDATE ledger SET {change} WHERE seq = 7")

    assert ("ledger", 7) in problems(place)


@pytest.mark.row("I4")
def test_a_line_that_cannot_be_read_hides_nothing_else(place, full):
    place.tamper("UPDATE ledger SET payload = '{' WHERE seq = 7")
    place.run(place.text_edits[0])
    place.run(place.vector_edits[0])

    found = problems(place)

    assert {part for part, _ in found} == {"ledger", "projections", "text index", "vectors"}
    assert {seq for part, seq in found if part == "text index"} <= {7, 99, None}


@pytest.mark.row("I4")
def test_a_line_taken_out_of_the_middle_is_found(place, full):
    place.tamper("DELETE FROM ledger WHERE seq = 7")

    assert ("ledger", 8) in problems(place)


@pytest.mark.row("I5")
def test_a_tail_that_was_cut_off_is_found(place, full):
    place.tamper("DELETE FROM ledger WHERE seq > 13")

    assert ("ledger", 14) in problems(place)


@pytest.mark.row("I5")
def test_nothing_is_added_to_a_store_that_lost_its_tail(place, full):
    place.tamper("DELETE FROM ledger WHERE seq > 13")
    other = place.open()

    with pytest.raises(CorruptionError):
        append(other, a_draft("another history"))

    other.close()


@pytest.mark.row("I5")
def test_a_history_written_anew_is_found(place, full):
    place.tamper("DELETE FROM ledger WHERE seq > 13")
    signed = place.heads.read_bytes()
    place.heads.unlink()
    for far in place.state.rglob("sqlite-*.heads"):
        far.unlink()
    other = place.open()
    append_all(other, [a_draft(f"another history {n}") for n in range(9)])
    other.close()

    place.heads.write_bytes(signed)

    assert ("ledger", 15) in problems(place)


@pytest.mark.row("I5")
def test_heads_that_nobody_signed_are_found(place, full):
    for path in place.state.rglob("signing.key"):
        path.write_bytes(bytes(32))

    assert ("heads", None) in problems(place)


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    ("table", "sql"),
    [
        ("episodes", "UPDATE episodes SET role = 'system' WHERE seq = 5"),
        ("episodes", "UPDATE episodes SET occurred_at = occurred_at - 1 WHERE seq = 5"),
        ("episodes", "UPDATE episodes SET realm_no = realm_no + 1 WHERE seq = 5"),
        ("episodes", "DELETE FROM episodes WHERE seq = 5"),
        ("episodes", "INSERT INTO episodes VALUES (99, 2, 0, 0, 0, 'note', 'user')"),
        ("sessions", "UPDATE sessions SET title = 'x'"),
        ("sessions", "DELETE FROM sessions"),
        ("realms", "UPDATE realms SET episode_count = episode_count + 1"),
        ("realms", "UPDATE realms SET owner = 'mallory' WHERE owner = 'alice'"),
        ("imports", "UPDATE imports SET sha256 = 'x'"),
        # No event of this store shows there.
        ("gap_moves", "INSERT INTO gap_moves VALUES (2, 3)"),
    ],
)
def test_an_edited_projection_is_found(place, full, table, sql):
    before = full.digest()

    place.run(sql)

    assert table in {part for part, _ in problems(place)}
    assert full.digest() != before


@pytest.mark.row("I4")
@pytest.mark.parametrize("way", ["text_edits", "vector_edits"])
def test_an_edited_index_is_found(place, full, way):
    edits, part = getattr(place, way), {"text": "text index", "vect": "vectors"}[way[:4]]
    for sql in edits:
        place.run(sql)

        assert part in {found for found, _ in problems(place)}, sql
        full.rebuild()
        with full.begin() as tx:
            tx.put_vectors("space", [(2, np.eye(4, dtype=np.float32)[0])])
        assert problems(place) == []


@pytest.mark.row("I11")
def test_what_is_derived_comes_back_from_the_ledger(place, full):
    head, digest, events = _head(full), full.digest(), _events(full)
    for table in tables():
        place.run(f"DELETE FROM {table.name}")

    count = full.rebuild()

    assert count == head.seq
    assert (_head(full), full.digest(), _events(full)) == (head, digest, events)
    with full.read() as view:
        assert len(Search(view).lexical(["kettl"], ANYTHING, limit=99)) == 9
        assert Search(view).spaces() == []
    assert list(full.verify()) == []


@pytest.mark.row("I10", "I11")
def test_a_rebuild_changes_nothing_that_is_read(full):
    def reads():
        with full.read() as view:
            return (
                Episodes(view).select(ANYTHING, limit=99),
                Episodes(view).sessions(Visibility(), limit=99),
                Episodes(view).places(range(99), ANYTHING, reach=2),
                Search(view).lexical(["kettl", "7"], ANYTHING, limit=99),
                Search(view).corpus(["kettl", "7"], Visibility()),
            )

    before, digest = reads(), full.digest()

    full.rebuild()

    assert reads() == before
    assert full.digest() == digest
    assert append(full, a_draft("one more", session_id=SessionId("s1"))).is_new
    assert list(full.verify()) == []


@pytest.mark.row("I10")
def test_the_digest_tells_any_two_histories_apart(store):
    seen = [store.digest()]
    for draft in (
        a_draft("a"),
        a_draft("a"),
        a_draft("a", session_id=S),
        a_draft("a", session_id=S),
        a_draft("b", scope=Scope("project:work")),
    ):
        append(store, draft)
        seen.append(store.digest())

    assert all(one != other for one, other in pairwise(seen))
    assert len(set(seen)) == len(seen)


def test_a_store_is_found_whole_while_others_write(place):
    store, other = place.open(FixedClock()), place.open(FixedClock())
    stop = threading.Event()

    def write():
        while not stop.is_set():
            append(other, a_draft("on and on"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = [finding for _ in range(10) for finding in store.verify()]
    finally:
        stop.set()
        writer.join()
    assert found == []
    store.close()
    other.close()


def test_threads_append_one_after_the_other(store):
    def write(name):
        for n in range(10):
            append(store, a_draft(f"{name}{n}"))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    said = texts(store)
    assert sorted(said) == sorted(f"{name}{n}" for name in "abcd" for n in range(10))
    for name in "abcd":
        assert [one for one in said if one[0] == name] == [f"{name}{n}" for n in range(10)]
    assert list(store.verify()) == []


def test_a_backup_goes_to_a_file_or_names_the_tool_that_makes_it(place, full, tmp_path):
    target = tmp_path / "backups" / "copy"

    if place.has_backups:
        full.backup(str(target))
        assert target.stat().st_size > 0
        with pytest.raises(ConflictError):
            full.backup(str(target))
    else:
        with pytest.raises(UnsupportedError) as refused:
            full.backup(str(target))
        assert "pg_dump" in refused.value.hint
        assert not target.exists()


def _head(store):
    with store.read() as view:
        return view.head()


def _events(store):
    with store.read() as view:
        return view.events()
