"""`tilth.aio`: a served brain under the names of `Brain`, with its answers and its errors."""

from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from operator import attrgetter
from pathlib import Path

import anyio
import httpx2
import pytest

from tests.brains import a_brain
from tests.interfaces.http.served import Served, serving
from tilth import aio
from tilth.core.actor import Human
from tilth.core.errors import (
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    TilthError,
    UnavailableError,
    error_of,
)
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.to_json import to_json


@pytest.fixture
def served(tmp_path, make_place_on):
    place = make_place_on("sqlite")
    with a_brain(place.open(), place.clock) as brain, serving(brain, tmp_path) as one:
        yield one


def asked(served: Served, ask, role=Role.AGENT, token=""):
    """Run *ask* with a client of the server."""
    bits = token or served.tokens.add(f"aio-{len(served.tokens.list())}", role)

    async def run():
        async with aio.connect(served.url, token=bits) as brain:
            return await ask(brain)

    return anyio.run(run)


def test_what_is_told_and_asked_is_what_python_holds(served: Served):
    async def ask(brain):
        told = await brain.remember("The backup runs at 03:00 on host pve2.", session_id="s1")
        stated = await brain.facts.add("Tea is at four.", system="house", component="tea")
        return told, stated, await brain.recall("when does the backup run?")

    told, stated, found = asked(served, ask)
    assert [one.id for one in served.brain.episodes.list()][:1] == [told]
    assert stated.fact == served.brain.facts.get(stated.fact.id)
    assert found == served.brain.recall("when does the backup run?")


@pytest.mark.row("OB-071", "XR-02")
@pytest.mark.parametrize("session_id", ["s1", None])
def test_what_a_brief_showed_is_kept_from_afar_as_it_was(served: Served, session_id):
    person = call_verb.acting(served.brain, Human("ana"))
    person.facts.add("Deploys go out on Tuesdays.", about=["deploys"])

    async def ask(brain):
        question = {"question": "When do deploys go out?", "session_id": session_id}
        brief = await brain.brief(question)
        return brief.context, await brain.receipts.keep(brief.context)

    context, receipt_id = asked(served, ask)
    trace = served.brain.receipts.trace(receipt_id)
    assert trace.receipt.context == context
    assert trace.shown[0].text == "Deploys go out on Tuesdays."
    for items in ([["facts"]], [["facts", 3]], ["facts"]):
        told = {"context": {"via": "x", "tokens": 1, "shown": "", "items": items}}
        refused = served.client().post("/v1/receipts/keep", json=told)
        assert (refused.status_code, "a list" in refused.text) == (400, True)


@pytest.mark.row("OB-071")
def test_every_answer_comes_back_as_the_value_that_it_was(served: Served):
    """Where the answer is typed, it equals what Python returns; elsewhere its JSON does."""
    person = call_verb.acting(served.brain, Human("ana"))
    person.facts.add("The api listens on 9090.", system="lab", component="api")
    person.kg.add("relationship", "Marina", "works_for", "Acme")
    person.gaps.add("Cannot print.")
    writes = {"acquaint", "distil", "read_by_model", "rebuild", "dedup", "archive", "consolidate"}
    writes |= {"snapshots.take"}
    names = [
        name for name in call_verb.offered()
        if not any(one.is_required for one in call_verb.offered()[name].options)
    ]  # fmt: skip
    asked_count = 0

    async def ask(brain):
        nonlocal asked_count
        for verb in (call_verb.offered()[name] for name in names):
            if verb.python in writes or verb.python.startswith(("erase", "gaps.run")):
                continue
            here, there = attrgetter(verb.python)(person), attrgetter(verb.python)(brain)
            expected, refused = outcome(here)
            if refused:
                with pytest.raises(type(refused)) as raised:
                    await there()
                assert (str(raised.value), raised.value.hint) == (str(refused), refused.hint)
                continue
            answer = await there()
            if verb.as_json is not None:
                expected = to_json(verb.json(expected))
            # Lists and tuples are alike: what is declared as a sequence may be either.
            assert to_json(answer) == to_json(expected), verb.python
            assert kinds(answer) == kinds(expected), verb.python
            asked_count += 1

    asked(served, ask, token=served.tokens.add("ana", Role.ADMIN))
    assert asked_count > 20


def kinds(value):
    """Return the classes of a value and of what is in it."""
    if isinstance(value, list | tuple):
        return [kinds(one) for one in value]
    if is_dataclass(value):
        return type(value), [kinds(getattr(value, one.name)) for one in fields(value)]
    return type(value)


