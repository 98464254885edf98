"""What only a store in a file can show: other processes, other files, other versions."""

import os
import shutil
import threading
import tracemalloc
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest

from tests.conftest import a_draft, append, append_all, texts
from tests.places import SqlitePlace
from tests.processes import fresh_processes
from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForeignStoreError,
    NewerSchemaError,
    StoreMissingError,
    UnavailableError,
    UnsafeSqliteError,
)
from tilth.core.scope import Visibility
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.filters import EpisodeFilter
from tilth.ledger.search import Search
from tilth.ledger.sqlite import open_database, vectors
from tilth.ledger.sqlite.connection import connect, translated_errors
from tilth.ledger.sqlite.open_database import check_sqlite
from tilth.ledger.sqlite.schema import known_migrations
from tilth.ledger.sqlite.store import create_store, heads_path, open_store, restore_store
from tilth.ledger.tables import Migration
from tilth.runtime.system import SystemClock, SystemIds

MIGRATIONS = known_migrations()
NEWEST = MIGRATIONS[-1].version
NEXT = (*MIGRATIONS, Migration(NEWEST + 1, "CREATE TABLE novelties (name TEXT NOT NULL) STRICT;"))


@pytest.fixture
def place(tmp_path: Path) -> SqlitePlace:
    made = SqlitePlace(tmp_path)
    made.create()
    return made


def start(work, *arguments):
    process = fresh_processes().Process(target=work, args=arguments)
    process.start()
    return process


def write_many(folder: Path, name: str, count: int, acknowledged: Path) -> None:
    store = SqlitePlace(folder).open(SystemClock(), SystemIds(), busy_timeout_s=60)
    with closing(store), acknowledged.open("a") as acks:
        for n in range(count):
            seq = append(store, EpisodeDraft(text=f"{name}{n}")).recorded.seq
            acks.write(f"{seq} {name}{n}\n")


def migrate(folder: Path) -> None:
    place = SqlitePlace(folder)
    open_store(place.path, place.around(), migrations=NEXT).close()


def run_all(processes):
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * len(processes)


@pytest.mark.row("I1")
def test_two_processes_write_at_once_and_every_acknowledgement_holds(place, tmp_path):
    acks = [tmp_path / "a.acks", tmp_path / "b.acks"]

    run_all(
        [
            start(write_many, tmp_path, name, 40, acked)
            for name, acked in zip("ab", acks, strict=True)
        ]
    )

    store = place.open()
    with store.read() as view:
        events = view.events()
    said = {one.seq: one.event.draft.text for one in events[1:]}
    assert [one.seq for one in events] == list(range(1, 82))
    for acked in acks:
        for line in acked.read_text().splitlines():
            seq, text = line.split()
            assert said[int(seq)] == text
    assert list(store.verify()) == []
    store.close()


@pytest.mark.row("DU-001")
def test_one_file_in_wal_mode_and_readers_while_another_process_writes(place, tmp_path):
    store = place.open()
    writer = start(write_many, tmp_path, "a", 60, tmp_path / "acks")
    counts = []
    while writer.is_alive():
        counts.append(len(texts(store)))
    run_all([writer])

    assert counts == sorted(counts)
    assert len(texts(store)) == 60
    assert place.run("PRAGMA journal_mode") == [("wal",)]
    store.close()
    assert [path.name for path in tmp_path.glob("tilth.db*")] == ["tilth.db", "tilth.db.heads"]


@pytest.mark.row("I43")
def test_a_missing_store_is_refused_and_not_made(tmp_path):
    place = SqlitePlace(tmp_path)

    with pytest.raises(StoreMissingError, match="no store at"):
        place.open()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.row("I43")
def test_what_is_no_database_is_refused_and_left_alone(tmp_path):
    place = SqlitePlace(tmp_path)
    place.path.write_text("These are my own notes.\n" * 100)

    with pytest.raises(ForeignStoreError, match="not a Tilth store"):
        place.open()

    assert place.path.read_text() == "These are my own notes.\n" * 100


