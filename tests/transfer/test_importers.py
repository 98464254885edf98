"""What every importer promises for any bytes."""

import gzip
import io
import json
import resource
import sys
import tempfile
import time
import tracemalloc
import zipfile
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most, slowness, tried
from tilth.core.errors import InvalidInputError, LimitExceededError, TilthError
from tilth.core.event import encode
from tilth.core.ids import parse_session_id
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.transfer.file_importer import FORMATS, UNREADABLE, FileImporter
from tilth.transfer.model import Described, Skipped, Source
from tilth.transfer.reading.sample import take_sample
from tilth.transfer.reading.source_file import SourceFile

MIB = 1 << 20
fewer = tried(60)  # files are slow
AT = "2026-01-05T10:00:00.000Z"


def lines(*values):
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def zipped(members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def of_claude(kind, content, **more):
    message = {"role": kind, "content": content}
    return {"type": kind, "sessionId": "s1", "cwd": "/home/ann/work/shop", "uuid": f"u-{kind}",
            "timestamp": AT, "message": message, **more}  # fmt: skip


CLAUDE_CODE = lines(
    of_claude("user", "Where is the till?", parentUuid="p0"),
    of_claude(
        "assistant",
        [
            {"type": "thinking", "thinking": "Hm."},
            {"type": "text", "text": "By the door."},
            {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
        ],
    ),
    of_claude("user", [{"type": "tool_result", "content": [{"type": "text", "text": "till.py"}]}]),
    {"type": "summary", "leafUuid": "u1", "summary": "The till"},
)
COPILOT_CLI = lines(
    *(
        {"type": kind, "id": f"e-{kind}", "timestamp": AT, "data": data}
        for kind, data in {
            "session.start": {
                "sessionId": "s1", "copilotVersion": "1.0", "context": {"cwd": "/home/ann/shop"},
            },
            "user.message": {"content": "Where is the till?"},
            "tool.execution_start": {
                "toolCallId": "t1", "toolName": "bash", "arguments": {"command": "ls"},
            },
            "tool.execution_complete": {
                "toolCallId": "t1", "success": True, "result": {"content": "till.py"},
            },
            "assistant.message": {"content": "By the door."},
        }.items()
    )
)  # fmt: skip
CODEX = lines(
    {
        "type": "session_meta",
        "timestamp": AT,
        "payload": {"id": "c1", "cwd": "/home/ann/work/shop"},
    },
    {"type": "event_msg", "timestamp": AT, "payload": {"type": "user_message", "message": "Hello"}},
    {
        "type": "response_item",
        "timestamp": AT,
        "payload": {
            "type": "function_call",
            "name": "shell",
            "arguments": '{"a": 1}',
            "call_id": "1",
        },
    },
    {
        "type": "response_item",
        "timestamp": AT,
        "payload": {
            "type": "function_call_output",
            "call_id": "1",
            "output": '{"output": "no", "metadata": {"exit_code": 1}}',
        },
    },
    {"type": "item.completed", "thread_id": "t", "item": {"type": "agent_message", "text": "Hi"}},
)
GEMINI = json.dumps(
    {
        "sessionId": "g1",
        "projectHash": "ab12",
        "startTime": AT,
        "lastUpdated": AT,
        "messages": [
            {"id": "1", "timestamp": AT, "type": "user", "content": "Where is the till?"},
            {
                "id": "2",
                "timestamp": AT,
                "type": "gemini",
                "content": "By the door.",
                "thoughts": [{"subject": "a", "description": "b"}],
                "toolCalls": [
                    {
                        "id": "t",
                        "name": "ls",
                        "args": {"path": "."},
                        "status": "error",
                        "result": [{"functionResponse": {"response": {"output": "till.py"}}}],
                    }
                ],
            },
        ],
    }
).encode()
CHATGPT = json.dumps(
    [
        {
            "title": "The till",
            "create_time": 1700000000.5,
            "conversation_id": "x1",
            "current_node": "b",
            "mapping": {
                "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
                "a": {
                    "id": "a",
                    "parent": "root",
                    "children": ["b"],
                    "message": {
                        "id": "a",
                        "author": {"role": "user"},
                        "create_time": 1700000000.5,
                        "content": {"content_type": "text", "parts": ["Where is the till?"]},
                    },
                },
                "b": {
                    "id": "b",
                    "parent": "a",
                    "children": [],
                    "message": {
                        "id": "b",
                        "author": {"role": "assistant"},
                        "create_time": 1700000001.5,
                        "content": {"content_type": "text", "parts": ["By the door."]},
                        "metadata": {},
                    },
                },
            },
        }
    ]
).encode()
CLAUDE_AI = json.dumps(
    [
        {
            "uuid": "k1",
            "name": "The till",
            "created_at": AT,
            "updated_at": AT,
            "account": {"uuid": "me"},
            "chat_messages": [
                {
                    "uuid": "m1",
                    "text": "Where is the till?",
                    "sender": "human",
                    "created_at": AT,
                    "content": [{"type": "text", "text": "Where is the till?"}],
                    "attachments": [{"file_name": "a.txt", "extracted_content": "till"}],
                    "files": [{"file_name": "b.png"}],
                },
                {"uuid": "m2", "text": "By the door.", "sender": "assistant", "created_at": AT},
            ],
        }
    ]
).encode()
SLACK_MEMBERS = {
    "users.json": json.dumps([{"id": "U1", "name": "ann", "profile": {"real_name": "Ann"}}]),
    "channels.json": json.dumps([{"id": "C1", "name": "shop", "members": ["U1"]}]),
    "shop/2026-01-05.json": json.dumps(
        [
            {"type": "message", "user": "U1", "text": "the <@U1> till", "ts": "1767600000.000100"},
            {"type": "message", "user": "U1", "text": "no", "ts": "1767600001.0", "thread_ts": "1"},
        ]
    ),
}
MCP_MEMORY = lines(
    {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["runs the till"]},
    {"type": "relation", "from": "Ann", "to": "Shop", "relationType": "owns"},
)
SPECSTORY = b"""<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-01-05 10:00:00Z

<!-- Claude Code Session s1 (2026-01-05 10:00:00Z) -->

_**User (2026-01-05 10:00:00Z)**_

Where is the till?

---

_**Agent (model x) (2026-01-05 10:00:01Z)**_

By the door.

<tool-use data-tool-type="shell" data-tool-name="Bash"><details>
<summary>Tool use: **Bash**</summary>

`ls`

</details></tool-use>

---
"""
ADR = b"""---
date: 2026-01-05
---
# 7. Keep the till by the door

## Status

Superseded by [8](0008-x.md)

## Context

People leave.

## Decision

We keep it by the door.
"""
MARKDOWN = b"""---
title: The till
tags: [shop, till]
date: 2026-01-05
---
# The till

It stands by the [[door]].

```
# not a heading
```

## Why

People leave.
"""
AIDER = b"""# aider chat started at 2026-01-02 10:00:00

> Aider v0.86.1

#### Where does the till stand?

By the door.
"""
EXPORT = lines(
    {"type": "tilth-export", "version": 1, "store_id": "s", "through": 4, "is_shared": False},
    {"type": "session", "id": "s1", "scope": "global", "title": "The till", "tags": ["shop"]},
    {"type": "episode", "id": "epi_1", "text": "The till is by the door.", "session_id": "s1",
     "kind": "message", "role": "user", "occurred_at": "2026-01-05T10:00:00+00:00",
     "scope": "global", "transport": "cli", "direction": "inbound", "metadata": {"n": 1}},
    {"type": "fact", "id": "fct_1", "text": "The till is by the door.", "about": ["till"]},
    {"type": "end", "counts": {"episode": 1, "fact": 1, "session": 1}},
)  # fmt: skip


def database(statements):
    """Return the bytes of a database that *statements* make."""
    conn = apsw.Connection(":memory:")
    conn.execute(statements)
    return conn.serialize("main")


OPENCODE = database(
    """
    CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INT);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, time_created INT, data TEXT);
    INSERT INTO session VALUES ('ses_1', NULL, '/home/ann/shop', 'The till', 1767607200000);
    INSERT INTO message VALUES ('msg_1', 'ses_1', 1767607200000, '{"role":"user"}');
    INSERT INTO part VALUES
        ('prt_1', 'msg_1', 1767607200000, '{"type":"text","text":"Is the till open?"}');
    INSERT INTO message VALUES ('msg_2', 'ses_1', 1767607201000, '{"role":"assistant"}');
    INSERT INTO part VALUES ('prt_2', 'msg_2', 1767607201000, '{"type":"text","text":"Yes."}');
    """
)
CURSOR = lines(
    {"role": "user", "message": {"content": [{"type": "text", "text":
        "<timestamp>Monday, Jan 5, 2026, 10:00 AM (UTC+0)</timestamp>\n"
        "<user_query>\nIs the till open?\n</user_query>"}]}},
    {"role": "assistant", "message": {"content": [
        {"type": "text", "text": "Yes."}, {"type": "tool_use", "name": "Shell", "input": {}}]}},
    {"type": "turn_ended", "status": "success"},
)  # fmt: skip
VSCODE = lines(
    {"kind": 0, "v": {"sessionId": "v1", "responderUsername": "GitHub Copilot", "requests": []}},
    {"kind": 2, "k": ["requests"], "v": [
        {"requestId": "r1", "timestamp": 1767607200000, "message": {"text": "Is the till open?"},
         "response": [{"value": "Yes."}, {"kind": "textEditGroup", "uri": {"path": "/a.py"}}]}]},
    {"kind": 1, "k": ["requests", 0, "isCanceled"], "v": False},
)  # fmt: skip
VALID = {
    "aider": (".aider.chat.history.md", AIDER),
    "tilth-export": ("brain.jsonl", EXPORT),
    "claude-code": ("s1.jsonl", CLAUDE_CODE),
    "codex": ("rollout-1.jsonl", CODEX),
    "gemini-cli": ("session-1.json", GEMINI),
    "copilot-cli": ("events.jsonl", COPILOT_CLI),
    "opencode": ("opencode.db", OPENCODE),
    "cursor": ("c1.jsonl", CURSOR),
    "vscode": ("v1.jsonl", VSCODE),
    "chatgpt": ("conversations.json", CHATGPT),
    "claude-ai": ("conversations.json", CLAUDE_AI),
    "slack": ("export.zip", zipped(SLACK_MEMBERS)),
    "mcp-memory": ("memory.jsonl", MCP_MEMORY),
    "specstory": ("2026-01-05_10-00Z-till.md", SPECSTORY),
    "adr": ("0007-till.md", ADR),
    "markdown": ("till.md", MARKDOWN),
    "plain-text": ("till.txt", b"The till.\n\nIt stands by the door.\n"),
}
HOSTS = [format_.HOST for format_ in FORMATS]


@contextmanager
def file_with(name, content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / name
        path.write_bytes(content)
        yield path


def source_at(path, host):
    return Source(path.as_uri(), host, path.stat().st_size)


def read_all(path, host):
    """Read the file as *host*, check each item, and return them."""
    items = []
    for item, position in FileImporter().read(source_at(path, host)):
        assert 0 <= position <= path.stat().st_size
        items.append(item)
        match item:
            case EpisodeDraft():
                encode(EpisodeRecorded(item)).encode()
                assert item.idempotency_key
                if item.session_id is not None or host != "tilth-export":
                    parse_session_id(item.session_id)
            case Described(session_id=session_id, info=info, scope=scope):
                event = SessionDescribed(session_id=session_id, info=info, scope=scope)
                encode(event).encode()
                parse_session_id(session_id)
            case Skipped(where=where, reason=reason):
                f"{where}{reason}".encode()
                assert len(reason) < 500
    return items


def kinds(items):
    return {type(item) for item in items}


def test_there_is_a_valid_file_of_every_format():
    assert set(VALID) == set(HOSTS)


@pytest.mark.parametrize("host", HOSTS)
def test_a_valid_file_is_found_and_read_whole(host):
    name, content = VALID[host]
    with file_with(name, content) as path:
        (source,) = FileImporter().find(str(path))
        among_others = list(FileImporter().find(str(path.parent)))
        items = read_all(path, host)
    assert source.format == host
    assert among_others == [source]
    assert {Described, EpisodeDraft} <= kinds(items)


# Bytes that parsers stumble over.
STUMBLES = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", rb"\ud800", rb"\u0000", b'"', b"\\", b"{", b"}", b"[",
    b"]", b",", b":", b"\n", b"\r", b"---\n", b"\n# ", b"null", b"NaN", b"-1e999", b"9" * 5000,
    b"[" * 200, b'{"a":' * 200, b"<!--", b"```", b"\xe2\x80\xa8", b"\x1f\x8b", b"PK\x03\x04",
    b"0000-99-99T99:99:99Z", b"&a [*a]", b"!!python/object:os.system", rb"\U00110000",
]  # fmt: skip


@st.composite
def damaged(draw, content):
    """Draw some bytes of *content* cut off, changed, put in, taken out or repeated."""
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(content)))
        end = draw(st.integers(begin, min(len(content), begin + 200)))
        match draw(st.sampled_from(["cut", "put", "repeat", "flip", "change"])):
            case "cut":
                content = content[:begin] if draw(st.booleans()) else content[end:]
            case "put":
                content = content[:begin] + draw(st.sampled_from(STUMBLES)) + content[end:]
            case "repeat":
                content = content[:end] + content[begin:]
            case "flip" if begin < len(content):
                bit = 1 << draw(st.integers(0, 7))
                flipped = bytes([content[begin] ^ bit])
                content = content[:begin] + flipped + content[begin + 1 :]
            case _:
                content = content[:begin] + draw(st.binary(max_size=8)) + content[end:]
    return content


