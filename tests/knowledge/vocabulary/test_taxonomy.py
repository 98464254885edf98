"""Under what facts are filed, on both engines."""

import pytest

from tilth.knowledge.vocabulary.registries import word_key


@pytest.fixture
def store(whole_store):
    return whole_store


FILED = [
    {"area": "Network", "environment": "home", "system": "pi-hole", "component": "ip"},
    {"area": "network", "environment": "home", "system": "Pi-Hole", "tags": ["dns", "durable"]},
    {"area": "Study", "system": "NAS", "component": "ip", "tags": ["DNS"]},
    {"area": "Study", "about": ["x"], "scope": "project:lab"},
]


@pytest.fixture
def filed(agent):
    for number, telling in enumerate(FILED):
        agent.facts.add(f"It is number {number}.", **telling)


def counted(brain, **asking):
    return {
        (one.axis, one.system.casefold(), word_key(one.name)): one.fact_count
        for one in brain.facts.taxonomy(**asking)
    }


@pytest.mark.row("MP-02")
def test_every_word_that_facts_are_filed_under_is_listed_with_its_count(agent, filed):
    assert counted(agent) == {
        ("area", "", "network"): 2, ("area", "", "study"): 2,
        ("environment", "", "home"): 2,
        ("system", "", "pi_hole"): 2, ("system", "", "nas"): 1,
        ("component", "pi-hole", "ip"): 1, ("component", "nas", "ip"): 1,
        ("tag", "", "dns"): 2, ("tag", "", "durable"): 1,
    }  # fmt: skip
    names = {one.name for one in agent.facts.taxonomy() if one.axis == "system"}
    assert names == {"Pi-Hole", "NAS"}


@pytest.mark.row("MP-02", "OB-063")
def test_spellings_of_one_tag_are_one_and_the_first_is_kept(agent):
    both = agent.facts.add("It is one.", about=["x"], tags=["foo", "FOO ", "a b", "A-B"]).fact
    agent.facts.add("It is two.", about=["x"], tags=["Foo "])

    assert both.said.taxonomy.tags == ("foo", "a b")
    assert counted(agent) == {("tag", "", "foo"): 2, ("tag", "", "a_b"): 1}
    assert {one.name for one in agent.facts.taxonomy()} == {"Foo", "a b"}
    assert [(one.word, one.count) for one in agent.words.queue()] == [("foo", 2), ("a b", 1)]


@pytest.mark.row("MP-02")
def test_the_counts_are_those_of_the_facts_listed(agent, filed):
    for shelf in agent.facts.taxonomy():
        asking = {"tags": [shelf.name]} if shelf.axis == "tag" else {shelf.axis: shelf.name}
        if shelf.system:
            asking["system"] = shelf.system
        assert len(agent.facts.list(**asking)) == shelf.fact_count


@pytest.mark.row("MP-02")
def test_what_is_asked_for_narrows_it_and_what_is_over_does_not_count(agent, human, filed):
    assert {key[2] for key in counted(agent, area="Study") if key[0] == "system"} == {"nas"}
    assert counted(agent, scope="project:elsewhere")[("area", "", "study")] == 1
    (nas,) = agent.facts.list(system="NAS")

    human.facts.retire(nas.id, reason="it was given away")

    assert ("system", "", "nas") not in counted(agent)
    assert counted(agent, lifecycles=["historical"])[("system", "", "nas")] == 1


@pytest.mark.row("MP-02")
def test_without_facts_nothing_is_listed(agent):
    assert agent.facts.taxonomy() == []
