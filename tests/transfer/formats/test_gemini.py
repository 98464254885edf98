import json

import pytest

from tests.transfer.read_lines import lines_of
from tests.transfer.transcripts import read_known
from tilth.transfer.formats import gemini

META = {"sessionId": "g1", "projectHash": "ff", "startTime": "2026-01-05T10:00:00.000Z"}


def message(kind, content, own, second=0, **more):
    return {
        "id": own,
        "type": kind,
        "content": content,
        "timestamp": f"2026-01-05T10:00:{second:02}.000Z",
    } | more


def call(status, output, key="output"):
    return {
        "id": "c1",
        "name": "run_shell_command",
        "args": {"command": "make"},
        "result": [{"functionResponse": {"response": {key: output}}}],
        "status": status,
        "timestamp": "2026-01-05T10:00:05.000Z",
    }


def test_a_session_in_one_object_is_read(tmp_path):
    thought = {"subject": "Planning", "description": "a secret thought"}
    told = META | {
        "messages": [
            message("user", "build it", "a"),
            message("info", "update available", "b"),
            message("gemini", "I build.", "c", 2, thoughts=[thought]),
            message("gemini", "", "d", 3, toolCalls=[call("success", "built")]),
        ]
    }
    reading = read_known(gemini, tmp_path, "session-1.json", json.dumps(told, indent=2))

    assert reading.said == [
        "user: build it",
        "assistant: I build.",
        'assistant: run_shell_command: {"command": "make"}',
        "tool: built",
    ]
    assert reading.times == [f"01-05 10:00:{second}" for second in ("00", "02", "03", "05")]
    assert reading.sessions[0].session_id == "gemini-cli:g1"
    assert reading.reasons == {
        "left out: messages of type 'info'": 1,
        "left out: messages whose thoughts are not kept": 1,
    }


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        (call("success", "Output: x\nExit Code: 0\nSignal: 0"), "tool_result"),
        (call("success", "Output: x\nExit Code: 2\nSignal: 0"), "tool_failure"),
        (call("error", "no such tool", key="error"), "tool_failure"),
        (call("cancelled", "the user said no", key="error"), "tool_failure"),
    ],
)
def test_a_tools_status_and_exit_code_tell_whether_it_failed(tmp_path, told, kind):
    session = META | {"messages": [message("gemini", "", "a", toolCalls=[told])]}
    reading = read_known(gemini, tmp_path, "session-1.json", json.dumps(session))

    assert [draft.kind for draft in reading.drafts] == ["tool_call", kind]


def test_in_a_log_the_last_telling_of_a_message_stands(tmp_path):
    reading = read_known(
        gemini,
        tmp_path,
        "session-1.jsonl",
        lines_of(
            META,
            message("user", [{"text": "build it"}], "a"),
            message("gemini", "", "b", 1),
            {"$set": {"lastUpdated": "2026-01-05T10:00:09.000Z", "summary": "A build"}},
            message("gemini", "", "b", 1, toolCalls=[call("success", "built")]),
        ),
    )

    assert reading.said == [
        "user: build it",
        'assistant: run_shell_command: {"command": "make"}',
        "tool: built",
    ]
    assert len(set(reading.keys)) == len(reading.keys)


def test_what_was_rewound_is_left_out_and_counted(tmp_path):
    reading = read_known(
        gemini,
        tmp_path,
        "session-1.jsonl",
        lines_of(
            META,
            message("user", "use tabs", "a"),
            message("gemini", "Tabs.", "b", 1),
            {"$rewindTo": "a"},
            message("user", "use spaces", "c", 2),
            {"$rewindTo": "nobody"},
        ),
    )

    assert reading.said == ["user: use spaces"]
    assert reading.reasons == {
        "left out: messages that the user rewound": 2,
        "left out: rewinds to messages that are not there": 1,
    }


def test_a_log_with_a_broken_line_is_read_around_it(tmp_path):
    log = lines_of(META, message("user", "one", "a"), message("user", "two", "b"))
    reading = read_known(gemini, tmp_path, "session-1.jsonl", '{"broken\n' + log)

    assert reading.said == ["user: one", "user: two"]
    assert reading.sessions[0].session_id == "gemini-cli:g1"
    assert len(reading.skipped) == 1


@pytest.mark.row("MP-03")
def test_a_session_written_anew_keeps_its_keys(tmp_path):
    first = message("user", "build it", "a")
    before = read_known(gemini, tmp_path, "s.json", json.dumps(META | {"messages": [first]}))
    grown = META | {"messages": [first, message("gemini", "Built.", "b", 1)]}
    after = read_known(gemini, tmp_path, "s.json", json.dumps(grown, indent=1))

    assert after.keys[:1] == before.keys
    assert after.said[1] == "assistant: Built."


def _said_in(place, **files):
    """Read a session of the project folder `tmp/web` below *place*, beside these notes."""
    for path, text in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    chats = place / "tmp/web/chats"
    chats.mkdir(parents=True, exist_ok=True)
    told = json.dumps(META | {"messages": [message("user", "build it", "a")]})
    return read_known(gemini, chats, "session-1.json", told).sessions[0]


@pytest.mark.parametrize(
    "files",
    [
        {"tmp/web/.project_root": "/srv/shop/web\n"},
        {"projects.json": json.dumps({"projects": {"/srv/shop/web": "web", "/srv/x": "x"}})},
    ],
)
def test_a_session_belongs_to_the_project_that_the_program_noted(tmp_path, files):
    session = _said_in(tmp_path, **files)

    assert (session.scope, session.info.folder) == ("project:srv/shop/web", "/srv/shop/web")


@pytest.mark.parametrize("notes", ["", "[]", '{"projects": 3}', "{{{"])
def test_a_session_of_no_known_folder_is_unfiled(tmp_path, notes):
    assert _said_in(tmp_path, **{"projects.json": notes}).scope == "unfiled"


FILES = "--- Content from referenced files ---"


@pytest.mark.parametrize(
    "asked",
    [
        message("user", f"read @a.md\n{FILES}\nContent from @a.md:\nNever push.", "a"),
        message("user", [{"text": "read @a.md"}, {"text": f"\n{FILES}"}, {"text": "No."}], "a"),
        message(
            "user", [{"text": "read it: Never push."}], "a", displayContent=[{"text": "read @a.md"}]
        ),
    ],
)
def test_a_file_that_a_prompt_names_is_no_word_of_the_users(tmp_path, asked):
    reading = read_known(gemini, tmp_path, "session-1.jsonl", lines_of(META, asked))

    assert reading.said == ["user: read @a.md"]


def test_messages_that_are_set_stand_in_the_place_of_all_before(tmp_path):
    first, second = message("user", "build it", "a"), message("gemini", "I build.", "b", 1)
    third, kept = message("user", "and test it", "c", 2), message("user", "build it well", "a")
    log = lines_of(META, first, second, {"$set": {"messages": [kept, second]}}, third)
    reading = read_known(gemini, tmp_path, "session-1.jsonl", log)

    assert reading.said == [
        "user: build it well",
        "assistant: I build.",
        "user: and test it",
    ]
