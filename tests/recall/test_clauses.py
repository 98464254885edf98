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


@pytest.mark.row("OB-070")
def test_what_no_longer_holds_still_answers_and_says_so(human):
    old = human.facts.add("Kerberos used port 88.", about=["kerberos"], area="Study").fact
    human.facts.retire(old.id, reason="the course is over")

    hits = human.recall("which port did kerberos use?", area="Study").hits
    (hit,) = [one for one in hits if one.id == old.id]
    assert str(hit.lifecycle) == "historical"
    assert human.state(area="Study").count == 0


@pytest.mark.row("OB-070")
def test_what_holds_comes_before_what_ended_where_it_answers_as_much(human):
    ended, holds = (
        "We use the queue RabbitMQ.",
        "Kafka is the queue that services at both sites use.",
    )
    old = human.facts.add(ended, about=["queue"]).fact
    human.facts.add(holds, about=["queue"])
    before = human.recall("Which queue do we use?").hits[0].text
    human.facts.retire(old.id, reason="it went with the old data centre")

    asked = [one.text for one in human.recall("Which queue do we use?").hits]
    named = [one.text for one in human.recall("Do we use the queue RabbitMQ?").hits]

    assert (before, asked[:2]) == (ended, [holds, ended])
    assert named[0] == ended


@pytest.mark.row("OB-070")
def test_what_ended_stays_among_the_best_however_many_facts_hold(human):
    ended = "We use the queue RabbitMQ."
    old = human.facts.add(ended, about=["queue"]).fact
    for number in range(30):
        human.facts.add(f"Site {number} does use some queue of its own.", about=[f"site {number}"])
    human.facts.retire(old.id, reason="it went with the old data centre")

    assert ended in [one.text for one in human.recall("Which queue do we use?").hits]


@pytest.mark.row("OB-069")
def test_what_always_holds_stays_before_what_is_newer_and_answers_less(human, place):
    human.facts.add("TCP port 22 is the port of SSH.", about=["ssh"], tags=["durable"])
    place.clock.at += 900 * DAY
    human.facts.add("SSH keys were rotated.", about=["ssh"])

    assert human.recall("which port is SSH?").hits[0].text == "TCP port 22 is the port of SSH."


@pytest.mark.row("MP-06")
def test_a_duplicate_is_named_up_to_a_distance_of_15_hundredths_and_not_beyond(human):
    words = [
        "ada",
        "keeps",
        "the",
        "red",
        "kettle",
        "on",
        "her",
        "stove",
        "in",
        "a",
        "small",
        "kitchen",
        "near",
        "oslo",
    ]
    said = " ".join(words)
    for n in range(len(words)):
        human.remember(" ".join(["otherwise"] * n + words[n:]))

    likely = human.duplicates(said, likeness_min=0.0)
    named = human.duplicates(said)
    assert named == [one for one in likely if one.likeness >= 0.85]
    assert 0 < len(named) < len(likely)
    last = named[-1].likeness
    assert human.duplicates(said, likeness_min=last + 1e-5) == named[:-1]
