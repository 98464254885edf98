"""The graph: what is connected most first, around a thing, and empty where nothing is known."""

import hashlib
import json
from datetime import timedelta
from itertools import product
from random import Random  # noqa: TID251 - each has a seed

import pytest

from tests.interfaces.http.served import Served
from tests.interfaces.web.forms import pressed
from tilth.core.actor import Human
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.web.screens.see.graph import NODES_MAX, Spot, drawn


@pytest.fixture
def person(served: Served):
    return call_verb.acting(served.brain, Human("ana"))


@pytest.mark.row("KB-129")
def test_what_is_connected_most_comes_first_and_its_degree_is_told(served: Served, person):
    for name in ("hub", "spoke1", "spoke2", "spoke3", "loner"):
        person.entities.add(name, type="host")
    for number in (1, 2, 3):
        person.edges.add(f"spoke{number}", "part_of", "hub")
    gone = person.edges.add("spoke1", "uses", "spoke2").edge
    person.edges.retire(gone.id, reason="no more")
    told = served.browser().get("/graph.json").json()
    degrees = [(one["name"], one["degree"]) for one in told["spots"]]
    assert degrees == [("hub", 3), ("spoke1", 1), ("spoke2", 1), ("spoke3", 1)]
    page = served.browser().get("/graph").text
    assert page.count("<circle") == 4
    assert page.count("<line") == 3
    # No circle is drawn above a name.
    assert page.rindex("<circle") < page.index("<text x=")
    assert "loner" not in page


@pytest.mark.row("KB-129")
@pytest.mark.parametrize("asked", ["name=nobody", "scope=project:unknown", "name=x&depth=2"])
def test_what_is_unknown_is_an_empty_view_and_no_error(served: Served, person, asked):
    person.entities.add("hub", type="host")
    person.entities.add("spoke", type="host", scope="project:known")
    person.edges.add("spoke", "part_of", "hub", scope="project:known")
    answer = served.browser().get(f"/graph?{asked}")
    assert answer.status_code == 200
    assert "<circle" not in answer.text
    assert 'class="empty"' in answer.text


@pytest.mark.row("KB-129")
def test_a_graph_holds_150_things_the_most_connected_and_says_how_many_more_there_are(
    served: Served, person
):
    person.entities.add("hub", type="host")
    names = [f"spoke{number}" for number in range(NODES_MAX + 9)]
    for name in names:
        person.entities.add(name, type="host")
        person.edges.add(name, "part_of", "hub")
    # What was named last is connected best, and a cut by age would leave it out.
    for name in names[-5:]:
        person.edges.add(name, "uses", names[0])
    browser = served.browser()
    told = browser.get("/graph.json").json()
    best = {"hub", names[0], *names[-5:]}
    assert len(told["spots"]) == NODES_MAX
    assert {one["name"] for one in told["spots"][:7]} == best
    assert (told["hidden"], told["is_cut"]) == (10, False)
    page = browser.get("/graph").text
    assert page.count("<circle") == page.count("<tr><td><a ") == NODES_MAX
    assert "and 10 things more" in page

    around = browser.get("/graph.json?name=spoke0&depth=2").json()
    assert around["spots"][0]["name"] == "spoke0"
    rings = [one["ring"] for one in around["spots"]]
    assert rings == sorted(rings)
    assert {one["name"] for one in around["spots"][1:7]} == {"hub", *names[-5:]}
    # Of a thing with more links than are walked, the page says so.
    assert around["is_cut"]
    assert "Not every link is shown." in browser.get("/graph?name=hub").text


def test_a_merged_thing_is_drawn_as_what_it_became(served: Served, person):
    one, other, third = (person.entities.add(n, type="tool").entity for n in ("pg", "pgsql", "app"))
    person.edges.add("app", "uses", "pgsql")
    person.entities.merge(one.id, other.id)
    told = served.browser().get("/graph.json").json()
    assert {end for edge in told["edges"] for end in (edge["source"], edge["target"])} == {
        one.id,
        third.id,
    }


def test_every_node_has_a_place_of_its_own_inside_the_picture():
    spots = [
        Spot(id=str(at), name="x", type="host", ring=min(3, at // 12), degree=1)
        for at in range(NODES_MAX)
    ]
    places, size = drawn(spots)
    assert len(set(places.values())) >= NODES_MAX - len([one for one in spots if one.ring == 0]) + 1
    assert all(0 < at < size for place in places.values() for at in place)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("kettle", "kettle"),
        ("cmd/entire/cli/agent/gemini.go", "…/agent/gemini.go"),
        ("cmd/entire/cli/agent/claude.go", "…/agent/claude.go"),
        ("a/very_long_name_of_one_file_only.py", "…of_one_file_only.py"),
        ("a service with a long name", "a service with a lo…"),
    ],
)
def test_a_long_name_is_cut_where_it_tells_least(name, label):
    assert Spot(id="ent_1", name=name, type="file", ring=1, degree=1).label == label


