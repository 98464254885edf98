"""
Other people's programs find nothing wrong with the MCP server.

`python -m prove.mcp [--operations 300] [--messages 5000] [--seed 1]`: the MCP
inspector lists and calls our tools; the conformance suite asks a fixture on our
transport; random operations go to the reference memory server and to ours, whose
answers must be equal; and malformed messages find the server alive, and the store
as it was. The first three come from npm, into a folder of their own, and are
skipped with the reason where that cannot be.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from threading import Thread, Timer
from typing import IO, Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from prove import mcp_fixture
from prove.ground import conclude
from tilth.runtime import connect as bootstrap

_PROCESSES = get_context("spawn")
_INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
_MEMORY = "@modelcontextprotocol/server-memory@2026.8.31"
# Newer ones of the suite need a newer node.
_CONFORMANCE = {22: "0.1.16", 0: "0.1.10"}
# Scenarios that are not passed, and why not.
EXCEPTIONS = {
    "logging-set-level": "logging is deprecated since 2026-07-28, and not offered",
    "tools-call-with-logging": "logging is deprecated since 2026-07-28, and not offered",
    "tools-call-sampling": "sampling is deprecated since 2026-07-28; models are never the client's",
    "tools-call-with-progress": "every call answers at once, in one JSON body",
    "tools-call-elicitation": "no tool asks back: nothing is kept between requests",
    "elicitation-sep1034-defaults": "no tool asks back: nothing is kept between requests",
    "elicitation-sep1330-enums": "no tool asks back: nothing is kept between requests",
    "resources-subscribe": "nothing is kept between requests, so nobody can be told later",
    "resources-unsubscribe": "nothing is kept between requests, so nobody can be told later",
    "json-schema-2020-12": "it looks for keywords written by hand; our schemas are made of types",
}
_NAMES = ("kettle", "Ana", "Ben", "garden", "Übung 東京")
_TYPES = ("device", "person", "place")
_TEXTS = ("boils at once", "likes tea", "has a red door", "leaks", 'says "hi" \\ <b>')


@dataclass(frozen=True, slots=True)
class Home:
    """A folder with a store in it, and how the server of that store is started."""

    folder: Path

    @property
    def environ(self) -> dict[str, str]:
        """The environment in which the server finds the store."""
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return kept | {"HOME": str(self.folder), "TILTH_HOME": str(self.folder / "tilth")}

    @property
    def store(self) -> Path:
        """Where the store is."""
        return self.folder / "tilth" / "tilth.db"

    def command(self, *words: str) -> list[str]:
        """Return the command line of the server."""
        return [sys.executable, "-m", "tilth", "mcp", "--store", str(self.store), *words]

    def count(self) -> int:
        """Count the episodes in the store."""
        with bootstrap.connect(self.store) as brain:
            return len(brain.episodes.list(limit=1000))


def main() -> None:
    """Read the command line, run, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--operations", type=int, default=300)
    parser.add_argument("--messages", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    conclude(*run(arguments.operations, arguments.messages, arguments.seed))


def run(operations: int, messages: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    report: dict[str, object] = {"programme": "mcp"}
    failures: list[str] = []
    with _home() as home:
        report["fuzz"], failed = _fuzz(home, Random(seed), messages)
        failures += failed
    tools, reason = _npm_tools()
    if tools is None:
        return {**report, "skipped": f"inspector, conformance, reference: {reason}"}, failures
    with _home() as home:
        report["inspector"], failed = _inspect(home, tools)
        failures += failed
    report["conformance"], failed = _conform(tools)
    failures += failed
    with _home() as home:
        report["reference"], failed = _replay(home, tools, Random(seed), operations)
        failures += failed
    return report, failures


@contextmanager
def _home() -> Iterator[Home]:
    home = Home(Path(tempfile.mkdtemp(prefix="tilth-mcp-")))
    try:
        with bootstrap.connect(home.store, create=True) as brain:
            brain.remember("The kettle listens on port 8443.", session_id="kitchen")
        yield home
    finally:
        shutil.rmtree(home.folder)


def _npm_tools() -> tuple[Path | None, str]:
    """Return the folder of the programs that npm installed; None and why not."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None, "npm or node is not here"
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    major = int(said.lstrip("v").partition(".")[0])
    version = next(one for least, one in _CONFORMANCE.items() if major >= least)
    folder = Path(tempfile.gettempdir()) / f"tilth-prove-npm-{os.getuid()}"
    wanted = [_INSPECTOR, _MEMORY, f"@modelcontextprotocol/conformance@{version}"]
    done = subprocess.run(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *wanted],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        return None, f"npm does not install them: {done.stderr.strip()[-200:]}"
    return folder / "node_modules" / ".bin", ""


def _inspect(home: Home, tools: Path) -> tuple[dict[str, object], list[str]]:
    """Ask through the inspector, as its users do."""
    asked: dict[str, tuple[list[str], str]] = {
        "tools/list": ([], '"readOnlyHint": true'),
        "resources/list": ([], "tilth://sessions"),
        "resources/templates/list": ([], "tilth://session/{session_id}"),
        "prompts/list": ([], "recall-first"),
        "resources/read": (["--uri", "tilth://session/kitchen"], "port 8443"),
        "tools/call": (
            ["--tool-name", "recall", "--tool-arg", "query=which port has the kettle"],
            '"answerable": true',
        ),
    }
    failures = []
    for method, (words, expected) in asked.items():
        begin = [str(tools / "mcp-inspector"), "--cli"]
        command = [*begin, *home.command(), "--method", method, *words]
        done = subprocess.run(
            command, capture_output=True, text=True, env=home.environ, timeout=60, check=False
        )
        if done.returncode or expected not in done.stdout:
            failures.append(f"inspector, {method}: {(done.stderr or done.stdout)[-300:]}")
    return {"methods": len(asked), "failed": len(failures)}, failures


def _conform(tools: Path) -> tuple[dict[str, object], list[str]]:
    """Run every scenario of the suite, one by one."""
    program = str(tools / "conformance")
    listed = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    scenarios = re.findall(r"- (\S+)", listed.partition("Client scenarios")[0])
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    server = _PROCESSES.Process(target=mcp_fixture.serve, args=(theirs.send,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{ours.recv()}/mcp"
    passed, failures = [], []
    try:
        for scenario in scenarios:
            done = subprocess.run(
                [program, "server", "--url", url, "--scenario", scenario],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
                cwd=tempfile.gettempdir(),
            )
            if done.returncode == 0:
                passed.append(scenario)
            elif scenario not in EXCEPTIONS:
                failures.append(f"conformance, {scenario}: {done.stdout[-400:]}")
    finally:
        server.terminate()
        server.join()
    argued = {name: why for name, why in EXCEPTIONS.items() if name not in passed}
    return {"scenarios": len(scenarios), "passed": len(passed), "exceptions": argued}, failures


def _replay(
    home: Home, tools: Path, rng: Random, count: int
) -> tuple[dict[str, object], list[str]]:
    """Send equal operations to the reference memory server and to ours."""
    operations = [_operation(rng) for _ in range(count)]
    graph = home.folder / "memory.jsonl"
    theirs = StdioServerParameters(
        command=str(tools / "mcp-server-memory"),
        env=home.environ | {"MEMORY_FILE_PATH": str(graph)},
    )
    command, *words = home.command("--compat", "memory")
    ours = StdioServerParameters(command=command, args=words, env=home.environ)
    started = time.monotonic()
    expected = anyio.run(_answers, theirs, operations)
    between = time.monotonic()
    given = anyio.run(_answers, ours, operations)
    done = time.monotonic()
    failures = [
        f"reference, operation {number} {name}: {mine} instead of {reference}"
        for number, ((name, _), reference, mine) in enumerate(
            zip(operations, expected, given, strict=True)
        )
        if mine != reference
    ]
    report: dict[str, object] = {
        "operations": count,
        "differences": len(failures),
        "reference_ms_each": round((between - started) / count * 1000, 1),
        "ours_ms_each": round((done - between) / count * 1000, 1),
    }
    return report, failures[:5]


async def _answers(
    server: StdioServerParameters, operations: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[object]:
    answers: list[object] = []
    async with Client(stdio_client(server)) as client:
        for name, arguments in operations:
            answer = await client.call_tool(name, dict(arguments))
            # Of a refusal, only that it is one: each words it in its own way.
            answers.append("refused" if answer.is_error else answer.structured_content)
    return answers


def _operation(rng: Random) -> tuple[str, Mapping[str, Any]]:
    """Return an operation; nothing comes twice in a batch, which newer servers leave out too."""
    names = rng.sample(_NAMES, rng.randint(1, 2))
    texts = rng.sample(_TEXTS, rng.randint(0, 2))
    relation = {"from": names[0], "to": rng.choice(_NAMES), "relationType": rng.choice(_TYPES)}
    made = [{"name": one, "entityType": rng.choice(_TYPES), "observations": texts} for one in names]
    operations: list[tuple[str, Mapping[str, Any]]] = [
        ("create_entities", {"entities": made}),
        ("create_relations", {"relations": [relation]}),
        ("add_observations", {"observations": [{"entityName": names[0], "contents": texts}]}),
        ("delete_entities", {"entityNames": names[:1]}),
        (
            "delete_observations",
            {"deletions": [{"entityName": names[0], "observations": texts}]},
        ),
        ("delete_relations", {"relations": [relation]}),
        ("read_graph", {}),
        ("search_nodes", {"query": rng.choice((*_NAMES, *_TYPES, "TEA", ""))}),
        ("open_nodes", {"names": names}),
    ]
    return rng.choice(operations)


def _fuzz(home: Home, rng: Random, count: int) -> tuple[dict[str, object], list[str]]:
    """Send malformed messages; after them the server answers, and the store is as it was."""
    before = home.count()
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "prove", "version": "1"},
    }
    lines = [_message(0, "initialize", hello)]
    lines += [_malformed(rng, number) for number in range(1, count)]
    lines.append(_message(count, "tools/list", {}))
    started = time.monotonic()
    answers, ended, said = _told(home, lines, count)
    seconds = time.monotonic() - started
    failures = [] if ended == 0 else [f"fuzz: the server ended with {ended}"]
    if not any(answer.get("id") == count and "result" in answer for answer in answers):
        failures.append("fuzz: the server did not answer after all that")
    if home.count() != before:
        failures.append("fuzz: a rejected message wrote something")
    if "Traceback" in said:
        failures.append(f"fuzz: {said[-500:]}")
    return {"messages": count, "answers": len(answers), "seconds": round(seconds, 1)}, failures


def _told(home: Home, lines: Sequence[bytes], last: int) -> tuple[list[dict[str, Any]], int, str]:
    """Write *lines*, and read until *last* is answered; return answers, exit code and log."""
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            home.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=home.environ,
        ) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        overdue = Timer(300, server.kill)
        overdue.start()
        writer = Thread(target=_write, args=(server.stdin, lines))
        writer.start()
        answers: list[dict[str, Any]] = []
        for line in server.stdout:
            answers.append(json.loads(line))
            if answers[-1].get("id") == last:
                break
        writer.join()
        # What is still under way when its input ends, a server need not answer.
        server.stdin.close()
        ended = server.wait()
        overdue.cancel()
        log.seek(0)
        return answers, ended, log.read().decode(errors="replace")


def _write(stream: IO[bytes], lines: Sequence[bytes]) -> None:
    stream.writelines(line + b"\n" for line in lines)
    stream.flush()


def _message(number: int, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def _malformed(rng: Random, number: int) -> bytes:
    """Return a message that must be rejected, or that can change nothing."""
    deep: object = "x"
    for _ in range(200):
        deep = [deep]
    value = rng.choice([None, True, -1, 1e308, "", "x" * 5000, [], {}, deep, "\x00", "undefined"])
    name = rng.choice(["text", "scope", "session_id", "kind", "role", "occurred_at", "trust"])
    # Two of them are wrong, since what is empty is not given, and one of them may be it.
    arguments = {"text": "planted", "scope": "nowhere at all", "kind": "no kind", name: value}
    good = _message(number, "tools/call", {"name": "remember", "arguments": arguments})
    return rng.choice(
        [
            good,
            good[: rng.randrange(len(good))],
            bytes(rng.choices(range(11, 256), k=50)),
            _message(number, rng.choice(["tools/call", "resources/read", "", "x"]), value),
            _message(number, "tools/call", {"name": value, "arguments": value}),
            json.dumps(rng.choice([value, [value], {"jsonrpc": "1.0", "id": value}])).encode(),
        ]
    )


if __name__ == "__main__":
    main()
