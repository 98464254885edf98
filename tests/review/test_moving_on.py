"""What waits moves with what holds: a proposal whose target is gone is rebased, or is over."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.reads import steps_of
from tilth.core.errors import ConflictError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals

DNS = {"system": "pi-hole", "component": "ip"}
PHASE = {"subject": "Acme", "predicate": "phase", "channel": "entity"}
DAY = timedelta(days=1)


def waiting(brain):
    return [one.id for one in brain.review.list().proposals]


def confirm(human, proposal_id):
    seen = human.review.show(proposal_id)
    return human.review.confirm(
        proposal_id, digest=seen.digest, retires=seen.proposal.draft.retires
    )


def life(brain, fact):
    return brain.facts.get(fact.id).life


@pytest.fixture
def held(human, agent):
    """What a human states, and two drafts of agents that would replace it."""
    true = human.facts.add("DNS answers on .100.", **DNS)
    drafts = [agent.facts.add(f"DNS answers on .{n}.", **DNS) for n in (110, 120)]
    return true.fact, *drafts


@pytest.mark.row("OB-059", "OB-061")
def test_a_proposal_would_retire_what_holds_by_now(human, held):
    true, first, second = held
    confirm(human, first.proposal_id)

    seen = human.review.show(second.proposal_id)
    assert [fact.id for fact in seen.retires] == [first.fact.id]
    assert human.state(system="pi-hole").facts[0].fact.is_contested
    confirm(human, second.proposal_id)

    assert human.facts.list()[0].id == second.fact.id
    assert [fact.id for fact in human.facts.history(true.id)] == [
        true.id, first.fact.id, second.fact.id,
    ]  # fmt: skip


def test_between_a_decision_and_its_undo_nothing_waited_and_that_stays_known(human, held, place):
    true, first, second = held
    human.review.reject(second.proposal_id, digest=human.review.show(second.proposal_id).digest)
    waited = place.clock.at
    place.clock.at += DAY
    human.review.reject(first.proposal_id, digest=human.review.show(first.proposal_id).digest)
    decided = place.clock.at
    place.clock.at += DAY
    human.review.undo(first.proposal_id)

    def contested(**moment):
        return [one.is_contested for one in human.facts.list(system="pi-hole", **moment)]

    assert contested() == contested(known_at=waited) == [True]
    assert contested(known_at=decided) == [False]
    (hit,) = human.recall("Where does DNS answer?", known_at=decided, tiers=["fact"]).hits
    assert (hit.id, hit.rivals) == (true.id, ())


@pytest.mark.row("I12")
def test_what_waited_is_known_where_the_decision_and_its_undo_changed_no_fact(human, agent, place):
    """Between a rejection and its undo nothing waited, after it everything does again."""
    true = human.facts.add("DNS answers on .100.", **DNS).fact
    asked = agent.facts.retire(true.id, reason="the host was switched off for good")
    moments = []
    for wanted, act in (
        (True, lambda: None),
        (False, lambda: reject(human, asked.proposal_id)),
        (True, lambda: human.review.undo(asked.proposal_id)),
        (False, lambda: reject(human, asked.proposal_id)),
        (True, lambda: human.review.undo(asked.proposal_id)),
    ):
        act()
        moments.append((place.clock.at, wanted))
        place.clock.at += DAY

    for at, wanted in moments:
        (fact,) = human.facts.list(system="pi-hole", known_at=at)
        assert fact.is_contested == wanted, at


def reject(human, proposal_id):
    human.review.reject(proposal_id, digest=human.review.show(proposal_id).digest)


def test_what_changed_tells_of_an_undo_that_changed_no_fact(human, agent, held):
    true, *_ = held
    asked = agent.facts.retire(true.id, reason="the host was switched off")
    shown = human.review.show(asked.proposal_id)
    human.review.reject(asked.proposal_id, digest=shown.digest)
    human.review.undo(asked.proposal_id, reason="hasty")

    last = human.changes(limit=100).items[-1]

    assert (last.headline.kind, last.headline.text) == ("undone", "hasty")
    elsewhere = a_brain(human._parts.store, human._parts.clock, owner="somebody")
    assert elsewhere.changes(limit=100).items == ()


@pytest.mark.row("OB-061")
def test_what_was_seen_before_it_moved_on_is_no_consent(human, held):
    _, first, second = held
    before = human.review.show(second.proposal_id)
    confirm(human, first.proposal_id)

    with pytest.raises(ConflictError, match="not what was shown"):
        human.review.confirm(
            second.proposal_id, digest=before.digest, retires=before.proposal.draft.retires
        )


@pytest.mark.row("OB-059")
def test_a_proposal_retires_nothing_where_nothing_holds_any_more(human, held):
    true, first, _ = held
    human.facts.retire(true.id, reason="the server is gone")

    assert human.review.show(first.proposal_id).retires == ()
    confirm(human, first.proposal_id)
    assert life(human, first.fact).lifecycle is Lifecycle.CURRENT


@pytest.mark.row("OB-059")
def test_without_a_slot_it_follows_the_chain(human, agent):
    old = human.facts.add("We deploy on Mondays.", about=["deploys"]).fact
    asked = agent.facts.propose("We deploy on Tuesdays.", about=["deploys"], supersedes=old.id)
    new = human.facts.add("We deploy on Fridays.", about=["deploys"], supersedes=old.id).fact

    assert [one.id for one in human.review.show(asked.proposal_id).retires] == [new.id]
    human.facts.retire(new.id, reason="we stopped")
    assert human.review.show(asked.proposal_id).retires == ()


@pytest.mark.row("OB-059")
def test_what_is_so_already_asks_nothing(human, held):
    second = held[2]
    human.facts.add("DNS answers on .110.", **DNS)

    assert waiting(human) == [second.proposal_id]
    assert not any(one.is_contested for one in human.facts.list(lifecycles=["superseded"]))


@pytest.mark.row("OB-059")
def test_what_its_writer_took_back_asks_nothing(human, agent, held):
    _, first, second = held
    agent.facts.archive(first.fact.id)

    assert waiting(human) == [second.proposal_id]
    agent.facts.restore(first.fact.id)
    assert waiting(human) == [first.proposal_id, second.proposal_id]


@pytest.mark.row("OB-060")
def test_a_removal_of_what_has_ended_asks_nothing(human, agent):
    fact = human.facts.add("DNS answers on .100.", **DNS).fact
    agent.facts.retire(fact.id, reason="nobody has heard of it for years")
    assert len(waiting(human)) == 1
    human.facts.retire(fact.id, reason="it is gone")

    assert waiting(human) == []
    human.facts.undo(fact.id)
    assert len(waiting(human)) == 1


@pytest.mark.row("EM-023")
def test_a_split_that_a_human_makes_answers_who_asked_for_it(human, agent):
    one, other = (human.entities.add(name).entity for name in ("pg", "postgres"))
    human.entities.merge(one.id, other.id)
    asked = agent.entities.split(other.id, reason="they are two")
    assert waiting(human) == [asked.proposal_id]
    human.entities.split(other.id)

    assert waiting(human) == []
    assert human.review.show(asked.proposal_id).proposal.state == "decided"


def test_what_is_asked_about_a_draft_and_another_fact_speaks_against_neither_s_slot(human, agent):
    router = {"system": "router", "component": "ip"}
    true = agent.facts.add("It answers on .1.", **router).fact
    other = agent.facts.add("It answers on .2.", **router)
    confirm(human, other.proposal_id)
    human.facts.add("It answers on .3.", system="nas", component="ip")
    human.entities.merge(*(human.entities.get(name).entity.id for name in ("router", "nas")))
    human.review.undo(other.proposal_id)
    assert human.facts.get(true.id).is_contested

    digest = human.review.show(other.proposal_id).digest
    human.review.decide(other.proposal_id, action="dispute", digest=digest)

    assert {one.draft.kind for one in human.review.list().proposals} == {"contradiction"}
    assert not human.facts.get(true.id).is_contested


def test_an_answer_to_what_was_never_shown_says_what_changed_since(human, agent):
    about = {"about": ["deploys"]}
    first = human.facts.add("We deploy on Mondays.", **about).fact
    asked = agent.facts.propose("We deploy on Fridays.", supersedes=first.id, **about)
    later = human.facts.add("We deploy on Tuesdays.", supersedes=first.id, **about).fact

    with pytest.raises(ConflictError, match="is not what was shown"):
        human.review.confirm(asked.proposal_id, digest="0" * 64, retires=[later.id])


class TestBackdated:
    @pytest.fixture
    def before(self, human, agent, place):
        """A value that a human states, and an agent's of the time before it."""
        place.clock.at += 100 * DAY
        human.facts.add(**PHASE, object="live", valid_from=place.clock.at - 10 * DAY)
        return agent.facts.add(**PHASE, object="pilot", valid_from=place.clock.at - 50 * DAY)

    @pytest.mark.row("C-22", "OB-056")
    def test_under_what_a_human_states_it_waits(self, human, before, place):
        assert before.is_proposal
        then = place.clock.at - 20 * DAY
        assert human.state(subject="Acme", as_of=then).facts == ()
        confirm(human, before.proposal_id)

        assert life(human, before.fact).lifecycle is Lifecycle.HISTORICAL
        assert life(human, before.fact).review is Review.CONFIRMED
        (state,) = human.state(subject="Acme", as_of=then).facts
        assert state.fact.said.triple.object == "pilot"
        assert [one.said.triple.object for one in human.facts.list()] == ["live"]

    @pytest.mark.row("C-22")
    def test_rejected_it_never_held(self, human, before, place):
        seen = human.review.show(before.proposal_id)
        human.review.reject(before.proposal_id, digest=seen.digest)

        assert human.state(subject="Acme", as_of=place.clock.at - 20 * DAY).facts == ()

    @pytest.mark.row("OB-054", "C-22")
    def test_two_values_at_one_instant_are_contested_everywhere(self, human, agent, place):
        place.clock.at += 100 * DAY
        now = place.clock.at
        agent.facts.add(**PHASE, object="pilot", valid_from=now - 50 * DAY)
        agent.facts.add(**PHASE, object="live", valid_from=now - 10 * DAY)
        agent.facts.add(**PHASE, object="rollout", valid_from=now - 30 * DAY)
        then = now - 20 * DAY

        two = human.state(subject="Acme", as_of=then).facts
        assert {one.fact.said.triple.object for one in two} == {"pilot", "rollout"}
        assert all(one.fact.is_contested for one in two)
        triples = human.kg.query("Acme", as_of=then).triples
        assert len(triples) == 2
        assert all(one.is_contested for one in triples)
        hits = human.recall("Acme phase", as_of=then, tiers=["fact"]).hits
        assert len(hits) == 2
        assert all(hit.is_contested for hit in hits)
        (one,) = human.state(subject="Acme", as_of=now - 40 * DAY).facts
        assert not one.fact.is_contested
        assert not human.state(subject="Acme").facts[0].fact.is_contested


