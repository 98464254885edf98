"""The places of facts in an answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.lifecycle import Lifecycle, Review
from tilth.knowledge.facts.ranking_inputs import FactPlace
from tilth.recall.answer import AnswerOrder, chains
from tilth.recall.order.ranking import Grouped
from tilth.recall.order.signals import KnownFact
from tilth.recall.recaller import DEFAULT

CURRENT, SUPERSEDED, HISTORICAL = (
    Lifecycle.CURRENT,
    Lifecycle.SUPERSEDED,
    Lifecycle.HISTORICAL,
)


def fact(seq, lifecycle=CURRENT, *, slot="", begins=0, successor=0, realm=1):
    return FactPlace(seq, realm, slot, lifecycle, Review.UNREVIEWED, begins, successor)


def ordered(*places):
    return [[place.seq for place in chain] for chain in chains(places)]


def order_of(seqs, *known):
    """Return an order in which the candidate in place n is that of seqs[n]."""
    grouped = [Grouped(at, at) for at in range(len(seqs))]
    return AnswerOrder(grouped, seqs, {one.place.seq: one for one in known})


def shown(answer_order, seqs, **order):
    return [seqs[one.at] for one in answer_order.order(**order)]


def test_what_holds_in_a_slot_comes_first_whatever_its_date():
    assert ordered(
        fact(1, SUPERSEDED, slot="s", begins=9), fact(2, slot="s", begins=3), fact(3, slot="t")
    ) == [[2, 1]]


def test_slots_of_different_realms_are_different():
    assert ordered(fact(1, slot="s"), fact(2, slot="s", realm=2)) == []


def test_a_chain_of_successors_is_followed_across_slots():
    assert ordered(
        fact(1, SUPERSEDED, successor=2), fact(2, SUPERSEDED, slot="s", successor=3), fact(3)
    ) == [[3, 2, 1]]


def test_what_was_only_told_comes_after_what_held():
    assert ordered(
        fact(1, HISTORICAL, slot="s", begins=9), fact(2, SUPERSEDED, slot="s", begins=3)
    ) == [[2, 1]]


def test_a_successor_that_may_not_be_seen_joins_nothing():
    assert ordered(fact(1, SUPERSEDED, successor=7)) == []


@pytest.mark.row("I15")
@given(st.data())
def test_no_fact_is_ever_above_the_one_that_superseded_it(data):
    count = data.draw(st.integers(1, 12))
    places = []
    for seq in range(1, count + 1):
        # Whatever came after has a higher number here, so there is no cycle (I14).
        successor = data.draw(st.sampled_from([0, *range(seq + 1, count + 1)]))
        places.append(
            fact(
                seq,
                SUPERSEDED if successor else data.draw(st.sampled_from([CURRENT, HISTORICAL])),
                slot=data.draw(st.sampled_from(["", "s", "t"])),
                begins=data.draw(st.integers(0, 3)),
                successor=successor,
            )
        )
    seqs = data.draw(st.permutations([place.seq for place in places] + [50, 51]))
    known = [KnownFact(place, evidence=frozenset({50})) for place in places]
    answer_order = order_of(seqs, *known)
    if data.draw(st.booleans()):
        answer_order.facts_before_evidence(np.ones(len(seqs)), DEFAULT)
    answer_order.order_chains()

    order = shown(answer_order, seqs)
    assert sorted(order) == sorted(seqs)
    for place in places:
        if place.successor:
            assert order.index(place.successor) < order.index(place.seq)


def test_what_holds_takes_the_best_place_of_its_chain():
    seqs = [1, 50, 2, 51]
    answer_order = order_of(
        seqs,
        KnownFact(fact(1, SUPERSEDED, slot="s", successor=2)),
        KnownFact(fact(2, slot="s")),
    )
    answer_order.order_chains()

    assert shown(answer_order, seqs) == [2, 50, 1, 51]
    groups = {seqs[one.at]: one.group for one in answer_order.order()}
    assert groups[1] == groups[2] != groups[50]


def test_a_fact_stands_before_what_was_said_of_it_if_it_covers_as_much():
    seqs = [50, 51, 1]
    one = KnownFact(fact(1), evidence=frozenset({50}))
    enough, less = order_of(seqs, one), order_of(seqs, one)
    enough.facts_before_evidence(np.array([1.0, 0.5, 0.9]), DEFAULT)
    less.facts_before_evidence(np.array([1.0, 0.5, 0.8]), DEFAULT)

    assert shown(enough, seqs) == [1, 50, 51]
    assert shown(less, seqs) == [50, 51, 1]


def test_facts_in_dispute_stand_side_by_side():
    seqs = [1, 50, 51, 2]
    answer_order = order_of(
        seqs, KnownFact(fact(1), rivals=frozenset({2})), KnownFact(fact(2), rivals=frozenset({1}))
    )
    answer_order.rivals_after_facts()

    assert shown(answer_order, seqs) == [1, 2, 50, 51]


def test_only_an_episode_that_says_no_more_is_retold():
    seqs = [50, 51, 1]
    one = KnownFact(fact(1), evidence=frozenset({50, 51}))
    answer_order = order_of(seqs, one)
    terms = {0: frozenset({1, 2}), 1: frozenset({1, 9}), 2: frozenset({1, 2, 3})}

    assert answer_order.restated_by_facts(terms.__getitem__) == {0}
    assert shown(answer_order, seqs, without=answer_order.restated_by_facts(terms.__getitem__)) == [
        51,
        1,
    ]
