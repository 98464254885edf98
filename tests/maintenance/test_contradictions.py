"""What contradicts is found behind the writing, asked once, and never picked."""

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.core.lifecycle import Review

NAS = {"system": "NAS"}
ON = "The NAS backs up to the cellar every night."
OFF = "The NAS does not back up to the cellar every night."


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def asked(agent):
    """Two facts that stand beside each other, and the question about them."""
    facts = [agent.facts.add(text, **NAS).fact for text in (ON, OFF)]
    (question,) = agent.review.scan().asked
    return question, *facts


def decide(human, question, action, **answering):
    seen = human.review.show(question)
    return human.review.decide(question, action, digest=seen.digest, **answering)


def held(brain, **asking):
    return sorted(one.fact.said.text for one in brain.state(**asking).facts)


@pytest.mark.row("OB-059", "KB-123")
def test_two_statements_that_disagree_are_asked_about_once(agent, human, asked):
    question, one, other = asked
    proposal = human.review.show(question).proposal

    assert proposal.draft.kind == "contradiction"
    assert proposal.draft.facts == (one.id, other.id)
    assert (proposal.by.kind, proposal.draft.detail["sign"]) == (ActorKind.JOB, "denial")
    assert agent.review.scan().asked == ()


@pytest.mark.row("OB-059")
def test_only_what_is_about_the_same_system_is_compared(agent):
    agent.facts.add(ON, **NAS)
    agent.facts.add(OFF, system="router")
    agent.facts.add("The kettle is not on.", about=["kettle"])

    assert agent.review.scan().asked == ()


@pytest.mark.row("OB-059", "DU-015")
def test_triples_of_two_channels_or_two_predicates_are_no_contradiction(agent):
    agent.kg.add("entity", "Kiosk 9", "port", "80")
    agent.kg.add("intent", "Kiosk 9", "port", "81")
    agent.kg.add("relationship", "Reederei Süd", "has_contact", "urn:person:ingrid")
    agent.kg.add("entity", "urn:person:ingrid", "role_at", "CFO at Reederei Süd")

    assert agent.review.scan().asked == ()

    agent.kg.add("entity", "Kiosk 9", "stands_at", "pier 3")
    agent.kg.add("entity", "Kiosk 9", "stands_at", "pier 4")

    assert len(agent.review.scan().asked) == 1


@pytest.mark.row("OB-059")
def test_figures_of_different_things_of_a_system_are_no_contradiction(agent):
    for name, port, host in (("shop", 8080, 5), ("admin", 9090, 7)):
        agent.facts.add(f"The {name} service uses port {port}.", system="cluster")
        agent.facts.add(f"The address of {name} is 192.0.2.{host}.", system="cluster")
        agent.facts.add(f"The address 192.0.2.{host} is taken.", system="cluster")
    agent.facts.add("The shop service uses port 8081.", system="cluster")

    (question,) = agent.review.scan().asked
    assert (
        'says "8081" where the other says "8080"'
        in agent.review.show(question).proposal.draft.reason
    )


@pytest.mark.row("OB-059")
def test_without_a_system_only_what_is_about_the_same_thing_is_compared(agent, human):
    for name, port in (("api", 8080), ("web", 9090), ("db", 5432)):
        agent.facts.add(f"The service listens on port {port}.", about=[name])
    assert agent.review.scan().asked == ()

    one = human.facts.add("The service listens on port 8081.", about=["shop", "api"]).fact
    (question,) = agent.review.scan().asked
    assert human.review.show(question).proposal.draft.facts[1] == one.id


@pytest.mark.row("OB-059")
def test_what_was_merged_is_the_same_thing(agent, human):
    api = agent.facts.add("The service listens on port 8080.", about=["api"]).fact
    gateway = agent.facts.add("The service listens on port 9090.", about=["gateway"]).fact
    human.entities.merge(gateway.about[0], api.about[0])

    assert len(agent.review.scan().asked) == 1


@pytest.mark.row("OB-055", "OB-059")
def test_two_parts_of_one_system_do_not_contradict_each_other_and_a_part_and_the_whole_may(agent):
    agent.facts.add(ON, **NAS, component="left disk")
    agent.facts.add(OFF, **NAS, component="right disk")
    assert agent.review.scan().asked == ()

    agent.facts.add(OFF, **NAS)
    assert len(agent.review.scan().asked) == 1


@pytest.mark.row("OB-059")
def test_a_scan_goes_on_where_the_last_one_ended(agent):
    agent.facts.add(ON, **NAS)
    first = agent.review.scan()
    assert (first.fact_count, first.is_done) == (1, True)
    agent.facts.add(OFF, **NAS)
    second = agent.review.scan(after=first.through)

    assert (second.fact_count, len(second.asked)) == (1, 1)
    pages = agent.review.scan(limit=1)
    assert not pages.is_done


@pytest.mark.row("C-10")
def test_a_contradiction_changes_no_fact_by_itself(agent, asked):
    assert held(agent) == sorted([ON, OFF])
    assert [agent.facts.get(one.id).life for one in asked[1:]] == [one.life for one in asked[1:]]