def outcome(method):
    """Return what a method answers, or how it refuses."""
    try:
        return method(), None
    except TilthError as error:
        return None, error


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda brain: brain.facts.get("fct_" + "0" * 26), NotFoundError, "no fact"),
        (lambda brain: brain.recall("x", limit=0), InvalidInputError, "limit is"),
        (lambda brain: brain.recall("x", limt=3), InvalidInputError, "limt"),
        (lambda brain: brain.review.snooze("prp_" + "0" * 26, until="2027-01-01"),
         ForbiddenError, "only a human"),
    ],
)  # fmt: skip
def test_what_is_refused_is_raised_as_in_python(served: Served, ask, error, words):
    with pytest.raises(error) as there:
        asked(served, ask)
    with pytest.raises(error) as here:
        ask(served.brain)
    assert words in str(here.value) or error is NotFoundError
    assert str(there.value).replace("aio-0", "agent") == str(here.value)
    assert there.value.hint == here.value.hint


def test_a_call_that_no_verb_takes_fails_before_it_is_sent(served: Served):
    with pytest.raises(TypeError, match="needs question"):
        asked(served, lambda brain: brain.recall())
    with pytest.raises(AttributeError):
        asked(served, lambda brain: brain.facts.forget_all())
    with pytest.raises(InvalidInputError, match="cannot be sent"):
        asked(served, lambda brain: brain.embed_backlog(progress=print))


def test_arguments_are_taken_as_python_takes_them(served: Served):
    async def ask(brain):
        told = await brain.remember(Path("/tmp/kettle"), at=date(2026, 1, 1), session_id="s1")
        return await brain.episodes.get(told)

    found = asked(served, ask)
    assert (found.text, found.occurred_at) == ("/tmp/kettle", datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "ask",
    [
        lambda brain: brain.remember("half a smile: \ud83d"),
        lambda brain: brain.remember("x", metadata={"x": float("nan")}),
        lambda brain: brain.remember(b"x"),
        lambda brain: brain.remember(object()),
    ],
)
def test_what_no_server_can_be_told_is_refused_and_is_not_the_servers_fault(served: Served, ask):
    with pytest.raises(InvalidInputError):
        asked(served, ask)
    with pytest.raises(InvalidInputError):
        ask(served.brain)


@pytest.mark.parametrize("url", ["127.0.0.1:8738", "", "ftp://x", "http://127.0.0.1:99999"])
def test_an_address_that_is_none_is_refused_at_once(url):
    with pytest.raises(InvalidInputError, match="no address of a server"):
        aio.connect(url, token="x")


def test_a_token_is_taken_as_it_was_read_from_its_file(served: Served):
    token = served.tokens.add("reader", Role.AGENT)

    assert asked(served, lambda brain: brain.sessions.list(), token=f"{token}\n") == ()
    with pytest.raises(InvalidInputError, match="copied whole"):
        aio.connect(served.url, token="tth_a\ntth_b")


def test_a_brain_that_is_closed_says_so(served: Served):
    async def ask(brain):
        await brain.close()
        await brain.close()
        await brain.sessions.list()

    with pytest.raises(InvalidInputError, match="closed"):
        asked(served, ask)


def test_many_calls_at_once_are_answered(served: Served):
    async def ask(brain):
        async with anyio.create_task_group() as group:
            for number in range(30):
                group.start_soon(brain.remember, f"Number {number} is told.")

    asked(served, ask)
    assert len(served.brain.episodes.list(limit=100)) == 30


def test_whoever_has_no_token_is_told_so(served: Served):
    with pytest.raises(ForbiddenError, match="token"):
        asked(served, lambda brain: brain.sessions.list(), token="tth_nothing")


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(200, text="<html>"),
        httpx2.Response(502, json={"detail": "no"}),
        httpx2.Response(429, json={"error": {"code": "limit_exceeded", "message": "m"}}),
    ],
)
def test_what_does_not_answer_as_a_server_of_ours_is_unavailable(answer):
    client = httpx2.AsyncClient(
        base_url="http://test", transport=httpx2.MockTransport(lambda _: answer)
    )
    with pytest.raises(UnavailableError):
        anyio.run(aio.AsyncBrain(client).sessions.list)


def test_nobody_who_answers_is_unavailable():
    with pytest.raises(UnavailableError, match="does not answer"):
        anyio.run(aio.connect("http://127.0.0.1:1", token="x").sessions.list)


def test_an_error_is_found_by_its_code():
    for kind in (TilthError, InvalidInputError, NotFoundError, ForbiddenError):
        assert type(error_of(kind.code, "m", "h")) is kind
    assert type(error_of("new", "m")) is TilthError
