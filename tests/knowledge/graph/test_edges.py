"""Edges and walks through the graph, through Python, on both engines."""

import pytest

from tests.program import acting
from tilth.core.errors import ForbiddenError, InvalidInputError, NotFoundError
from tilth.knowledge.graph.graph import DEPTH_MAX, FAN_OUT_MAX
from tilth.knowledge.vocabulary.registries import EdgeKind, NodeKind


def names(graph):
    return [node.name for node in graph.nodes]


@pytest.mark.row("KB-012")
def test_no_edge_is_of_a_kind_outside_the_list(agent):
    with pytest.raises(InvalidInputError, match="related_to") as refused:
        agent.edges.add("api", "related_to", "db")
    for kind in EdgeKind:
        assert kind in refused.value.hint
    assert agent.edges.list() == []
    assert agent.entities.list() == []


@pytest.mark.row("C-10")
def test_every_kind_of_the_two_lists_joins(agent):
    for kind in EdgeKind:
        assert agent.edges.add("api", kind, "db").is_new
    assert {edge.kind for edge in agent.edges.list("api")} == set(EdgeKind)


@pytest.mark.row("KB-013")
def test_an_edge_is_there_once_and_never_leads_back(agent):
    first = agent.edges.add("api", "uses", "db")
    again = agent.edges.add("API", "uses", "db")

    assert (again.edge.id, again.is_new) == (first.edge.id, False)
    assert len(agent.edges.list()) == 1
    with pytest.raises(InvalidInputError, match="two nodes"):
        agent.edges.add("api", "uses", "API")


@pytest.mark.row("KB-013")
def test_a_merge_leaves_one_edge_of_two_and_no_loop(agent, human):
    for source, kind, target in (
        ("Postgres", "runs_on", "proxmox"),
        ("main database", "runs_on", "proxmox"),
        ("main database", "part_of", "Postgres"),
    ):
        agent.edges.add(source, kind, target)
    ids = [agent.entities.get(name).entity.id for name in ("Postgres", "main database")]
    human.entities.merge(*ids)

    assert [edge.kind for edge in agent.edges.list("Postgres")] == ["runs_on"]
    assert not agent.edges.add("Postgres", "runs_on", "proxmox").is_new
    with pytest.raises(InvalidInputError, match="two nodes"):
        agent.edges.add("main database", "part_of", "Postgres")


@pytest.mark.row("KB-013")
def test_what_is_put_away_takes_its_edges_out_of_sight(agent):
    fact = agent.facts.add("The NAS is full.", about=["nas"]).fact
    agent.edges.add(fact.id, "supports", "nas")
    assert len(agent.edges.list("nas")) == 1

    agent.facts.archive(fact.id)
    assert agent.edges.list("nas") == []
    assert names(agent.entities.around("nas")) == ["nas"]
    agent.facts.restore(fact.id)
    assert len(agent.edges.list("nas")) == 1


@pytest.mark.row("KB-010", "I18")
def test_the_database_knows_the_kinds_of_nodes_that_the_code_knows(agent, place):
    agent.edges.add("api", "uses", "db")

    for kind in NodeKind:
        place.run(f"UPDATE edges SET target_kind = '{kind}'")
    with pytest.raises(place.refusals):
        place.run("UPDATE edges SET target_kind = 'note'")
    with pytest.raises(place.refusals):
        place.run("UPDATE edges SET kind = 'related_to'")


@pytest.mark.row("KB-014")
def test_a_name_that_an_edge_leads_to_joins_the_graph(agent):
    agent.edges.add("api", "uses", "db")

    assert [one.name for one in agent.entities.list()] == ["api", "db"]
    with pytest.raises(NotFoundError):
        agent.edges.add("api", "uses", "ent_01KDVDNA030000000000009999")


@pytest.mark.row("KB-022")
def test_a_walk_is_bounded_in_hops_and_says_so(agent):
    for number in range(5):
        agent.edges.add(f"step {number}", "uses", f"step {number + 1}")

    near = agent.entities.around("step 0", depth=99)
    assert near.depth == DEPTH_MAX
    assert names(near) == ["step 0", "step 1", "step 2"]
    assert [node.distance for node in near.nodes] == [0, 1, 2]
    with pytest.raises(InvalidInputError):
        agent.entities.around("step 0", depth=0)


@pytest.mark.row("KB-022")
def test_a_cycle_ends(agent):
    for source, target in (("a1", "b1"), ("b1", "c1"), ("c1", "a1")):
        agent.edges.add(source, "depends_on", target)

    assert len(agent.entities.around("a1", depth=2).edges) == 3
    assert sorted(names(agent.entities.impact("a1", depth=5))) == ["a1", "b1", "c1"]


