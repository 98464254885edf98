import json

import pytest

from tests.transfer.transcripts import read_known, zip_of
from tilth.transfer.formats import claude_ai


def message(own, sender, text="", content=None, minute=0, **more):
    return {
        "uuid": own,
        "sender": sender,
        "text": text,
        "content": content,
        "created_at": f"2026-01-05T10:{minute:02}:00.000000Z",
    } | more


def chat(*messages):
    return {
        "uuid": "u1",
        "name": "Garden",
        "created_at": "2026-01-05T09:59:00Z",
        "chat_messages": list(messages),
    }


def read(folder, *records, name="conversations.json"):
    return read_known(claude_ai, folder, name, json.dumps(records))


def test_messages_are_read_from_blocks_or_from_their_text(tmp_path):
    reading = read(
        tmp_path,
        chat(
            message("a", "human", "when do I sow?"),
            message(
                "b",
                "assistant",
                "In March. This block is not supported on your current device yet.",
                [
                    None,
                    {"type": "thinking", "thinking": "a secret thought"},
                    {"type": "text", "text": "In March."},
                    {"type": "tool_use", "name": "search", "input": {"q": "frost"}},
                    {"type": "tool_result", "content": [{"type": "text", "text": "until May"}]},
                    {"type": "text", "text": None},
                ],
                minute=1,
            ),
            message("c", "robot", "beep"),
        ),
    )

    assert reading.said == [
        "user: when do I sow?",
        "assistant: In March.",
        'assistant: search: {"q": "frost"}',
        "tool: until May",
    ]
    assert reading.times == ["01-05 10:00:00", *["01-05 10:01:00"] * 3]
    assert reading.reasons == {"left out: thoughts": 1, "left out: messages of 'robot'": 1}
    (session,) = reading.sessions
    assert (session.session_id, session.info.title) == ("claude-ai:u1", "Garden")


def test_what_was_attached_is_a_document_of_its_own(tmp_path):
    attached = {"file_name": "plan.txt", "extracted_content": "beds: 3"}
    reading = read(
        tmp_path,
        chat(
            message(
                "a",
                "human",
                "see my plan",
                attachments=[attached, {"file_name": "empty"}, None],
                files=[{"file_name": "bed.jpg"}],
            )
        ),
    )

    assert [(str(draft.kind), draft.text, draft.metadata) for draft in reading.drafts] == [
        ("message", "see my plan", {"files": ["bed.jpg"]}),
        ("document", "beds: 3", {"file": "plan.txt"}),
    ]


def test_nothing_but_nulls_is_read_as_nothing(tmp_path):
    nothing = message(None, "human", None, None, attachments=None, files=None)
    reading = read(tmp_path, chat(nothing) | {"name": None, "created_at": None})

    assert reading.drafts == []


def test_a_projects_documents_are_read(tmp_path):
    project = {
        "uuid": "p1",
        "name": "Garden",
        "prompt_template": "answer as a gardener",
        "created_at": "2026-01-02T00:00:00Z",
        "docs": [
            {
                "uuid": "d1",
                "filename": "soil.md",
                "content": "clay",
                "created_at": "2026-01-03T00:00:00Z",
            }
        ],
    }
    reading = read(tmp_path, project, name="projects.json")

    assert [(draft.text, draft.metadata) for draft in reading.drafts] == [
        ("answer as a gardener", {"file": "project instructions"}),
        ("clay", {"file": "soil.md"}),
    ]
    assert {str(draft.kind) for draft in reading.drafts} == {"document"}
    assert reading.times == ["01-02 00:00:00", "01-03 00:00:00"]
    assert reading.sessions[0].session_id == "claude-ai:p1"


def test_an_export_is_read_in_its_zip(tmp_path):
    packed = zip_of(
        {
            "conversations.json": [chat(message("a", "human", "hello"))],
            "projects/p2.json": {"uuid": "p2", "docs": [{"content": "clay"}]},
            "users.json": [{"uuid": "me"}],
        }
    )
    reading = read_known(claude_ai, tmp_path, "export.zip", packed)

    assert [draft.text for draft in reading.drafts] == ["hello", "clay"]
    assert reading.skipped == []


def test_what_is_neither_is_told(tmp_path):
    reading = read(tmp_path, {"uuid": "x"}, chat(message("a", "human", "hello")))

    assert reading.said == ["user: hello"]
    assert list(reading.reasons) == ["neither a conversation nor a project"]


@pytest.mark.row("MP-03")
def test_a_chat_that_went_on_keeps_its_keys(tmp_path):
    first = message("a", "human", "hello")
    before = read(tmp_path, chat(first))
    after = read(tmp_path, chat(first, message("b", "human", "hello", minute=1)))

    assert after.keys[:1] == before.keys
    assert len(set(after.keys)) == len(after.keys)
