"""Every verb is reached, answers and refuses alike by each way in: generated from the registry."""

import json
import shlex
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import cycle
from operator import attrgetter

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client

from tests.brains import a_brain
from tests.fakes import CountingIds
from tests.interfaces.http.served import csrf_of, serving
from tests.interfaces.sampling import made, sample, told_to
from tests.program import acting
from tilth import aio
from tilth.agents.injections import Injections
from tilth.core import errors
from tilth.core.actor import ActorKind, Human
from tilth.core.errors import ConflictError, TilthError
from tilth.core.verb import Verb
from tilth.interfaces.error_codes import error_body, outcome_of
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.mcp.server import FAMILIES, build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.interfaces.to_json import to_json
from tilth.runtime.index import index

ROLES = (Role.AGENT, Role.REVIEWER, Role.ADMIN)
REFUSALS = [
    one for one in vars(errors).values() if isinstance(one, type) and TilthError in one.__mro__[1:]
]


def line_of(verb: Verb, told):
    """Return the command line that tells the same, and what of it a command line can tell."""
    flags, bare, said = [], [], {}
    for one in index()["commands"][verb.command]["arguments"]:
        name = one["dest"]
        if name not in told or one.get("is_view"):
            continue
        value = said[name] = told[name]
        words = [json.dumps(item) if isinstance(item, dict) else str(item)
                 for item in (value if isinstance(value, list) else [value])]  # fmt: skip
        if "flags" not in one:
            bare += words
        elif one.get("action") in {"store_true", "either"}:
            flags.append(one["flags"][0])
        else:
            flags += [one["flags"][0], *words]
    return [*shlex.split(verb.command), *bare, *flags, "--json"], said


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


@dataclass
class Core:
    """Stands for what a verb does: it keeps what reached it, and answers or refuses as told."""

    answer: object = None
    reached: list[dict[str, object]] = field(default_factory=list)

    def __call__(self, _caller, **values):
        # The command line shows how far the work has come; nobody else can be called back.
        told = {name: shown(one) for name, one in values.items() if not callable(one)}
        self.reached.append(told)
        if isinstance(self.answer, TilthError):
            raise self.answer
        return self.answer

    def asked(self, surface, told):
        """Return what came of asking by *surface*: what reached the core, and what came back."""
        self.reached.clear()
        came = surface()
        got = self.reached[0] if self.reached else {}
        # A way in that cannot tell everything is compared in what it can.
        return {name: one for name, one in got.items() if name in told}, came


def standing_in(patch, verb: Verb) -> Core:
    _ = verb.signature, verb.returns, verb.doc, verb.module  # As they are declared.
    core = Core()
    patch.setitem(verb.__dict__, "function", core)
    return core


def compared(core: Core, verb: Verb, answer, surfaces):
    """Return where what reached the core, or what came back, is not what it is in Python."""
    core.answer, unlike, first = answer, {}, None
    is_refusal = isinstance(answer, TilthError)
    expected = refused(answer) if is_refusal else to_json(verb.json(answer))
    for surface, (ask, told) in surfaces.items():
        got, came = core.asked(ask, told)
        first = got if first is None else first
        wanted = {name: first.get(name) for name in told}
        if (got, came) != (wanted, expected):
            unlike[verb.python, surface] = got, wanted, came, expected
    return unlike


@pytest.mark.row("OB-071", "OB-022", "I44")
def test_every_verb_is_reached_answers_and_refuses_alike(place, tmp_path, ready, monkeypatch):
    """Each verb answers with a value of its type, then refuses with one of the errors in turn."""
    unlike, counts, refusals = {}, Counter(), cycle(REFUSALS)
    with a_brain(place.open(), place.clock) as brain, serving(brain, tmp_path) as served:
        person = call_verb.acting(brain, Human("ana"))
        client = served.client(Role.ADMIN, "bob")
        with asynchronous(served.url, served.tokens.add("ana", Role.ADMIN)) as by_aio:
            for path, verb in call_verb.offered().items():
                told = told_to(verb, brain.parts)
                surfaces = {
                    "python": (partial(by_python, person, verb, told), told),
                    "http": (partial(by_http, client, path, told), told),
                    "aio": (partial(by_aio, verb, told), told),
                }
                if verb.command:
                    words, said = line_of(verb, told)
                    surfaces["cli"] = (partial(by_cli, ready, words), said)
                counts.update(surfaces.keys())
                refusal = next(refusals)("so it is", hint="do that")
                with monkeypatch.context() as patch:
                    core = standing_in(patch, verb)
                    for answer in (made(verb.returns), refusal):
                        unlike |= compared(core, verb, answer, surfaces)
    assert not unlike, "\n".join(map(str, unlike.items()))
    assert counts["python"] == len(call_verb.offered()) > 140
    assert counts["cli"] > 80


