"""The brain remembers its own development first: what this repository says of itself (KB-074)."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROMPTS = (
    "Every verb of Tilth is declared once, in verbs.py.",
    "From now on run make check before every commit.",
    "We decided to keep the ledger in SQLite and in PostgreSQL.",
)


def transcript(folder, number):
    """Write a session of this repository as Claude Code keeps one."""
    lines = []
    for place, text in enumerate(PROMPTS):
        about = {"sessionId": f"s{number}", "cwd": "/home/mira/code/tilth", "version": "2.0.0"}
        for role, said in (("user", text), ("assistant", f"That is done: step {place}.")):
            at = f"2026-11-2{number}T10:0{place}:0{int(role != 'user')}.000Z"
            message = {"role": role, "content": said}
            ids = {"uuid": f"{role}-{number}-{place}", "timestamp": at, "type": role}
            lines.append(json.dumps(about | ids | {"message": message}))
    (folder / f"s{number}.jsonl").write_text("\n".join(lines) + "\n")


@pytest.mark.row("KB-074")
def test_the_sessions_of_this_repository_and_its_decisions_make_its_page(tilth, home):
    folder = home / ".claude" / "projects" / "-tilth"
    folder.mkdir(parents=True)
    for number in range(2):
        transcript(folder, number)
    assert tilth("init").code == 0

    done = tilth("import", folder, "--no-background", "--json")
    assert done.answer["summary"]["total"]["new_count"] == 12
    assert tilth("import", ROOT / "docs" / "adr", "--no-background").code == 0
    assert tilth("distil").code == 0
    again = tilth("import", folder, "--no-background", "--json").answer

    scopes = {
        one["scope"]
        for one in tilth("session", "list", "--limit", "1000", "--json").answer["sessions"]
    }
    (scope,) = [one for one in scopes if "tilth" in one]
    assert tilth("page", "compile", "project", "--scope", scope).code == 0
    shown = tilth("page", "list", "--json").answer["pages"]
    (page,) = [one["name"] for one in shown if one["kind"] == "project"]
    text = tilth("page", "show", page, "--scope", scope).out
    assert "keep the ledger in SQLite and in PostgreSQL" in text
    assert "make check" in text
    hits = tilth("recall", "why is SQLite reached through apsw", "--json").answer["hits"]
    assert any("apsw" in hit["text"] for hit in hits)
    assert again["summary"]["total"]["new_count"] == 0
