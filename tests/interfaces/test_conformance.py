"""Every verb reaches the core alike by Python, the command line, HTTP and `tilth.aio`."""

import json
import shlex
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import get_origin

import anyio
import pytest

from tests.brains import a_brain
from tests.interfaces.http.served import serving
from tests.program import acting
from tilth import aio
from tilth.core.actor import ActorKind, Human
from tilth.core.errors import ConflictError, InvalidInputError, TilthError
from tilth.core.outside.paths import whole_path
from tilth.core.verb import VERBS, Option, Verb, members_of
from tilth.interfaces.http import calling
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.plain import plain
from tilth.runtime.index import index

REACHED = "the core was reached"
CONFLICT = 4
ROLES = (Role.AGENT, Role.REVIEWER, Role.ADMIN)
# Words that arguments with a grammar of their own take; the first that is read is given.
_WORDS = ("words", "high", "cli", "24h", "2026-01-02", "project:a/b", "rec_1", "1")


def sample(option: Option, caller):
    """Return something that *option* takes, as JSON."""
    if option.arg.rows:
        needed = [one for one in VERBS[option.arg.rows].options if one.is_required]
        return [{one.name: sample(one, caller) for one in needed}]
    if hasattr(option.kind, "__dataclass_fields__"):
        return {one.name: sample(one, caller) for one in members_of(option.kind) if one.is_required}
    one = _one(option, caller)
    return [one] if option.is_many else one


def _one(option: Option, caller):
    kind = option.kind
    if option.choices:
        return option.choices[0]
    if kind in (bool, int, float):
        return {bool: True, int: max(1, option.arg.least or 1), float: 0.5}[kind]
    if get_origin(kind) is not None and "Mapping" in str(kind):
        return {"a": "b"}
    prefix = getattr(kind, "prefix", option.arg.id)
    words = [f"{prefix}{'0' * 26}"] if prefix else list(_WORDS)
    if option.arg.parse is whole_path:
        words = ["/nowhere"]
    if option.name == "scope":
        words = ["project:a/b"]
    for word in words:
        try:
            option.read([word] if option.is_many else word, caller)
        except (InvalidInputError, ValueError):
            continue
        return word
    raise AssertionError(f"nothing is known that {option.name} takes")


def told_to(verb: Verb, caller):
    """Return one value for every argument; of those that exclude each other, the first."""
    told, sets = {}, set()
    for option in calling.options_of(verb):
        if option.arg.exclusive in sets:
            continue
        sets |= {option.arg.exclusive} - {""}
        told[option.name] = sample(option, caller)
    return told


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


@dataclass(frozen=True)
class Core:
    """Stands for what verbs do: it keeps what reached it, and refuses."""

    reached: list[dict[str, object]]

    def __call__(self, _caller, **values):
        # The command line shows how far the work has come; nobody else can be called back.
        told = {name: shown(one) for name, one in values.items() if not callable(one)}
        self.reached.append(told)
        raise ConflictError(REACHED)


def compared(core: Core, surfaces):
    """Yield what is wrong, by the surface: each way of asking, and what it can tell."""
    first = None
    for surface, (ask, told) in surfaces.items():
        core.reached.clear()
        problem = ask()
        got = {name: one for name, one in (core.reached or [{}])[0].items() if name in told}
        first = first if first is not None else got
        expected = {name: one for name, one in first.items() if name in told}
        if problem or got != expected or got.keys() != told.keys():
            yield surface, problem or (got, expected, sorted(told))


@pytest.mark.row("OB-071", "OB-022")
def test_every_verb_reaches_the_core_alike(place, tmp_path, ready, monkeypatch):
    unlike, counts, core = {}, Counter(), Core([])
    with a_brain(place.open(), place.clock) as brain, serving(brain, tmp_path) as served:
        person = calling.acting(brain, Human("ana"))
        token = served.tokens.add("ana", Role.ADMIN)
        client = served.client(Role.ADMIN, "bob")
        for path, verb in calling.offered().items():
            told = told_to(verb, brain.parts)
            _ = verb.signature, verb.returns, verb.doc, verb.module  # As they are declared.
            surfaces = {
                "python": (partial(by_python, person, verb, told), told),
                "http": (partial(by_http, client, path, told), told),
                "aio": (partial(by_aio, served.url, token, verb, told), told),
            }
            if verb.command:
                words, said = line_of(verb, told)
                surfaces["cli"] = (partial(by_cli, ready, words), said)
            counts.update(surfaces.keys())
            with monkeypatch.context() as patch:
                patch.setitem(verb.__dict__, "function", core)
                unlike |= {f"{verb.python} by {name}": why
                           for name, why in compared(core, surfaces)}  # fmt: skip
    assert not unlike, "\n".join(map(str, unlike.items()))
    assert counts["python"] == len(calling.offered()) > 140
    assert counts["cli"] > 80


# What writes files where it is told, destroys, or hands the store on.
_ADMINS_ALONE = {"backup", "erase.confirm", "erase.plan", "rebuild"}


@pytest.mark.row("T1", "C-17", "I38")
def test_every_verb_is_reached_by_those_whom_it_is_for_and_by_nobody_else(
    place, tmp_path, monkeypatch
):
    unlike, core, admins = {}, Core([]), set()
    with a_brain(place.open(), place.clock) as brain, serving(brain, tmp_path) as served:
        clients = {role: served.client(role) for role in (None, *ROLES)}
        for path, verb in calling.offered().items():
            told = told_to(verb, brain.parts)
            _ = verb.signature, verb.returns, verb.doc, verb.module  # As they are declared.
            statuses = {}
            with monkeypatch.context() as patch:
                patch.setitem(verb.__dict__, "function", core)
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
    return plain(value)


def by_python(brain, verb, told):
    values = {
        one.name: one.kind(**told[one.name]) if hasattr(one.kind, "__dataclass_fields__")
        else told[one.name] for one in verb.options if one.name in told
    }  # fmt: skip
    try:
        attrgetter(verb.python)(brain)(**values)
    except (TilthError, TypeError) as error:
        return "" if type(error) is ConflictError and str(error) == REACHED else repr(error)
    return "it returned"


def by_http(client, path, told):
    answer = client.post(f"/v1/{path}", json=told)
    is_right = answer.status_code == 409 and answer.json()["error"]["message"] == REACHED
    return "" if is_right else answer.text


def by_aio(url, token, verb, told):
    async def run():
        async with aio.connect(url, token=token) as brain:
            await attrgetter(verb.python)(brain)(**told)

    try:
        anyio.run(run)
    except (TilthError, TypeError) as error:
        return "" if type(error) is ConflictError and str(error) == REACHED else repr(error)
    return "it returned"


def by_cli(ready, words):
    with acting("human"):
        run = ready(*words)
    return "" if run.code == CONFLICT and REACHED in run.out + run.err else run.out + run.err
