"""A disk that is full: what was kept is told so, what was not too, and what to do about it."""

import errno
import os

import apsw
import pytest

from tilth.ledger.sqlite.engine import SqliteEngine


def full(*_args, **_named):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def heads(program):
    """Return what doctor says of the signed heads."""
    checks = program("doctor", "--json").answer["checks"]
    return next((one["status"], one["summary"]) for one in checks if one["id"] == "store.heads")


@pytest.mark.row("I8")
def test_what_was_committed_is_acknowledged_though_no_head_could_be_signed(
    ready, monkeypatch, caplog
):
    monkeypatch.setattr(os, "pwrite", full)

    noted = ready("remember", "The ferry leaves at noon.", "--json")

    assert noted.code == 0
    assert "no signed head could be written" in caplog.text
    monkeypatch.undo()
    shown = ready("episode", "show", noted.answer["episode_id"])
    assert "The ferry leaves at noon." in shown.out
    assert heads(ready) == ("warn", "the last event has no signed head, so a loss would not show")
    assert ready("remember", "And comes back.").code == ready("verify").code == 0
    assert heads(ready)[0] == "ok"


@pytest.mark.row("I33", "I8")
@pytest.mark.usefixtures("as_person")
def test_an_erase_that_found_no_room_says_that_it_is_noted_and_what_finishes_it(ready, monkeypatch):
    episode = ready("remember", "The shed opens with zx4711.").out.strip()
    commit, state = SqliteEngine._commit, ready.store.parent / "state"

    def commit_until_noted(engine, raw):
        if any(state.glob("*.erased")):
            raw.execute("ROLLBACK")
            raise apsw.FullError("database or disk is full")
        commit(engine, raw)

    with monkeypatch.context() as patch:
        patch.setattr(SqliteEngine, "_commit", commit_until_noted)
        cut = ready("erase", "--episode", episode, "--confirm")

    assert cut.code == 7
    assert "the erase is noted, and done when the store is opened next" in cut.err
    assert "tilth worker --once" in cut.err
    assert ready("worker", "--once").code == 0
    assert "erased" in ready("episode", "show", episode).err
    assert b"zx4711" not in ready.store.read_bytes()


@pytest.mark.usefixtures("as_person")
@pytest.mark.parametrize("words", [["export", "out.jsonl"], ["vault", "export", "vault"]])
def test_what_found_no_room_for_its_file_says_to_make_some_and_leaves_no_half(
    ready, monkeypatch, words
):
    ready("fact", "add", "The ferry is called Lotte.", "--about", "ferry")
    fsync = os.fsync

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        cut = ready(*words)

    assert (cut.code, "No space left on device" in cut.err) == (7, True)
    assert "free some space on the disk" in cut.err
    left = [path.name for path in ready.home.rglob("*") if path.suffix in {".new", ".tilth"}]
    assert (left, (ready.home / "out.jsonl").exists()) == ([], False)
    assert os.fsync is fsync
    assert ready(*words).code == 0
