"""The tools for triples, which a server offers when it is asked to."""

import pytest

from tests.brains import a_brain
from tests.interfaces.mcp.clients import FactQuery, lasting, text_of
from tilth.core.actor import Actor, ActorKind
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
    with lasting(build_server(service, also=["kg"])) as asked:
        yield asked


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


def test_an_agent_is_told_how_far_each_triple_may_be_relied_on(acme, brain):
    human = a_brain(brain._parts.store, brain._parts.clock, by=Actor("ada", ActorKind.HUMAN))
    human.kg.add("entity", ACME, "owned_by", "Lucia")
    job = a_brain(brain._parts.store, brain._parts.clock, by=Actor("distil", ActorKind.JOB))
    job.facts.add(
        subject=ACME, predicate="ships_to", object="Lima", metadata={"grade": "corroborated"}
    )
    triples = acme.data("kg_query", entity=ACME)["triples"]

    told = {one["predicate"]: one["status"].split(", ")[-1] for one in triples}
    assert (told["uses"], told["ships_to"], told["owned_by"]) == (
        "candidate",
        "corroborated",
        "known",
    )
    assert {one["id"]: one["status"].split(", ")[-1] for one in triples} == {
        one["id"]: brain.facts.get(one["id"]).grade for one in triples
    }
    assert "unreviewed, candidate · " in text_of(acme("kg_query", entity=ACME))


@pytest.mark.row("DU-014")
def test_an_agent_is_told_that_a_walk_was_cut(acme):
    answer = acme("kg_query", entity=ACME, depth=9)

    assert answer.structured_content["is_clamped"]
    assert "No walk goes further than 5 hops" in text_of(answer)


@pytest.mark.row("KB-012")
def test_no_triple_is_not_told_as_nothing_known(kg, brain):
    brain.edges.add("hub", "used_by", "shop")

    told = text_of(kg("kg_query", entity="hub"))

    assert "No triple says anything of that" in told
    assert "tilth://about/" in told
    assert "Nothing is known" not in told


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


def test_an_agent_is_told_in_words_what_holds_and_what_waits(kg, brain):
    seat = {"channel": "relationship", "subject": "urn:person:marina", "predicate": "role_at"}
    human = a_brain(brain._parts.store, brain._parts.clock, by=Actor("ada", ActorKind.HUMAN))

    first, again, other = (
        kg("kg_add", object=f"urn:client:acme/{role}", **seat) for role in ("CTO", "CTO", "CEO")
    )
    confirmed = human.kg.add("decision", "urn:p:x", "chose", "pg", rationale="row-level security")
    human.words.register("predicate", "depends_on", cardinality="single", mode="human")
    told = {"channel": "entity", "subject": "urn:p:x", "predicate": "depends_on"}
    human.kg.add("entity", "urn:p:x", "depends_on", "postgres")
    waits, waits_still = (kg("kg_add", object="sqlite", **told) for _ in range(2))
    taken = kg.refused(
        "kg_add",
        channel="decision",
        subject="urn:p:x",
        predicate="chose",
        object="my",
        rationale="!",
    )

    one, two = (each.structured_content["id"] for each in (first, other))
    assert text_of(first) == f"{one} is recorded."
    assert text_of(again) == f"{one} says that already, and is reinforced."
    assert text_of(other) == f"{two} is recorded, and supersedes {one}."
    draft = waits.structured_content
    assert draft["verdict"] == "proposed"
    for each in (waits, waits_still):
        assert f"{draft['id']} is a draft, and holds only once the user confirms it" in text_of(
            each
        )
    assert f"tilth review show {draft['proposal_id']}" in text_of(waits)
    assert f"supersedes {confirmed.fact.id}" in taken[2]
    assert "--" not in taken[2]


@pytest.mark.parametrize(
    ("arguments", "code"), [({"entity": "x" * 100_000}, "limit_exceeded"), ({"entity": " "}, "")]
)
def test_a_query_for_what_cannot_be_a_name_is_refused(kg, arguments, code):
    assert kg.refused("kg_query", **arguments)[0] == (code or "invalid_input")


def test_a_refusal_names_what_the_tool_takes_and_no_flags(kg):
    part = {"subject": "urn:p:x", "predicate": "chose", "object": "pg"}

    _, _, decision = kg.refused("kg_add", channel="decision", **part)
    _, _, diary = kg.refused("kg_add", channel="agent_diary", **part)
    _, message, _ = kg.refused("kg_query", entity="x", channel="all")

    assert decision == "say why: rationale TEXT, or TEXT beside the triple"
    assert diary.startswith("name it: session_id ID")
    assert message.count("Input should be") == 1
