"""VS Code's chats, in one object or as a log of changes."""

import json

import pytest

from tests.transfer.read_lines import lines_of
from tests.transfer.transcripts import read_known
from tilth.transfer.file_importer import FileImporter, default_places
from tilth.transfer.formats import vscode

AT = 1_767_607_200_000  # 2026-01-05 10:00 UTC


def request(number, text, *response, **more):
    return {
        "requestId": f"request_{number}",
        "timestamp": AT + 60_000 * number,
        "message": {"text": text, "parts": [{"kind": "text", "text": text}]},
        "response": list(response),
        "responseId": f"response_{number}",
    } | more


def chat(*requests, **more):
    return {
        "version": 3,
        "responderUsername": "GitHub Copilot",
        "initialLocation": "panel",
        "sessionId": "v1",
        "creationDate": AT,
        "requests": list(requests),
    } | more


def ran(line, output="", code=None, use="call-1"):
    state = {} if code is None else {"terminalCommandState": {"exitCode": code}}
    return {
        "kind": "toolInvocationSerialized",
        "toolId": "run_in_terminal",
        "toolCallId": use,
        "toolSpecificData": {
            "kind": "terminal",
            "commandLine": {"original": line},
            "terminalCommandOutput": {"text": output},
        }
        | state,
    }


FIRST = request(
    0,
    "fix the till",
    {"kind": "mcpServersStarting", "didStartServerIds": []},
    {"kind": "thinking", "value": "a secret thought"},
    {"value": "I read "},
    {"kind": "inlineReference", "inlineReference": {"path": "/srv/shop/till.py"}},
    {"value": " first."},
    ran("make test", "1 failed", 2),
    {
        "kind": "textEditGroup",
        "uri": {"path": "/srv/shop/till.py", "scheme": "file"},
        "edits": [[{"text": "x"}]],
    },
    {"kind": "markdownContent", "content": {"value": "The till is open."}},
    {"kind": "aNewKind"},
)
SAID = [
    "user: fix the till",
    "assistant: I read `till.py` first.",
    'assistant: run_in_terminal: {"command": "make test"}',
    "tool: 1 failed",
    'assistant: edit: {"filePath": "/srv/shop/till.py"}',
    "tool: (no output)",
    "assistant: The till is open.",
]


def test_a_chat_is_read_with_who_said_what_and_how_each_call_ended(tmp_path):
    reading = read_known(vscode, tmp_path, "v1.json", json.dumps(chat(FIRST), indent=2))

    assert reading.said == SAID
    assert [draft.kind for draft in reading.drafts][2:5] == [
        "tool_call",
        "tool_failure",
        "tool_call",
    ]
    assert reading.sessions[0].session_id == "vscode:v1"
    assert reading.times[0] == "01-05 10:00:00"
    assert reading.reasons == {"left out: thoughts": 1, "left out: parts of type 'aNewKind'": 1}


def test_a_log_of_changes_is_read_as_it_stands_at_last(tmp_path):
    first = request(0, "fix the till")
    del first["response"]
    log = lines_of(
        {"kind": 0, "v": chat()},
        {"kind": 2, "k": ["requests"], "v": [first]},
        {"kind": 2, "k": ["requests", 0, "response"], "v": FIRST["response"][:5]},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": "no"}], "i": 4},
        {"kind": 2, "k": ["requests", 0, "response"], "v": FIRST["response"][4:], "i": 4},
        {"kind": 1, "k": ["inputState"], "v": {"inputText": "never sent"}},
        {"kind": 1, "k": ["customTitle"], "v": "The till"},
        {"kind": 2, "k": ["requests"], "v": [request(1, "taken back")]},
        {"kind": 2, "k": ["requests"], "v": [request(1, "thanks")], "i": 1},
        {"kind": 1, "k": ["requests", 7, "isCanceled"], "v": True},
    )
    reading = read_known(vscode, tmp_path, "v1.jsonl", log + '{"kind":1,"k":["custom')

    assert reading.said == [*SAID, "user: thanks"]
    assert reading.sessions[0].info.title == "The till"
    reasons = list(reading.reasons)
    assert reasons[0] == "a change of what is not there"
    assert reasons[1].startswith("broken JSON")


@pytest.mark.parametrize(
    ("about", "role"),
    [
        ({}, "user"),
        ({"isSystemInitiated": True}, "system"),
        ({"confirmation": "Continue"}, "system"),
    ],
)
def test_what_a_program_asks_is_no_word_of_a_persons(tmp_path, about, role):
    told = chat(request(0, "Always go on.", **about))
    reading = read_known(vscode, tmp_path, "v1.json", json.dumps(told))

    assert reading.said == [f"{role}: Always go on."]


def test_a_request_that_was_undone_is_marked(tmp_path):
    undone = request(0, "no", shouldBeRemovedOnSend={"requestId": "request_1"})
    reading = read_known(vscode, tmp_path, "v1.json", json.dumps(chat(undone)))

    assert reading.drafts[0].metadata == {"rewound": True}


def test_a_chat_belongs_to_the_folder_that_was_open(tmp_path):
    folder = tmp_path / "my shop"
    folder.mkdir()
    kept = tmp_path / ".config" / "Code" / "User" / "workspaceStorage" / "ab12" / "chatSessions"
    kept.mkdir(parents=True)
    (kept.parent / "workspace.json").write_text(json.dumps({"folder": folder.as_uri()}))
    (kept / "v1.json").write_text(json.dumps(chat(FIRST)))

    assert default_places(tmp_path, {}) == [kept]
    (source,) = FileImporter().find(str(kept))
    described = next(item for item, _ in FileImporter().read(source))
    assert source.format == "vscode"
    assert described.info.folder == str(folder)


def test_an_exported_chat_is_named_by_its_first_request(tmp_path):
    exported = {"responderUsername": "GitHub Copilot", "requests": [FIRST]}
    reading = read_known(vscode, tmp_path, "chat.json", json.dumps(exported))

    assert reading.sessions[0].session_id == "vscode:request_0"
    assert reading.said == SAID
