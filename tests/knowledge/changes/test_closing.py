"""Closing what is said of a work item, on both engines."""

import pytest

from tilth.core.errors import ForbiddenError, NotFoundError
from tilth.core.lifecycle import Lifecycle

ITEM = "urn:item:kettle-42"


@pytest.fixture
def store(whole_store):
    return whole_store


def said(brain, subject, predicate, object_):
    return brain.kg.add("entity", subject, predicate, object_).fact


@pytest.fixture
def facts(agent):
    return [
        said(agent, "scout", "working_on", ITEM),
        said(agent, "reviewer", "works_on", ITEM),
        said(agent, ITEM, "phase", "review"),
    ]


def lifecycles(brain, facts):
    return [brain.facts.get(fact.id).life.lifecycle for fact in facts]


@pytest.mark.row("DU-058")
def test_archiving_a_work_item_ends_who_works_on_it_and_its_phase(agent, facts):
    kept = [
        said(agent, "scout", "phase", "resting"),
        said(agent, ITEM, "working_on", "itself"),
        said(agent, ITEM, "owned_by", "ada"),
        said(agent, "builder", "working_on", "urn:item:other"),
    ]

    closed = agent.kg.archive(ITEM)

    assert set(closed.ended) == {fact.id for fact in facts}
    assert closed.proposed == ()
    assert lifecycles(agent, facts) == [Lifecycle.HISTORICAL] * 3
    assert lifecycles(agent, kept) == [Lifecycle.CURRENT] * 4
    assert agent.kg.archive(ITEM).ended == ()


@pytest.mark.row("DU-058")
def test_each_of_them_is_taken_back_by_itself(agent, facts):
    agent.kg.archive(ITEM)

    agent.facts.undo(facts[0].id)

    assert lifecycles(agent, facts) == [Lifecycle.CURRENT, *[Lifecycle.HISTORICAL] * 2]


@pytest.mark.row("DU-058")
def test_an_item_is_known_by_all_its_names(agent, human, facts):
    (entity,) = [one for one in agent.entities.list() if one.name == ITEM]
    human.entities.alias(entity.id, "the kettle ticket")

    assert len(agent.kg.archive("the kettle ticket").ended) == 3


@pytest.mark.row("DU-058")
def test_what_a_human_stands_behind_waits_for_a_human(agent, human, facts):
    written = said(human, "ada", "working_on", ITEM)

    closed = agent.kg.archive(ITEM)

    assert len(closed.ended) == 3
    assert lifecycles(agent, [written]) == [Lifecycle.CURRENT]
    (asked,) = human.review.list(kinds=["removal"]).proposals
    assert (asked.id,) == closed.proposed
    assert asked.draft.retires == (written.id,)
    assert human.kg.archive(ITEM).ended == (written.id,)


@pytest.mark.row("DU-058")
def test_nothing_of_that_name_and_nobody_in_particular_are_refused(agent, make):
    with pytest.raises(NotFoundError):
        agent.kg.archive("urn:item:none")
    with pytest.raises(ForbiddenError):
        make("anonymous").kg.archive(ITEM)
