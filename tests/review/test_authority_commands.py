"""Who may do what at the command line: every verb that changes something, for everybody."""

import pytest

from tests.program import acting
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

KINDS = ("agent", "human", "job", "import", "anonymous")
DNS = ("--system", "pi-hole", "--component", "ip")
REASON = ("--reason", "it was switched off last week")
DONE, WAITS, NOTHING_THERE, REFUSED = 0, "waits", 4, 5
# For agent, human, job, import and anonymous: the exit code, or that it waits.
ONLY_A_HUMAN = (REFUSED, DONE, REFUSED, REFUSED, REFUSED)
VERBS = {
    "fact add {dns}": (WAITS, DONE, WAITS, DONE, WAITS),
    "fact propose {dns} --supersedes {fact}": (WAITS,) * 5,
    "fact retire {fact} {reason}": (WAITS, DONE, WAITS, WAITS, WAITS),
    "fact archive {fact}": ONLY_A_HUMAN,
    "fact undo {fact}": ONLY_A_HUMAN,
    "review ask {fact} {reason}": (DONE,) * 5,
    "review scan": (DONE,) * 5,
    "review confirm {asked}": ONLY_A_HUMAN,
    "review reject {asked}": ONLY_A_HUMAN,
    "review edit {asked} --text {other}": ONLY_A_HUMAN,
    "review dispute {asked}": ONLY_A_HUMAN,
    "review evidence {asked}": ONLY_A_HUMAN,
    "review stale {asked}": ONLY_A_HUMAN,
    "review restrict {asked} --to project:lab": ONLY_A_HUMAN,
    "review snooze {asked}": ONLY_A_HUMAN,
    "review walk": ONLY_A_HUMAN,
    "review promote": ONLY_A_HUMAN,
    "distil": (DONE,) * 5,
    "distil --again": ONLY_A_HUMAN,
    "erase --fact {fact} --confirm": ONLY_A_HUMAN,
    "archive": (DONE, DONE, DONE, DONE, REFUSED),
    "unarchive": (REFUSED, NOTHING_THERE, REFUSED, REFUSED, REFUSED),
    "kg archive pi-hole": (DONE, DONE, DONE, DONE, REFUSED),
    "consolidate": (DONE, DONE, DONE, DONE, REFUSED),
    "dedup": (DONE, DONE, DONE, DONE, REFUSED),
}


@pytest.fixture
def as_kind(monkeypatch):
    return lambda kind: monkeypatch.setattr(
        invocation, "caller", lambda *_, **__: Actor("someone", ActorKind(kind))
    )


def a_fact_and_a_proposal(tilth):
    """Record a fact as a human, and propose what an agent would put in its place."""
    with acting("human"):
        fact = tilth("fact", "add", "DNS answers on .100.", *DNS, "--json").answer["fact"]
    with acting("agent"):
        asked = tilth("fact", "add", "DNS answers on .110.", *DNS, "--json").answer["proposal_id"]
    return fact, asked


@pytest.fixture
def scene(ready, beginnings):
    return beginnings.go_on(ready, a_fact_and_a_proposal)


def words_of(verb, fact, asked):
    said = {
        "dns": ["DNS is off.", *DNS], "fact": [fact["id"]], "asked": [asked],
        "reason": REASON, "other": ["DNS answers on .120."],
    }  # fmt: skip
    parts = verb.split()
    return [word for part in parts for word in (said[part[1:-1]] if part[0] == "{" else [part])]


@pytest.mark.row("I20", "I21", "I22")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_for_whom_it_is_at_the_command_line(ready, scene, as_kind, verb, kind):
    fact, asked = scene
    expected = VERBS[verb][KINDS.index(kind)]
    before = ready("review", "list", "--state", "open", "--json").answer["count"]
    as_kind(kind)
    run = ready(*words_of(verb, fact, asked), stdin="y\n")
    as_kind("human")
    is_waiting = ready("review", "list", "--state", "open", "--json").answer["count"] > before

    assert run.code == (0 if expected == WAITS else expected), run.err
    if expected == WAITS:
        assert is_waiting
    if kind != "human":
        after = ready("fact", "show", fact["id"], "--json").answer["fact"]
        assert (after["life"], after["said"]) == (fact["life"], fact["said"])
        confirmed = ready("fact", "list", "--review", "confirmed", "--json").answer["facts"]
        assert [one["id"] for one in confirmed] == [fact["id"]]
