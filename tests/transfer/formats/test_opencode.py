"""opencode's database."""

import gzip
import json
from contextlib import closing

import apsw
import pytest

BEGAN = 1_767_607_200_000
SCHEMA = """
CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER);
CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT, message_id TEXT, time_created INTEGER, data TEXT);
"""
SESSIONS = [
    ("ses_1", None, "New session - 2026-01-05T10:00:00.000Z"),
    ("ses_2", "ses_1", "Look at the pump"),
]
RUN = {"command": "make test", "description": "run"}
MESSAGES = [
    ("ses_1", {"role": "user", "summary": {"diffs": []}}, [
        {"type": "text", "text": '"We decided to use Postgres for the ledger."'},
        {"type": "text", "text": "<note>beside it</note>", "synthetic": True},
    ]),
    ("ses_1", {"role": "assistant"}, [
        {"type": "step-start"},
        {"type": "reasoning", "text": "Hm."},
        {"type": "text", "text": "I run the tests.", "time": {"start": BEGAN, "end": BEGAN + 5}},
        {"type": "tool", "tool": "bash", "callID": "c1", "state": {
            "status": "completed", "input": RUN, "output": "2 failed", "metadata": {"exit": 2},
            "time": {"start": BEGAN + 10, "end": BEGAN + 20}}},
        {"type": "tool", "tool": "read", "callID": "c2", "state": {
            "status": "error", "input": {}, "error": "no such file"}},
        {"type": "tool", "tool": "bash", "callID": "c3", "state": {
            "status": "completed", "input": RUN, "output": "", "metadata": {"exit": 0}}},
        {"type": "tool", "tool": "tilth_recall", "callID": "c4", "state": {
            "status": "completed", "input": {"question": "x"}, "output": "epi_1"}},
    ]),
    ("ses_1", {"role": "assistant", "summary": True}, [{"type": "text", "text": "So far: tests."}]),
    ("ses_2", {"role": "user"}, [{"type": "text", "text": "Look at the pump and report."}]),
    ("ses_2", {"role": "assistant"}, [{"type": "text", "text": "The pump is fine."}]),
]  # fmt: skip


def say(conn, session, message, parts):
    """Add a message to a database."""
    number = conn.execute("SELECT count(*) FROM message").get
    at = BEGAN + 1000 * number
    conn.execute(
        "INSERT INTO message VALUES (?, ?, ?, ?)",
        (f"msg_{number}", session, at, json.dumps(message)),
    )
    for place, part in enumerate(parts):
        conn.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?)",
            (f"prt_{number}_{place}", f"msg_{number}", at, json.dumps(part)),
        )


@pytest.fixture
def database(home):
    """Return the path of a database where the program keeps it, with two sessions."""
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    (home / "shop").mkdir()
    with closing(apsw.Connection(str(path))) as conn:
        conn.execute(SCHEMA)
        for number, (id_, parent, title) in enumerate(SESSIONS):
            conn.execute(
                "INSERT INTO session VALUES (?, ?, ?, ?, ?)",
                (id_, parent, str(home / "shop"), title, BEGAN + number),
            )
        for one in MESSAGES:
            say(conn, *one)
    return path


def new_in(tilth, *places):
    answer = tilth("import", *places, "--no-background", "--json").answer
    return answer["summary"]["total"]["new_count"]


def told(tilth, session):
    shown = tilth("session", "show", f"opencode:{session}", "--json").answer
    return [(one["role"], one["kind"], one["text"]) for one in shown["episodes"]]


@pytest.mark.row("MP-03")
def test_an_import_finds_the_database_and_reads_who_said_and_did_what(ready, database):
    assert ready("import", "--no-background", "--json").code == 0
    assert told(ready, "ses_1") == [
        ("user", "message", "We decided to use Postgres for the ledger."),
        ("assistant", "message", "I run the tests."),
        ("assistant", "tool_call", f"bash: {json.dumps(RUN)}"),
        ("tool", "tool_failure", "2 failed"),
        ("assistant", "tool_call", "read: {}"),
        ("tool", "tool_failure", "no such file"),
        ("assistant", "tool_call", f"bash: {json.dumps(RUN)}"),
        ("tool", "tool_result", "(no output)"),
        ("system", "message", "So far: tests."),
    ]
    # What an agent asks of another is no person's word.
    assert told(ready, "ses_2") == [("assistant", "message", "The pump is fine.")]
    listed = ready("session", "list", "--json").answer["sessions"]
    titles = {one["id"]: one["info"]["title"] for one in listed}
    assert titles == {
        "opencode:ses_1": "We decided to use Postgres for the ledger.",
        "opencode:ses_2": "Look at the pump",
    }


def test_what_stands_in_the_log_beside_the_database_is_read_too(ready, database):
    assert new_in(ready) == 10
    with closing(apsw.Connection(str(database))) as conn:
        conn.execute("PRAGMA journal_mode = wal")
        assert new_in(ready) == 0
        conn.execute("PRAGMA wal_autocheckpoint = 0")
        say(conn, "ses_1", {"role": "user"}, [{"type": "text", "text": "Go on with the ledger."}])
        assert new_in(ready) == 1
    assert told(ready, "ses_1")[-1] == ("user", "message", "Go on with the ledger.")


def test_a_database_that_is_packed_or_no_database_of_sessions(ready, database, home):
    with closing(apsw.Connection(str(database))) as conn:
        conn.execute("PRAGMA journal_mode = wal")
    packed = home / "opencode-old.db.gz"
    packed.write_bytes(gzip.compress(database.read_bytes()))
    database.write_bytes(b"")
    assert ready("import", "--no-background", "--json").code == 3
    assert new_in(ready, packed) == 10
    other = home / "opencode-other.db"
    with closing(apsw.Connection(str(other))) as conn:
        conn.execute("CREATE TABLE notes (id)")
    answer = ready("import", other, "--no-background", "--json").answer
    assert answer["summary"]["total"]["new_count"] == 0
    assert "cannot be read as a database of opencode" in str(answer)


def test_a_session_that_was_exported_is_read_as_in_the_database(database, ready, home):
    def part(number, place, told):
        return told | {"id": f"prt_{number}_{place}", "messageID": f"msg_{number}"}

    messages = [
        {
            "info": about | {"id": f"msg_{number}", "time": {"created": BEGAN + 1000 * number}},
            "parts": [part(number, place, one) for place, one in enumerate(parts)],
        }
        for number, (session, about, parts) in enumerate(MESSAGES)
        if session == "ses_1"
    ]
    info = {
        "id": "ses_1",
        "projectID": "p1",
        "directory": str(home / "shop"),
        "title": SESSIONS[0][2],
        "time": {"created": BEGAN},
    }
    exported = home / "ses_1.json"
    exported.write_text(json.dumps({"info": info, "messages": messages}, indent=2))

    ready("import", exported)
    first = ready("session", "show", "opencode:ses_1", "--json").answer["episodes"]
    ready("import", database)
    then = ready("session", "show", "opencode:ses_1", "--json").answer["episodes"]

    assert first[0]["text"] == "We decided to use Postgres for the ledger."
    assert [one["id"] for one in then] == [one["id"] for one in first]
