"""A worker whose language model is of no use: it does all its work, and writes nothing wrong."""

import json

import pytest

from tests.model_server import Hangs, Says, says, serving
from tests.program import Inside

OLD = ("--at", "2026-01-01T10:00:00Z")
NOBODY = "0" * 26
QUOTE = {"episode_id": f"epi_{NOBODY}", "text": "nobody said that"}
CLAIM = {
    "kind": "fact",
    "statement": "Mallory owns the kettle.",
    "subject": "Mallory",
    "predicate": "owns",
    "object": "kettle",
    "confidence": 1.0,
    "quote": QUOTE,
}
CONFLICT = {
    "first": f"fct_{NOBODY}",
    "second": f"fct_{'1' * 26}",
    "reason": "Mallory says so",
    "confidence": 1.0,
}
# To whom it is asked decides which of these it takes for an answer to something else.
BAD = {
    "prose": Says(text="Of course! Mallory owns the kettle."),
    "malformed": Says(text='{"claims": [{"kind": "fact",'),
    "invented quotes": says({"claims": [CLAIM], "over": []}),
    "unknown ids": says({"conflicts": [CONFLICT]}),
    "another answer": says(
        {"summary": "Mallory owns it.", "open_questions": [], "quotes": [QUOTE]}
    ),
    "declines": Says(declines=True),
    "cut": Says(text='{"claims": [], "over": []}', is_cut=True),
    "server error": Says(status=500, headers={"Retry-After": "0"}),
    "hangs": Hangs(),
}
TASKS = {"adjudicate", "contradiction", "extract", "idle", "summarise", "tone"}


def filled(tilth):
    """Make a store in which every task of a model has something to do."""
    said = "If anybody asks, Bruno, the tall one, is the person who signs every invoice these days."
    tilth("remember", said, "--session", "s1", *OLD)
    tilth("entity", "add", "Ada", "--type", "person")
    created = tilth("conversation", "create", "Ada", "irc", "--json")
    talk = created.answer["conversation"]["id"]
    tilth("conversation", "add", talk, "We decided on the blue pump.", *OLD)
    for name in ("Kettle Service", "Kettle Servise"):
        tilth("fact", "add", f"{name} is oiled.", "--about", name)
    for text in ("Marina runs the kettle team.", "The kettle team answers to Bruno."):
        tilth("fact", "add", text, "--about", "kettle team")


def worked_alone(tilth):
    """Let a worker without a model run over that, and return what it comes to."""
    filled(tilth)
    assert tilth("worker", "--once").code == 0
    return known(tilth)


def known(tilth):
    """Return all that a worker may have written, in words."""

    def told(*words):
        return tilth(*words, "--json").answer

    facts = [one["said"]["text"] for one in told("fact", "list")["facts"]]
    asked = [one["draft"]["reason"] for one in told("review", "list")["proposals"]]
    gaps = [one["description"] for one in told("gap", "list")["gaps"]]
    (talk,) = told("conversation", "list")["conversations"]
    summaries = told("conversation", "summaries", talk["id"])["summaries"]
    texts = [(one["draft"]["text"], one["draft"]["model"]) for one in summaries]
    return {"facts": facts, "asked": asked, "gaps": gaps, "talk": talk["status"], "texts": texts}


@pytest.fixture
def plain(tmp_path, beginnings):
    """What a worker without a model comes to."""
    return beginnings.go_on(Inside(tmp_path / "plain"), worked_alone)


@pytest.fixture
def full(tilth, beginnings):
    """The program with such a store."""
    beginnings.go_on(tilth, filled)
    return tilth


def worked(tilth, server, *, calls=99):
    """Let a worker run with the server for a model of every task, and return what it spent."""
    environ = {
        "TILTH_MODEL_CHEAP": f"openai small {server.url}",
        "TILTH_MODEL_STRONG": f"openai big {server.url}",
        "TILTH_MODEL_PRICES": "small=1/5,big=2/6",
        "TILTH_SPEND_DAY": f"calls={calls},tokens=10000000,money=9",
        "TILTH_MODEL_TIMEOUT_S": "0.5",
    }
    assert tilth("worker", "--once", environ=environ).code == 0
    return tilth("metrics", "--json", environ=environ).answer["models"]


@pytest.mark.row("I19")
@pytest.mark.model
@pytest.mark.parametrize("name", BAD)
def test_with_a_model_of_no_use_the_run_goes_on_as_without_one(full, plain, name):
    with serving() as server:
        server.script = [BAD[name]]
        spent = worked(full, server)

    assert known(full) == plain
    assert plain["talk"] == "idle"
    assert full("verify").code == 0
    asked = {one["task"] for one in spent["by_model"]}
    assert asked <= TASKS
    assert {"adjudicate", "extract"} <= asked or name in {"hangs", "server error"}
    assert "Mallory" not in json.dumps(known(full))


@pytest.mark.row("KB-036")
@pytest.mark.model
def test_a_run_whose_budget_is_spent_goes_on_as_without_a_model(full, plain):
    with serving() as server:
        server.script = [BAD["prose"]]
        spent = worked(full, server, calls=1)

        assert len(server.requests) == 1

    assert spent["spent"]["calls"] == 1
    assert known(full) == plain