@pytest.mark.row("OB-071", "I44")
def test_every_verb_is_reached_by_a_form_of_the_pages_and_refuses_as_over_http(
    place, tmp_path, monkeypatch
):
    unlike, compared_count, refusals = {}, 0, cycle(REFUSALS)
    with a_brain(place.open(), place.clock) as brain, serving(brain, tmp_path) as served:
        browser, client = served.browser("ana"), served.client(Role.ADMIN, "bob")
        csrf = csrf_of(browser.get("/settings").text)
        for path, verb in call_verb.offered().items():
            told = told_to(verb, brain.parts)
            # A form has fields of text, and no objects.
            told = {name: value for name, value in told.items() if is_of_words(value)}
            if any(one.is_required and one.name not in told for one in verb.options):
                continue
            refusal = next(refusals)("so it is", hint="do that")
            with monkeypatch.context() as patch:
                core = standing_in(patch, verb)
                core.answer = refusal
                by_api = core.asked(partial(by_http, client, path, told), told)
                by_page = core.asked(partial(by_form, browser, path, told, csrf), told)
                core.answer = made(verb.returns)
                done = by_form(browser, path, told, csrf)
            if by_page != by_api or by_page[1] != refused(refusal) or done.keys() != {"said"}:
                unlike[path] = by_api, by_page, done
            compared_count += 1
    assert not unlike, "\n".join(map(str, unlike.items()))
    assert compared_count > 150


def is_of_words(value):
    values = value if isinstance(value, list) else [value]
    return all(isinstance(one, str | int | float) for one in values)


def by_form(browser, path, told, csrf):
    """Send a form as a page does; a box that is ticked says so, another says nothing."""
    fields = {
        name: value if isinstance(value, list) else str(value).lower() if value is True else value
        for name, value in told.items()
        if value is not False
    }
    answer = browser.post(
        "/act",
        data={**fields, "verb": path, "csrf": csrf},
        headers={"accept": "application/json"},
    )
    came = answer.json()
    if answer.status_code != 200:
        kind = errors.error_of(came["error"]["code"], "")
        assert answer.status_code == outcome_of(kind).http_status, came
    return came


def refused(error: TilthError):
    """Return what every way in shows of a refusal."""
    return error_body(error.code, str(error), error.hint)


def by_python(brain, verb, told):
    values = {
        one.name: one.kind(**told[one.name]) if hasattr(one.kind, "__dataclass_fields__")
        else told[one.name] for one in verb.options if one.name in told
    }  # fmt: skip
    try:
        answer = attrgetter(verb.python)(brain)(**values)
    except TilthError as error:
        return refused(error)
    return to_json(verb.json(answer))


def by_http(client, path, told):
    answer = client.post(f"/v1/{path}", json=told)
    came = answer.json()
    if answer.status_code != 200:
        kind = errors.error_of(came["error"]["code"], "")
        assert answer.status_code == outcome_of(kind).http_status, came
    return came


def by_cli(ready, words):
    with acting("human"):
        run = ready(*words)
    came = run.answer
    is_refusal = isinstance(came, dict) and came.keys() == {"error"}
    if is_refusal:
        assert run.code == outcome_of(errors.error_of(came["error"]["code"], "")).exit_code, came
    return came


