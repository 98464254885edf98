"""Crashes, in small. `python -m prove.kill` and `python -m prove.concurrency` do it at length."""

import shutil

import pytest

from prove import concurrency, kill
from tests.conftest import a_draft, append, texts
from tests.places import SqlitePlace
from tilth.core.errors import ConflictError
from tilth.ledger.sqlite.schema import PAGE_BYTES
from tilth.ledger.sqlite.store import create_store, open_store, restore_store


@pytest.fixture
def place(tmp_path):
    """A store in a file: what befalls files concerns no server."""
    made = SqlitePlace(tmp_path)
    made.create()
    return made


@pytest.mark.row("I1")
def test_nothing_acknowledged_is_lost_when_the_process_is_killed():
    _, failures = kill.run(kills=6, seed=3)

    assert failures == []


@pytest.mark.row("I1")
def test_many_writers_lose_nothing_while_others_check_and_copy():
    report, failures = concurrency.run(processes=2, threads=2, writes=60, races=3)

    assert failures == []
    assert report["transactions"] == 60


@pytest.fixture
def orphan_log(place):
    """The write-ahead log of a store that was killed, without the store."""
    store = place.open()
    append(store, a_draft("in the log alone"))
    kept = place.path.with_name("kept")
    shutil.copyfile(f"{place.path}-wal", kept)
    backup = place.path.with_name("backup.db")
    store.backup(str(backup))
    store.close()
    place.path.unlink()
    kept.rename(f"{place.path}-wal")
    return place


@pytest.mark.row("I43")
def test_a_store_is_not_made_beside_the_log_of_another(orphan_log):
    with pytest.raises(ConflictError, match="-wal"):
        create_store(orphan_log.path, orphan_log.around())


@pytest.mark.row("I43")
def test_a_store_is_not_restored_beside_the_log_of_another(orphan_log):
    backup = orphan_log.path.with_name("backup.db")
    with pytest.raises(ConflictError, match="-wal"):
        restore_store(backup, orphan_log.path, orphan_log.around())


def test_restoring_leaves_the_backup_as_it_is(place):
    store = place.open()
    append(store, a_draft("kept"))
    backup, restored = place.path.with_name("backup.db"), place.path.with_name("restored.db")
    store.backup(str(backup))
    store.close()
    backup.chmod(0o400)
    before = backup.read_bytes()

    restore_store(backup, restored, place.around())

    assert backup.read_bytes() == before
    assert sorted(backup.parent.glob("backup.db*")) == [backup]
    again = open_store(restored, place.around())
    assert texts(again) == ["kept"]
    again.close()


def test_a_store_and_its_copies_have_the_pages_that_vectors_fit_in(place):
    store = place.open()
    append(store, a_draft("kept"))
    backup, restored = place.path.with_name("backup.db"), place.path.with_name("restored.db")
    store.backup(str(backup))
    store.close()
    restore_store(backup, restored, place.around())

    for made in (place.path, backup, restored):
        assert int.from_bytes(made.read_bytes()[16:18]) == PAGE_BYTES
