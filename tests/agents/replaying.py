"""Payloads in the shapes that hosts send, and what must become of them."""

import json
from datetime import timedelta
from pathlib import Path

from tests.fakes import START
from tilth.agents.hook_record import HookRecord

FOLDER = Path(__file__).parent / "payloads"


def payloads(host: str) -> list[tuple[str, bytes]]:
    """Return each event of a recorded session, with its payload."""
    lines = (FOLDER / f"{host}.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    return [(one["event"], json.dumps(one["payload"]).encode()) for one in told]


def a_record(host="claude-code", event="UserPromptSubmit", seconds=0.0, **payload) -> HookRecord:
    """Return a record of one event of a session."""
    told = {"session_id": "s1", "cwd": "/home/ada/work/kettle"} | payload
    at = START + timedelta(seconds=seconds)
    return HookRecord(host=host, event=event, at=at, payload=json.dumps(told).encode())


# Of each host: (session, kind, role, text), in order.
EXPECTED = {
    "claude-code": [
        ("claude-code:5f1c7a52-0000-4000-8000-000000000001", *rest)
        for rest in (
            ("message", "user", "Use PostgreSQL 16 for the kettle service."),
            (
                "tool_call",
                "assistant",
                'Bash: {"command": "psql --version", "description": "Show the version"}',
            ),
            ("tool_result", "tool", "psql (PostgreSQL) 16.4"),
            (
                "tool_call",
                "assistant",
                (
                    'Write: {"file_path": "/home/ada/work/kettle/db.toml", '
                    '"content": "port = 5433\\n"}'
                ),
            ),
            (
                "tool_result",
                "tool",
                '{"filePath": "/home/ada/work/kettle/db.toml", "success": true}',
            ),
            ("tool_call", "assistant", 'Bash: {"command": "make migrate"}'),
            ("tool_failure", "tool", "Exit code 2\nno rule to make target 'migrate'"),
        )
    ]
    + [
        (
            "claude-code:5f1c7a52-0000-4000-8000-000000000001/a7",
            "message",
            "assistant",
            "The migrations live in db/steps.",
        ),
        (
            "claude-code:5f1c7a52-0000-4000-8000-000000000001",
            "message",
            "assistant",
            "The kettle service uses PostgreSQL 16 on port 5433.",
        ),
        (
            "claude-code:5f1c7a52-0000-4000-8000-000000000001",
            "message",
            "system",
            "Ada chose PostgreSQL 16 on port 5433 for the kettle service.",
        ),
    ],
    "codex": [
        ("codex:0199aa10-0000-7000-8000-000000000002", *rest)
        for rest in (
            ("message", "user", "Which port does the database use?"),
            ("tool_call", "assistant", 'apply_patch: {"command": "*** Begin Patch"}'),
            ("tool_result", "tool", "Success. Updated the following files:\nM db.toml"),
        )
    ]
    + [
        (
            "codex:0199aa10-0000-7000-8000-000000000002/a1",
            "message",
            "assistant",
            "The port stands in db.toml.",
        ),
        (
            "codex:0199aa10-0000-7000-8000-000000000002",
            "message",
            "assistant",
            "The database listens on 5433.",
        ),
    ],
    "gemini-cli": [
        ("gemini-cli:9d2f0000-0000-4000-8000-000000000003", *rest)
        for rest in (
            ("message", "user", "Rename the kettle's config."),
            (
                "tool_call",
                "assistant",
                'run_shell_command: {"command": "mv db.toml kettle.toml"}',
            ),
            ("tool_result", "tool", "Command: mv db.toml kettle.toml\nExit Code: 0"),
            ("tool_call", "assistant", 'read_file: {"file_path": "/nowhere"}'),
            ("tool_failure", "tool", '{"message": "File not found", "type": "file_not_found"}'),
            ("message", "assistant", "It is called kettle.toml now."),
        )
    ],
    "cursor": [
        ("cursor:conv-0004", *rest)
        for rest in (
            ("message", "user", "Set the boil timeout to 30 seconds."),
            ("tool_call", "assistant", 'shell: {"command": "pytest -q"}'),
            ("tool_result", "tool", "3 passed"),
            ("tool_call", "assistant", 'database_query: {"query": "SELECT 1"}'),
            ("tool_result", "tool", "one row"),
            (
                "tool_call",
                "assistant",
                (
                    'edit: {"file_path": "/home/ada/work/kettle/main.py", "edits": '
                    '[{"old_string": "timeout = 10", "new_string": "timeout = 30"}]}'
                ),
            ),
            ("message", "assistant", "The boil timeout is 30 seconds."),
        )
    ],
    "vscode": [
        ("vscode:vsc-0005", "message", "user", "Add a lid sensor."),
        (
            "vscode:vsc-0005",
            "tool_call",
            "assistant",
            'create_file: {"filePath": "/home/ada/work/kettle/lid.py"}',
        ),
        ("vscode:vsc-0005", "tool_result", "tool", "File created"),
        ("vscode:cli-0005", "message", "user", "Look at the kettle first."),
        ("vscode:cli-0005", "message", "user", "Add a lid sensor from the command line."),
        ("vscode:cli-0005", "tool_call", "assistant", 'bash: {"command": "ls"}'),
        ("vscode:cli-0005", "tool_result", "tool", "lid.py"),
    ],
    "opencode": [
        ("opencode:ses_0006", *rest)
        for rest in (
            ("message", "user", "Paint the lid green."),
            ("tool_call", "assistant", 'edit: {"filePath": "lid.py"}'),
            ("tool_result", "tool", "edited"),
            ("message", "assistant", "The lid is green."),
        )
    ],
}
