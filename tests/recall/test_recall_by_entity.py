"""Recording with an entity, and recalling by it, on both engines."""

import pytest

from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError

QUESTION = "what about the kettle"


@pytest.fixture
def ada(human):
    return human.entities.add("Ada", type="person").entity


def found(brain, **asked):
    return {hit.text for hit in brain.recall(QUESTION, limit=50, **asked).hits}


@pytest.mark.row("EM-052")
def test_what_was_recorded_with_an_entity_is_recalled_by_it(agent, ada):
    agent.remember("Her kettle is green.", entity="Ada")
    agent.remember("His kettle is red.")

    assert found(agent, entity="Ada") == found(agent, entity=ada.id) == {"Her kettle is green."}


@pytest.mark.row("EM-052")
def test_entity_and_project_combine_and_so_does_every_other_filter(agent, ada):
    here, there = "project:flat", "project:office"
    agent.remember("The kettle at home is green.", entity=ada.id, scope=here)
    agent.remember("The kettle at work is grey.", entity=ada.id, scope=there, session_id="s1")
    agent.remember("Nobody's kettle at home.", scope=here)

    assert found(agent, entity="Ada", scope=here) == {"The kettle at home is green."}
    assert found(agent, entity="Ada", session_id="s1") == {"The kettle at work is grey."}
    assert found(agent, entity="Ada", scope=here, session_id="s1") == set()
    assert found(agent, entity="Ada", kinds=["document"]) == set()


@pytest.mark.row("EM-052")
def test_facts_come_by_what_they_are_about_and_bring_what_they_rest_on(agent):
    said = agent.remember("Somebody says that the kettle leaks.")
    agent.facts.add("The kettle leaks.", about=["kettle"], evidence=[said])
    agent.facts.add("The toaster is beside the kettle.", about=["toaster"])

    assert found(agent, entity="kettle") == {
        "The kettle leaks.",
        "Somebody says that the kettle leaks.",
    }
    assert found(agent, entity="kettle", tiers=["fact"]) == {"The kettle leaks."}


@pytest.mark.row("EM-052")
def test_an_address_and_a_merge_lead_to_the_same_entity(human, agent, ada):
    human.people.link(ada.id, "email", "ada@example.org")
    agent.remember("Mail about the kettle.", transport="email", address="ada@example.org")
    other = human.entities.add("Countess", type="person").entity
    agent.remember("The kettle of the countess.", entity="Countess")
    human.entities.merge(ada.id, other.id, reason="they are one")

    assert found(agent, entity="Ada") == {"Mail about the kettle.", "The kettle of the countess."}


@pytest.mark.row("EM-052")
def test_a_name_that_nobody_has_is_refused_and_nothing_is_recorded(agent):
    with pytest.raises(NotFoundError, match="Babbage"):
        agent.remember("The kettle of Babbage.", entity="Babbage")
    with pytest.raises(NotFoundError, match="Babbage"):
        agent.recall(QUESTION, entity="Babbage")
    with pytest.raises(InvalidInputError):
        agent.recall(QUESTION, entity="ent_1")

    assert found(agent) == set()


@pytest.mark.row("EM-052")
def test_a_name_that_two_have_records_nothing_and_says_so_when_asked(human, agent, ada):
    twin = human.entities.add("Ada", type="person", is_namesake=True).entity

    with pytest.raises(ConflictError, match="2 entities"):
        agent.remember("Whose kettle?", entity="Ada")
    assert agent.recall(QUESTION, entity="Ada").notes[-1].startswith(max(ada.id, twin.id))