def test_a_removal_is_not_taken_back_where_the_same_was_said_again_meanwhile(human, agent):
    gone = human.facts.add("Acme likes tea.", about=["Acme"]).fact
    asked = agent.facts.retire(gone.id, reason="they like coffee now")
    confirm(human, asked.proposal_id)
    again = human.facts.add("Acme likes tea.", about=["Acme"]).fact

    with pytest.raises(ConflictError, match=f"{again.id} says the same by now"):
        human.review.undo(asked.proposal_id)
    assert [one.id for one in human.facts.list()] == [again.id]
    human.facts.archive(again.id)
    human.review.undo(asked.proposal_id)
    assert [one.id for one in human.facts.list()] == [gone.id]


WEEKLY = {"about": ["deploys"]}


@pytest.fixture
def drafted(human, agent):
    """What an agent proposed in place of something, and a human stated meanwhile by themselves."""
    old = human.facts.add("We deploy on Mondays.", **WEEKLY).fact
    asked = agent.facts.propose("We deploy on Fridays.", **WEEKLY, supersedes=old.id)
    human.facts.add("We deploy on Fridays.", **WEEKLY)
    return asked


def current(brain):
    return sorted(one.said.text for one in brain.facts.list())


@pytest.mark.row("OB-059")
def test_without_a_slot_what_is_so_already_asks_nothing_either(human, drafted):
    assert waiting(human) == []


