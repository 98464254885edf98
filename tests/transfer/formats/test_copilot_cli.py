"""Events of Copilot CLI."""

import json

import pytest


def event(kind, number, **data):
    at = f"2026-01-02T10:00:{number:02}.000Z"
    return json.dumps({"type": kind, "id": f"e{number}", "timestamp": at, "data": data})


def events(folder):
    where = {"cwd": f"{folder}/api", "gitRoot": str(folder)}
    call = {"toolCallId": "t1", "toolName": "bash", "arguments": {"command": "make test"}}
    done = {"toolCallId": "t1", "success": True, "result": {"content": "3 passed"}}
    gone = {"toolCallId": "t2", "success": False, "error": {"message": "Path does not exist"}}
    return [
        event("session.start", 0, sessionId="s-1", copilotVersion="1.0.64", context=where),
        event("system.message", 1, role="system", content="You are a terminal assistant."),
        event("user.message", 2, content="Run the tests.", transformedContent="<now>Run"),
        event("assistant.message", 3, content="", toolRequests=[call]),
        event("tool.execution_start", 4, **call),
        event("tool.execution_complete", 5, **done),
        event("tool.execution_complete", 6, **gone),
        event("assistant.message", 7, content="All three pass."),
        event("a.new.kind", 8, content="?"),
    ]


@pytest.mark.row("MP-03")
def test_a_session_is_read_with_who_said_what_and_how_each_call_ended(ready, home):
    (home / "shop").mkdir()
    kept = home / "shop" / "events.jsonl"
    kept.write_text("\n".join(events(home / "shop")))

    done = ready("import", kept, "--json")

    (session,) = ready("session", "list", "--json").answer["sessions"]
    shown = ready("session", "show", session["id"], "--json").answer["episodes"]
    assert [(one["role"], one["kind"], one["text"]) for one in shown] == [
        ("user", "message", "Run the tests."),
        ("assistant", "tool_call", 'bash: {"command": "make test"}'),
        ("tool", "tool_result", "3 passed"),
        ("tool", "tool_failure", "Path does not exist"),
        ("assistant", "message", "All three pass."),
    ]
    assert session["id"] == "copilot-cli:s-1"
    assert session["info"]["folder"] == str(home / "shop")
    assert "a.new.kind" in json.dumps(done.answer)


def test_what_skills_and_agents_are_sent_is_no_word_of_a_persons(ready, home):
    begun, *_ = events(home)
    of_agent = {"agentId": "a1"}
    task = json.loads(event("user.message", 3, content="Read it all.", source="agent-a1"))
    found = json.loads(event("assistant.message", 4, content="Nothing is odd."))
    kept = home / "events.jsonl"
    kept.write_text(
        "\n".join(
            [
                begun,
                event("user.message", 1, content="Look at the till.", source="cli"),
                event("user.message", 2, content="Always test first.", source="skill-tests"),
                json.dumps(task | of_agent),
                json.dumps(found | of_agent),
                event("tool.execution_complete", 5, toolCallId="t9", result="3 passed"),
            ]
        )
    )

    ready("import", kept)

    listed = ready("session", "list", "--json").answer["sessions"]
    said = {
        one["id"]: [
            (each["role"], each["text"])
            for each in ready("session", "show", one["id"], "--json").answer["episodes"]
        ]
        for one in listed
    }
    assert said == {
        "copilot-cli:s-1": [
            ("user", "Look at the till."),
            ("system", "Always test first."),
            ("tool", "3 passed"),
        ],
        "copilot-cli:s-1/a1": [("assistant", "Nothing is odd.")],
    }