@pytest.mark.row("I43")
@pytest.mark.parametrize("script", ["CREATE TABLE notes (text)", "PRAGMA application_id = 77"])
def test_the_database_of_another_application_is_refused(tmp_path, script):
    place = SqlitePlace(tmp_path)
    with closing(apsw.Connection(str(place.path))) as conn:
        conn.execute("CREATE TABLE ledger (seq)")
        conn.execute(script)

    with pytest.raises(ForeignStoreError, match="not a Tilth store"):
        place.open()


@pytest.mark.row("I43")
def test_an_empty_file_is_refused(tmp_path):
    place = SqlitePlace(tmp_path)
    place.path.touch()

    with pytest.raises(ForeignStoreError):
        place.open()


@pytest.mark.row("I43")
def test_another_store_in_the_place_of_ours_is_refused(place, tmp_path):
    store = place.open()
    append(store, a_draft())
    store.close()
    other = SqlitePlace(tmp_path / "other")
    other._ids._ulids = 500
    other.create()

    other.path.replace(place.path)

    with pytest.raises(ForeignStoreError, match="was here"):
        place.open()


@pytest.mark.row("I5")
def test_an_older_copy_of_our_own_store_is_found(place, tmp_path):
    store = place.open()
    append(store, a_draft("one"))
    store.backup(str(tmp_path / "older"))
    append(store, a_draft("two"))
    store.close()

    (tmp_path / "older").replace(place.path)

    store = place.open()
    assert [one.problem for one in store.verify() if one.part == "ledger"] == [
        "the tail is missing: 3 was the end once"
    ]
    with pytest.raises(CorruptionError, match="older than its signed head"):
        append(store, a_draft("three"))
    store.close()


@pytest.mark.parametrize("is_replaced", [True, False])
def test_nothing_is_written_once_the_open_file_was_replaced_or_moved(place, tmp_path, is_replaced):
    with closing(place.open()) as store:
        append(store, a_draft("kept"))
        aside = tmp_path / "aside.db"
        if is_replaced:
            shutil.copy(place.path, aside)
            aside.replace(place.path)
        else:
            place.path.rename(aside)

        with pytest.raises(UnavailableError, match="no longer the file that was opened"):
            append(store, a_draft("lost"))


def test_a_store_is_not_made_over_what_is_there(place):
    before = place.path.read_bytes()

    with pytest.raises(ConflictError, match="there already"):
        place.create()

    assert place.path.read_bytes() == before


@pytest.mark.row("I42")
def test_a_newer_schema_is_refused_and_left_alone(place):
    place.run("PRAGMA user_version = 99")

    with pytest.raises(NewerSchemaError, match="99"):
        place.open()

    assert place.run("PRAGMA user_version") == [(99,)]


@pytest.mark.row("I42")
def test_a_new_schema_is_applied_after_a_backup_and_leaves_the_ledger_alone(place):
    store = place.open()
    append_all(store, [a_draft("one"), a_draft("two")])
    store.close()
    before = place.run("SELECT * FROM ledger ORDER BY seq")

    open_store(place.path, place.around(), migrations=NEXT).close()

    assert place.run("PRAGMA user_version") == [(NEWEST + 1,)]
    assert place.run("SELECT * FROM novelties") == []
    assert place.run("SELECT * FROM ledger ORDER BY seq") == before
    kept = place.path.with_name(f"tilth.db.before-schema-{NEWEST + 1}")
    assert kept.stat().st_mode & 0o777 == 0o600
    restored = place.path.with_name("restored.db")
    assert restore_store(kept, restored, place.around()) == 3


@pytest.mark.row("I42")
def test_a_new_schema_is_applied_once_by_two_processes_at_once(place, tmp_path):
    run_all([start(migrate, tmp_path) for _ in range(3)])

    assert place.run("PRAGMA user_version") == [(NEWEST + 1,)]
    store = open_store(place.path, place.around(), migrations=NEXT)
    assert list(store.verify()) == []
    store.close()


