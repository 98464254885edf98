"""What changed of facts, entities, proposals and words: all of it, once, to whom it concerns."""

from collections import Counter
from random import Random  # noqa: TID251 - seeded

import pytest

from prove.facts.play import Hand, Play
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Owner, Scope, Visibility
from tilth.episodes.changes import changes

WORK = Scope("project:work")


@pytest.fixture
def played(place):
    """A store with a history of random steps."""
    hand = Hand()
    store = place.open(clock=hand)
    play = Play(store, hand, Random(11))
    for _ in range(60):
        play.step()
    play.register()
    yield store
    store.close()


def read(store, *scopes, limit=7, owner=DEFAULT_OWNER):
    """Turn all pages."""
    within = Visibility(owner, frozenset(scopes) if scopes else None)
    found, since, has_more = [], "", True
    while has_more:
        page = changes(store, since, within, limit=limit)
        found += page.items
        since, has_more = page.cursor, page.has_more
    return found


@pytest.mark.row("OB-028")
def test_every_change_of_what_is_known_is_told_once_in_order(played):
    with played.read() as view:
        events = view.events(limit=10_000)
    told = [one for one in events if type(one.event).__name__ != "StoreCreated"]

    found = read(played)

    assert [one.seq for one in found] == [one.seq for one in told]
    kinds = Counter(type(one.event).__name__ for one in found)
    assert {"FactRecorded", "ProposalOpened", "ProposalDecided", "EntityRecorded"} <= set(kinds)
    assert all(one.headline.kind and one.headline.id for one in found)


@pytest.mark.row("I28")
def test_each_change_is_told_in_the_scope_that_it_is_of(played):
    whole, work, rest = read(played), read(played, WORK), read(played, GLOBAL)

    assert not {one.seq for one in work} & {one.seq for one in rest}
    assert sorted([*work, *rest], key=lambda one: one.seq) == whole
    assert read(played, Scope("project:other")) == []
    assert read(played, owner=Owner("bob")) == []


def test_a_proposal_and_its_decision_are_told_by_what_was_proposed(agent, human):
    human.facts.add("The router is at 192.0.2.1.", system="lab", component="router")
    asked = agent.facts.add("The router is at 192.0.2.7.", system="lab", component="router")
    seen = human.review.show(asked.proposal_id)
    human.review.reject(asked.proposal_id, digest=seen.digest)

    page = human.changes()
    told = {one.headline.kind: page.line_of(one) for one in page.items}
    assert told["proposed"].startswith("“The router is at 192.0.2.7.”")
    assert "a human stands behind" in told["proposed"]
    assert told["decided"].startswith("“The router is at 192.0.2.7.")
    assert told["decided"].endswith(": reject")