WRONG = st.sampled_from(
    [None, True, 0, -1, 1e300, float("inf"), float("nan"), 10**400, "", " ", "\ud800", "\x00",
     "null", "x" * 5000, [], {}, [[]], [None], [{}], {"": None}, {"\ud800": "\udfff"},
     {"content": 1}, [1, "a", {"type": "text", "text": 7}], "0001-01-01T00:00:00+23:59"]
)  # fmt: skip


def places(value, path=()):
    """Yield the way to each value within *value*."""
    yield path
    children = value.items() if isinstance(value, dict) else []
    for key, child in enumerate(value) if isinstance(value, list) else children:
        yield from places(child, (*path, key))


def put(value, path, wrong):
    """Return *value* with *wrong* at *path*."""
    if not path:
        return wrong
    changed = value.copy()
    changed[path[0]] = put(value[path[0]], path[1:], wrong)
    return changed


@st.composite
def mistyped(draw, values):
    """Draw JSON *values* with values of wrong types or shapes among them."""
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(values))))
        values = put(values, path, draw(WRONG))
    return values


@pytest.mark.parametrize("host", HOSTS)
@fewer
@given(data=st.data())
def test_damaged_bytes_yield_items_and_nothing_else(host, data):
    name, content = VALID[host]
    damage = data.draw(damaged(content))
    with file_with(name, damage) as path:
        read_all(path, host)
        with suppress(TilthError):
            FileImporter().find(str(path))


