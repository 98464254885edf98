"""What earns a page by itself: a reader would look it up, and it lasts."""

from datetime import timedelta

import pytest

from tests.brains import AMPLE, PRICED, a_model_pool, with_model_pool
from tests.model_server import says
from tests.pages.test_pages import told
from tilth.knowledge.facts.tables import Facts
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task
from tilth.pages.compile import missing_pages


def missing(human):
    return [one.fix for one in human.pages.lint() if one.flaw == "missing"]


@pytest.mark.row("XR-11")
def test_what_lasts_earns_a_page_and_a_status_does_not(human, agent, place):
    until = place.clock.at + timedelta(days=2)
    for number in range(6):
        about = {"about": ["deploy17", f"host{number}", "pipeline"]}
        human.facts.add(f"deploy17 waits for host{number}.", valid_to=until, **about)
        agent.facts.add(
            f"ghost has guessed part {number}.", about=["ghost", f"host{number}", "attic"]
        )
    assert missing(human) == []
    assert human.pages.sweep().made == 0

    for number in range(5):
        human.facts.add(f"pve2 holds disk {number}.", about=["pve2", f"disk{number}", "rack"])

    assert any("entity 'pve2'" in one for one in missing(human))
    assert not any("deploy17" in one or "ghost" in one for one in missing(human))
    human.pages.sweep()
    assert {one.name for one in human.pages.list()} & {"pve2", "deploy17", "ghost"} == {"pve2"}


def test_a_project_has_one_page_and_not_a_second_one_as_a_thing(human):
    here = {"scope": "project:mira/till"}
    for number in range(6):
        about = {"about": ["mira/till", f"drawer{number}", "shop"]}
        human.facts.add(f"The till holds drawer {number}.", **here, **about)

    human.pages.sweep()

    assert {one.name for one in human.pages.list()} >= {"till", "shop"}
    assert not any("mira-till" in one.name for one in human.pages.list())
    assert not any("mira/till'" in one for one in missing(human))


def order_of(brain):
    return [one.name for one in brain.pages.manifest()]


def backed_up(brain, **also):
    """State of three things, one joined by guesses alone, and what a topic gathers."""
    for number in range(5):
        tags = {"tags": ["backup"], **also}
        told(
            brain, f"The backup of nas2 takes disk {number}.", about=["nas2", f"d{number}"], **tags
        )
    for number in range(6):
        guessed = {"about": ["loft", f"h{number}"], "confidence": 0.5}
        told(brain, f"The loft may hold h{number}.", **guessed)


@pytest.mark.row("XR-06")
def test_pages_are_made_of_things_joined_surely_then_of_others_then_of_topics(human, agent):
    backed_up(human)
    for number in range(5):
        agent.facts.add(f"A guess {number} tells.", about=["x", f"y{number}"], tags=["guess"])
        told(human, f"Order cable {number} todo.", about=[f"z{number}"], tags=["todo"])
        told(human, f"Line {number} is quiet.", about=["place"], tags=["noise"])

    assert missing(human)[-1] == "tilth page compile topic 'backup' --scope global"
    assert human.pages.sweep(at_most=1).made == 1
    assert order_of(human) == ["nas2"]
    assert human.pages.sweep(at_most=9).made == 2

    assert order_of(human) == ["nas2", "loft", "backup"]
    page = human.pages.get("backup").page
    assert (page.kind, page.subject.topic, len(page.compiled_from)) == ("topic", "backup", 5)
    assert missing(human) == []
    assert human.pages.sweep(at_most=9).made == 0


@pytest.mark.row("XR-06")
@pytest.mark.parametrize("kind", ["supports", "contradicts", "evolved_into", "depends_on"])
@pytest.mark.parametrize("of_facts", [False, True])
def test_edges_of_every_kind_count_in_the_order_of_pages(human, kind, of_facts):
    """What was stated of two things joins them; what is known of them likewise."""
    ends = {}
    for thing in ("crane", "dock"):
        for number in range(5):
            ends[thing] = told(human, f"The {thing} has part {number}.", about=[thing])
    assert order_of_missing(human) == [], "nothing joins them to others"

    for number in range(3):
        other = told(human, f"The buoy{number} is red.", about=[f"buoy{number}"])
        joined = (ends["dock"].id, other.id) if of_facts else ("dock", f"buoy{number}")
        human.edges.add(joined[0], kind, joined[1])

    assert order_of_missing(human) == ["dock"]
    human.edges.add("crane", kind, "buoy1")
    human.edges.add("buoy2", kind, "crane")
    assert order_of_missing(human) == ["dock", "crane"]
    assert human.pages.sweep(at_most=9).made == 2
    assert order_of(human) == ["dock", "crane"]


