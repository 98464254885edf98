"""The first answer comes before the SDK is loaded, and is the SDK's."""

import json
import subprocess
import sys

import pytest

from tilth.interfaces.mcp.handshake import VERSIONS, answer


def hello(version, **told):
    params = {
        "protocolVersion": version,
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
        "clientInfo": {"name": "t", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params, **told}


def line(message):
    return json.dumps(message).encode() + b"\n"


PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


def answers(ready, *sent, options=(), last=PING):
    """Return what a server says to *sent*, until it has answered the *last* question."""
    with subprocess.Popen(
        [sys.executable, "-m", "tilth", "mcp", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ready.environ(),
        cwd=ready.home,
    ) as server:
        server.stdin.write(b"".join(sent) + line(last))
        server.stdin.flush()
        told = []
        while not told or told[-1].get("id") != last["id"]:
            told.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        rest = server.stdout.read()
    assert not rest
    assert server.returncode == 0
    return told


@pytest.mark.parametrize("options", [(), ("--read-only", "--tools", "kg")])
def test_the_first_answer_is_the_one_that_the_sdk_gives(ready, options):
    asked = [line(hello(version, id=f"by {version}")) for version in VERSIONS]
    # After a line that is no handshake the SDK answers everything, each handshake anew.
    told = answers(ready, b"{}\n", *asked, options=options)
    by_sdk = [one for one in told if str(one.get("id")).startswith("by ")]
    assert by_sdk == [json.loads(answer(one)) for one in asked]


def test_a_client_gets_one_answer_and_is_known_afterwards(ready):
    listed = {"jsonrpc": "2.0", "id": 3, "method": "tools/list"}
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    told = answers(ready, line(hello("2025-06-18")), line(begun), line(listed))
    said = {one["id"]: one for one in told if "method" not in one}
    assert sorted(said) == [1, 2, 3]
    assert said[3]["result"]["tools"]
    # That it has roots stood in the first line alone, which was answered before the SDK came.
    assert [one["method"] for one in told if "method" in one] == ["roots/list"]


@pytest.mark.parametrize(
    "asked",
    [
        b"",
        b"\n",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        line(PING),
        line(hello("2026-07-28")),
        line(hello(2025)),
        line(hello("2025-06-18", id=True)),
        line(hello("2025-06-18", id=None)),
        line(hello("2025-06-18", params={})),
        line(hello("2025-06-18", params={**hello("")["params"], "capabilities": {"roots": 1}})),
    ],
)
def test_what_is_no_plain_handshake_is_left_to_the_sdk(asked):
    assert answer(asked) is None


def test_a_call_that_holds_half_of_a_character_is_answered(ready):
    told = {"name": "remember", "arguments": {"text": "it broke here \ud83d", "kind": "note"}}
    call = {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": told}

    said = answers(ready, line(hello(VERSIONS[-1])), last=call)[-1]

    assert not said["result"].get("isError"), said
    assert "it broke here \ufffd" in ready("recall", "broke").out


BROKEN = (b'{"jsonrpc": "2.0", "id": 7, "met\n', b"hello?\n", b"[" * 9000 + b"\n")


@pytest.mark.parametrize(
    ("first", "broken"),
    [*((b"", [one]) for one in BROKEN), (line(hello(VERSIONS[-1])), BROKEN)],
    ids=["half a line", "words", "too deep", "each after a handshake"],
)
def test_a_line_that_is_no_json_is_answered_as_that(ready, first, broken):
    told = answers(ready, first, *broken, b"\n")

    errors = [one["error"] for one in told if one.get("id") is None]
    assert [one["code"] for one in errors] == [-32700] * len(broken)
    assert all(one["message"].startswith("Parse error") for one in errors)


def test_nothing_of_the_sdk_is_loaded_for_it():
    code = "import sys, tilth.interfaces.cli.commands.mcp; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not {"mcp", "pydantic", "anyio", "numpy"} & set(done.stdout.split())


def test_what_reads_sentences_waits_for_a_conversation_that_is_summed_up():
    code = "import sys, tilth.interfaces.mcp.server; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "tilth.learning.extract" not in done.stdout.split()
