"""Recall across tiers: facts and episodes in one answer, on both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START, HashingEmbedder
from tests.knowledge.facts.test_fact_search import ruled
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.lifecycle import Freshness, Lifecycle, Review
from tilth.core.scope import Owner
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.proposals.proposal import Action
from tilth.recall.model import Tier

DAY = timedelta(days=1)
PI_HOLE = {"area": "Network", "environment": "home", "system": "Pi-Hole", "component": "ip"}
OLD, NEW = "Pi-Hole answers on 192.168.100.30.", "Pi-Hole answers on 192.168.110.30."
WHERE = "Where does Pi-Hole answer?"


@pytest.fixture
def make(store, place):
    """Make a brain on the same store for any kind of actor."""
    return lambda kind, **rest: a_brain(
        store, place.clock, by=Actor("ada", ActorKind(kind)), **rest
    )


@pytest.fixture
def human(make):
    return make("human")


@pytest.fixture
def agent(make):
    return make("agent")


@pytest.fixture
def moved(human):
    """A brain that was told where a service is, and that it moved."""
    old = human.facts.add(OLD, **PI_HOLE).fact
    return human, old, human.facts.add(NEW, **PI_HOLE).fact


def texts(found):
    return [hit.text for hit in found.hits]


def ids(found, tier=Tier.FACT):
    return [hit.id for hit in found.hits if hit.tier is tier]


@pytest.mark.row("KB-024")
def test_one_search_finds_both_tiers_with_comparable_scores(brain):
    brain.remember("We deploy the Go services to the LXC containers.", session_id="s")
    brain.facts.add("Go services run in LXC containers.", about=["Go services"])

    found = brain.recall("Where do we deploy Go services, in LXC?")

    assert {hit.tier for hit in found.hits} == {Tier.EPISODE, Tier.FACT}
    assert all(hit.parts.keys() == found.hits[0].parts.keys() for hit in found.hits)
    assert all(sum(hit.parts.values()) == pytest.approx(hit.score) for hit in found.hits)
    assert found.answerable


@pytest.mark.row("OB-005")
def test_recall_puts_what_holds_first(moved):
    brain, old, new = moved

    found = brain.recall(WHERE)

    assert ids(found) == [new.id, old.id]
    assert [hit.lifecycle for hit in found.hits] == [Lifecycle.CURRENT, Lifecycle.SUPERSEDED]
    assert found.hits[1].successor == new.id
    assert found.hits[1].valid_to == found.hits[0].valid_from


@pytest.mark.row("C-13")
def test_state_and_recall_agree(moved):
    brain, _, new = moved
    state = brain.state(system="pi-hole")

    assert [one.fact.id for one in state.facts] == [new.id]
    assert brain.recall(WHERE).hits[0].id == state.facts[0].fact.id
    assert brain.recall(WHERE).hits[0].freshness == state.facts[0].freshness


@pytest.mark.row("C-13")
@pytest.mark.parametrize("is_grouped", [True, False])
@pytest.mark.parametrize("question", [WHERE, OLD, "192.168.100.30", "What about 100.30?"])
def test_a_superseded_fact_is_never_above_its_successor(moved, question, is_grouped):
    brain, old, new = moved

    assert ids(brain.recall(question, is_grouped=is_grouped))[:2] == [new.id, old.id]


@pytest.mark.row("OB-030")
@pytest.mark.parametrize("is_grouped", [True, False])
def test_the_later_state_comes_first_in_every_mode(human, is_grouped):
    place = {"system": "postgres", "component": "status"}
    human.facts.add("In June the container of postgres was healthy.", **place)
    human.facts.add("Decommissioned in July.", **place)
    human.remember("Is the container of postgres healthy?")

    found = human.recall("Is the container of postgres healthy?", is_grouped=is_grouped)

    facts = [hit.text for hit in found.hits if hit.tier is Tier.FACT]
    assert facts[0] == "Decommissioned in July."


@pytest.mark.row("OB-006")
def test_a_long_chain_is_in_order_from_its_end(human):
    for number in range(12):
        human.facts.add(f"The port of grafana is {3000 + number}.", **PI_HOLE | {"component": "p"})

    found = human.recall("What is the port of grafana, 3000?", limit=50)

    ports = [hit.text[-5:-1] for hit in found.hits if hit.tier is Tier.FACT]
    assert ports[0] == "3011"
    assert ports == sorted(ports, reverse=True)


def test_a_chain_without_a_slot_is_in_order_too(human):
    first = human.facts.add("The office is in Oslo.", about=["office"]).fact
    second = human.facts.add("Bergen.", about=["office"], supersedes=first.id).fact

    assert ids(human.recall("The office is in Oslo?")) == [second.id, first.id]


def test_a_fact_comes_before_the_words_that_it_was_made_from(brain):
    said = brain.remember(
        "After a long talk we settled it: the ledger lives in PostgreSQL.", session_id="s"
    )
    fact = brain.facts.add(
        "The ledger lives in PostgreSQL.",
        about=["ledger"],
        evidence=[(said, "the ledger lives in PostgreSQL")],
    ).fact

    found = brain.recall("Where does the ledger live, PostgreSQL?")

    assert [hit.id for hit in found.hits][:2] == [fact.id, said]
    assert found.hits[0].episode_ids == (said,)


def test_a_fact_that_answers_less_does_not_displace_its_source(brain):
    said = brain.remember("Marguerite brews oolong tea in Bergen on Sundays.", session_id="s")
    brain.facts.add("She is in Bergen.", about=["Marguerite"], evidence=[said])

    found = brain.recall("Which oolong tea does Marguerite brew on Sundays?")

    assert found.hits[0].id == said


def test_what_only_says_what_a_fact_says_is_not_shown_twice(moved):
    brain, _old, _new = moved

    found = brain.recall(WHERE)

    assert texts(found) == [NEW, OLD]
    noted = [one.id for one in brain.episodes.list()]
    assert [hit.episode_ids[0] for hit in found.hits] == noted[::-1]
    assert ids(brain.recall(WHERE, tiers=["episode"]), Tier.EPISODE) == noted[::-1]


def test_tiers_can_be_chosen(brain):
    brain.facts.add("The ledger lives in PostgreSQL.", about=["ledger"])
    brain.remember("PostgreSQL keeps the ledger, says everybody.", session_id="s")

    for tier in Tier:
        found = brain.recall("the ledger in PostgreSQL", tiers=[tier])
        assert {hit.tier for hit in found.hits} == {tier}
    with pytest.raises(InvalidInputError):
        brain.recall("the ledger", tiers=["page"])


@pytest.mark.row("OB-008")
def test_a_draft_is_not_recalled(human, agent):
    human.facts.add(OLD, **PI_HOLE)
    waiting = agent.facts.add("Pi-Hole answers nowhere.", **PI_HOLE)

    found = agent.recall("Does Pi-Hole answer nowhere?")

    assert waiting.fact.id not in ids(found)
    assert [(hit.is_contested, hit.rivals) for hit in found.hits if hit.tier is Tier.FACT] == [
        (True, (waiting.fact.id,))
    ]


@pytest.mark.row("C-02")
def test_what_is_in_dispute_is_shown_with_the_other_side(store, human):
    one = human.facts.add("The kettle is red.", about=["kettle"]).fact
    other = human.facts.add("Whatever they say, it is blue.", about=["kettle"]).fact
    for number in range(9):
        human.remember(f"A red kettle is a kettle that is red, number {number}.")
    ruled(human._parts.store, human, one.id, Action.DISPUTE, [other.id])

    found = human.recall("Is the kettle red?", limit=3)

    assert [hit.id for hit in found.hits][:2] == [one.id, other.id]
    assert {hit.review for hit in found.hits[:2]} == {Review.DISPUTED}
    assert [hit.rivals for hit in found.hits[:2]] == [(other.id,), (one.id,)]


def test_what_waits_to_be_told_from_what_contradicts_it_says_so(human, agent):
    one = agent.facts.add("The kettle is red.", about=["kettle"]).fact
    other = agent.facts.add("Whatever they say, it is blue.", about=["kettle"]).fact
    for number in range(9):
        human.remember(f"A red kettle is a kettle that is red, number {number}.")
    agent.facts.relate(other.id, "updates", one.id)

    hits = agent.recall("Is the kettle red?", limit=3).hits

    assert [hit.id for hit in hits][:2] == [one.id, other.id]
    assert [hit.rivals for hit in hits[:2]] == [(other.id,), (one.id,)]
    assert not any(hit.is_contested for hit in hits)


def test_what_was_archived_or_rejected_is_not_recalled(store, make, human):
    put_away = human.facts.add("The kettle is red.", about=["kettle"]).fact
    wrong = human.facts.add("The kettle is blue.", about=["kettle"]).fact
    imported = make("import").facts.add("The kettle is green.", about=["kettle"]).fact
    human.facts.archive(put_away.id)
    ruled(store, human, wrong.id, Action.REJECT, [imported.id])

    assert ids(human.recall("Which colour has the kettle, red or blue?")) == []


@pytest.mark.row("C-23")
def test_an_imported_fact_is_recalled_and_labelled(make, human):
    imported = make("import").facts.add("The kettle is red.", about=["kettle"]).fact

    (hit,) = human.recall("Is the kettle red?", tiers=["fact"]).hits
    assert (hit.id, hit.lifecycle, hit.review) == (
        imported.id,
        Lifecycle.HISTORICAL,
        Review.UNREVIEWED,
    )
    assert human.state().facts == ()


@pytest.mark.row("OB-057")
def test_recall_as_of_a_time_answers_with_what_held_then(human):
    dns = {"system": "dns", "component": "status"}
    began, moved = START - 60 * DAY, START - 30 * DAY
    june = human.facts.add("The status of dns is healthy.", valid_from=began, **dns).fact
    july = human.facts.add("The status of dns is gone.", valid_from=moved, **dns).fact
    asked = "What is the status of dns?"

    assert ids(human.recall(asked, as_of=began)) == [june.id]
    assert ids(human.recall(asked, as_of=moved - timedelta(microseconds=1))) == [june.id]
    assert ids(human.recall(asked, as_of=moved)) == [july.id]
    assert ids(human.recall(asked, as_of=began - DAY)) == []


def test_recall_as_it_was_known_then_shows_the_labels_of_then(moved):
    brain, old, _new = moved

    found = brain.recall(WHERE, known_at=old.recorded_at)

    (hit,) = found.hits
    assert (hit.id, hit.lifecycle, hit.successor) == (old.id, Lifecycle.CURRENT, None)
    assert brain.recall(WHERE, known_at=old.recorded_at - DAY).hits == ()


@pytest.mark.parametrize(
    ("days", "freshness"),
    [(7, Freshness.FRESH), (8, Freshness.AGEING), (91, Freshness.VERIFY), (401, Freshness.GUESS)],
)
@pytest.mark.on_sqlite(but=2)
def test_a_fact_is_labelled_by_when_somebody_last_vouched_for_it(place, moved, days, freshness):
    brain, _, _new = moved
    place.clock.at += days * DAY - timedelta(minutes=1)

    assert brain.recall(WHERE).hits[0].freshness is freshness
    assert brain.state(system="pi-hole").facts[0].freshness is freshness


@pytest.mark.row("KB-050")
def test_facts_of_other_scopes_and_owners_are_not_recalled(make, human):
    human.facts.add("The kettle is red.", about=["kettle"], scope="project:home")
    make("agent", owner=Owner("other")).facts.add("My kettle is red.", about=["kettle"])

    assert ids(human.recall("Is the kettle red?", scope="project:work")) == []
    assert texts(human.recall("Is the kettle red?", scope="project:home")) == ["The kettle is red."]


def test_a_successor_that_may_not_be_seen_stays_hidden(human):
    old = human.facts.add("The office is in Oslo.", about=["office"]).fact
    new = human.facts.add("The office is in Bergen.", about=["office"], supersedes=old.id).fact
    ruled(human._parts.store, human, new.id, Action.RESTRICT_SCOPE, scope="project:home")

    found = human.recall("Where is the office?", scope="project:work", tiers=["fact"])

    assert [(hit.id, hit.lifecycle) for hit in found.hits] == [(old.id, Lifecycle.SUPERSEDED)]


def fillers(brain, text):
    """State more facts than the arms bring."""
    brain.facts.add_many(
        [{"text": f"{text}, number {number}.", "about": ["filler"]} for number in range(50)]
    )


def test_the_holder_of_a_slot_is_brought_although_no_word_is_like_the_question(moved):
    brain, *_ = moved
    newest = brain.facts.add("Gone.", **PI_HOLE).fact
    fillers(brain, "192.168.100.30 is an address like any other")

    found = ids(brain.recall(f"{OLD} 192.168.100.30", limit=50))

    assert found[0] == newest.id


def test_a_note_brings_the_fact_that_rests_on_it(brain):
    said = brain.remember("The dining table seats nine, and the lamp is oak.", session_id="s")
    fact = brain.facts.add("Nine.", about=["seats"], evidence=[(said, "nine")]).fact
    fillers(brain, "The dining table of somebody else")

    assert fact.id in ids(brain.recall("How many does the dining table seat?", limit=100))


def test_the_words_of_a_proposal_stand_behind_what_holds(human, agent):
    held = human.facts.add("Pi-Hole is at .110.30.", **PI_HOLE).fact
    waiting = agent.facts.add("Pi-Hole is at .120.30.", **PI_HOLE)
    (noted,) = (one.episode.id for one in agent.facts.why(waiting.fact.id).supports)

    found = [hit.id for hit in agent.recall("Is Pi-Hole at .120.30?").hits]

    assert found.index(held.id) < found.index(noted)


@pytest.mark.row("OB-068")
@pytest.mark.parametrize("verdict", ["useful", "cited"])
def test_no_vote_lifts_what_was_superseded(moved, verdict):
    brain, old, new = moved
    for session in ("one", "two", "three"):
        brain.feedback(old.id, verdict, session_id=session)

    for is_grouped in (True, False):
        assert ids(brain.recall(OLD, is_grouped=is_grouped))[:2] == [new.id, old.id]


@pytest.mark.row("OB-069")
def test_what_is_old_and_still_holds_is_not_demoted(human):
    human.facts.add(
        "The kettle is red.", about=["kettle"], valid_from=START - 3000 * DAY, valid_to=None
    )
    human.facts.add("The lamp is red.", about=["lamp"])

    hits = human.recall("Is the kettle red?", tiers=["fact"]).hits

    assert hits[0].text == "The kettle is red."
    assert hits[0].parts["date"] == hits[1].parts["date"] == 0


@pytest.mark.row("C-14")
def test_a_fact_that_begins_in_the_past_is_as_old_as_it_says(place, human):
    human.facts.add("The kettle is red.", about=["kettle"], valid_from=START - 500 * DAY)

    (hit,) = human.recall("Is the kettle red?", tiers=["fact"]).hits
    assert hit.freshness is Freshness.GUESS
    assert human.state().facts[0].freshness is Freshness.GUESS


def test_what_was_known_then_is_as_old_as_it_was_then(place, human):
    human.facts.add("The kettle is red.", about=["kettle"])

    (hit,) = human.recall("Is the kettle red?", tiers=["fact"]).hits
    asked_then = human.recall("Is the kettle red?", known_at=hit.recorded_at, tiers=["fact"])
    place.clock.at += 500 * DAY
    assert asked_then.hits[0].freshness is Freshness.FRESH
    later = human.recall("Is the kettle red?", known_at=hit.recorded_at, tiers=["fact"])
    assert later.hits[0].freshness is Freshness.FRESH


def test_recall_of_facts_works_without_vectors(moved):
    brain, _, new = moved
    with brain._parts.store.begin() as tx:
        tx.drop_space(HashingEmbedder().space)

    assert ids(brain.recall(WHERE))[0] == new.id


def test_both_tiers_of_vectors_find_facts(store, place):
    second = HashingEmbedder(16)
    brain = a_brain(store, place.clock, second=second)
    fact = brain.facts.add("The ledger lives in PostgreSQL.", about=["ledger"]).fact
    assert brain.embed_backlog() == 2

    (hit,) = brain.recall("The ledger lives in PostgreSQL.", tiers=["fact"]).hits
    assert hit.id == fact.id
    assert {"cosine_first", "cosine_second", "rank_first", "rank_second"} <= hit.signals.keys()


def test_a_vote_for_a_fact_counts(moved):
    brain, _, new = moved
    brain.feedback(new.id, "useful")

    assert brain.recall(WHERE).hits[0].parts["feedback"] > 0


def test_a_store_without_facts_is_asked_nothing_about_them(brain, monkeypatch):
    brain.remember("The kettle is on.")

    def refused(*_):
        raise AssertionError("facts were asked for")

    for name in ("at", "onward", "resting_on", "evidence", "passages"):
        monkeypatch.setattr(FactPlaces, name, refused)

    assert texts(brain.recall("Is the kettle on?")) == ["The kettle is on."]


@pytest.mark.row("XR-08")
def test_why_a_fact_is_believed_is_told_in_the_words_of_its_sources(moved, brain):
    human, old, new = moved
    said = human.remember("We moved it. Pi-Hole answers on .120.30 now.")
    third = human.facts.add(
        "Pi-Hole answers on .120.30.", evidence=[(said, "Pi-Hole answers on .120.30")], **PI_HOLE
    ).fact

    found = human.facts.why(third.id)

    assert [support.quote for support in found.supports] == ["Pi-Hole answers on .120.30"]
    assert found.supports[0].episode.id == said
    assert [fact.id for fact in found.history] == [old.id, new.id, third.id]
    assert [past.by.name for past in found.lives] == ["ada"]
    then = human.facts.why(old.id, known_at=old.recorded_at)
    assert [past.life.lifecycle for past in then.lives] == [Lifecycle.CURRENT]
    assert len(human.facts.why(old.id).lives) == 2
    with pytest.raises(NotFoundError):
        human.facts.why(third.id, known_at=old.recorded_at)


@pytest.mark.row("XR-08")
def test_what_rests_on_an_episode_is_told_with_what_that_superseded(moved):
    brain, old, new = moved
    noted = brain.facts.why(new.id).supports[0].episode.id

    (found,) = brain.episodes.facts(noted)

    assert (found.fact.id, found.quotes) == (new.id, (NEW,))
    assert [fact.id for fact in found.superseded] == [old.id]
    with pytest.raises(NotFoundError):
        brain.episodes.facts("epi_" + "0" * 26)


@pytest.mark.row("XR-08")
def test_words_that_may_not_be_seen_from_here_are_withheld(human):
    said = human.remember("The vault code is 4711, and the kettle is red.", scope="project:home")
    fact = human.facts.add("The kettle is red.", about=["kettle"], evidence=[said]).fact

    (support,) = human.facts.why(fact.id, scope="project:work").supports

    assert (support.episode, support.quote) == (None, "")
    with pytest.raises(NotFoundError):
        human.episodes.facts(said, scope="project:work")


@pytest.mark.row("X-01")
def test_a_service_that_moved_has_one_answer(moved):
    brain, old, new = moved

    assert brain.recall(WHERE).hits[0].id == new.id
    assert [one.fact.id for one in brain.state(system="Pi-Hole").facts] == [new.id]
    assert [fact.id for fact in brain.facts.history(new.id)] == [old.id, new.id]


@pytest.mark.row("X-03")
def test_who_left_is_recalled_as_of_before_and_after(place, human):
    told = {"subject": "Marina", "predicate": "works_at", "channel": "relationship"}
    acme = human.facts.add("Marina works at Acme.", object="Acme", valid_from=START, **told)
    place.clock.at = START + 61 * DAY
    human.facts.retire(acme.fact.id, reason="she left", valid_to=START + 60 * DAY)
    asked = "Where does Marina work?"

    assert ids(human.recall(asked, as_of=START + 59 * DAY)) == [acme.fact.id]
    assert ids(human.recall(asked, as_of=START + 60 * DAY)) == []
    (hit,) = human.recall(asked, tiers=["fact"]).hits
    assert hit.lifecycle is Lifecycle.HISTORICAL
    place.clock.at = START + 91 * DAY
    assert human.recall(asked, tiers=["fact"]).hits[0].freshness is Freshness.VERIFY
