import json

import pytest

from tests.transfer.read_lines import lines_of
from tests.transfer.transcripts import read_known
from tilth.transfer.formats import codex

NAME = "rollout-2026-01-05T10-00-00-x1.jsonl"
META = {
    "timestamp": "2026-01-05T10:00:00Z",
    "type": "session_meta",
    "payload": {"id": "x1", "timestamp": "2026-01-05T10:00:00Z", "cwd": "/srv/shop/web"},
}


def event(kind, message, second):
    return {
        "timestamp": f"2026-01-05T10:00:{second:02}Z",
        "type": "event_msg",
        "payload": {"type": kind, "message": message},
    }


def item(second=0, **payload):
    return {
        "timestamp": f"2026-01-05T10:00:{second:02}Z",
        "type": "response_item",
        "payload": payload,
    }


def message(role, text, second=0):
    content = [{"type": "input_text", "text": text}]
    return item(second, type="message", role=role, content=content)


def test_a_message_that_is_told_twice_is_read_once(tmp_path):
    reading = read_known(
        codex,
        tmp_path,
        NAME,
        lines_of(
            META,
            message("user", "<environment_context>zsh</environment_context>"),
            message("user", "add a cart", 1),
            event("user_message", "add a cart", 1),
            event("agent_reasoning", "thinking about carts", 2),
            message("assistant", "Done.", 3),
            event("agent_message", "Done.", 3),
        ),
    )

    assert reading.said == ["user: add a cart", "assistant: Done."]
    assert reading.times == ["01-05 10:00:01", "01-05 10:00:03"]
    (session,) = reading.sessions
    assert (session.session_id, session.scope) == ("codex:x1", "project:srv/shop/web")


def test_items_are_read_where_there_are_no_events(tmp_path):
    reading = read_known(
        codex,
        tmp_path,
        NAME,
        lines_of(
            META,
            message("developer", "be brief"),
            message("user", "<environment_context>zsh</environment_context>", 1),
            message("user", "add a cart", 2),
            message("assistant", "Done.", 3),
        ),
    )

    assert reading.said == ["user: add a cart", "assistant: Done."]
    assert reading.reasons == {"left out: lines of type 'message'": 1}


@pytest.mark.parametrize(
    ("output", "kind", "text"),
    [
        ("all well", "tool_result", "all well"),
        ("Process exited with code 2\nno", "tool_failure", "Process exited with code 2\nno"),
        ("Exit code: 0\nyes", "tool_result", "Exit code: 0\nyes"),
        (json.dumps({"output": "no", "metadata": {"exit_code": 1}}), "tool_failure", "no"),
        ({"content": "no", "success": False}, "tool_failure", "no"),
        ([{"type": "input_text", "text": "yes"}], "tool_result", "yes"),
    ],
)
def test_a_tools_output_tells_whether_it_failed(tmp_path, output, kind, text):
    reading = read_known(
        codex,
        tmp_path,
        NAME,
        lines_of(
            META,
            item(type="function_call", name="shell", arguments='{"cmd":"ls"}', call_id="c"),
            item(1, type="function_call_output", call_id="c", output=output),
        ),
    )

    assert reading.said == ['assistant: shell: {"cmd":"ls"}', f"tool: {text}"]
    assert reading.drafts[1].kind == kind


def test_a_line_without_a_time_has_that_of_the_line_before(tmp_path):
    timeless = message("assistant", "Done.") | {"timestamp": None}
    reading = read_known(
        codex, tmp_path, NAME, lines_of(META, message("user", "add a cart", 7), timeless)
    )

    assert reading.times == ["01-05 10:00:07", "01-05 10:00:07"]


def test_a_compaction_is_no_word_of_the_users(tmp_path):
    compacted = {"type": "compacted", "payload": {"message": "The cart was added."}}
    reading = read_known(codex, tmp_path, NAME, lines_of(META, compacted))

    assert reading.said == ["system: The cart was added."]


