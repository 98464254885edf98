"""What every store promises of its ledger."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import fields, replace
from datetime import timedelta

import numpy as np
import pytest

from tests.conftest import AGENT, a_draft, append, append_all, texts
from tests.fakes import START, CountingIds, FixedClock
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import (
    ConflictError,
    IdempotencyConflictError,
    InvalidInputError,
    NewerSchemaError,
    UnavailableError,
)
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.scope import DEFAULT_OWNER, Owner, Scope, Visibility
from tilth.episodes.episode import Direction, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.ledger.chain import commit, link
from tilth.ledger.log import iter_rows
from tilth.ledger.search import Search
from tilth.transfer.tables import imported

ALL = Visibility()
ROUGH = "\x00 'quoted' \"twice\" % ? $1 \\x00 {} 🌱 \u202e é \u0301 \r\n\t\x1f\x7f"


def full_draft() -> EpisodeDraft:
    return EpisodeDraft(
        text=f"said {ROUGH}",
        kind=EpisodeKind.TOOL_RESULT,
        role=Role.TOOL,
        speaker=f"bash {ROUGH}",
        session_id=SessionId("a session, with spaces and ünïcode"),
        occurred_at=START - timedelta(days=400, microseconds=1),
        scope=Scope("project:work/api"),
        transport="matrix",
        address=f"@me:{ROUGH}",
        direction=Direction.OUTBOUND,
        entity_id="ent_1",
        conversation_id="con_1",
        metadata={"n": 1.5, "deep": {"list": [None, True, ROUGH, 2**53 + 1]}, "": ""},
        idempotency_key=f"key {ROUGH}",
    )


def full_info() -> SessionInfo:
    return SessionInfo(
        title="a title % ? '", host="slack", folder="/srv/ä b", uri="file:///x?y", tags=("a", "ü,b")
    )


@pytest.mark.row("EM-003")
def test_an_episode_comes_back_whole(store):
    draft = full_draft()

    recorded = append(store, draft).recorded

    with store.read() as view:
        episode = Episodes(view).get(EpisodeId.of(recorded.event_id), ALL)
    assert episode.seq == recorded.seq
    assert episode.owner == DEFAULT_OWNER
    assert episode.recorded_at == recorded.recorded_at
    for name in {field.name for field in fields(EpisodeDraft)} - {"idempotency_key"}:
        assert getattr(episode, name) == getattr(draft, name), name


@pytest.mark.row("MP-01")
def test_what_is_said_is_kept_to_the_byte(store):
    said = "".join(map(chr, [*range(0x250), 0x2028, 0xFFFD, 0xFFFF, 0x10FFFF])) * 3

    append(store, a_draft(said))

    assert texts(store) == [said]


def test_every_kind_of_event_comes_back_whole(store):
    events = [
        EpisodeRecorded(replace(full_draft(), idempotency_key=None)),
        SessionDescribed(session_id=SessionId("s"), info=full_info(), scope=Scope("domain:home")),
        ImportFinished(
            uri="file:///x", format="codex", sha256="0" * 64, new_count=1, known_count=2,
            skipped_count=3,
        ),
    ]  # fmt: skip
    with store.begin() as tx:
        appended = [tx.append(event, by=AGENT, owner=Owner("alice")) for event in events]

    with store.read() as view:
        assert view.events(after=1) == [one.recorded for one in appended]
    assert [one.recorded.event for one in appended] == events
    assert [one.recorded.owner for one in appended] == ["alice"] * 3


@pytest.mark.row("I3")
def test_places_are_gapless_from_one(store):
    append_all(store, [a_draft(f"{n} pots") for n in range(7)])
    append(store, a_draft("one more"))

    with store.read() as view:
        assert [one.seq for one in view.events()] == list(range(1, 10))
        assert view.head().seq == 9


def test_events_are_read_in_pages(store):
    append_all(store, [a_draft(f"{n} pots") for n in range(5)])

    with store.read() as view:
        assert [one.seq for one in view.events(after=2, limit=3)] == [3, 4, 5]
        assert view.events(after=6) == []


@pytest.mark.row("I3")
def test_each_line_commits_to_its_payload_and_to_all_before_it(store):
    append_all(store, [full_draft(), a_draft()])

    with store._engine.reading() as conn:
        rows = list(iter_rows(conn))

    before = bytes(32)
    for row in rows:
        assert commit(row.salt, row.payload) == row.commitment
        before = link(before, row.header, row.commitment)
        assert row.chain == before
    with store.read() as view:
        assert view.head().chain == before


def test_the_ledger_keeps_who_acted(store):
    append(store, a_draft(), by=Actor("ada", ActorKind.HUMAN))

    with store._engine.reading() as conn:
        last = list(iter_rows(conn))[-1].header

    assert (last.actor, last.actor_kind) == ("ada", "human")


@pytest.mark.row("I6")
def test_the_same_key_with_the_same_content_is_one_event(store):
    first = append(store, full_draft())
    again = append(store, full_draft())

    assert (first.is_new, again.is_new) == (True, False)
    assert again.recorded.seq == first.recorded.seq
    assert again.recorded.event_id == first.recorded.event_id
    assert again.recorded.recorded_at == first.recorded.recorded_at
    assert len(texts(store)) == 1


@pytest.mark.row("I6")
def test_a_key_repeated_within_one_transaction_is_one_event(store):
    first, again = append_all(store, [full_draft(), full_draft()])

    assert again.recorded.seq == first.recorded.seq
    assert len(texts(store)) == 1


@pytest.mark.row("I6")
@pytest.mark.parametrize(
    "change",
    [
        {"text": "something else"},
        {"session_id": SessionId("another")},
        {"session_id": None},
        {"speaker": "bob"},
        {"metadata": {"x": 1}},
    ],
)
def test_the_same_key_with_other_content_is_refused(store, change):
    draft = a_draft(session_id=SessionId("s"), idempotency_key="k")
    append(store, draft)

    with pytest.raises(IdempotencyConflictError):
        append(store, replace(draft, **change))

    assert texts(store) == [draft.text]


@pytest.mark.row("I6")
def test_a_key_does_not_serve_for_another_kind_of_event(store):
    append(store, a_draft(idempotency_key="k"))
    described = SessionDescribed(session_id=SessionId("s"), info=SessionInfo())

    with store.begin() as tx, pytest.raises(IdempotencyConflictError):
        tx.append(described, by=AGENT, owner=DEFAULT_OWNER, idempotency_key="k")


@pytest.mark.row("I6")
def test_each_owner_has_keys_of_their_own(store):
    mine = append(store, a_draft("mine", idempotency_key="k"), owner=Owner("alice"))
    yours = append(store, a_draft("yours", idempotency_key="k"), owner=Owner("bob"))

    assert mine.is_new
    assert yours.is_new
    with store.read() as view:
        assert view.by_key(Owner("alice"), ["k", "none"]) == {"k": mine.recorded.seq}
        assert view.by_key(Owner("bob"), ["k"]) == {"k": yours.recorded.seq}
        assert view.by_key(Owner("charlie"), ["k"]) == {}


def test_a_refused_key_does_not_spoil_the_rest_of_its_transaction(store):
    append(store, a_draft("first", idempotency_key="k"))

    with store.begin() as tx:
        with pytest.raises(IdempotencyConflictError):
            _record(tx, a_draft("other", idempotency_key="k"))
        _record(tx, a_draft("other", idempotency_key="k2"))

    assert texts(store) == ["first", "other"]


@pytest.mark.row("I8")
def test_an_exception_leaves_everything_as_it_was(store):
    append(store, a_draft("before", session_id=SessionId("s")))
    digest = store.digest()
    with store.read() as view:
        head = view.head()

    def fail_late():
        with store.begin() as tx:
            seq = _record(tx, a_draft("never", session_id=SessionId("s"))).recorded.seq
            tx.put_vectors("space", [(seq, _unit(4))])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_late()

    with store.read() as view:
        assert view.head() == head
        assert Search(view).spaces() == []
        assert Search(view).lexical(["never"], EpisodeFilter(within=ALL), limit=5) == []
    assert store.digest() == digest
    assert list(store.verify()) == []
    assert append(store, a_draft("after")).recorded.seq == head.seq + 1


@pytest.mark.row("I8")
def test_what_failed_inside_a_transaction_is_never_acknowledged(place):
    store = place.open(ids=Stuck())
    append(store, a_draft("first"))
    with store.read() as view:
        head = view.head()

    def go_on_regardless():
        with store.begin() as tx, suppress(ConflictError):
            _record(tx, a_draft("the same identifier again"))

    with pytest.raises(ConflictError):
        go_on_regardless()

    with store.read() as view:
        assert view.head() == head
    assert list(store.verify()) == []
    store.close()


def test_a_transaction_sees_its_own_changes(store):
    with store.begin() as tx:
        seq = _record(tx, a_draft("a blue kettle", session_id=SessionId("s"))).recorded.seq

        assert tx.head().seq == seq
        assert [one.text for one in Episodes(tx).at([seq], ALL)] == ["a blue kettle"]
        found = Search(tx).lexical(["kettl"], EpisodeFilter(within=ALL), limit=5)
        assert [one.seq for one in found] == [seq]


def test_a_snapshot_does_not_change_while_it_is_open(place):
    store, other = place.open(), place.open()
    append(store, a_draft("before"))

    with store.read() as view:
        head = view.head()
        append(other, a_draft("meanwhile"))

        assert view.head() == head
        assert Episodes(view).count(ALL) == 1
        assert Search(view).lexical(["meanwhil"], EpisodeFilter(within=ALL), limit=5) == []
    assert texts(store) == ["before", "meanwhile"]
    store.close()
    other.close()


@pytest.mark.row("DU-001")
def test_a_reader_sees_what_was_committed_while_another_writes(place):
    store, other = place.open(), place.open()
    append(store, a_draft("before"))

    with store.begin() as tx:
        _record(tx, a_draft("not yet"))

        assert texts(other) == ["before"]
    assert texts(other) == ["before", "not yet"]
    store.close()
    other.close()


def test_a_second_writer_waits_and_then_says_busy(place):
    store, other = place.open(), place.open(busy_timeout_s=0.05)

    with store.begin(), pytest.raises(UnavailableError, match="busy"), other.begin():
        pass

    append(other, a_draft("later"))
    assert texts(store) == ["later"]
    store.close()
    other.close()


@pytest.mark.row("I7")
def test_times_of_recording_never_go_back(place):
    clock = FixedClock(step=timedelta(seconds=1))
    store = place.open(clock)
    first = append(store, a_draft("first")).recorded.recorded_at
    clock.at = START - timedelta(days=3650)

    second = append(store, a_draft("second")).recorded.recorded_at
    clock.at = first + timedelta(hours=1)
    third = append(store, a_draft("third")).recorded.recorded_at

    assert first < second < third
    assert all(at.utcoffset() == timedelta(0) for at in (first, second, third))
    store.close()


@pytest.mark.row("C-22")
def test_events_of_one_microsecond_keep_their_order(place):
    store = place.open(FixedClock())

    append_all(store, [a_draft(f"{n} pots") for n in range(20)])

    assert texts(store) == [f"{n} pots" for n in range(20)]
    store.close()


@pytest.mark.row("I1")
def test_what_was_acknowledged_is_there_after_opening_again(place):
    store = place.open()
    append(store, full_draft())
    with store.read() as view:
        head, digest = view.head(), store.digest()
    store_id = store.store_id
    store.close()

    again = place.open()

    with again.read() as view:
        assert view.head() == head
    assert again.digest() == digest
    assert again.store_id == store_id
    again.close()
    again.close()


def test_what_was_imported_last_is_known_by_owner_and_source(store):
    def finish(owner: str, sha256: str) -> None:
        event = ImportFinished(
            uri="file:///x", format="codex", sha256=sha256, new_count=0, known_count=0,
            skipped_count=0,
        )  # fmt: skip
        with store.begin() as tx:
            tx.append(event, by=AGENT, owner=Owner(owner))

    finish("alice", "a" * 64)
    finish("alice", "b" * 64)

    with store.read() as view:
        assert imported(view, Owner("alice"), "file:///x") == "b" * 64
        assert imported(view, Owner("alice"), "file:///y") is None
        assert imported(view, Owner("bob"), "file:///x") is None


def test_a_source_may_have_any_name(store):
    uri = f"file:///{ROUGH}"
    event = ImportFinished(
        uri=uri, format="codex", sha256="a" * 64, new_count=0, known_count=0, skipped_count=0
    )

    with store.begin() as tx:
        tx.append(event, by=AGENT, owner=DEFAULT_OWNER)

    with store.read() as view:
        assert imported(view, DEFAULT_OWNER, uri) == "a" * 64
        assert imported(view, DEFAULT_OWNER, "file:///\x00") is None
        assert view.events(after=1)[0].event == event


class Stuck(CountingIds):
    """Chance that gives the same twice."""

    def ulid(self, at):
        return bytes(15) + b"\x07"


def _record(tx, draft):
    return tx.append(
        EpisodeRecorded(draft), by=AGENT, owner=DEFAULT_OWNER, idempotency_key=draft.idempotency_key
    )


def _unit(dimensions):
    return np.eye(dimensions, dtype=np.float32)[0]


def test_a_closed_store_is_not_opened_again_unasked(store):
    store.close()
    store.close()

    with pytest.raises(InvalidInputError, match="closed"), store.read():
        pass
    with pytest.raises(InvalidInputError, match="closed"), store.begin():
        pass


def test_whoever_closes_waits_for_what_another_thread_writes(place):
    store, is_writing, goes_on = place.open(), threading.Event(), threading.Event()

    def write():
        with store.begin() as tx:
            kept = _record(tx, EpisodeDraft(text="said while somebody closes"))
            is_writing.set()
            goes_on.wait(30)
        return kept.recorded.seq

    with ThreadPoolExecutor() as pool:
        written = pool.submit(write)
        is_writing.wait(30)
        closed = pool.submit(store.close)
        wait([closed], timeout=0.2)
        goes_on.set()
        assert written.result(30) == 2  # the first is the store itself
        assert closed.result(30) is None
    with pytest.raises(InvalidInputError, match="closed"), store.begin():
        pass
    with closing(place.open()) as again:
        assert list(again.verify()) == []


def test_half_of_a_character_is_no_text_that_a_store_is_asked_for(store):
    with (
        store.read() as view,
        pytest.raises(InvalidInputError, match="half of a character"),
    ):
        view.conn.rows("SELECT seq FROM ledger WHERE owner = ?", ("\ud83d",))


def test_a_forked_process_is_refused_the_store_of_its_parent(store, monkeypatch):
    with monkeypatch.context() as child:
        child.setattr("tilth.ledger.store.os.getpid", lambda: -1)
        with pytest.raises(InvalidInputError, match="forked"), store.read():
            pass
    with store.read():
        pass


@pytest.mark.row("I42")
def test_a_store_that_somebody_brings_to_a_new_schema_is_left_alone_by_who_has_it_open(place):
    with closing(place.open()) as store:
        append(store, a_draft("one"))
        with store.begin(), store.read():
            pass  # both connections are there before it happens
        newer = place.bring_to_newer_schema()
        before = place.run("SELECT count(*) FROM ledger")

        with pytest.raises(NewerSchemaError, match=f"schema {newer}") as refused:
            append(store, a_draft("two"))
        with pytest.raises(NewerSchemaError), store.read():
            pass
        with pytest.raises(NewerSchemaError):
            list(store.verify())

    assert "start" in (refused.value.hint or "")
    assert place.run("SELECT count(*) FROM ledger") == before