@contextmanager
def asynchronous(url, token):
    """Yield what asks by one client of `tilth.aio`, whose answers equal those of Python."""
    with start_blocking_portal() as portal:
        brain = portal.call(_connected, url, token)

        async def ask(verb, told):
            try:
                answer = await attrgetter(verb.python)(brain)(**told)
            except TilthError as error:
                return refused(errors.error_of(error.code, str(error), error.hint))
            if verb.as_json is not None:
                return answer
            assert answer == made(verb.returns), (verb.python, answer)
            return to_json(verb.json(answer))

        yield lambda verb, told: portal.call(ask, verb, told)
        portal.call(brain.close)


async def _connected(url, token):
    return aio.connect(url, token=token)


@dataclass(frozen=True, kw_only=True)
class OverMcp:
    """What a tool of MCP does: one verb, when it is called with these arguments."""

    verb: str
    when: dict[str, str] = field(default_factory=dict)
    # Its words for arguments of the verb, which are worded for agents.
    words: dict[str, str] = field(default_factory=dict)
    # What it does itself: cutting texts, finding the fact or conversation that is meant.
    own: set[str] = field(default_factory=set)

    def options(self, taken):
        """Return the arguments of the verb by what the tool calls them."""
        known = {one.name: one for one in self.declared.options}
        theirs = taken.keys() - self.when.keys() - self.own
        return {one: known[self.words.get(one, one)] for one in theirs}

    @property
    def declared(self) -> Verb:
        return call_verb.offered()[self.verb.replace(".", "/")]

    def asked(self, core, agent, ask, told, options):
        """Return what came of asking in Python, and of asking over MCP."""
        here = {option.name: told[one] for one, option in options.items()}
        by_mcp = partial(_structured, ask, told)
        ways = (partial(by_python, agent, self.declared, here), by_mcp)
        return [core.asked(one, here) for one in ways]


def _structured(ask, told):
    return ask(told).structured_content


_FETCHED = OverMcp(verb="fetch", words={"ids": "episode_ids"}, own={"offset", "max_tokens"})
_PROPOSED = {"id": "fact_id"}
_TRAITS = {"with_past"}
MCP = {
    "recall": [
        OverMcp(verb="recall", words={"query": "question"}, own={"max_tokens", "response_format",
                "session_id"})
    ],
    "fetch": [_FETCHED],
    "changes": [OverMcp(verb="changes")],
    "remember": [OverMcp(verb="remember", words={"occurred_at": "at"})],
    "feedback": [OverMcp(verb="feedback", words={"id": "target"})],
    "propose": [
        OverMcp(verb="facts.reword", when={"action": "supersede"}, words=_PROPOSED),
        OverMcp(verb="facts.retire", when={"action": "retire"}, words=_PROPOSED, own={"text"}),
        OverMcp(verb="facts.promote", when={"action": "promote"}, words=_PROPOSED, own={"text"}),
        OverMcp(verb="review.question", when={"action": "doubt"}, words=_PROPOSED, own={"text"}),
    ],
    "kg_query": [OverMcp(verb="kg.query")],
    "kg_add": [OverMcp(verb="kg.add")],
    "person_resolve": [
        OverMcp(verb="people.resolve", own={"display_name"}),
        OverMcp(verb="people.suggest"),
    ],
    "person_profile": [
        OverMcp(verb="people.profile", own=_TRAITS),
        OverMcp(verb="people.history", when={"with_past": True}),
    ],
    "person_tell": [OverMcp(verb="people.tell", words={"name": "entity"})],
    "conversation_context": [
        OverMcp(verb="conversations.context", words={"conversation_id": "conversation"},
                own={"summary_tokens", "recent", "transport", "is_private"})
    ],
    "conversation_add": [
        OverMcp(verb="conversations.add", words={"conversation_id": "conversation", "key":
                "idempotency_key"}, own={"name", "transport", "address", "scope"})
    ],
    "wiki": [OverMcp(verb="pages.get", words={"page_name": "name"})],
    "wiki_start": [OverMcp(verb="pages.read")],
    "wiki_manifest": [OverMcp(verb="pages.manifest")],
    "compile_wiki": [
        OverMcp(verb="pages.compile", words={"page_type": "kind", "subject": "what",
                "page_name": "name"})
    ],
}  # fmt: skip


