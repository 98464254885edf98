"""Aider's chat history."""

import pytest

HISTORY = """
# aider chat started at 2026-01-02 10:00:00

> Aider v0.86.1
> Model: gpt-5 with diff edit format
> Git repo: .git with 12 files

#### We decided to use Postgres for the ledger.
#### Write the migration.

I will add it.

migration.sql
```sql
#### no heading of a user
> no note either
# aider chat is just a comment
CREATE TABLE ledger (seq INTEGER);
```

> Tokens: 2.3k sent, 100 received.
Cost: $0.02 message, $0.07 session. Use --no-stream for accurate costs.
> Applied edit to migration.sql

#### thanks

# aider chat started at 2026-01-03 09:00:00

#### Which database did we choose?

Postgres.
"""


@pytest.fixture
def imported(ready, home):
    (home / "shop").mkdir()
    (home / "shop" / ".aider.chat.history.md").write_text(HISTORY)
    assert ready("import", home / "shop").code == 0
    return ready


def sessions(tilth):
    found = tilth("session", "list", "--json").answer["sessions"]
    return sorted(found, key=lambda one: one["started_at"])


@pytest.mark.row("MP-03")
def test_each_chat_is_a_session_with_who_said_what(imported):
    first, second = sessions(imported)
    shown = imported("session", "show", first["id"], "--json").answer
    said = [(one["role"], one["text"]) for one in shown["episodes"]]

    assert first["started_at"].startswith("2026-01-02T10:00:00")
    assert second["started_at"].startswith("2026-01-03T09:00:00")
    assert said[0] == (
        "user", "We decided to use Postgres for the ledger.\nWrite the migration."
    )  # fmt: skip
    assert said[1][0] == "assistant"
    assert "#### no heading of a user" in said[1][1]
    assert said[2:] == [("tool", "Applied edit to migration.sql"), ("user", "thanks")]
    assert first["info"]["folder"].endswith("shop")


@pytest.mark.row("MP-03")
def test_a_history_that_grew_adds_only_what_is_new(imported, home):
    path = home / "shop" / ".aider.chat.history.md"
    path.write_text(path.read_text() + "\n#### And which port?\n\n5432.\n")
    imported("import", path)

    counts = [one["episode_count"] for one in sessions(imported)]
    assert counts == [4, 4]