@pytest.mark.row("I42")
def test_who_comes_second_to_a_new_schema_leaves_the_copy_of_the_old_one(place, monkeypatch):
    place.open().close()
    version_of = open_database._version_of

    def overtaken(*told):
        version = version_of(*told)
        monkeypatch.undo()
        open_store(place.path, place.around(), migrations=NEXT).close()
        return version

    monkeypatch.setattr(open_database, "_version_of", overtaken)
    open_store(place.path, place.around(), migrations=NEXT).close()

    kept = place.path.with_name(f"tilth.db.before-schema-{NEWEST + 1}")
    with closing(apsw.Connection(str(kept))) as old:
        assert old.pragma("user_version") == NEWEST


@pytest.mark.row("I42", "KB-061")
def test_a_new_schema_that_fails_leaves_the_old_one(place):
    broken = (*MIGRATIONS, Migration(NEWEST + 1, "CREATE TABLE novelties (name); SELECT nonsense;"))

    with pytest.raises(CorruptionError):
        open_store(place.path, place.around(), migrations=broken)

    assert place.run("PRAGMA user_version") == [(NEWEST,)]
    store = place.open()
    assert list(store.verify()) == []
    store.close()


@pytest.mark.row("I42")
@pytest.mark.parametrize(
    "script",
    [
        "DROP INDEX one_event_for_a_key",
        "DROP INDEX episodes_in_session",
        "DROP TRIGGER ledger_is_never_updated",
        "CREATE TABLE spare (x)",
        "ALTER TABLE episodes ADD COLUMN colour TEXT",
        "CREATE TRIGGER spy AFTER INSERT ON episodes BEGIN SELECT 1; END",
    ],
)
def test_tables_that_are_not_those_of_the_version_are_refused(place, script):
    place.run(script)

    with pytest.raises(CorruptionError, match=f"not those of schema {NEWEST}"):
        place.open()


@pytest.mark.parametrize(
    ("version", "is_safe"),
    [
        ("3.7.0", False), ("3.43.2", False), ("3.44.5", False), ("3.44.6", True),
        ("3.45.0", False), ("3.49.9", False), ("3.50.6", False), ("3.50.7", True),
        ("3.51.0", False), ("3.51.2", False), ("3.51.3", True), ("3.52.0", True),
        ("3.54.1", True), ("4.0.0", True), ("3.51.3.1", True),
    ],
)  # fmt: skip
def test_a_sqlite_that_can_lose_commits_is_refused(version, is_safe):
    if is_safe:
        check_sqlite(version)
    else:
        with pytest.raises(UnsafeSqliteError, match=version):
            check_sqlite(version)


def test_files_are_readable_by_their_owner_alone_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        place = SqlitePlace(tmp_path / "deep" / "down")
        place.create()
        store = place.open()
        append(store, a_draft())
        store.backup(str(tmp_path / "backups" / "copy.db"))
        modes = {
            str(path.relative_to(tmp_path)): path.stat().st_mode & 0o777
            for path in tmp_path.rglob("*")
        }
        store.close()
    finally:
        os.umask(before)

    assert "deep/down/tilth.db-wal" in modes
    for name, mode in modes.items():
        assert mode == (0o700 if (tmp_path / name).is_dir() else 0o600), name


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("recursive_triggers", 1),
        ("foreign_keys", 1),
        ("secure_delete", 1),
    ],
)
def test_every_connection_has_the_settings_that_promises_rest_on(place, pragma, value):
    store = place.open()

    for transaction in (store._engine.writing, store._engine.reading, store._engine.checking):
        with transaction() as conn:
            assert conn.rows(f"PRAGMA {pragma}") == [(value,)]
    with closing(connect(place.path, busy_timeout_s=1)) as raw:
        assert raw.pragma(pragma) == value
    store.close()


@pytest.mark.row("I41", "I37")
def test_a_backup_under_load_is_whole(place, tmp_path):
    store, other = place.open(), place.open()
    append_all(store, [a_draft(f"number {n}") for n in range(200)])

    with writing_on(other):
        for n in range(5):
            before = len(texts(store))
            store.backup(str(tmp_path / f"copy{n}.db"))
            around = replace(place.around(), state=tmp_path / f"state{n}")

            # Every check is run before it counts as restored.
            count = restore_store(tmp_path / f"copy{n}.db", tmp_path / f"restored{n}.db", around)
            assert count >= before + 1
    store.close()
    other.close()