@pytest.fixture
def tools(place, tmp_path):
    """What asks each tool of every family by its name, of a brain with the things it needs."""
    with a_brain(place.open(), place.clock) as brain:
        server = build_server(
            Service(Project(brain), Injections(tmp_path / "injected.log", CountingIds())),
            also=FAMILIES,
        )
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(server)) as client,
        ):
            yield (
                brain,
                lambda name, told: portal.call(client.call_tool, name, told),
                {one.name: one for one in portal.call(client.list_tools).tools},
            )


@pytest.mark.row("OB-071", "OB-022", "I44")
def test_every_tool_of_mcp_reaches_its_verb_and_refuses_as_python_does(tools, monkeypatch):
    brain, asked, offered = tools
    assert offered.keys() == MCP.keys()
    agent = call_verb.acting(brain, brain.parts.by)
    fact = agent.facts.add("Tea is at four.", about=["tea"]).fact
    known = {"fact_id": fact.id, "name": agent.entities.get("tea").entity.id, "transport": "cli"}
    unlike, wrong_count, refusals = {}, 0, cycle(REFUSALS)
    for name, way in ((name, way) for name, ways in MCP.items() for way in ways):
        taken = offered[name].input_schema["properties"]
        options = way.options(taken)
        told = dict(way.when)
        for one, option in options.items():
            value = known.get(option.name) or sample(option, brain.parts)
            told[one] = max(value, taken[one].get("minimum", 0)) if value == 1 else value
        with monkeypatch.context() as patch:
            core = standing_in(patch, way.declared)
            core.answer = next(refusals)("so it is", hint="do that")
            wanted, got = way.asked(core, agent, partial(asked, name), told, options)
            if got != wanted or len(got[0]) != len(options):
                unlike[name, way.verb] = (got, wanted)
            core.answer = ConflictError("the core was reached")
            for one, option in options.items():
                wrong = told | {one: -7 if option.kind is int else "no: such"}
                wanted, got = way.asked(core, agent, partial(asked, name), wrong, options)
                if not wanted[0]:  # Refused before the core was reached.
                    wrong_count += 1
                    if got[0] or got[1]["error"]["code"] != wanted[1]["error"]["code"]:
                        unlike[name, way.verb, one] = (got, wanted)
    assert not unlike, "\n".join(map(str, unlike.items()))
    assert wrong_count > 20


# What writes files where it is told, destroys, or hands the store on.
_ADMINS_ALONE = {"backup", "erase.confirm", "erase.plan", "rebuild"}


@pytest.mark.row("T1", "C-17", "I38")
def test_every_verb_is_reached_by_those_whom_it_is_for_and_by_nobody_else(
    place, tmp_path, monkeypatch
):
    unlike, admins = {}, set()
    with a_brain(place.open(), place.clock) as brain, serving(brain, tmp_path) as served:
        clients = {role: served.client(role) for role in (None, *ROLES)}
        for path, verb in call_verb.offered().items():
            told = told_to(verb, brain.parts)
            statuses = {}
            with monkeypatch.context() as patch:
                core = standing_in(patch, verb)
                core.answer = ConflictError("the core was reached")
                for role, client in clients.items():
                    core.reached.clear()
                    answer = client.post(f"/v1/{path}", json=told)
                    statuses[role] = answer.status_code
                    assert bool(core.reached) is (answer.status_code == 409), (path, role)
            humans = statuses.pop(Role.ADMIN)
            if humans == 409 and statuses[Role.REVIEWER] == 403:
                admins.add(verb.python)
                statuses[Role.REVIEWER] = humans
            is_agents = ActorKind.AGENT in verb.roles and verb.python not in admins
            expected = {None: 401, Role.AGENT: 409 if is_agents else 403, Role.REVIEWER: 409}
            if statuses != expected:
                unlike[path] = statuses
    assert not unlike
    assert admins >= _ADMINS_ALONE


def shown(value):
    """Return a value so that equal ones are equal: tuples and lists are."""
    if isinstance(value, timedelta | datetime):
        return str(value)
    return to_json(value)
