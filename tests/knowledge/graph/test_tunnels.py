"""Edges that lead from one scope and area to another, on both engines."""

import pytest

from tilth.core.errors import NotFoundError

FLAT = "project:flat"


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def ends(agent):
    """A thing of a project, one of everybody's, and what is behind that."""
    agent.entities.add("kettle", scope=FLAT)
    agent.entities.add("descaling")
    agent.entities.add("vinegar")
    agent.facts.add("The kettle is in the kitchen.", area="Home", about=["kettle"], scope=FLAT)
    agent.facts.add("Descaling takes an hour.", area="Chemistry", about=["descaling"])


def names(graph):
    return {node.name for node in graph.nodes}


@pytest.mark.row("MP-09")
def test_a_tunnel_is_made_listed_followed_and_deleted(agent, ends):
    tunnel = agent.edges.add("kettle", "depends_on", "descaling", scope=FLAT).edge
    agent.edges.add("descaling", "uses", "vinegar")

    assert [edge.id for edge in agent.edges.list(scope=FLAT) if edge.scope == FLAT] == [tunnel.id]
    assert not agent.edges.add("kettle", "depends_on", "descaling", scope=FLAT).is_new
    assert names(agent.entities.around("kettle", depth=2, scope=FLAT)) == {
        "kettle", "descaling", "vinegar",
    }  # fmt: skip
    assert "kettle" in names(agent.entities.impact("vinegar", scope=FLAT))

    agent.edges.retire(tunnel.id)

    assert [edge for edge in agent.edges.list(scope=FLAT) if edge.scope == FLAT] == []
    assert names(agent.entities.around("kettle", depth=2, scope=FLAT)) == {"kettle"}


@pytest.mark.row("MP-09")
def test_a_tunnel_is_seen_only_where_both_of_its_ends_are(agent, ends):
    agent.edges.add("kettle", "depends_on", "descaling", scope=FLAT)

    assert names(agent.entities.around("descaling", scope="project:office")) == {"descaling"}
    with pytest.raises(NotFoundError):
        agent.entities.around("kettle", scope="project:office")


@pytest.mark.row("MP-09")
def test_facts_of_two_areas_are_joined_and_the_triples_counted(agent, ends):
    (home,) = agent.facts.list(area="Home")
    (chemistry,) = agent.facts.list(area="Chemistry")
    agent.kg.add("entity", "urn:thing:kettle", "part_of", "urn:place:kitchen")

    edge = agent.edges.add(home.id, "supports", chemistry.id, scope=FLAT).edge

    assert [one.id for one in agent.edges.list(home.id, scope=FLAT)] == [edge.id]
    assert agent.kg.stats().count == 1
    agent.edges.retire(edge.id)
    assert agent.edges.list(home.id, scope=FLAT) == []
