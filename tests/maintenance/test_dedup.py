"""Finding facts that say nearly the same, on both engines."""

import pytest

from tests.brains import a_brain
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.lifecycle import Lifecycle
from tilth.knowledge.proposals.proposal import ProposalKind

SAID = "Bob is on call this week."
AGAIN = "This week Bob is on call."


@pytest.fixture
def cast(whole_store, place):
    """Make a brain for any kind of actor on a store that is whole in the end."""
    return lambda kind: a_brain(whole_store, place.clock, by=Actor("ada", ActorKind(kind)))


@pytest.fixture
def agent(cast):
    return cast("agent")


@pytest.fixture
def human(cast):
    return cast("human")


def state(brain, text, about="Bob", **telling):
    return brain.facts.add(text, about=[about], **telling).fact


def decide(human, proposal_id, action, **told):
    digest = human.review.show(proposal_id).digest
    return human.review.decide(proposal_id, action, digest=digest, **told)


def holding(brain):
    return {fact.id for fact in brain.facts.list()}


@pytest.mark.row("EM-053")
def test_what_says_nearly_the_same_is_asked_about_and_both_stay(agent, human):
    older, newer = state(agent, SAID), state(agent, AGAIN)

    found = agent.dedup()

    (double,) = found.doubles
    assert (double.older, double.newer) == (older.id, newer.id)
    assert double.likeness >= 0.92
    (asked,) = human.review.list().proposals
    assert (asked.id,) == found.asked
    assert asked.draft.kind is ProposalKind.DUPLICATE
    assert holding(agent) == {older.id, newer.id}
    assert [agent.facts.get(one.id).life for one in (older, newer)] == [older.life, newer.life]
    assert not any(one.against for one in agent.state().facts)
    assert not any(hit.is_contested or hit.rivals for hit in agent.recall("who is on call").hits)


@pytest.mark.row("EM-053")
def test_a_human_merges_them_and_one_rests_on_what_both_did(agent, human):
    older, newer = state(agent, SAID), state(agent, AGAIN)
    (asked,) = agent.dedup().asked
    with pytest.raises(InvalidInputError, match="which of them stays"):
        decide(human, asked, "confirm")

    decide(human, asked, "merge", keeps=newer.id, retires=[older.id])

    assert holding(agent) == {newer.id}
    kept, gone = (agent.facts.get(one.id) for one in (newer, older))
    assert {*older.evidence, *newer.evidence} == set(kept.evidence)
    assert (gone.life.lifecycle, gone.life.successor) == (Lifecycle.SUPERSEDED, newer.id)
    human.review.undo(asked)
    assert holding(agent) == {older.id, newer.id}


@pytest.mark.row("EM-053")
def test_what_a_human_keeps_apart_is_not_asked_about_again(agent, human):
    older = state(agent, SAID)
    state(agent, AGAIN)
    (asked,) = agent.dedup().asked
    assert agent.dedup().doubles == ()
    decide(human, asked, "reject")

    assert agent.dedup().doubles == ()

    assert len(holding(agent)) == 2
    human.facts.retire(older.id, reason="it was last week")
    state(agent, SAID)
    assert agent.dedup().doubles == ()


@pytest.mark.row("EM-053", "KB-118")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The store listens on port 5432 at home.", "The store listens on port 5433 at home."),
        ("The router at home is at 192.0.2.1.", "The router at home is at 192.0.2.9."),
        ("Bob, who is here, prefers the tea.", "Bob, who is here, prefers the coffee."),
        ("Bob is on call this week.", "Bob is not on call this week."),
        ("Bob has the key of the shed.", "Carol has the key of the shed."),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_differs_in_a_number_or_a_word_is_no_double(agent, one, other):
    state(agent, one)
    state(agent, other)

    assert agent.dedup().doubles == ()


@pytest.mark.row("EM-053")
def test_what_is_elsewhere_about_another_thing_or_in_a_slot_is_no_double(agent):
    state(agent, SAID)
    state(agent, AGAIN, scope="project:lab")
    state(agent, AGAIN, about="the rota")
    state(agent, AGAIN, system="rota", component="on call")

    assert agent.dedup().doubles == ()


@pytest.mark.row("EM-053")
def test_a_merged_thing_is_one_thing(agent, human):
    state(agent, SAID)
    state(agent, AGAIN, about="Robert")
    assert agent.dedup().doubles == ()
    one, other = (human.entities.get(name).entity.id for name in ("Bob", "Robert"))
    human.entities.merge(one, other)

    assert len(agent.dedup().doubles) == 1


@pytest.mark.row("EM-069")
def test_a_dry_run_of_dedup_finds_what_the_real_run_asks_and_writes_nothing(agent, whole_store):
    for text in (SAID, AGAIN, "On call this week is Bob."):
        state(agent, text)
    before = whole_store.digest()

    said = agent.dedup(is_dry_run=True)

    assert whole_store.digest() == before
    done = agent.dedup()
    assert said.asked == ()
    assert len(said.doubles) == len(done.doubles) == len(done.asked) == 3
    assert (said.doubles, said.fact_count, said.through, said.is_done) == (
        done.doubles, done.fact_count, done.through, done.is_done,
    )  # fmt: skip
    assert agent.dedup(is_dry_run=True).doubles == ()


@pytest.mark.row("EM-053")
def test_it_goes_on_behind_where_it_stopped(agent):
    state(agent, SAID)
    through = agent.dedup().through
    state(agent, "It rains.", "the weather")

    found = agent.dedup(after=through)

    assert found.fact_count == 1
    state(agent, AGAIN)
    assert len(agent.dedup(after=found.through).doubles) == 1


@pytest.mark.row("EM-053")
def test_what_one_of_them_ended_leaves_the_queue(agent, human):
    older = state(agent, SAID)
    state(agent, AGAIN)
    agent.dedup()
    assert human.review.list().waiting == 1

    human.facts.retire(older.id, reason="it was last week")

    assert human.review.list().waiting == 0


@pytest.mark.row("EM-053")
def test_nobody_in_particular_asks_nothing(cast):
    with pytest.raises(ForbiddenError):
        cast("anonymous").dedup()


def test_no_agent_is_told_that_two_facts_say_the_same(agent, human):
    state(human, SAID)
    state(human, AGAIN)
    assert agent.dedup().asked

    blocks = agent.brief(BriefRequest(via="claude-code/SessionStart")).blocks
    assert blocks
    assert not any("duplicate waits" in item.text for one in blocks for item in one.items)