@pytest.mark.parametrize("host", [host for host in HOSTS if VALID[host][1][:1] in b"[{"])
@fewer
@given(data=st.data())
def test_json_of_wrong_types_yields_items_and_nothing_else(host, data):
    name, content = VALID[host]
    if name.endswith(".jsonl"):
        values = data.draw(mistyped([json.loads(line) for line in content.splitlines()]))
        changed = lines(*values) if isinstance(values, list) else lines(values)
    else:
        changed = json.dumps(data.draw(mistyped(json.loads(content)))).encode()
    with file_with(name, changed) as path:
        read_all(path, host)
        take_and_sniff(path)


@fewer
@given(data=st.data())
def test_members_of_wrong_types_yield_items_and_nothing_else(data):
    changed = {
        name: json.dumps(data.draw(mistyped(json.loads(content))))
        for name, content in SLACK_MEMBERS.items()
    }
    with file_with("export.zip", zipped(changed)) as path:
        read_all(path, "slack")
        take_and_sniff(path)


@pytest.mark.parametrize("host", HOSTS)
@fewer
@given(data=st.data())
def test_broken_packing_yields_items_and_nothing_else(host, data):
    name, content = VALID[host]
    pack = data.draw(st.sampled_from([gzip.compress, lambda raw: zipped({name: raw})]))
    with file_with(name, data.draw(damaged(pack(content)))) as path:
        read_all(path, host)