@pytest.mark.row("KB-022")
def test_a_hub_is_shown_up_to_the_cap_and_says_so(agent):
    hub = agent.entities.add("hub").entity.id
    for number in range(FAN_OUT_MAX):
        agent.edges.add(f"leaf {number}", "runs_on", hub)
    assert not agent.entities.around("hub").is_truncated

    agent.edges.add("one more", "runs_on", hub)
    around = agent.entities.around("hub")
    assert around.is_truncated
    assert len(around.edges) == FAN_OUT_MAX
    assert agent.entities.impact("hub").is_truncated


@pytest.mark.row("KB-022")
def test_impact_follows_what_leans_on_it_and_what_it_carries(agent):
    for source, kind, target in (
        ("postgres", "runs_on", "proxmox"),
        ("api", "depends_on", "postgres"),
        ("api", "part_of", "shop"),
        ("nas", "used_by", "backup"),
        ("proxmox", "uses", "mains"),
        ("api", "about", "billing"),
    ):
        agent.edges.add(source, kind, target)

    assert names(agent.entities.impact("proxmox")) == ["proxmox", "postgres", "api", "shop"]
    assert names(agent.entities.impact("proxmox", depth=1)) == ["proxmox", "postgres"]
    assert names(agent.entities.impact("nas")) == ["nas", "backup"]
    assert names(agent.entities.impact("billing")) == ["billing"]


@pytest.mark.row("KB-022")
@pytest.mark.parametrize("count", [FAN_OUT_MAX, 3 * FAN_OUT_MAX])
def test_what_depends_on_a_hub_is_found_behind_all_that_the_hub_uses(agent, count):
    hub = agent.entities.add("hub").entity.id
    for number in range(count):
        agent.edges.add(hub, "uses", f"part {number}")
    agent.edges.add("app", "depends_on", hub)
    agent.edges.add("billing", "runs_on", hub)
    agent.edges.add(hub, "part_of", "platform")

    found = agent.entities.impact("hub")
    assert sorted(names(found)) == ["app", "billing", "hub", "platform"]
    assert not found.is_truncated
    assert names(agent.entities.impact("part 0")) == ["part 0", "hub", "app", "billing", "platform"]


@pytest.mark.row("KB-023")
@pytest.mark.parametrize(
    ("table", "column", "index"),
    [("edges", "source", "edges"), ("edges", "target", "edges_to")],
)
def test_both_ends_of_an_edge_are_looked_up_by_an_index(store, place, table, column, index):
    plan = repr(
        place.run(
            f"EXPLAIN {'QUERY PLAN' if place.__class__.__name__.startswith('Sqlite') else ''} "
            f"SELECT edge_no FROM {table} WHERE {column} = 7 AND kind = 'uses'"
        )
    )

    assert index in plan
    assert "SCAN edges" not in plan
    assert "Seq Scan" not in plan


@pytest.mark.row("KB-050")
def test_nothing_of_one_project_is_seen_from_another(agent):
    agent.entities.add("canary-hub", type="service", scope="project:a")
    for number in range(20):
        agent.edges.add(f"canary-{number}", "uses", "canary-hub", scope="project:a")
    agent.entities.add("Postgres", type="tech")
    agent.edges.add("canary-0", "uses", "Postgres", scope="project:a")

    for scope in ("project:b", "global"):
        seen = (
            agent.entities.list(scope=scope),
            agent.edges.list(scope=scope),
            agent.entities.around("Postgres", depth=2, scope=scope),
            agent.entities.impact("Postgres", scope=scope),
            agent.about("Postgres", scope=scope),
            agent.entities.search("canary", scope=scope),
        )
        assert "canary" not in repr(seen)
        with pytest.raises(NotFoundError) as refused:
            agent.entities.get("canary-hu", scope=scope)
        assert "canary-hub" not in refused.value.hint


@pytest.mark.row("KB-054")
def test_a_hidden_node_is_neither_crossed_nor_counted(agent):
    agent.edges.add("left", "uses", "edge of the map")
    before = agent.entities.around("left", depth=2, scope="project:b")
    agent.entities.add("hidden", scope="project:a")
    agent.edges.add("left", "uses", "hidden", scope="project:a")
    agent.edges.add("hidden", "uses", "right", scope="project:a")
    for number in range(FAN_OUT_MAX + 1):
        agent.edges.add("left", "uses", f"canary-{number}", scope="project:a")

    assert agent.entities.around("left", depth=2, scope="project:b") == before
    assert agent.entities.impact("right", scope="project:a").nodes[1].name == "hidden"
    assert "right" not in names(agent.entities.around("left", depth=2, scope="global"))


@pytest.mark.row("KB-054")
def test_an_edge_cannot_lead_where_its_readers_do_not_see(agent):
    hidden = agent.entities.add("hidden", scope="project:a").entity
    agent.entities.add("left")

    with pytest.raises(NotFoundError):
        agent.edges.add("left", "uses", hidden.id)
    with pytest.raises(NotFoundError):
        agent.edges.add("left", "uses", hidden.id, scope="project:b")
    assert agent.edges.list() == []


