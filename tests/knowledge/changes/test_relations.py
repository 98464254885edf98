"""How facts relate to earlier ones, and what follows from it, on both engines."""

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.knowledge.vocabulary.registries import EdgeKind

QUESTION = "which database does the kettle service use"


@pytest.fixture
def human(store, place):
    return a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))


@pytest.fixture
def old(brain):
    return brain.facts.add("The kettle service uses MySQL as its database.", about=["kettle"]).fact


@pytest.fixture
def new(brain, old):
    return brain.facts.add(
        "The kettle service uses Postgres as its database.", about=["kettle"]
    ).fact


def served(brain):
    return {one.fact.id for one in brain.state().facts}


def recalled(brain):
    return [hit.id for hit in brain.recall(QUESTION, limit=20).hits if hit.id.startswith("fct_")]


def decide(human, proposal, action, **answer):
    seen = human.review.show(proposal.id)
    return human.review.decide(proposal.id, action, digest=seen.digest, **answer)


@pytest.mark.row("EM-060")
def test_what_updates_a_fact_comes_in_its_place_when_a_human_agrees(brain, human, old, new):
    related = brain.facts.relate(new.id, "updates", old.id, reason="the migration is done")

    assert related.edge is None
    assert served(brain) == {old.id, new.id}
    assert all(one.against for one in brain.state().facts)

    decide(human, related.proposal, "supersede", keeps=new.id, retires=[old.id])

    assert served(brain) == {new.id}
    assert recalled(brain)[0] == new.id
    chain = brain.facts.history(old.id)
    assert [fact.id for fact in chain] == [old.id, new.id]
    assert brain.facts.history(new.id)[-1].id == new.id


@pytest.mark.row("EM-060")
def test_what_is_debunked_is_hidden_and_stays_so(brain, human, old, new):
    related = brain.facts.relate(new.id, "debunks", old.id)
    assert related.edge.kind is EdgeKind.CONTRADICTS

    decide(human, related.proposal, "reject", facts=[old.id])

    assert served(brain) == {new.id}
    for _ in range(5):
        assert recalled(brain) == [new.id]
        brain.feedback(old.id, "cited")
    with pytest.raises(ForbiddenError):
        brain.facts.add("The kettle service uses MySQL as its database.", about=["kettle"])
    assert brain.facts.get(old.id).said == old.said


@pytest.mark.row("EM-060")
@pytest.mark.parametrize(
    ("relation", "kind"), [("extends", EdgeKind.SUPPORTS), ("derives", EdgeKind.DERIVED_FROM)]
)
def test_what_extends_or_derives_leaves_both_as_they_are(brain, old, new, relation, kind):
    related = brain.facts.relate(new.id, relation, old.id)

    assert related.proposal is None
    assert (related.edge.source_name, related.edge.target_name) == (new.said.text, old.said.text)
    assert (related.edge.source, related.edge.kind, related.edge.target) == (new.id, kind, old.id)
    assert served(brain) == {old.id, new.id}
    assert set(recalled(brain)) == {old.id, new.id}
    assert [edge.id for edge in brain.edges.list(node=old.id)] == [related.edge.id]


@pytest.mark.row("EM-060")
@pytest.mark.parametrize("relation", ["updates", "extends", "derives", "debunks"])
def test_saying_it_again_says_nothing_more(brain, store, old, new, relation):
    first = brain.facts.relate(new.id, relation, old.id)
    with store.read() as view:
        head = view.head()

    again = brain.facts.relate(new.id, relation, old.id)

    assert again == first
    with store.read() as view:
        assert view.head() == head


@pytest.mark.row("EM-060")
def test_no_agent_hides_a_fact_by_saying_so(brain, old, new):
    related = brain.facts.relate(new.id, "debunks", old.id)

    with pytest.raises(ForbiddenError):
        decide(brain, related.proposal, "reject", facts=[old.id])
    assert served(brain) == {old.id, new.id}


@pytest.mark.row("EM-060")
def test_what_does_not_hold_is_no_side_of_a_choice(brain, human, old, new):
    human.facts.retire(old.id, reason="gone")

    with pytest.raises(ConflictError):
        brain.facts.relate(new.id, "debunks", old.id)


def test_a_relation_joins_two_facts_that_are_there(brain, old):
    with pytest.raises(InvalidInputError):
        brain.facts.relate(old.id, "extends", old.id)
    with pytest.raises(InvalidInputError):
        brain.facts.relate(old.id, "updates", old.id)
    with pytest.raises(NotFoundError):
        brain.facts.relate(old.id, "extends", "fct_01JD3ZK9Q2C5T0V8XW7YB4N6HM")
    with pytest.raises(InvalidInputError, match="no fact 'likes' another"):
        brain.facts.relate(old.id, "likes", old.id)
