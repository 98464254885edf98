"""What another process, a power cut or another user left where Tilth keeps its own files."""

import os

import pytest


@pytest.mark.row("I5")
@pytest.mark.usefixtures("as_person")
@pytest.mark.parametrize("left", [b"", b"\x00" * 31, b"a text that somebody saved there"[:-1]])
def test_nothing_is_signed_with_what_is_no_key(ready, left):
    key = ready.store.parent / "state" / "signing.key"
    kept = key.read_bytes()
    key.write_bytes(left)

    refused = ready("remember", "The ferry leaves at noon.")

    assert (refused.code, "tilth verify --accept" in refused.err) == (7, True)
    assert ready("doctor").code == 1
    key.write_bytes(kept)
    assert ready("remember", "The ferry leaves at noon.").code == ready("verify").code == 0
    key.unlink()
    assert ready("verify", "--accept").code == ready("verify").code == 0


@pytest.mark.row("I1")
def test_a_folder_that_takes_no_log_says_so(ready, monkeypatch):
    # Whoever runs the tests as root may write anywhere; the real refusal is SQLite's.
    folder = ready.store.parent
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, *more: path != folder and access(path, *more))
    ready.store.with_name("tilth.db-wal").mkdir()

    refused = ready("recall", "ferry")

    assert refused.code == 7
    assert f"{folder} cannot be written by this user" in refused.err
    assert "--store" in refused.err


# No text at all, lines of something else, and the half of a line.
_GARBAGE = b'\xff\xfe\x00{"a": [\n\x80\n[]\n1\nnull\n{}\n{"path": 7}\n{"store_id": "x", "pa'


@pytest.fixture
def told(ready):
    """A store in which something was said, with a backup and a pause."""
    ready("backup", "one.db")
    assert ready("pause", "--minutes", "60").code == 0
    return ready, ready("remember", "The shed opens with zx4711.").out.strip()


@pytest.mark.row("I33")
@pytest.mark.usefixtures("as_person")
@pytest.mark.parametrize("name", ["backups.jsonl", "paused", "stages.json", "exports.jsonl"])
def test_what_is_remembered_beside_the_store_may_be_garbage(told, name):
    ready, episode = told
    (ready.store.parent / "state" / name).write_bytes(_GARBAGE)

    assert ready("doctor").code == 0
    assert ready("backup", "two.db").code == 0
    assert ready("erase", "--episode", episode, "--confirm").code == 0
    assert ready("worker", "--once").code == 0
    assert ready("resume").code == 0
    assert ready("erase", "--episode", episode, "--confirm").code == 0
    checks = {one["id"]: one for one in ready("doctor", "--json").answer["checks"]}
    assert (checks["store.erased"]["status"], checks["store.backup"]["status"]) == ("ok", "ok")


@pytest.mark.usefixtures("as_person")
def test_settings_that_are_no_text_are_left_as_they_are(ready):
    config = ready.store.parent / "config.toml"
    config.write_bytes(_GARBAGE)

    refused = ready("settings", "set", "recall_limit", "7")

    assert (refused.code, "repair it, or move it away" in refused.err) == (2, True)
    assert config.read_bytes() == _GARBAGE


@pytest.mark.parametrize(
    ("place", "hint"),
    [("tilth.db.heads", "move that folder away"), ("state", "move that file away")],
)
def test_what_stands_in_the_place_of_a_file_of_ours_is_named_with_what_to_do(ready, place, hint):
    there = ready.store.parent / place
    there.rename(there.with_name("kept"))
    there.mkdir() if "heads" in place else there.write_text("a file")

    refused, checked = ready("remember", "x"), ready("doctor", "--json")

    assert (refused.code, hint in refused.err, str(there) in refused.err) == (7, True, True)
    assert checked.code == 1
    fixes = {one["id"]: one["fix"] for one in checked.answer["checks"]}
    assert hint in fixes["store.opens"]
    there.rmdir() if there.is_dir() else there.unlink()
    there.with_name("kept").rename(there)
    assert ready("remember", "x").code == 0