@pytest.mark.row("I41")
def test_what_is_restored_is_what_was_there(place, tmp_path):
    store = place.open()
    append_all(store, [a_draft(f"number {n}") for n in range(9)])
    store.backup(str(tmp_path / "copy.db"))
    digest, store_id = store.digest(), store.store_id
    store.close()

    restored = SqlitePlace(tmp_path / "elsewhere")
    assert restore_store(tmp_path / "copy.db", restored.path, restored.around()) == 10

    again = restored.open()
    assert (again.digest(), again.store_id) == (digest, store_id)
    assert append(again, a_draft("goes on")).recorded.seq == 11
    assert list(again.verify()) == []
    again.close()


@pytest.mark.row("I41")
def test_a_backup_that_was_changed_is_not_restored(place, tmp_path):
    store = place.open()
    append_all(store, [a_draft(f"number {n}") for n in range(9)])
    copy = SqlitePlace(tmp_path / "copies")
    store.backup(str(copy.path))
    store.close()
    copy.tamper("UPDATE ledger SET owner = 'mallory' WHERE seq = 4")
    target = tmp_path / "restored" / "tilth.db"

    with pytest.raises(CorruptionError, match="not whole"):
        restore_store(copy.path, target, place.around())

    assert list(target.parent.iterdir()) == []


def names_in(folder):
    return {path.name for path in folder.iterdir()}


@pytest.mark.row("I41")
def test_a_backup_that_is_read_stays_the_one_file_that_it_is(place, tmp_path):
    store = place.open()
    append(store, a_draft("the kettle is on"))
    copy = SqlitePlace(tmp_path / "copies")
    store.backup(str(copy.path))
    store.close()
    before = copy.path.read_bytes()

    read = open_store(copy.path, place.around())
    assert texts(read) == ["the kettle is on"]
    assert [finding.part for finding in read.verify()] == ["heads"]
    while_open = names_in(copy.path.parent)
    read.close()
    restore_store(copy.path, tmp_path / "restored.db", place.around())

    assert while_open == names_in(copy.path.parent) == {copy.path.name}
    assert copy.path.read_bytes() == before


def test_a_backup_that_is_written_to_becomes_a_store_with_a_log(place, tmp_path):
    store = place.open()
    store.backup(str(tmp_path / "copy.db"))
    store.close()

    opened, other = (open_store(tmp_path / "copy.db", place.around()) for _ in range(2))
    append(opened, a_draft("goes on"))

    for one in (opened, other):
        assert texts(one) == ["goes on"]
        with one._engine.reading() as conn:
            assert conn.rows("PRAGMA journal_mode") == [("wal",)]
        one.close()


def test_a_copy_of_a_closed_store_is_restored_without_a_trace_beside_it(place, tmp_path):
    store = place.open()
    append(store, a_draft("the kettle is on"))
    store.close()
    copy = tmp_path / "copies" / "tilth.db"
    copy.parent.mkdir()
    shutil.copy(place.path, copy)

    assert restore_store(copy, tmp_path / "restored.db", place.around()) == 2

    assert names_in(copy.parent) == {copy.name}


def test_a_copy_is_restored_with_what_its_log_holds(place, tmp_path):
    store = place.open()
    append(store, a_draft("the kettle is on"))
    copy = tmp_path / "copies" / "tilth.db"
    copy.parent.mkdir()
    for companion in ("", "-wal"):
        shutil.copy(f"{place.path}{companion}", f"{copy}{companion}")
    store.close()

    assert restore_store(copy, tmp_path / "restored.db", place.around()) == 2


def test_a_backup_is_not_restored_over_a_store(place, tmp_path):
    store = place.open()
    store.backup(str(tmp_path / "copy.db"))
    store.close()

    with pytest.raises(ConflictError):
        restore_store(tmp_path / "copy.db", place.path, place.around())
    with pytest.raises(StoreMissingError):
        restore_store(tmp_path / "none.db", tmp_path / "new.db", place.around())


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    place = SqlitePlace(tmp_path)

    with pytest.raises(UnavailableError, match="cannot make a store"):
        create_store(tmp_path / "file" / "tilth.db", place.around())


