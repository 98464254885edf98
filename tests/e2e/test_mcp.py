"""The server as a process of its own, asked by a client over its standard input and output."""

import json
import subprocess
import sys
from contextlib import closing

import anyio
import apsw
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

SAID = "The kettle listens on port 8443."


def parameters(program, *words):
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tilth", "mcp", *words],
        env=program.environ(),
        cwd=program.home,
    )


def talk(program, ask, *words, mode="auto"):
    async def asked():
        async with Client(parameters(program, *words), mode=mode) as client:
            return await ask(client)

    return anyio.run(asked)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_kb_073_what_one_agent_remembers_another_program_recalls(ready, mode):
    async def remember(client):
        return await client.call_tool("remember", {"text": SAID, "session_id": "kitchen"})

    told = talk(ready, remember, mode=mode).structured_content

    (hit,) = ready("recall", "which port has the kettle", "--json").answer["hits"]
    assert (hit["id"], hit["text"]) == (told["id"], SAID)


def test_i22_what_comes_over_mcp_is_an_agents_word_even_at_a_persons_terminal(ready):
    talk(ready, lambda client: client.call_tool("remember", {"text": SAID, "role": "user"}))

    with closing(apsw.Connection(str(ready.store))) as raw:
        sql = "SELECT actor, actor_kind FROM ledger WHERE kind = 'episode_recorded'"
        assert raw.execute(sql).fetchall() == [("mcp", "agent")]


def test_garbage_on_standard_input_is_answered_or_passed_over(ready):
    lines = [b"", b"nonsense", b"{", b'{"jsonrpc":"2.0"}', b"[]", b"null", b"\xff\xfe\x00"]
    ping = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    sent = [*lines, json.dumps(hello).encode(), *lines, json.dumps(ping).encode()]

    done = subprocess.run(
        [sys.executable, "-m", "tilth", "mcp"],
        input=b"\n".join(sent) + b"\n",
        capture_output=True,
        env=ready.environ(),
        cwd=ready.home,
        timeout=60,
        check=False,
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert {answer.get("id") for answer in answers} >= {1, 7}


def test_a_missing_store_is_refused_before_anything_is_served(program):
    run = program("mcp")

    assert run.code == 3
    assert run.out == ""
    assert "Traceback" not in run.err


def test_other_commands_never_load_mcp(program):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tilth", "--version"],
        capture_output=True,
        env=program.environ(),
        check=True,
    )

    modules = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert not modules & {b"mcp", b"pydantic", b"starlette", b"anyio"}
