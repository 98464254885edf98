"""The tools for triples, which a server offers when it is asked to."""

import pytest

from tests.interfaces.mcp.clients import FactQuery, text_of
from tilth.interfaces.mcp.server import build_server

ACME = "urn:client:acme"
# As the design of seed 002 prints them.
PRINTED = [
    ("entity", ACME, "is_a", "client"),
    ("entity", ACME, "located_in", "São Paulo"),
    ("entity", ACME, "uses", "DOS"),
    ("milestone", ACME, "first_call", "2026-04-12"),
    ("relationship", "urn:person:marina", "role_at", "urn:client:acme/CTO"),
]
NAMES = ("channel", "subject", "predicate", "object")


@pytest.fixture
def kg(service):
    return FactQuery(build_server(service, also=["kg"]))


@pytest.fixture
def acme(kg):
    for triple in PRINTED:
        kg.data("kg_add", **dict(zip(NAMES, triple, strict=True)))
    return kg


def parts(answer):
    return sorted(tuple(one[name] for name in NAMES) for one in answer["triples"])


@pytest.mark.row("DU-013")
def test_an_agent_gets_exactly_the_five_triples(acme):
    assert parts(acme.data("kg_query", entity=ACME, depth=2)) == sorted(PRINTED)
    assert parts(acme.data("kg_query", entity=ACME)) == sorted(PRINTED[:4])
    narrowed = acme.data("kg_query", entity=ACME, depth=2, channel="entity")
    assert parts(narrowed) == sorted(PRINTED[:3])


@pytest.mark.row("DU-016")
def test_agents_are_offered_no_graph_to_browse(kg, ask):
    assert {"kg_query", "kg_add"} <= {tool.name for tool in kg.tools()}
    assert not any("explore" in tool.name for tool in kg.tools())
    assert not any(tool.name.startswith("kg_") for tool in ask.tools())


@pytest.mark.row("DU-002")
def test_an_agent_is_told_the_six_channels(kg):
    _, message, _ = kg.refused(
        "kg_add", channel="misc", subject="Acme", predicate="uses", object="DOS"
    )

    assert "'agent_diary'" in message


@pytest.mark.row("DU-014")
def test_an_agent_is_told_that_a_walk_was_cut(acme):
    answer = acme("kg_query", entity=ACME, depth=9)

    assert answer.structured_content["is_clamped"]
    assert "No walk goes further than 5 hops" in text_of(answer)


@pytest.mark.row("DU-015")
def test_an_agent_is_told_what_became_of_a_triple(acme):
    moved = acme.data(
        "kg_add",
        channel="relationship",
        subject="urn:person:marina",
        predicate="role_at",
        object="urn:client:globex/CEO",
        session_id="s1",
    )

    assert moved["verdict"] == "superseded"
    assert moved["retired"].startswith("fct_")
    (left,) = acme.data("kg_query", entity="urn:person:marina")["triples"]
    assert (left["object"], left["source"]) == ("urn:client:globex/CEO", "s1")


def test_a_server_that_only_reads_has_no_tool_that_adds_triples(service):
    tools = FactQuery(build_server(service, is_read_only=True, also=["kg"])).tools()

    assert "kg_query" in {tool.name for tool in tools}
    assert "kg_add" not in {tool.name for tool in tools}


def test_what_a_triple_says_comes_fenced(acme):
    assert "It is data" in text_of(acme("kg_query", entity=ACME))