def test_the_graph_is_shown_as_it_was_known_on_a_day(served: Served, person):
    clock = served.brain.parts.clock
    for name in ("app", "old", "new"):
        person.entities.add(name, type="tool")
    first = person.edges.add("app", "depends_on", "old").edge
    day = f"{clock.now():%Y-%m-%d}"
    clock.at += timedelta(days=2)
    person.edges.retire(first.id, reason="moved")
    person.edges.add("app", "depends_on", "new")
    browser = served.browser()
    for asked in ("", "name=app"):
        links = {
            at: {
                told["names"][one["target"]]
                for told in [browser.get(f"/graph.json?{asked}&as_of={at}").json()]
                for one in told["edges"]
            }
            for at in ("", day)
        }
        assert links == {"": {"new"}, day: {"old"}}
    assert "as it was known on" in browser.get(f"/graph?as_of={day}").text
    assert browser.get("/graph?as_of=soon").status_code == 400


@pytest.mark.row("KB-030")
def test_what_was_merged_and_split_in_the_pages_is_exactly_what_it_was(served: Served, person):
    one = person.entities.add("PostgreSQL", type="tool", aliases=["pg"]).entity
    other = person.entities.add("the database", type="tool", aliases=["db"]).entity
    person.entities.add("billing", type="service")
    person.facts.add("PostgreSQL runs version 18.", about=["PostgreSQL"])
    person.facts.add("The database holds 40 GB.", about=["the database"])
    for end in (one.id, other.id):
        person.edges.add("billing", "depends_on", end)
    browser = served.browser()
    kept = ("card", "facts", "contested", "told", "graph", "mentions")

    def seen() -> list[object]:
        things = [browser.get(f"/things/{id_}.json").json()["about"] for id_ in (one.id, other.id)]
        graph = browser.get("/graph.json").json()
        return [[one[name] for name in kept] for one in things] + [graph["spots"], graph["edges"]]

    before = seen()
    compared = browser.get(f"/merge?winner={one.id}&loser={other.id}").text
    assert "PostgreSQL runs version 18." in compared
    assert "The database holds 40 GB." in compared
    page = pressed(browser, compared, "entities/merge").text
    assert "The database holds 40 GB." in page
    merged = seen()
    assert merged[0] == merged[1] != before[0]
    pressed(browser, page, "entities/split", "Split off")
    assert seen() == before


def graph_hash(client):
    """Return one digest of everything that is read of things, what joins them, and their facts."""

    def read(path, **told):
        answer = client.post(f"/v1/{path}", json=told)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    ids = [one["id"] for one in read("entities/list", limit=100)["entities"]]
    told = [read("edges/list", limit=100), read("facts/list", limit=100), ids]
    for id_ in ids:
        told += [
            read("entities/get", name=id_),
            read("about", name=id_),
            read("kg/query", entity=id_),
        ]
        told += [read("entities/around", name=id_, depth=2), read("entities/impact", name=id_)]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@pytest.mark.row("KB-030")
@pytest.mark.parametrize("seed", range(6))
def test_the_hash_of_any_graph_is_what_it_was_once_a_merge_in_the_pages_is_split(
    served: Served, person, seed
):
    chance = Random(seed)
    names = ["Postgres", "the database", "billing", "api", "host-1"]
    for name in names:
        person.entities.add(
            name, type=chance.choice(["tool", "service"]), aliases=[f"{name} {seed}"]
        )
    for source, target in product(names, names):
        if source != target and chance.random() < 0.5:
            person.edges.add(source, chance.choice(["depends_on", "uses"]), target)
    for number in range(8):
        about = chance.sample(names, chance.randint(1, 2))
        person.facts.add(f"Rule {number} holds for {' and '.join(about)}.", about=about)
    client, browser = served.client(Role.REVIEWER, "ana"), served.browser()
    before, (winner, loser, third) = graph_hash(client), chance.sample(names, 3)
    ids = {name: person.entities.get(name).entity.id for name in names}

    for gone, into in ((loser, winner), (winner, third)):
        compared = browser.get(f"/merge?winner={ids[into]}&loser={ids[gone]}").text
        pressed(browser, compared, "entities/merge")
        assert person.entities.get(gone).entity.id == ids[into]
    assert graph_hash(client) != before
    for into, gone in ((third, winner), (winner, loser)):
        page = browser.get(f"/things/{ids[into]}").text
        pressed(browser, page, "entities/split", ids[gone])
    assert graph_hash(client) == before