def order_of_missing(human):
    return [one.split("'")[1] for one in missing(human)]


@pytest.mark.row("XR-06")
def test_a_stale_topic_waits_for_a_stale_thing_unless_every_session_reads_it(human, place):
    backed_up(human)
    human.pages.sweep(at_most=9)
    told(human, "The backup of nas2 runs at night.", about=["nas2"], tags=["backup"])
    place.clock.at += timedelta(minutes=5)
    assert {one.name for one in human.pages.list(is_stale=True)} == {"nas2", "backup"}

    human.pages.sweep(at_most=1)
    assert [one.name for one in human.pages.list(is_stale=True)] == ["backup"]
    human.pages.compile("topic", "backup", is_foundational=True)
    told(human, "The backup of nas2 is tested on Mondays.", about=["nas2"], tags=["backup"])
    place.clock.at += timedelta(minutes=5)
    human.pages.sweep(at_most=1)
    assert [one.name for one in human.pages.list(is_stale=True)] == ["nas2"]


@pytest.mark.row("XR-06", "C-06")
def test_the_manifest_tells_inputs_versions_and_what_each_page_cost(human, server, whole_store):
    model = OpenAiChatModel(server.url, "small", "a-key")
    worded = with_model_pool(
        human, a_model_pool(model, [Task.COMPILE_PAGE], budget=AMPLE, price=PRICED)
    )
    first = told(human, "The rack is full.", about=["rack"])
    human.pages.compile("entity", "rack")
    second = told(human, "The door is red.", about=["door"])
    sentences = [{"text": "The red door.", "cites": [second.id]}]
    server.script = [says({"title": "", "sections": [{"heading": "Now", "sentences": sentences}]})]
    worded.pages.compile("entity", "door")

    plain, put = human.pages.manifest()

    assert (plain.name, plain.form, plain.cites) == ("rack", "template", (first.id,))
    assert (plain.cost.calls, plain.cost.millionths) == (0, 0)
    assert (put.name, put.form, put.cites) == ("door", "small", (second.id,))
    assert (put.cost.calls, put.cost.tokens) == (1, 340)
    assert put.cost == worded.models.spent_today().spent
    assert plain.version < put.version
    assert put.read_to < put.version
    assert plain.inputs != put.inputs

    server.script = [says({"sections": []})]
    told(human, "The door is shut.", about=["door"])
    assert human.pages.manifest()[1].is_stale
    again = worded.pages.refresh("door").page
    assert again.form == "template"
    refused = human.pages.manifest()[1]
    assert refused.version > put.version
    assert refused.inputs != put.inputs
    assert refused.cost.calls > 0, "what a model took for nothing is told too"
    spent = worded.models.spent_today().spent
    assert spent.millionths == put.cost.millionths + refused.cost.millionths


@pytest.mark.row("XR-11")
def test_what_topics_deserve_is_read_only_where_a_page_is_lacking(human, monkeypatch):
    """Whatever is filed under a tag: a sweep of a full store must stay cheap."""
    for tag in ("backup", "release"):
        for number in range(8):
            told(
                human,
                f"The {tag} of nas{number} takes disk {number}.",
                about=[f"nas{number}", f"{tag}{number}"],
                tags=[tag],
            )
    read, at = [], Facts.at
    monkeypatch.setattr(
        Facts, "at", lambda one, places, within: (read.append(places), at(one, places, within))[1]
    )
    monkeypatch.setattr(missing_pages, "_FILED_READ", 6)

    missing_before = [one for one in missing(human) if "topic" in one]
    assert len(missing_before) == 2
    assert max(len(places) for places in read[1:]) == 6
    human.pages.compile("topic", "backup")
    human.pages.compile("topic", "release")
    read.clear()

    assert not any("topic" in one for one in missing(human))
    assert all(len(places) == 0 for places in read[1:])
