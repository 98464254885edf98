"""Vectors can be dropped: nothing is lost that does not come back, on both engines."""

import pytest

from tests.brains import a_brain
from tests.fakes import HashingEmbedder
from tilth.core.actor import Actor, ActorKind
from tilth.ledger.search import Search

SAID = ("The kettle in the kitchen is green.", "The toaster is behind the bread bin.")
QUESTION = "which colour has the kettle in the kitchen"


@pytest.fixture
def brain(whole_store, place):
    return a_brain(
        whole_store,
        place.clock,
        second=HashingEmbedder(32),
        by=Actor("ada", ActorKind.AGENT),
    )


def vectors(store):
    with store.read() as view:
        return {stats.space: stats.vector_count for stats in Search(view).spaces()}


def answer(brain):
    hits = brain.recall(QUESTION).hits
    return [(hit.id, round(hit.score, 6)) for hit in hits]


@pytest.mark.row("EM-059")
def test_without_vectors_everything_is_there_and_found_by_its_words(brain, whole_store):
    for text in SAID:
        brain.remember(text)
        brain.facts.add(text, about=["kitchen"])
    brain.embed_backlog()
    before, spaces, found = whole_store.digest(), vectors(whole_store), answer(brain)
    assert len(spaces) == 2

    with whole_store.begin() as tx:
        for space in spaces:
            tx.drop_space(space)

    assert vectors(whole_store) == {}
    assert whole_store.digest() == before
    assert list(whole_store.verify()) == []
    by_words = [id_ for id_, _ in answer(brain)]
    assert by_words[0] == found[0][0]
    assert set(by_words) <= {id_ for id_, _ in found}
    brain.embed_backlog()
    assert vectors(whole_store) == spaces
    assert answer(brain) == found


@pytest.mark.row("EM-059")
def test_a_rebuild_equals_what_was_before(brain, human, whole_store):
    for text in SAID:
        brain.facts.add(text, about=["kitchen"])
    brain.embed_backlog()
    before, spaces, found = whole_store.digest(), vectors(whole_store), answer(brain)

    human.rebuild()
    brain.embed_backlog()

    assert (whole_store.digest(), vectors(whole_store), answer(brain)) == (before, spaces, found)