@pytest.mark.parametrize("host", HOSTS)
@fewer
@given(foreign=st.sampled_from(sorted(VALID)), content=st.binary(max_size=200))
def test_files_of_other_formats_yield_items_and_nothing_else(host, foreign, content):
    for given_content in (VALID[foreign][1], content):
        with file_with(VALID[foreign][0], given_content) as path:
            read_all(path, host)


@fewer
@given(st.binary(max_size=300) | st.sampled_from(STUMBLES), st.sampled_from(sorted(VALID)))
def test_any_bytes_are_sniffed_without_a_word(content, host):
    with file_with(VALID[host][0], content) as path:
        take_and_sniff(path)


def take_and_sniff(path):
    try:
        sample = take_sample(SourceFile(path))
    except InvalidInputError:
        return
    assert all(format_.sniff(sample) in (True, False) for format_ in FORMATS)


@pytest.mark.parametrize("host", [host for host in HOSTS if host != "slack"])
def test_packing_a_file_changes_nothing_that_is_read(host):
    name, content = VALID[host]
    with file_with(name, content) as path:
        plain = [item for item in read_all(path, host) if isinstance(item, EpisodeDraft)]
        packed = path.with_name(f"{name}.gz")
        packed.write_bytes(gzip.compress(content))
        (source,) = FileImporter().find(str(packed))
        again = [item for item in read_all(packed, host) if isinstance(item, EpisodeDraft)]
    assert source.format == host
    assert [draft.text for draft in again] == [draft.text for draft in plain]
    assert [draft.idempotency_key for draft in again] == [draft.idempotency_key for draft in plain]


