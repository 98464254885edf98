"""Whatever another owner keeps is nowhere, for every verb, by each way in."""

import json
import re
from collections import Counter
from functools import partial

import pytest

import tilth
from tests.interfaces.anothers import CANARY, keep_anothers
from tests.interfaces.http.served import serving
from tests.interfaces.mcp.clients import FactQuery
from tests.interfaces.sampling import sample, told_to
from tests.interfaces.test_conformance import MCP, by_cli, by_http, line_of
from tilth.agents.injections import Injections
from tilth.core.actor import Human
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.mcp.handshake import CALLER
from tilth.interfaces.mcp.server import FAMILIES, build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.runtime.system import SystemIds

MINE = "project:a/b"
MAKES = {"entities.add", "receipts.keep", "remember", "remember_many", "sessions.describe",
         "topics.add", "words.ignore", "words.register"}  # fmt: skip
# Their scope says where something is put, by an owner who sees all of their scopes.
PLACED = {"conversations.add", "gaps.add"}
NOWHERE = "nobodyofthat"
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\b\d{16}\b")


def words_of(told, ids):
    """Return what asks for what is there and another's, and the same of what is nowhere."""

    def put(value, word, known):
        if isinstance(value, list):
            return [put(one, word, known) for one in value]
        if isinstance(value, dict):
            return {name: put(one, word, known) for name, one in value.items()}
        if not isinstance(value, str):
            return value
        if value.endswith("0" * 26):
            return known.get(value[:4], value)
        return word if value == "words" else value

    there = {name: put(value, CANARY, ids) for name, value in told.items()}
    return there, {name: put(value, NOWHERE, {}) for name, value in told.items()}


def plainly(answer):
    """Return an answer without what differs from call to call: IDs, moments and what was asked."""
    said = _TIME.sub("TIME", _ULID.sub("ID", json.dumps(answer, ensure_ascii=False)))
    return said.replace(CANARY, "WORD").replace(NOWHERE, "WORD")


def head(brain):
    with brain.parts.store.read() as view:
        return view.head().seq


def over_mcp(ask, caller):
    """Yield each verb that a tool of MCP reaches, what asks it, and what is told."""
    for tool in ask.run(lambda one: one.list_tools()).tools:
        for way in MCP[tool.name]:
            options = way.options(tool.input_schema["properties"]).items()
            told = {one: sample(option, caller) for one, option in options}
            yield way.verb, partial(by_tool, ask, tool.name), dict(way.when) | told


def by_tool(ask, tool, told):
    return ask(tool, **told).structured_content


def by_line(ready, verb, told):
    return by_cli(ready, line_of(verb, told)[0])


@pytest.mark.row("C-25", "I28")
@pytest.mark.parametrize("owner", ["eve", "local"])
def test_what_is_kept_elsewhere_is_nowhere_for_every_verb_by_each_way_in(
    ready, tmp_path, monkeypatch, owner
):
    """Of another owner, or of a scope beside the one that is asked in."""
    monkeypatch.chdir(tmp_path)  # A backup goes to the place that is told.
    theirs = keep_anothers(ready.store, owner)
    ids = {one[:4]: one for one in theirs.values() if one[3:4] == "_"}
    unlike, counts, changed = {}, Counter(), set()

    def compare(brain, name, way, ask, told):
        there, nowhere = words_of(told, ids)
        is_meant = owner == "eve" or ("scope" in told and name not in PLACED)
        if there == nowhere or not is_meant:
            return
        before = head(brain)
        expected, came = plainly(ask(nowhere)), plainly(ask(there))
        if head(brain) != before:
            changed.add(name)
            return
        counts[way] += 1
        counts["refused"] += "not_found" in expected
        if came != expected:
            unlike[name, way] = (came, expected)

    with tilth.connect(ready.store, actor=Human("ana")) as mine, serving(mine, tmp_path) as served:
        mine.remember("The kettle is on.", session_id="s1", scope=MINE)
        client = served.client(Role.ADMIN, "bob")
        # What is made goes by the words that are looked for, so it is made last.
        for path, verb in sorted(
            call_verb.offered().items(), key=lambda one: one[1].python in MAKES
        ):
            told = told_to(verb, mine.parts)
            compare(mine, verb.python, "http", partial(by_http, client, path), told)
            if verb.command:
                compare(mine, verb.python, "cli", partial(by_line, ready, verb), told)
    with tilth.connect(ready.store, actor=CALLER) as agent:
        service = Service(Project(agent), Injections(tmp_path / "injected.log", SystemIds()))
        ask = FactQuery(build_server(service, also=FAMILIES))
        for name, asking, told in over_mcp(ask, agent.parts):
            compare(agent, name, "mcp", asking, told)
    assert not unlike, "\n".join(map(str, unlike.items()))
    assert changed <= MAKES
    assert counts["http"] > 80
    assert counts["cli"] > 60
    assert counts["mcp"] > 10
    assert counts["refused"] > 90
