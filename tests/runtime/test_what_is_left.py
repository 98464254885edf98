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
