"""Who may do what with people and conversations at the command line, for everybody."""

import pytest

from tests.program import acting
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

KINDS = ("agent", "human", "job", "import", "anonymous")
DONE, WAITS, REFUSED = 0, "waits", 5
ANYBODY = (DONE,) * 5
A_HUMAN = (REFUSED, DONE, REFUSED, REFUSED, REFUSED)
# For agent, human, job, import and anonymous: the exit code, or that it waits.
VERBS = {
    "entity add Bob --type person": ANYBODY,
    "entity add Bob --type person --transport irc --address bob": (
        WAITS, DONE, WAITS, WAITS, REFUSED,
    ),
    "entity add Bob --transport irc --address bob --verified": A_HUMAN,
    "entity link Ada matrix @ada:x": (WAITS, DONE, WAITS, WAITS, REFUSED),
    "entity verify email ada@example.org": A_HUMAN,
    "entity unlink email ada@example.org": A_HUMAN,
    "entity profile Ada --key language --value Dutch": A_HUMAN,
    "entity profile Ada --key pace --value slow": (DONE, DONE, DONE, DONE, REFUSED),
    "conversation create Ada slack": ANYBODY,
    "conversation add {talk} Hello.": ANYBODY,
    "conversation summarise {talk}": ANYBODY,
    "conversation archive {talk}": ANYBODY,
    "conversation close {talk}": ANYBODY,
    "conversation resume {talk}": ANYBODY,
}  # fmt: skip


@pytest.fixture
def as_kind(monkeypatch):
    return lambda kind: monkeypatch.setattr(
        invocation, "caller", lambda *_, **__: Actor("someone", ActorKind(kind))
    )


def a_person_and_a_conversation(tilth):
    """Record somebody as a human, and an agent's conversation with them."""
    with acting("human"):
        where = ("--transport", "email", "--address", "ada@example.org")
        assert tilth("entity", "add", "Ada", "--type", "person", *where, "--verified").code == 0
        tilth("entity", "profile", "Ada", "--key", "language", "--value", "French")
    with acting("agent"):
        begun = tilth("conversation", "create", "Ada", "irc", "--json").answer
        talk = begun["conversation"]["id"]
        tilth("conversation", "add", talk, "We decided on pumps.")
    return talk


@pytest.fixture
def talk(ready, beginnings):
    return beginnings.go_on(ready, a_person_and_a_conversation)


@pytest.mark.row("I20", "EM-024")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_with_people_is_for_whom_it_is_at_the_command_line(
    ready, talk, as_kind, verb, kind
):
    expected = VERBS[verb][KINDS.index(kind)]
    as_kind(kind)
    run = ready(*verb.format(talk=talk).split())
    as_kind("human")
    waiting = ready("review", "list", "--json").answer["count"]

    assert run.code == (DONE if expected == WAITS else expected), run.err
    assert bool(waiting) is (expected == WAITS)
    if kind != "human":
        (trait,) = [
            one for one in ready("entity", "profile", "Ada", "--json").answer["profile"]
            if one["key"] == "language"
        ]  # fmt: skip
        assert trait["value"] == "French"
        (link,) = ready("entity", "identities", "Ada", "--json").answer["identities"]
        assert link["confidence"] == "confirmed"
