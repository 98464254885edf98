"""Whatever changes an answer is found. `python -m prove.corrupt` plants many more faults."""

import shutil
from contextlib import closing

import apsw
import numpy as np
import pytest

from prove.corrupt import run
from prove.faults import FAULTS
from tests.conftest import a_draft, append, append_all
from tests.places import SqlitePlace
from tilth.core.errors import CorruptionError
from tilth.core.event import decode
from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.episodes.filters import EpisodeFilter
from tilth.ledger.chain import GENESIS, Header, commit
from tilth.ledger.log import continues_chain, read_row, row_of
from tilth.ledger.search import Search


@pytest.fixture
def place(tmp_path):
    """A store in a file: what befalls files concerns no server."""
    made = SqlitePlace(tmp_path)
    made.create()
    return made


@pytest.fixture
def filled(place):
    with_sessions = [a_draft(f"{n} blue pots", session_id=SessionId("s")) for n in range(5)]
    opened = place.open()
    appended = append_all(opened, [*with_sessions, a_draft("no session", idempotency_key="k")])
    with opened.begin() as tx:
        rows = np.eye(len(appended), 8, dtype=np.float32)
        tx.put_vectors("space", zip((one.recorded.seq for one in appended), rows, strict=True))
    opened.close()
    return place


def found_in(place: SqlitePlace) -> list[str]:
    opened = place.open()
    try:
        return [f"{one.part} {one.seq} {one.problem}" for one in opened.verify()]
    finally:
        opened.close()


@pytest.mark.row("I4")
def test_a_whole_store_has_no_findings(filled):
    assert found_in(filled) == []


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    "payload", ["", "{", "[]", "null", '{"text":5}', '{"text":"undefined"}', '{"at":1e300}']
)
def test_a_payload_that_cannot_be_read_is_a_finding(filled, payload):
    filled.tamper("UPDATE ledger SET payload = ? WHERE seq = 3", (payload,))

    assert any("ledger 3" in one for one in found_in(filled))


@pytest.mark.row("I4")
def test_an_episode_that_chains_but_cannot_be_read_is_a_finding(filled):
    """The chain was made to fit, so only reading it shows the damage."""
    salt = filled.run("SELECT salt FROM ledger WHERE seq = 7")[0][0]
    payload = '{"text":"undefined"}'
    filled.tamper(
        "UPDATE ledger SET payload = ?, commitment = ? WHERE seq = 7",
        (payload, commit(salt, payload)),
    )

    assert any(one.startswith("projections") for one in found_in(filled))


@pytest.mark.row("I4")
@pytest.mark.parametrize("change", ["actor_kind = 'ag''nt'", "actor = ''", "kind = 'unheard'"])
def test_a_header_that_no_writer_makes_is_a_finding(filled, change):
    without_checks(filled, f"UPDATE ledger SET {change} WHERE seq = 3")

    assert any("ledger 3" in one for one in found_in(filled))


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    "edit",
    ["UPDATE spaces SET total = 5", "UPDATE vectors SET vector = 'words' WHERE vector_no = 2"],
)
def test_a_vector_or_a_sum_of_another_type_is_a_finding(filled, edit):
    without_checks(filled, edit)

    assert any(one.startswith("vectors") for one in found_in(filled))


@pytest.mark.row("I4")
@pytest.mark.parametrize("at", [2**62, -(2**62)])
def test_an_instant_beyond_all_calendars_is_a_finding(filled, at):
    filled.tamper("UPDATE ledger SET recorded_at = ? WHERE seq = 3", (at,))

    assert any("ledger 3" in one for one in found_in(filled))


@pytest.mark.parametrize("payload", ['{"text":"undefined"}', '{"text":"x","at":1e300}', "[" * 9999])
def test_a_payload_that_no_event_has_is_our_fault_and_not_the_readers(payload):
    with pytest.raises(CorruptionError):
        decode("episode_recorded", payload, None)


def without_checks(place: SqlitePlace, sql: str) -> None:
    """Run *sql* as damage does, which asks neither for types nor for what a table allows."""
    with closing(apsw.Connection(str(place.path))) as conn:
        conn.execute("PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON")
        made = conn.execute("SELECT name, type, sql FROM sqlite_schema").fetchall()
        conn.execute("UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')')")
        conn.execute("DELETE FROM sqlite_schema WHERE type = 'trigger'")
    with closing(apsw.Connection(str(place.path))) as conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.execute(sql)
        conn.execute("PRAGMA writable_schema = ON")
        for name, _, definition in made:
            conn.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (definition, name))
        conn.execute("PRAGMA writable_schema = OFF")
    with closing(apsw.Connection(str(place.path))) as conn:
        for _, kind, definition in made:
            if kind == "trigger":
                conn.execute(definition)


LINE = (1, bytes(16), 0, "o", "a", "job", None, "k", None, "{}", bytes(16), bytes(32), bytes(32))


@pytest.mark.row("I4")
@pytest.mark.parametrize("column", range(len(LINE)))
def test_a_line_of_the_ledger_with_another_type_in_it_cannot_be_read(column):
    line = list(LINE)
    assert read_row(line).header.seq == 1

    line[column] = 2.5

    with pytest.raises(CorruptionError, match="line"):
        read_row(line)