def test_a_link_in_the_place_of_a_store_is_not_followed(place, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(place.path)

    with pytest.raises(UnavailableError):
        open_store(link, place.around())


def test_heads_lie_beside_the_store_and_hold_no_content(place):
    store = place.open()
    append_all(store, [a_draft("a secret of ours") for _ in range(200)])
    store.close()

    heads = heads_path(place.path).read_bytes()

    assert b"secret" not in heads
    # A ring: it does not grow with the store.
    assert len(heads) < 20_000


def test_approximate_search_finds_nearly_what_an_exact_one_does(place, monkeypatch):
    drawn = np.random.default_rng(5).normal(size=(600, 64)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    store = place.open()
    seqs = [one.recorded.seq for one in append_all(store, [a_draft(f"{n}") for n in range(600)])]
    with store.begin() as tx:
        tx.put_vectors("space", zip(seqs, drawn, strict=True))

    def nearest():
        with store.read() as view:
            which = EpisodeFilter(within=Visibility())
            return [
                {one.seq for one in Search(view).nearest("space", vector, which, limit=10)}
                for vector in drawn[:20] + 0.1
            ]

    exact = nearest()
    monkeypatch.setattr(vectors, "EXACT_MAX", 100)
    monkeypatch.setattr(vectors, "RESCORED", 150)
    likely = nearest()

    assert sum(len(one & other) for one, other in zip(exact, likely, strict=True)) >= 180
    store.close()


def test_the_first_question_takes_little_more_memory_than_the_vectors_do(place, monkeypatch):
    monkeypatch.setattr(vectors, "_ROWS_AT_ONCE", 100)
    drawn = np.random.default_rng(5).normal(size=(3000, 256)).astype(np.float32)
    store = place.open()
    with store.begin() as tx:
        tx.put_vectors("space", zip(range(2, 3002), drawn, strict=True))
    which = EpisodeFilter(within=Visibility())

    tracemalloc.start()
    with store.read() as view:
        Search(view).nearest("space", drawn[0], which, limit=10)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept > 3000 * 256
    assert peak < 3 * kept
    store.close()


@contextmanager
def writing_on(store):
    stop = threading.Event()

    def write():
        while not stop.is_set():
            append(store, a_draft("on and on"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        stop.set()
        writer.join()


def test_an_error_on_a_full_disk_says_that_it_is_full(tmp_path, monkeypatch):
    full = os.statvfs_result((4096, 4096, 1000, 0, 0, 1000, 1000, 1000, 0, 255))
    path = tmp_path / "tilth.db"
    with pytest.raises(UnavailableError, match="disk I/O error"), translated_errors(path):
        raise apsw.IOError("disk I/O error")

    monkeypatch.setattr(os, "statvfs", lambda _: full)

    with (
        pytest.raises(UnavailableError, match="no space is left on the disk"),
        translated_errors(path),
    ):
        raise apsw.IOError("disk I/O error")


class BusyLog(apsw.Connection):
    """One whose log somebody else is writing into the file, the first times that it is asked."""

    left = 3

    def execute(self, sql, *args):
        if "wal_checkpoint" in sql and self.left:
            self.left -= 1
            return super().execute("SELECT 1, -1, -1")
        return super().execute(sql, *args)


def test_a_purge_waits_for_who_writes_the_log_into_the_file(place, monkeypatch):
    """SQLite itself says "busy" at once then, and a program that writes much does it often."""
    with closing(place.open(busy_timeout_s=5)) as store:
        append(store, a_draft("the kettle is on"))
        with monkeypatch.context() as patch:
            patch.setattr(apsw, "Connection", BusyLog)
            with closing(place.open(busy_timeout_s=5)) as other:
                other.purge()
            patch.setattr(BusyLog, "left", 10**9)
            with (
                closing(place.open(busy_timeout_s=0.05)) as other,
                pytest.raises(UnavailableError, match="still reads the old state"),
            ):
                other.purge()
    assert not place.path.with_name(f"{place.path.name}-wal").exists()
