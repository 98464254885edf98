"""The server of `tilth mcp`, asked over its standard input and output, and over HTTP."""

import http.client
import json
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import apsw
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import tilth
from tests.interfaces.mcp.clients import FactQuery, serve_inside

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


@contextmanager
def served(program, *words):
    """The server over HTTP: its address and token."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tilth", "mcp", "--http", "--port", "0", "--json", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=program.environ(),
        cwd=program.home,
    )
    with started:
        try:
            where = json.loads(started.stdout.readline())
            yield where["url"], Path(where["token_file"]).read_text().strip()
        finally:
            started.terminate()


def talk_over_http(url, token, ask, mode="auto"):
    async def asked():
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as web,
            Client(streamable_http_client(url, http_client=web), mode=mode) as client,
        ):
            return await ask(client)

    return anyio.run(asked)


@pytest.mark.row("KB-073")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_what_one_agent_remembers_another_program_recalls(ready, mode):
    async def remember(client):
        return await client.call_tool("remember", {"text": SAID, "session_id": "kitchen"})

    told = talk(ready, remember, mode=mode).structured_content

    (hit,) = ready("recall", "which port has the kettle", "--json").answer["hits"]
    assert (hit["id"], hit["text"]) == (told["id"], SAID)


@pytest.mark.row("I22")
def test_what_comes_over_mcp_is_an_agents_word_even_at_a_persons_terminal(ready, as_person):
    serve_inside(ready, lambda server: FactQuery(server)("remember", text=SAID, role="user"))

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

    with subprocess.Popen(
        [sys.executable, "-m", "tilth", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ready.environ(),
        cwd=ready.home,
    ) as server:
        server.stdin.write(b"\n".join(sent) + b"\n")
        server.stdin.flush()
        answered = set()
        while 7 not in answered:
            answered.add(json.loads(server.stdout.readline()).get("id"))
        _, log = server.communicate()

    assert server.returncode == 0
    assert 1 in answered
    assert b"Traceback" not in log


@pytest.mark.row("I44")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_one_store_gives_equal_answers_and_refusals_whichever_way_it_is_asked(ready, mode):
    ready("remember", SAID, "--session", "kitchen", "--at", "2026-01-02")

    async def ask(client):
        calls = [
            ("recall", {"query": "which port has the kettle"}),
            ("recall", {"query": "kettle", "response_format": "detailed"}),
            ("recall", {"query": "kettle", "session_id": "kitchn"}),
            ("recall", {"qery": "kettle"}),
            ("changes", {}),
            ("changes", {"since": "chg_nonsense"}),
            ("fetch", {"ids": ["epi_nothing"]}),
            ("remember", {"text": SAID, "trust": "human"}),
        ]
        answers = [await client.call_tool(name, arguments) for name, arguments in calls]
        offered = [tool.model_dump(mode="json") for tool in (await client.list_tools()).tools]
        # Where to go on lies behind the receipts of what was shown meanwhile.
        told = [{**one.structured_content, "cursor": ""} for one in answers]
        return offered, [(one.is_error, data) for one, data in zip(answers, told, strict=True)]

    over_stdio = talk(ready, ask, mode=mode)
    with served(ready) as (url, token):
        over_http = talk_over_http(url, token, ask, mode=mode)

    assert over_http == over_stdio
    assert over_http[1][0][1]["items"][0]["text"] == SAID


@pytest.mark.row("I44")
def test_python_the_program_and_mcp_give_the_same_hits_and_the_same_refusals(ready):
    for number in range(5):
        ready("remember", f"{SAID} It is kettle {number}.", "--session", f"kitchen {number}")
    questions = [("which port has the kettle", "global"), ("", "global"), ("kettle", "nonsense")]

    def in_python(question, scope):
        with tilth.connect(ready.store) as brain:
            try:
                return [hit.id for hit in brain.recall(question, scope=scope, limit=3).hits]
            except tilth.TilthError as error:
                return error.code

    def by_the_program(question, scope):
        run = ready("recall", question, "--scope", scope, "--limit", "3", "--json")
        answer = run.answer
        return answer["error"]["code"] if run.code else [hit["id"] for hit in answer["hits"]]

    async def over_mcp(client):
        answers = [
            await client.call_tool("recall", {"query": question, "scope": scope, "limit": 3})
            for question, scope in questions
        ]
        return [
            one.structured_content["error"]["code"]
            if one.is_error
            else [item["id"] for item in one.structured_content["items"]]
            for one in answers
        ]

    answers = [in_python(*asked) for asked in questions]

    assert [by_the_program(*asked) for asked in questions] == answers == talk(ready, over_mcp)
    assert len(answers[0]) == 3
    assert answers[1:] == ["invalid_input", "invalid_input"]


@pytest.mark.row("I38")
def test_over_http_nobody_is_answered_without_name_site_and_token(ready):
    with served(ready) as (url, token):
        port = urlsplit(url).port
        good = {"Host": f"127.0.0.1:{port}", "Authorization": f"Bearer {token}"}
        bad = [
            good | {"Host": "evil.example"},
            good | {"Host": f"evil.example:{port}"},
            good | {"Origin": "null"},
            good | {"Origin": "http://127.0.0.1:1"},
            good | {"Origin": "http://evil.example"},
            good | {"Authorization": "Bearer " + "x" * 43},
            good | {"Authorization": ""},
            {"Host": good["Host"]},
        ]
        answers = {}
        for path in ("/mcp", "/", "/mcp/../x", "/%2e"):
            for method in ("GET", "POST", "DELETE", "OPTIONS", "PUT"):
                for headers in bad:
                    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
                        line.request(method, path, b"{}", headers)
                        answer = line.getresponse()
                        answers[method, path, str(headers)] = answer.status
                        assert not answer.getheader("access-control-allow-origin")
        assert set(answers.values()) == {401, 403, 421}
        assert len(answers) == 160

        async def remember(client):
            return await client.call_tool("remember", {"text": SAID})

        assert not talk_over_http(url, token, remember).is_error
    assert [hit["text"] for hit in ready("recall", "kettle", "--json").answer["hits"]] == [SAID]


def test_over_http_a_call_that_holds_half_of_a_character_is_answered(ready):
    told = {"name": "remember", "arguments": {"text": "it broke here \ud83d", "kind": "note"}}
    call = {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": told}
    with served(ready) as (url, token):
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        headers |= {"Content-Type": "application/json"}
        said = httpx2.post(url, content=json.dumps(call).encode(), headers=headers)

    assert (said.status_code, said.json()["id"]) == (200, 4), said.text
    assert "it broke here \ufffd" in ready("recall", "broke").out


def test_a_server_that_others_could_reach_is_never_started(ready):
    run = ready("mcp", "--http", "--host", "0.0.0.0", "--json")

    assert run.code == 5
    assert run.answer["error"]["code"] == "forbidden"


@pytest.mark.row("KB-128")
def test_a_read_only_server_offers_no_tool_that_writes(ready):
    offered = []
    serve_inside(ready, lambda server: offered.extend(FactQuery(server).tools()), "--read-only")
    assert {tool.name for tool in offered} == {"recall", "fetch", "changes"}


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
