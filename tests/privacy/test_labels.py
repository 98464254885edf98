"""Secrets do not hide in what things are called."""

import json

import pytest

import tilth_spool

# In two parts, so that no scan finds this file.
TOKEN = "ghp_" + "a1B2" * 9


def bytes_below(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.row("I32")
def test_a_secret_in_the_name_of_a_session_is_kept_nowhere(ready):
    for other in ("one", "two"):
        ready("remember", f"The {other} ferry.", "--session", f"{TOKEN} {other}")

    sessions = ready("session", "list", "--json").answer["sessions"]

    assert len({one["id"] for one in sessions}) == 2
    assert all("[secret:github_token]" in one["id"] for one in sessions)
    assert TOKEN.encode() not in bytes_below(ready.home)


@pytest.mark.row("I32")
def test_what_a_hook_told_and_nobody_could_read_is_set_aside_without_its_secrets(ready):
    told = json.dumps({"prompt": f"use {TOKEN} to push"}).encode()
    for payload in (told, told[:-1]):
        record = tilth_spool.framed("claude-code", "UserPromptSubmit", 1, payload)
        tilth_spool.append(str(ready.store.parent / "spool"), record)

    assert ready("worker", "--once").code == 0

    aside = (ready.store.parent / "spool" / "aside.jsonl").read_text()
    assert aside.count("[secret:github_token]") == 2
    assert TOKEN.encode() not in bytes_below(ready.home)


@pytest.mark.row("I32")
def test_a_secret_in_the_name_of_a_scope_a_file_or_a_folder_is_kept_nowhere(ready, tmp_path):
    folder = tmp_path / f"{TOKEN}-notes"
    folder.mkdir()
    (folder / f"{TOKEN}.md").write_text("# Ferries\n\nThe ferry to Skye leaves at nine.\n")
    told = {"session_id": "s1", "cwd": str(folder), "prompt": "The ferry leaves at nine."}
    record = tilth_spool.framed("claude-code", "UserPromptSubmit", 1, json.dumps(told).encode())
    tilth_spool.append(str(ready.store.parent / "spool"), record)

    ready("remember", "The ferry waits.", "--scope", f"project:{TOKEN}")
    assert ready("import", folder, "--no-background").code == 0
    assert ready("worker", "--once").code == 0

    sessions = ready("session", "list", "--json").answer["sessions"]
    assert [one["episode_count"] for one in sessions] == [1, 1]
    found = ready("recall", "the ferry waits", "--scope", f"project:{TOKEN}", "--json").answer
    assert found["hits"][0]["text"] == "The ferry waits."
    assert TOKEN.encode() not in bytes_below(ready.home)


def test_a_secret_in_the_name_of_a_session_scope_folder_or_file_is_in_no_byte_of_a_store(ready):
    # A10: what is no text was never scrubbed.
    secret = "ghp_" + "A1b2C3d4E5f6G7h8" * 2 + "K9m8"
    folder = ready.home / "notes" / secret
    folder.mkdir(parents=True)
    note = folder / f"about-{secret}.md"
    note.write_text("# Kettles\n\nThere are three.\n", encoding="utf-8")
    told = [
        ready("remember", "the kettle is on", "--session", f"s-{secret}"),
        ready("remember", "the kettle is off", "--scope", f"project:{secret}"),
        ready("import", str(note)),
        ready("session", "list", "--limit", "9"),
    ]

    assert [one.code for one in told] == [0] * 4
    assert not [one for one in told if secret in one.out + one.err]
    kept = [one for one in ready.home.rglob("*") if one.is_file() and one != note]
    assert kept
    assert not [one for one in kept if secret.encode() in one.read_bytes()]


def test_whoever_remembers_is_told_what_is_not_kept(ready):
    told = ready("remember", f"<private>mine</private> is {TOKEN}, and {TOKEN[::-1]} is yours")
    plain = ready("remember", "the kettle is on")
    quiet = ready("remember", f"it is {TOKEN}", "--json")

    assert "1 private span was left out.\n1 secret was replaced.\n" in told.err
    assert told.out.startswith("epi_")
    assert plain.err == ""
    assert quiet.answer.keys() == {"episode_id"}
