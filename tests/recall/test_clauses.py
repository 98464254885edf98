"""Clauses of the specification on what is found, as whoever asks meets them."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind

DAY = timedelta(days=1)


@pytest.fixture
def human(store, place):
    return a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))


@pytest.mark.row("OB-065")
def test_every_hit_of_every_tier_carries_signals_that_add_up_to_its_score(human):
    human.remember_many([{"text": f"The kettle number {n} is on the stove."} for n in range(8)])
    human.facts.add("The kettle is green.", about=["kettle"])
    human.facts.add("The kettle was bought in Bergen.", about=["kettle"])

    hits = human.recall("where is the green kettle?", limit=20).hits

    assert {str(hit.tier) for hit in hits} == {"fact", "episode"}
    for hit in hits:
        assert {"covered", "arms"} <= hit.signals.keys()
        assert sum(hit.parts.values()) == pytest.approx(hit.score)


@pytest.mark.row("OB-064")
def test_a_skim_of_long_texts_takes_a_quarter_of_the_words_at_most(human):
    for n in range(10):
        human.remember(f"Report {n}. " + "so it went " * 90 + f"the kettle {n} broke.")

    skimmed = human.recall("which kettle broke?", is_full=False, limit=10).hits
    whole = human.fetch([hit.id for hit in skimmed])

    assert len(whole) == len(skimmed) == 10
    words = sum(len(one.text.split()) for one in whole)
    assert 4 * sum(len(hit.text.split()) for hit in skimmed) <= words
    assert [hit.word_count for hit in skimmed] == [len(one.text.split()) for one in whole]


@pytest.mark.row("DU-017")
def test_something_old_that_is_recorded_late_is_as_old_as_it_is(human, place):
    place.clock.at = START + 500 * DAY
    labels = {6: "fresh", 8: "ageing", 89: "ageing", 90: "verify", 399: "verify", 400: "guess"}
    for days, label in labels.items():
        held = place.clock.at - days * DAY
        fact = human.facts.add(f"The valve {days} is shut.", about=["valve"], valid_from=held).fact
        (hit,) = [one for one in human.recall(f"valve {days} shut").hits if one.id == fact.id]
        assert str(hit.freshness) == label, days


@pytest.mark.row("EM-025")
def test_an_agent_asks_for_a_merge_of_persons_and_a_human_decides(human, store, place):
    agent = a_brain(store, place.clock)
    one = human.entities.add("Ada Lovelace", type="person").entity.id
    other = human.entities.add("A. Byron", type="person").entity.id

    agent.entities.merge(one, other)

    assert human.entities.get(other).entity.id == other
    (asked,) = human.review.list().proposals
    human.review.confirm(asked.id, digest=human.review.show(asked.id).digest)
    assert human.entities.get(other).entity.id == one
