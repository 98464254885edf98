import stat
from datetime import UTC, datetime

from tilth.runtime.backups import Backup, last_backup, note_backup

MADE_AT = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)


def make_backup(**changes):
    values = {"store_id": "one", "path": "/b/1.db", "made_at": MADE_AT, "event_count": 3}
    return Backup(**(values | changes))


def test_the_newest_backup_of_a_store_is_remembered(tmp_path):
    for backup in (make_backup(), make_backup(path="/b/2.db"), make_backup(store_id="two")):
        note_backup(tmp_path, backup)

    assert last_backup(tmp_path, "one") == make_backup(path="/b/2.db")


def test_a_store_that_was_never_backed_up_has_none(tmp_path):
    assert last_backup(tmp_path, "one") is None


def test_a_torn_line_is_no_backup(tmp_path):
    note_backup(tmp_path, make_backup())
    with (tmp_path / "backups.jsonl").open("a") as file:
        file.write('{"store_id": "one", "pa\n[]\n{"made_at": "soon"}\n')

    assert last_backup(tmp_path, "one") == make_backup()


def test_a_backup_after_a_torn_line_is_remembered(tmp_path):
    note_backup(tmp_path, make_backup())
    with (tmp_path / "backups.jsonl").open("a") as file:
        file.write('{"store_id": "one", "pa')

    note_backup(tmp_path, make_backup(path="/b/2.db"))

    assert last_backup(tmp_path, "one") == make_backup(path="/b/2.db")


def test_the_record_is_readable_by_its_owner_alone(tmp_path):
    note_backup(tmp_path / "state", make_backup())

    mode = (tmp_path / "state" / "backups.jsonl").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