def check_cost(work, *, seconds, mib):
    """Do the work, which may take no more than so much time, and memory at any one time."""
    tracemalloc.start()
    began = time.thread_time()
    try:
        done = work()
        assert tracemalloc.get_traced_memory()[1] < mib * MIB
    finally:
        tracemalloc.stop()
    # Tracing makes all work slower, so that what is quick enough with it is so without.
    if time.thread_time() - began >= seconds:
        with at_most(seconds):
            work()
    return done


def overlapping(members):
    """Return a zip whose *members* names share the same packed bytes."""
    content = bytearray(zipped({"conversations.json": b" " * 60_000}))
    at = content.index(b"PK\x01\x02")
    entry, end = bytes(content[at : content.index(b"PK\x05\x06")]), bytearray(content[-22:])
    entries = b"".join(
        entry.replace(b"conversations.json", f"conversations{n:05}".encode())
        for n in range(members)
    )
    end[8:12] = (members & 0xFFFF).to_bytes(2, "little") * 2
    end[12:16] = len(entries).to_bytes(4, "little")
    return bytes(content[:at]) + entries + bytes(end)


DEEP = b"[" * 100_000
ALIASES = b"---\na: &a [x, x]\n" + b"".join(
    b"%c: &%c [*%c, *%c]\n" % (this, this, this - 1, this - 1) for this in b"bcdefghijklmnop"
)
BOMBS = {
    "a zip of 200 MB": ("slack", "export.zip", lambda: zipped({"users.json": bytes(200 * MIB)})),
    "members that overlap": ("slack", "export.zip", lambda: overlapping(2_000)),
    "a gzip of 100 MB": ("claude-code", "s.jsonl.gz", lambda: gzip.compress(bytes(100 * MIB))),
    "a gzip of many lines": ("plain-text", "a.txt.gz", lambda: gzip.compress(b"a b\n" * 25 * MIB)),
    "an array 100,000 deep": ("chatgpt", "conversations.json", lambda: DEEP),
    "a line 100,000 deep": ("codex", "rollout.jsonl", lambda: b'{"payload":' + DEEP),
    "aliases": ("markdown", "a.md", lambda: ALIASES + b"---\nIt stands by the door.\n"),
    "deep front matter": ("markdown", "a.md", lambda: b"---\na: %s\n---\nIt.\n" % DEEP[:60_000]),
    "deep quotes": ("markdown", "a.md", lambda: b">" * 200_000 + b" a"),
    "deep lists": ("markdown", "a.md", lambda: b"- " * 100_000 + b" a"),
    "many headings": ("markdown", "a.md", lambda: b"# a\n" * 20_000),
    "many openings": ("markdown", "a.md", lambda: b"[a](<b\n" * 20_000 + b"*a_ `" * 20_000),
    "many fences": (
        "specstory", "a.md", lambda: SPECSTORY + b"```\n<tool-use>\n<details>\n" * 10_000
    ),
    "many runs that end nowhere": (
        "specstory", "a.md",
        lambda: SPECSTORY + b"_**Agent**_\n\n" + b"```bash\nx\n```\n```\n" * 9_000 + b"y"
    ),
    "many summaries": (
        "specstory", "a.md",
        lambda: SPECSTORY + b"_**Agent**_\n\n" + b"<details><summary>a</summary>" * 20_000
    ),
    "a million members": (
        "slack", "export.zip", lambda: zipped({})[:-22] + b"PK\x05\x06" + b"\xff" * 18
    ),
}  # fmt: skip


