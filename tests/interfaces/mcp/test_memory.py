"""The reference memory server's tools: what its clients know, over notes that only ever grow."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interfaces.mcp.clients import FactQuery, lasting, text_of
from tilth.interfaces.mcp.memory_graph import (
    METADATA_KEY,
    Change,
    Graph,
    Kind,
    change_of,
    to_metadata,
)
from tilth.interfaces.mcp.memory_tools import ENTITIES_SHOWN_MAX, SESSION, build_memory_server

KETTLE = {"name": "kettle", "entityType": "device", "observations": ["boils", "whistles"]}
ANA = {"name": "Ana", "entityType": "person", "observations": []}
OWNS = {"from": "Ana", "to": "kettle", "relationType": "owns"}


@pytest.fixture
def memory(brain):
    with lasting(build_memory_server(brain)) as asked:
        yield asked


@pytest.fixture
def filled(memory):
    memory.data("create_entities", entities=[KETTLE, ANA])
    memory.data("create_relations", relations=[OWNS])
    return memory


def notes(brain):
    return [note.text for note in brain.episodes.list(session_id=SESSION)]


def test_there_are_the_nine_tools(memory):
    assert {tool.name for tool in memory.tools()} == {
        "create_entities",
        "create_relations",
        "add_observations",
        "delete_entities",
        "delete_observations",
        "delete_relations",
        "read_graph",
        "search_nodes",
        "open_nodes",
    }


@pytest.mark.row("KB-128")
def test_a_read_only_one_has_three(brain):
    tools = FactQuery(build_memory_server(brain, is_read_only=True)).tools()

    assert {tool.name for tool in tools} == {"read_graph", "search_nodes", "open_nodes"}


def test_what_is_created_is_read_in_text_and_in_structure(filled):
    answer = filled("read_graph")

    expected = {"entities": [KETTLE, ANA], "relations": [OWNS]}
    assert answer.structured_content == expected
    assert json.loads(text_of(answer)) == expected
    resource = filled.run(lambda client: client.read_resource("memory://knowledge-graph"))
    assert json.loads(resource.contents[0].text) == expected


def test_what_exists_is_not_created_again(filled, brain):
    before = notes(brain)
    other = {"name": "kettle", "entityType": "pot", "observations": ["leaks"]}
    twin = {"name": "lid", "entityType": "part", "observations": ["round", "round"]}

    assert filled.data("create_entities", entities=[other]) == {"entities": []}
    assert filled.data("create_relations", relations=[OWNS, OWNS]) == {"relations": []}
    assert notes(brain) == before
    created = filled.data("create_entities", entities=[twin, twin])["entities"]
    assert created == [twin | {"observations": ["round"]}]


def test_observations_are_added_once(filled):
    added = filled.data(
        "add_observations", observations=[{"entityName": "kettle", "contents": ["boils", "shines"]}]
    )

    assert added == {"results": [{"entityName": "kettle", "addedObservations": ["shines"]}]}


def test_observations_of_what_does_not_exist_are_refused_with_all_others(filled, brain):
    before = notes(brain)

    code, message, _ = filled.refused(
        "add_observations",
        observations=[
            {"entityName": "kettle", "contents": ["shines"]},
            {"entityName": "pan", "contents": ["sticks"]},
        ],
    )

    assert (code, message) == ("not_found", "Entity with name pan not found")
    assert notes(brain) == before


def test_what_is_deleted_is_gone_from_the_graph_and_stays_in_the_history(filled, brain):
    done = filled.data("delete_entities", entityNames=["kettle", "nothing"])

    assert done == {"success": True, "message": "Entities deleted successfully"}
    assert filled.data("read_graph") == {"entities": [ANA], "relations": []}
    assert notes(brain) == [
        "kettle (device)",
        "kettle: boils",
        "kettle: whistles",
        "Ana (person)",
        "Ana owns kettle",
        "Retracted: kettle",
    ]


def test_an_entity_that_comes_back_has_nothing_of_what_it_had(filled):
    filled.data("delete_entities", entityNames=["kettle"])

    filled.data("create_entities", entities=[KETTLE | {"observations": []}])

    opened = filled.data("open_nodes", names=["kettle"])
    assert opened == {"entities": [KETTLE | {"observations": []}], "relations": []}


def test_observations_and_relations_are_deleted_one_by_one(filled):
    filled.data(
        "delete_observations", deletions=[{"entityName": "kettle", "observations": ["boils", "x"]}]
    )
    filled.data("delete_relations", relations=[OWNS, OWNS | {"to": "x"}])

    assert filled.data("read_graph") == {
        "entities": [KETTLE | {"observations": ["whistles"]}, ANA],
        "relations": [],
    }


@pytest.mark.parametrize("query", ["KETTLE", "devi", "whist"])
def test_nodes_are_found_by_name_type_and_observation(filled, query):
    found = filled.data("search_nodes", query=query)

    assert found == {"entities": [KETTLE], "relations": [OWNS]}


def test_opened_nodes_come_with_what_they_are_related_to(filled):
    assert filled.data("open_nodes", names=["Ana", "x"]) == {"entities": [ANA], "relations": [OWNS]}


def test_notes_are_found_by_recall_and_secrets_are_in_none(filled, brain):
    token = "ghp_" + "a1B2" * 9
    filled.data(
        "add_observations",
        observations=[{"entityName": "kettle", "contents": [f"its token is {token}"]}],
    )

    assert brain.recall("what whistles?").hits[0].text == "kettle: whistles"
    assert token not in json.dumps(filled.data("read_graph"))
    assert not any(token in note for note in notes(brain))


def test_a_graph_too_large_to_read_says_what_is_left_out(memory, brain):
    changes = [Change(Kind.ENTITY, (f"e{n}", "t")) for n in range(ENTITIES_SHOWN_MAX + 3)]
    brain.remember_many(
        [{"text": one.text, "session_id": SESSION, "metadata": to_metadata(one)} for one in changes]
    )

    answer = memory("read_graph")

    assert len(answer.structured_content["entities"]) == ENTITIES_SHOWN_MAX
    assert answer.content[1].text.startswith("3 entities more")


@pytest.mark.row("T9")
def test_text_holds_no_tag_and_reads_the_same(memory):
    hostile = "<system-reminder>\x1b[2J ![x](https://evil.example) \u202e \U000e0041"
    memory.data("create_entities", entities=[ANA | {"observations": [hostile]}])

    text = text_of(memory("read_graph"))

    assert json.loads(text)["entities"][0]["observations"] == [hostile]
    assert not any(mark in text for mark in ("<", "![", "\x1b", "\u202e", "\U000e0041"))


def test_other_notes_in_the_session_change_nothing(filled, brain):
    before = filled.data("read_graph")
    for metadata in (
        {},
        {"graph": "entity"},
        {"graph": []},
        {"graph": ["entity"]},
        {"graph": ["entity", "a", "b", "c"]},
        {"graph": ["entity", "a", 1]},
        {"graph": ["nothing", "a", "b"]},
    ):
        brain.remember("x", session_id=SESSION, metadata=metadata)

    assert filled.data("read_graph") == before


_WORDS = st.sampled_from(["a", "b", "c"])
_SIZES = {Kind.NO_ENTITY: 1, Kind.RELATION: 3, Kind.NO_RELATION: 3}
_CHANGES = st.sampled_from(list(Kind)).flatmap(
    lambda kind: st.tuples(*[_WORDS] * _SIZES.get(kind, 2)).map(lambda words: Change(kind, words))
)


@given(st.lists(_CHANGES, max_size=40))
def test_a_change_applied_again_changes_nothing(changes):
    graph = Graph()
    for change in changes:
        graph.apply(change)
        assert not graph.apply(change)


@given(_CHANGES)
def test_a_change_comes_back_from_its_note(change):
    assert change_of(to_metadata(change)[METADATA_KEY]) == change


@given(st.lists(_CHANGES, max_size=40))
def test_every_relation_shown_has_an_end_that_is_shown(changes):
    graph = Graph()
    for change in changes:
        graph.apply(change)

    found = graph.search("a")
    assert all({one.begin, one.end} & set(found.entities) for one in found.relations)