@pytest.mark.row("I4")
@pytest.mark.parametrize("column", range(len(LINE)))
def test_lines_are_whole_only_while_every_column_is_what_was_written(column):
    _, *header, payload, salt, _, _ = LINE
    before, lines = GENESIS, []
    for seq in (1, 2, 3):
        row = row_of(Header(seq, *header), payload, salt, before)
        before = row.chain
        lines.append((*row.header, *row[1:]))
    assert continues_chain(lines, GENESIS, 0)
    assert continues_chain(lines[1:], lines[0][-1], 1)
    assert not continues_chain(lines[1:], lines[0][-1], 0)

    changed = list(lines[1])
    changed[column] = 2.5
    assert not continues_chain([lines[0], tuple(changed), lines[2]], GENESIS, 0)


@pytest.mark.row("I4")
def test_damage_is_named_by_its_place_however_far_it_lies(place):
    store = place.open()
    append_all(store, [a_draft(f"{number} pots") for number in range(700)])
    store.close()
    for seq in (255, 257, 513):
        place.tamper("UPDATE ledger SET recorded_at = recorded_at + 1 WHERE seq = ?", (seq,))

    in_ledger = [one for one in found_in(place) if one.startswith("ledger")]
    assert in_ledger == [f"ledger {seq} the chain is broken" for seq in (255, 257, 513)]


def test_a_number_in_place_of_bytes_does_not_ask_for_all_memory():
    with pytest.raises(CorruptionError):
        read_row((LINE[0], 2**62, *LINE[2:]))


@pytest.mark.row("I4")
def test_an_event_that_nobody_erased_is_missed(filled):
    filled.tamper("UPDATE ledger SET payload = NULL, salt = NULL WHERE seq = 3")

    assert any("ledger 3" in one for one in found_in(filled))


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    "edit",
    [
        "INSERT INTO episode_terms_config VALUES ('rank', 'bm25(0.1)')",
        "DELETE FROM episode_terms_config WHERE k = 'secure-delete'",
        "UPDATE episode_terms_docsize SET sz = x'09' WHERE id = 3",
        "DELETE FROM episode_terms_docsize WHERE id = 3",
        "DELETE FROM episode_terms_idx",
        "UPDATE episode_terms_data SET block = x'0607' WHERE id = 1",
        "INSERT INTO episode_terms (rowid, terms) VALUES (3, '_2 another')",
    ],
)
def test_an_edited_text_index_is_found(filled, edit):
    filled.run(edit)

    assert any(one.startswith("text index") for one in found_in(filled))


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM episode_terms_docsize WHERE id = 2",
        "UPDATE episode_terms_data SET block = x'' WHERE id = 1",
    ],
)
def test_a_text_index_without_a_length_or_its_totals_ranks_nothing(filled, edit):
    filled.run(edit)
    which = EpisodeFilter(within=Visibility())

    with closing(filled.open()) as opened:
        for _ in range(3):
            with pytest.raises(CorruptionError), opened.read() as view:
                Search(view).lexical(("pot", "blue"), which, limit=10)


def test_verify_waits_for_no_writer_and_no_writer_for_it(place):
    store, writer = place.open(busy_timeout_s=0.05), place.open()
    append(store, a_draft("before"))

    with writer.begin():
        assert list(store.verify()) == []

    checking = store.verify()
    append(writer, a_draft("meanwhile"))
    assert list(checking) == []
    store.close()
    writer.close()


@pytest.mark.row("I5")
def test_an_old_file_put_back_shows_and_takes_no_more_writes(filled, tmp_path):
    old = tmp_path / "old.db"
    shutil.copyfile(filled.path, old)
    store = filled.open()
    append_all(store, [a_draft("later"), a_draft("and later")])
    store.close()
    for companion in ("-wal", "-shm"):
        filled.path.with_name(filled.path.name + companion).unlink(missing_ok=True)
    shutil.copyfile(old, filled.path)

    assert any("the tail is missing" in one for one in found_in(filled))
    store = filled.open()
    for text in ("a new past", "another"):
        with pytest.raises(CorruptionError, match="older than"):
            append(store, a_draft(text))
    store.close()
    assert any("the tail is missing" in one for one in found_in(filled))


@pytest.mark.row("I5")
def test_every_signed_head_must_be_in_the_chain(filled):
    """A rewritten past shows by an earlier head, although a later one fits."""
    store = filled.open()
    head = store._heads.latest()
    other = type(head)(head.seq - 1, bytes(32))
    store._heads.keep(other)
    store.close()

    assert any(f"ledger {other.seq}" in one for one in found_in(filled))


@pytest.mark.row("I4")
def test_planted_faults_of_every_kind_are_reported_or_change_nothing():
    report, failures = run(faults=2 * len(FAULTS), clean=4, seed=7, shapes=("small", "sessions"))

    assert failures == []
    assert report["reported"] == report["harmful"] > len(FAULTS) / 2