@pytest.mark.row("I40")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_or_read_within_limits(name):
    host, file_name, made = BOMBS[name]
    with file_with(file_name, made()) as path:
        check_cost(lambda: FileImporter().find(str(path.parent)), seconds=3, mib=100)
        items = check_cost(lambda: read_all(path, host), seconds=3, mib=100)
    assert items
    assert sum(len(item.text) for item in items if isinstance(item, EpisodeDraft)) <= 8 * MIB


@pytest.mark.row("I40")
@pytest.mark.parametrize("host", ["claude-code", "codex", "mcp-memory", "chatgpt"])
def test_one_line_of_70_mib_is_skipped_and_the_rest_is_read(host):
    name, content = VALID[host]
    long = json.dumps({"type": "user", "sessionId": "s", "text": "x" * (70 * MIB)}).encode()
    is_array = content.startswith(b"[")
    whole = content[:-1] + b"," + long + b"]" if is_array else content + long + b"\n" + content
    with file_with(name, whole) as path:
        items = check_cost(lambda: read_all(path, host), seconds=3, mib=300)
    assert any("longer than 64 MiB" in item.reason for item in items if isinstance(item, Skipped))
    assert EpisodeDraft in kinds(items)


@pytest.mark.row("T16")
def test_a_bomb_in_a_folder_is_reported_and_does_not_stop_the_rest():
    with file_with("export.zip", overlapping(2_000)) as path:
        path.with_name("till.md").write_bytes(MARKDOWN)
        found = FileImporter().find(str(path.parent))
        (refusal,) = read_all(path, UNREADABLE)
    assert [source.format for source in found] == [UNREADABLE, "markdown"]
    assert "overlap" in refusal.reason


@pytest.mark.row("T16")
def test_a_bomb_that_is_named_is_refused():
    with (
        file_with("export.zip", zipped({"a.json": bytes(200 * MIB)})) as path,
        pytest.raises(LimitExceededError, match="unpacks to more than"),
    ):
        FileImporter().find(str(path))


def repeated(host, mib):
    """Yield chunks of a valid file of some *mib* in many records."""
    content = VALID[host][1]
    if content.startswith(b"["):
        record = json.loads(content)[0]
        record["filler"] = "x" * 20_000
        one = json.dumps(record).encode()
        count = mib * MIB // len(one)
        yield b"[" + one
        yield from (b",\n" + one for _ in range(count))
        yield b"]"
    else:
        content += lines(of_claude("user", "The till stands by the door. " * 300))
        yield from (content for _ in range(mib * MIB // len(content)))


@pytest.mark.slow
@pytest.mark.parametrize("host", ["claude-code", "chatgpt"])
def test_a_file_of_60_mib_is_read_in_bounded_memory(host, tmp_path):
    path = tmp_path.resolve() / VALID[host][0]
    with path.open("wb") as out:
        out.writelines(repeated(host, 60))
    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    began = time.process_time()

    count = sum(1 for _ in FileImporter().read(source_at(path, host)))

    assert count > 1_000
    assert time.process_time() - began < 20 * slowness()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before < 32 * MIB
