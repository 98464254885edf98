"""Matching, for any names at all."""

from hypothesis import given
from hypothesis import strategies as st

from tilth.core.text.names import is_plain, name_key
from tilth.knowledge.entities.blocking import blocking_keys
from tilth.knowledge.entities.match_names import Named, match
from tilth.knowledge.entities.name_likeness import (
    families_apart,
    given_names_apart,
    rivalry,
)

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=20)
NAME_LIKE = st.from_regex(r"[a-cA-C]{1,3}[ -]?[0-3]?[ .]?[ab]{0,2}", fullmatch=True)
names = ANYTHING | NAME_LIKE
types = st.sampled_from(["", "thing", "tech", "service", "person", "agent"])
known = st.lists(st.tuples(names, types, st.lists(names, max_size=2)), max_size=5)


def candidates(drawn):
    return [
        Named(id=str(at), name=name, type=kind, aliases=tuple(aliases))
        for at, (name, kind, aliases) in enumerate(drawn)
    ]


@given(names, types, known)
def test_what_is_merged_is_a_plain_thing_of_one_key_and_the_only_one(name, kind, drawn):
    some = candidates(drawn)

    decision = match(Named(id="sought", name=name, type=kind), some)

    if decision.same is not None:
        (bearer,) = [one for one in some if name_key(name) in map(name_key, one.names)]
        assert decision.same.id == bearer.id
        assert not decision.suggestions
        assert {kind, bearer.type}.isdisjoint({"person", "agent"})
        assert name in bearer.names or is_plain(name)


@given(names, types, known)
def test_suggestions_are_scored_in_order_and_explained(name, kind, drawn):
    found = match(Named(id="sought", name=name, type=kind), candidates(drawn), floor=0.0)

    scores = [one.score for one in found.suggestions]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score < 1.0 for score in scores)
    assert all(one.reason for one in found.suggestions)


@given(names, names, types)
def test_to_be_the_same_is_mutual(name, other, kind):
    one, two = Named(id="1", name=name, type=kind), Named(id="2", name=other, type=kind)

    assert (match(one, [two]).same is None) == (match(two, [one]).same is None)


@given(names, names)
def test_rivalry_is_mutual(name, other):
    words, others = tuple(name.casefold().split()), tuple(other.casefold().split())

    assert bool(rivalry(words, others)) == bool(rivalry(others, words))
    assert not rivalry(words, words)


PEOPLE = st.lists(st.sampled_from(["ana", "pop", "popp", "ito", "j", "(acme)", ","]), max_size=4)


@given(PEOPLE.map(" ".join), PEOPLE.map(" ".join))
def test_that_family_names_set_persons_apart_is_mutual(name, other):
    assert bool(families_apart(name, other)) == bool(families_apart(other, name))
    assert not families_apart(name, name)


KIN = st.lists(
    st.sampled_from(["anna", "ania", "piotr", "maria", "mario", "pop", "p", "(acme)", ","]),
    max_size=4,
)


@given(KIN.map(" ".join), KIN.map(" ".join))
def test_that_given_names_set_persons_apart_is_mutual(name, other):
    assert bool(given_names_apart(name, other)) == bool(given_names_apart(other, name))
    assert not given_names_apart(name, name)


@given(names, names)
def test_names_of_one_key_are_brought_by_it(name, other):
    shared = blocking_keys(name) & blocking_keys(other)
    assert (f"={name_key(name)}" in shared) == (name_key(name) == name_key(other))
