"""Clauses of the specification on what is tended, as whoever decides meets them."""

from datetime import timedelta

import pytest

DAY = timedelta(days=1)


@pytest.mark.row("KB-118")
def test_facts_that_differ_in_a_number_are_never_folded_and_both_are_told(human):
    for port in (5432, 5433):
        human.facts.add(f"The database listens on port {port}.", about=["database"])
    assert human.dedup().doubles == ()

    texts = {one.fact.said.text for one in human.state().facts}
    assert texts == {f"The database listens on port {port}." for port in (5432, 5433)}


@pytest.mark.row("EM-067")
@pytest.mark.parametrize(("days", "is_there"), [(89, True), (91, False), (269, False)])
def test_a_fact_of_a_thing_that_nobody_speaks_of_is_put_away_after_90_days(
    agent, human, place, days, is_there
):
    agent.facts.add("The pump hums.", about=["pump"])
    place.clock.at += days * DAY
    human.archive()

    assert (len(human.facts.list()) == 1) is is_there


@pytest.mark.row("EM-067")
@pytest.mark.parametrize(("days", "is_there"), [(269, True), (271, False)])
def test_a_fact_of_a_thing_that_is_spoken_of_is_put_away_after_270_days(
    agent, human, place, days, is_there
):
    agent.facts.add("The pump hums.", about=["pump"])
    place.clock.at += (days - 30) * DAY
    agent.facts.add("The pump leaks.", about=["pump"])
    place.clock.at += 30 * DAY
    human.archive()

    assert ("The pump hums." in {one.said.text for one in human.facts.list()}) is is_there


@pytest.mark.row("KB-123")
def test_a_conflict_that_was_not_decided_whole_still_waits(human, agent, monkeypatch):
    facts = [agent.facts.add(f"The NAS is {word}.", system="NAS").fact for word in ("on", "off")]
    (asked,) = agent.review.scan().asked or (None,)
    assert asked is not None
    digest = human.review.show(asked).digest
    with monkeypatch.context() as patch:
        patch.setattr("tilth.ledger.store.Store.begin", _crash)
        with pytest.raises(RuntimeError, match="crash"):
            human.review.decide(
                asked, "confirm", digest=digest, keeps=facts[0].id, retires=[facts[1].id]
            )

    assert [one.id for one in human.review.list().proposals] == [asked]
    assert len(human.state(system="NAS").facts) == 2


def _crash(*_, **__):
    raise RuntimeError("crash")