@pytest.mark.row("I21")
def test_an_agent_retires_what_it_joined_and_nothing_else(make, human):
    one, other = make("agent", "one"), make("agent", "other")
    edge = one.edges.add("api", "uses", "db").edge

    with pytest.raises(ForbiddenError):
        other.edges.retire(edge.id)
    assert one.edges.retire(edge.id, reason="it does not").id == edge.id
    with pytest.raises(NotFoundError):
        one.edges.retire(edge.id)
    assert one.edges.list() == []
    assert one.edges.add("api", "uses", "db").is_new
    assert human.edges.retire(one.edges.list()[0].id)


def test_a_fact_supersedes_only_by_being_stated(agent):
    old = agent.facts.add("The NAS is full.", about=["nas"]).fact
    new = agent.facts.add("The NAS has room.", about=["nas"]).fact

    with pytest.raises(InvalidInputError, match="by being stated"):
        agent.edges.add(new.id, "supersedes", old.id)
    assert agent.edges.add(new.id, "contradicts", old.id).is_new
    assert [node.kind for node in agent.entities.around(new.id).nodes] == ["fact", "fact"]


def test_about_says_all_that_is_known_of_a_thing(agent, human):
    agent.entities.add("Postgres", type="tech", aliases=["pg"])
    said = agent.remember("We moved pg to the new host.")
    agent.remember("Nothing of that here.")
    agent.edges.add("pg", "runs_on", "proxmox")
    ip = {"system": "Postgres", "component": "ip"}
    human.facts.add("Postgres answers on .30.", **ip)
    agent.facts.add("Postgres answers on .110.", **ip)

    about = agent.about("PG")
    assert about.card.names == ("Postgres", "pg")
    assert [one.fact.said.text for one in about.facts] == ["Postgres answers on .30."]
    assert about.fact_count == 1
    assert [fact.said.text for fact in about.contested] == ["Postgres answers on .30."]
    assert names(about.graph) == ["Postgres", "proxmox"]
    assert said in {one.episode_id for one in about.mentions}
    assert "Nothing of that here." not in {one.text for one in about.mentions}


@pytest.mark.row("KB-026")
def test_a_name_that_is_known_is_found_where_it_was_said(agent):
    agent.entities.add("Home Assistant", type="service")
    agent.remember("The home assistant is slow.")
    agent.remember("An assistant came home.")

    about = agent.about("Home Assistant")
    assert [one.text for one in about.mentions] == ["The home assistant is slow."]


@pytest.mark.row("KB-026")
def test_what_names_a_thing_is_shown_around_its_name_and_said_before_put_out(agent):
    agent.entities.add("Home Assistant", type="service")
    put_out = '{"body":"' + "line\\n" * 90 + 'of home assistant\\n is \\"slow\\""}'
    agent.remember(put_out, role="tool", kind="tool_result")
    (one,) = agent.about("Home Assistant").mentions
    assert one.text.startswith("…line line")
    assert one.text.endswith('of home assistant is "slow""}')

    agent.remember("word " * 90 + "then the home assistant was asked, " + "and so on " * 30)
    (one,) = agent.about("Home Assistant").mentions
    assert "then the home assistant was asked" in one.text
    assert (one.text[0], one.text[-1], len(one.text)) == ("…", "…", 202)


def test_a_promise_is_open_until_something_said_later_reports_it_done(human):
    human.people.introduce("Ada", transport="email", address="ada@x.org")
    ada = human.entities.get("Ada").entity.id
    talk = human.conversations.create(ada, "email", address="ada@x.org").conversation.id
    human.facts.add("You will send Ada the export.", about=[ada], metadata={"kind": "commitment"})
    assert len(human.about("Ada").promises) == 1
    human.conversations.add(talk, "Has the export been sent?", direction="inbound")
    assert len(human.about("Ada").promises) == 1
    human.conversations.add(talk, "The export arrived.", direction="inbound")
    assert human.about("Ada").promises == ()


@pytest.mark.row("KB-127")
def test_whoever_ends_an_edge_is_told_so_and_how_it_comes_back(ready):
    edge = ready("edge", "add", "rack", "part_of", "shop", "--json").answer["edge"]["id"]

    told = ready("edge", "retire", edge)

    assert told.out.startswith("retired  rack part_of shop")
    assert "tilth undo OPERATION, which tilth changes names" in told.err
    assert ready("edge", "list").out == ""
    operation = ready("changes", "--json").answer["items"][-1]["operation"]
    with acting("human"):
        assert ready("undo", operation).code == 0
    assert "rack part_of shop" in ready("edge", "list").out
