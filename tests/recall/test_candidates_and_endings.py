"""What nobody confirmed is called so until a person does; what is ended is kept. Both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START, FixedClock
from tilth.context.model import Block, BriefRequest
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.knowledge.facts.tables import Facts

WORK = "project:acme/api"
WHO = "Who is the CTO at Acme?"
DNS = {"system": "pi-hole", "component": "ip"}
DAY = timedelta(days=1)


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def clock():
    return FixedClock(START + DAY)


@pytest.fixture
def agent(store, clock):
    return a_brain(store, clock)


@pytest.fixture
def human(store, clock):
    return a_brain(store, clock, by=Actor("ada", ActorKind.HUMAN))


@pytest.fixture
def distilled(agent, store, clock):
    """A fact that nobody stated: it was made from what was said."""
    a_brain(store, clock, by=HOOKS).remember(
        '/remember "Marina is CTO at Acme"', session_id="s1", at=START, scope=WORK
    )
    agent.distil()
    (fact,) = agent.facts.list(scope=WORK)
    return fact


def answer(human, proposal_id):
    seen = human.review.show(proposal_id)
    retires = [fact.id for fact in seen.retires]
    return human.review.confirm(proposal_id, digest=seen.digest, retires=retires)


def told(brain, fact):
    """Return the line on *fact* of the brief with which the next session begins."""
    made = brain.brief(BriefRequest(via="test"), scope=WORK)
    (summary,) = (block for block in made.blocks if block.kind is Block.SUMMARY)
    (line,) = (item.text for item in summary.items if item.source == fact.id)
    return line


def recalled(brain, fact):
    (hit,) = (hit for hit in brain.recall(WHO, scope=WORK).hits if hit.id == fact.id)
    return hit


@pytest.mark.row("KB-039")
def test_what_was_distilled_is_called_unreviewed_until_a_person_confirms(agent, human, distilled):
    assert distilled.life.review is Review.UNREVIEWED
    assert ", unreviewed: " in told(agent, distilled)
    assert recalled(agent, distilled).review is Review.UNREVIEWED
    asked = agent.review.question(distilled.id, reason="is she?").id
    with pytest.raises(ForbiddenError):
        answer(agent, asked)

    answer(human, asked)

    confirmed = human.facts.get(distilled.id)
    assert (confirmed.life.review, confirmed.life.lifecycle) == (
        Review.CONFIRMED, Lifecycle.CURRENT,
    )  # fmt: skip
    assert [past.by.name for past in human.facts.lives(distilled.id)][-1] == "ada"
    assert ", confirmed: " in told(agent, distilled)
    assert recalled(agent, distilled).review is Review.CONFIRMED


@pytest.mark.row("C-04")
def test_what_an_agent_put_away_comes_back_as_it_was(agent):
    fact = agent.facts.add("The NAS hums.", about=["NAS"]).fact
    agent.facts.archive(fact.id, reason="noise")
    assert agent.state().facts == ()
    assert agent.facts.get(fact.id).said == fact.said
    with pytest.raises(ConflictError):
        agent.facts.archive(fact.id)

    agent.facts.restore(fact.id)

    assert agent.facts.get(fact.id).life == fact.life
    assert [one.fact.id for one in agent.state().facts] == [fact.id]


@pytest.mark.row("C-04")
def test_retiring_is_an_event_that_can_be_taken_back(human, store):
    fact = human.facts.add("DNS answers on .100.", **DNS).fact
    with store.read() as view:
        before = view.head().seq
    human.facts.retire(fact.id, reason="it moved")

    with store.read() as view:
        assert view.head().seq == before + 1
        assert Facts(view).get(fact.id, Visibility()).said == fact.said
    assert human.state(system="pi-hole").facts == ()
    assert [past.event_kind for past in human.facts.lives(fact.id)] == [
        "fact_recorded", "fact_retired",
    ]  # fmt: skip
    human.facts.undo(fact.id)
    assert [one.fact.id for one in human.state(system="pi-hole").facts] == [fact.id]


@pytest.mark.row("C-04")
def test_nothing_that_a_person_confirmed_is_ended_by_anybody_else(agent, human, place):
    asked = agent.facts.add("DNS answers on .100.", **DNS).fact
    answer(human, agent.review.question(asked.id, reason="is it?").id)
    before = human.facts.get(asked.id)

    for end in (agent.facts.archive, agent.facts.undo):
        with pytest.raises(ForbiddenError):
            end(asked.id)
    waits = agent.facts.retire(asked.id, reason="it was switched off last week")
    assert waits.proposal_id is not None
    assert human.facts.get(asked.id).life == before.life
    with pytest.raises(place.refusals):
        place.run("DELETE FROM ledger WHERE seq = 1")


@pytest.mark.row("KB-117")
def test_no_vote_carries_a_fact_that_does_not_answer_over_the_threshold(agent):
    beside = agent.facts.add("The cellar is painted green.", about=["cellar"], scope=WORK).fact
    right = agent.facts.add("Marina is the CTO at Acme.", about=["Marina"], scope=WORK).fact
    nothing = "Which port has the printer?"
    unanswered = agent.recall(nothing, scope=WORK)
    assert not unanswered.answerable

    for number in range(60):
        agent.feedback(beside.id, "cited", session_id=f"s{number}")

    assert agent.recall(WHO, scope=WORK).hits[0].id == right.id
    again = agent.recall(nothing, scope=WORK)
    assert (again.answerable, again.confidence) == (False, unanswered.confidence)
    for hit in agent.recall(WHO, scope=WORK).hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)


@pytest.mark.row("KB-117")
def test_a_fact_does_not_sink_for_being_old(agent, clock):
    right = agent.facts.add("Marina is the CTO at Acme.", about=["Marina"], scope=WORK).fact
    before = agent.recall(WHO, scope=WORK).hits[0]
    clock.at += 900 * DAY
    agent.facts.add("The cellar is painted green.", about=["cellar"], scope=WORK)

    after = agent.recall(WHO, scope=WORK).hits[0]
    assert (before.id, after.id) == (right.id, right.id)
    assert (before.freshness, after.freshness) == ("fresh", "guess")
