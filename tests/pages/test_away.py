"""Pages where a model hangs or is not asked, and words that were excluded later."""

import threading
from dataclasses import replace

import pytest

from tests.agents.replaying import a_record
from tests.brains import a_model_pool, with_model_pool
from tests.fakes import CountingIds
from tests.model_server import Hangs, says
from tests.pages.test_pages import cited_places, told
from tests.runtime.test_worker_command import eventually
from tilth.agents.injections import Injections
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task
from tilth.runtime.brain import Brain

KETTLE = "project:work/kettle"


def worded(brain, server):
    """Return a brain with a model that writes pages."""
    return with_model_pool(
        brain, a_model_pool(OpenAiChatModel(server.url, "small", "k"), [Task.COMPILE_PAGE])
    )


@pytest.mark.row("OB-016")
def test_a_model_that_hangs_holds_up_nobody_who_states_something(human, server):
    told(human, "The rack is full.")
    server.script = [Hangs()]
    compiling = threading.Thread(
        target=lambda: worded(human, server).pages.compile("summary", name="all")
    )
    compiling.start()
    eventually(lambda: server.requests)

    for number in range(20):
        told(human, f"Port {number} is in use.")

    assert compiling.is_alive()
    assert len(human.facts.list()) == 21
    assert len(server.requests) == 1
    server.over.set()
    compiling.join()
    page = human.pages.get("all").page
    assert (page.form, page.is_stale) == ("template", True)


@pytest.mark.row("OB-027")
def test_a_session_begins_with_pages_and_no_model_is_asked(human, brain, server, tmp_path):
    fact = told(human, "Shelf 1 holds jar 1.", scope=KETTLE, system="lab")
    sentence = {"text": "Jar 1 is on shelf 1.", "cites": [fact.id]}
    server.script = [says({"title": "", "sections": [{"heading": "Now", "sentences": [sentence]}]})]
    asks = worded(human, server)
    asks.pages.compile("system-state", system="lab", name="lab", scope=KETTLE)
    told(human, "Shelf 2 holds jar 2.", scope=KETTLE, system="lab")
    asked = len(server.requests)

    answers = Answers(worded(brain, server), Injections(tmp_path / "told.log", CountingIds()))
    started = answers(a_record(event="SessionStart")).text
    reading = asks.pages.read(scope=KETTLE, budget=500)

    assert asked == 1
    assert len(server.requests) == asked
    assert "Jar 1 is on shelf 1." in started
    assert "stale since" in started
    assert [(one.name, one.is_stale) for one in reading.pages] == [("lab", True)]


@pytest.mark.row("KB-113")
def test_a_term_that_is_excluded_later_is_in_no_page_any_more(human):
    told(human, "The rack holds project Bluebird.")
    told(human, "The rack is full.")
    human.pages.compile("summary", name="all")
    assert "Bluebird" in human.pages.get("all").markdown

    settings = replace(human.parts.settings, excluded_terms=("Bluebird",))
    later = Brain(replace(human.parts, settings=settings))

    assert "Bluebird" not in str(later.pages.get("all"))
    assert "Bluebird" not in str(later.pages.list())
    assert "Bluebird" not in str(later.pages.read())
    page = later.pages.refresh("all").page
    assert len(page.compiled_from) == 1
    assert "Bluebird" not in human.pages.get("all").markdown


@pytest.mark.row("KB-025")
@pytest.mark.parametrize("kind", ["entity", "topic", "summary", "event-log", "system-state"])
def test_every_sentence_of_a_page_without_a_model_cites_what_it_rests_on(human, kind):
    facts = [
        told(human, "The router is at 192.0.2.1.", about=["router"], system="lab"),
        told(human, "The router has two fans.", about=["router"], system="lab"),
    ]
    what = {"entity": "router", "topic": "router"}.get(kind, "")

    human.pages.compile(kind, what, name="one")

    shown = human.pages.get("one")
    lines = [one for one in shown.markdown.splitlines() if one.startswith("- ")]
    assert lines
    assert all(one.rstrip().endswith("]") for one in lines)
    assert set(cited_places(shown.markdown)) == {one.id for one in facts}
    assert [one.said.text for one in human.facts.list()] == [
        one.said.text for one in reversed(facts)
    ]


@pytest.mark.row("KB-115")
def test_four_kilobytes_cut_what_is_not_foundational_alone(human, server):
    facts = [
        told(human, f"Convention {number}: name hosts after rivers.", about=["conventions"])
        for number in range(60)
    ]
    for number in range(200):
        told(human, f"Shelf {number} holds jar {number}.", scope=KETTLE, system="lab")
    human.pages.compile("entity", "conventions", is_foundational=True, scope="global")
    human.pages.compile("system-state", system="lab", name="lab", scope=KETTLE)

    reading = human.pages.read(budget=1000, scope=KETTLE)

    whole = {one.name: one.is_whole for one in reading.pages}
    assert whole == {"conventions": True, "lab": False}
    assert reading.text.count("Convention ") == 60
    assert len(reading.text.partition("Shelf")[0]) > 2000
    lines = [{"text": "Hosts bear names of rivers.", "cites": [one.id for one in facts]}]
    server.script = [says({"title": "", "sections": [{"heading": "Hosts", "sentences": lines}]})]
    worded(human, server).pages.compile("entity", "conventions", scope="global", without=["x"])
    assert "verify" in human.pages.read(budget=1000, scope=KETTLE).text