def test_a_stream_of_events_is_read_by_what_ended(tmp_path):
    command = {"id": "item_1", "type": "command_execution", "command": "make test"}
    reading = read_known(
        codex,
        tmp_path,
        "exec.jsonl",
        lines_of(
            {"type": "thread.started", "thread_id": "x2"},
            {"type": "item.started", "item": command},
            {
                "type": "item.completed",
                "item": command | {"aggregated_output": "1 failed", "exit_code": 1},
            },
            {
                "type": "item.completed",
                "item": {
                    "id": "item_2",
                    "type": "mcp_tool_call",
                    "server": "docs",
                    "tool": "find",
                    "arguments": {"q": "cart"},
                    "result": {"content": [{"type": "text", "text": "page 3"}]},
                },
            },
            {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": "It fails."}},
        ),
    )

    assert reading.said == [
        "assistant: shell: make test",
        "tool: 1 failed",
        'assistant: docs.find: {"q": "cart"}',
        "tool: page 3",
        "assistant: It fails.",
    ]
    assert reading.drafts[1].kind == "tool_failure"
    assert reading.sessions[0].session_id == "codex:x2"


def test_a_fork_is_named_by_its_own_description(tmp_path):
    parent = META | {"payload": META["payload"] | {"id": "x0"}}
    own = message("user", "go on", 9)
    reading = read_known(codex, tmp_path, NAME, lines_of(META, parent, own))

    assert reading.sessions[0].session_id == "codex:x1"


@pytest.mark.parametrize(
    "described",
    [
        [META | {"payload": META["payload"] | {"forked_from_id": "x0"}}],
        [META, META | {"payload": META["payload"] | {"id": "x0"}}],
    ],
)
def test_what_a_fork_copied_is_its_parents(tmp_path, described):
    copied = [event("user_message", "add a cart", 0), event("agent_message", "Done.", 0)]
    own = [event("user_message", "and a till", 20), event("agent_message", "There.", 21)]
    reading = read_known(codex, tmp_path, NAME, lines_of(*described, *copied, *own))

    assert reading.said == ["user: and a till", "assistant: There."]
    assert reading.reasons == {"left out: lines that a fork copied": 2}


def test_turns_that_were_rolled_back_are_left_out(tmp_path):
    back = event("thread_rolled_back", "", 5)
    back["payload"] = {"type": "thread_rolled_back", "num_turns": 1}
    call = item(3, type="function_call", call_id="c1", name="shell", arguments="{}")
    log = lines_of(
        META,
        event("user_message", "add a cart", 1),
        event("user_message", "always use tabs", 2),
        call,
        event("agent_message", "Done.", 4),
        back,
        event("user_message", "always use spaces", 6),
        event("agent_message", "There.", 7),
    )
    reading = read_known(codex, tmp_path, NAME, log)

    assert reading.said == [
        "user: add a cart",
        "assistant: shell: {}",
        "user: always use spaces",
        "assistant: There.",
    ]
    assert reading.reasons["left out: messages that the user rewound"] == 2


@pytest.mark.parametrize(
    ("about", "session"),
    [
        (
            {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "x0"}}}},
            "codex:x0/x1",
        ),
        ({"source": {"subagent": "review"}}, "codex:x1"),
        ({"thread_source": "subagent", "parent_thread_id": "x0"}, "codex:x0/x1"),
    ],
)
def test_a_subagents_task_is_no_word_of_the_users(tmp_path, about, session):
    meta = META | {"payload": META["payload"] | about}
    task, answer = event("user_message", "Never push.", 1), event("agent_message", "Done.", 2)
    reading = read_known(codex, tmp_path, NAME, lines_of(meta, task, answer))

    assert reading.said == ["assistant: Done."]
    assert reading.sessions[0].session_id == session
    assert reading.reasons == {"left out: tasks that an agent gave to another": 1}


REQUEST = "## My request for Codex:\nrename it"


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        (
            f"# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n{REQUEST}",
            ["user: rename it"],
        ),
        (f"\n# Files mentioned by the user:\n\n## a.pdf: /a.pdf\n\n{REQUEST}", ["user: rename it"]),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py: a.py", []),
        ("# Context from the till\nIt beeps.", ["user: # Context from the till\nIt beeps."]),
    ],
)
def test_what_an_editor_puts_before_a_request_is_no_word_of_the_users(tmp_path, sent, typed):
    reading = read_known(codex, tmp_path, NAME, lines_of(META, event("user_message", sent, 1)))

    assert reading.said == typed


def test_of_a_newer_rollout_only_what_was_sent_is_the_users(tmp_path):
    sent = {"type": "UserMessage", "content": [{"type": "text", "text": "add a cart"}]}
    item = META | {"type": "event_msg", "payload": {"type": "item_completed", "item": sent}}
    rules = message("user", "<goal>Always finish.</goal>")
    reading = read_known(
        codex, tmp_path, NAME, lines_of(META, rules, message("user", "add a cart"), item)
    )

    assert reading.said == ["user: add a cart"]


def test_an_old_rollout_of_bare_items_is_read(tmp_path):
    reading = read_known(
        codex,
        tmp_path,
        NAME,
        lines_of(
            {"id": "x3", "timestamp": "2025-05-01T08:00:00Z", "instructions": None},
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"text": "add a cart"}]},
        ),
    )

    assert reading.said == ["user: add a cart"]
    assert reading.times == ["05-01 08:00:00"]


@pytest.mark.row("MP-03")
def test_a_rollout_that_grew_brings_only_what_is_new(tmp_path):
    first = event("user_message", "add a cart", 1)
    before = read_known(codex, tmp_path, NAME, lines_of(META, first))
    after = read_known(
        codex, tmp_path, NAME, lines_of(META, first, event("agent_message", "Done.", 2))
    )

    assert after.keys[:1] == before.keys