@pytest.mark.row("KB-123")
def test_a_is_right_and_b_leaves_before_anything_else(agent, human, asked):
    question, one, other = asked
    decide(human, question, "confirm", keeps=one.id, retires=[other.id])

    assert held(human) == [ON]
    assert human.facts.get(one.id).life.review is Review.CONFIRMED
    with pytest.raises(ForbiddenError, match="rejected this statement"):
        agent.facts.add(OFF, **NAS)
    human.review.undo(question)
    assert held(human) == sorted([ON, OFF])


def test_a_then_b_ends_the_one_where_the_other_begins(human, asked):
    question, one, other = asked
    decide(human, question, "supersede", keeps=other.id, retires=[one.id])

    assert held(human) == [OFF]
    assert human.facts.get(one.id).life.successor == other.id


def test_both_are_so_in_different_scopes(human, asked):
    question, one, _ = asked
    decide(human, question, "restrict_scope", facts=[one.id], scope="project:lab")

    assert held(human, scope="project:home") == [OFF]
    assert held(human, scope="project:lab") == sorted([ON, OFF])


def test_neither_is_so(agent, human, asked):
    question, one, other = asked
    decide(human, question, "reject", facts=[one.id, other.id])

    assert held(human) == []


@pytest.mark.row("OB-059")
def test_a_dismissed_pair_is_not_flagged_again_in_whatever_order(agent, human, asked):
    question, one, other = asked
    decide(human, question, "reject")
    assert held(human) == sorted([ON, OFF])
    for fact in (one, other):
        human.facts.archive(fact.id)
    for text in (OFF.upper(), ON):
        agent.facts.add(text, **NAS)

    assert agent.review.scan().asked == ()
    assert human.review.list().waiting == 0


@pytest.mark.row("OB-059")
def test_pairs_of_which_a_side_has_ended_drop_out_and_come_back(agent, human, asked):
    question, _, other = asked
    human.facts.archive(other.id)
    assert human.review.list().proposals == ()
    assert [one.id for one in human.review.list(states=["open"]).proposals] == [question]
    human.facts.restore(other.id)
    assert [one.id for one in human.review.list().proposals] == [question]


@pytest.mark.row("OB-059")
def test_what_is_said_again_after_its_side_ended_is_asked_again(agent, human, asked):
    human.facts.archive(asked[2].id)
    again = agent.facts.add(OFF, **NAS).fact

    (question,) = agent.review.scan().asked
    assert human.review.show(question).proposal.draft.facts == (asked[1].id, again.id)


def test_disputed_shows_both_sides_and_picks_none(human, asked):
    question, one, other = asked
    decide(human, question, "dispute")

    state = {told.fact.id: told for told in human.state().facts}
    assert [fact.id for fact in state[one.id].against] == [other.id]
    assert [fact.id for fact in state[other.id].against] == [one.id]
    assert state[one.id].fact.life.review is Review.DISPUTED


def test_what_is_asked_about_is_shown_with_its_other_side_at_once(human, asked):
    state = {told.fact.id: told for told in human.state().facts}
    assert [fact.said.text for fact in state[asked[1].id].against] == [OFF]


@pytest.mark.row("KB-118")
def test_what_is_nearly_the_same_is_not_folded_but_asked_about(agent, human):
    agent.facts.add("The database listens on port 5432.", **NAS)
    agent.facts.add("The database listens on port 5433.", **NAS)
    (question,) = agent.review.scan().asked

    assert human.review.show(question).proposal.draft.detail["sign"] == "number"
    assert len(held(human)) == 2


@pytest.mark.row("C-25")
def test_another_owner_is_never_compared(agent, store, place):
    agent.facts.add(ON, **NAS)
    eve = a_brain(store, place.clock, owner="eve", by=Actor("eve", ActorKind.AGENT))
    eve.facts.add(OFF, **NAS)

    assert eve.review.scan().asked == ()
    assert agent.review.scan().asked == ()


def test_a_narrower_scope_may_have_its_own_value_in_a_slot(agent):
    agent.facts.add("DNS answers on .100.", system="pi-hole", component="ip")
    agent.facts.add("DNS answers on .110.", system="pi-hole", component="ip", scope="project:lab")

    assert agent.review.scan().asked == ()


def test_a_quote_that_hides_commands_is_inert_in_a_question(agent, human):
    agent.facts.add("The kettle \x1b[31mlistens on port 1.", **NAS)
    agent.facts.add("The kettle \x1b[31mlistens on port 2.", **NAS)
    (question,) = agent.review.scan().asked

    assert human.review.show(question).proposal.draft.reason


def test_one_statement_asks_about_the_likeliest_few(agent):
    for port in range(8):
        agent.facts.add(f"The database listens on port {5430 + port}.", **NAS)
    asked = agent.review.scan().asked

    # The first has nothing before it, the second one, the third two, each of the rest three.
    assert len(asked) == 0 + 1 + 2 + 5 * 3