def test_a_draft_is_not_confirmed_beside_what_says_the_same_by_now(human, drafted):
    with pytest.raises(ConflictError, match="says that already"):
        confirm(human, drafted.proposal_id)

    assert current(human) == ["We deploy on Fridays.", "We deploy on Mondays."]


def test_nor_is_it_moved_to_where_the_same_is_said(human, agent):
    old = human.facts.add("We deploy on Mondays.", **WEEKLY, scope="project:shop").fact
    human.facts.add("We deploy on Fridays.", **WEEKLY, scope="project:lab")
    said = {**WEEKLY, "scope": "project:shop", "supersedes": old.id}
    asked = agent.facts.propose("We deploy on Fridays.", **said).proposal_id

    with pytest.raises(ConflictError, match="says that already"):
        human.review.decide(
            asked,
            "restrict_scope",
            digest=human.review.show(asked).digest,
            scope="project:lab",
        )


def test_what_said_it_and_is_over_is_no_reason_against_it(human, agent, place):
    old = human.facts.add("We deploy on Mondays.", **WEEKLY).fact
    asked = agent.facts.propose("We deploy on Fridays.", **WEEKLY, supersedes=old.id)
    now = place.clock.at
    human.facts.add(
        "We deploy on Fridays.", **WEEKLY, valid_from=now - 9 * DAY, valid_to=now - 8 * DAY
    )

    assert waiting(human) == [asked.proposal_id]
    confirm(human, asked.proposal_id)
    assert life(human, asked.fact).lifecycle is Lifecycle.CURRENT


def test_what_waits_is_counted_by_what_waits_however_much_is_known(human, agent, store):
    """The pages count it each time; it took 0.2 s where 5,000 facts were known."""
    within = Visibility(human.parts.recorder.owner)

    def counting():
        which = ProposalFilter(within=within, waiting_at=human.parts.clock.now())
        with store.read() as view:
            return steps_of(view, lambda: Proposals(view).count(which))

    for number in range(5):
        old = human.facts.add(f"We deploy at {number}.", **WEEKLY).fact
        agent.facts.propose(f"We deploy past {number}.", **WEEKLY, supersedes=old.id)
    before = counting()
    human.facts.add_many([{"text": f"It is {n} days old.", **WEEKLY} for n in range(400)])

    assert counting() <= before + 1
