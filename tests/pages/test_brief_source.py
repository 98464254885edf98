"""A session begins with what pages tell, in its brief, and hears nothing twice."""

import json

import pytest

from tests.agents.replaying import a_record
from tests.brains import a_brain
from tests.fakes import CountingIds
from tests.pages.test_pages import told
from tilth.agents.injections import Injections
from tilth.context.model import BriefRequest
from tilth.interfaces.hooks.answer_hook import Answers

KETTLE = "project:work/kettle"
OPENING = BriefRequest(via="claude-code SessionStart", is_asked=False)


def shelf(number):
    return f"Shelf {number} holds jar {number}."


def filed(human, number, system="lab"):
    """State something that is filed, and that a page can state."""
    return told(human, shelf(number), scope=KETTLE, system=system)


def begun(brain, **how):
    return brain.brief(BriefRequest(**{"is_asked": False, "via": "test"} | how), scope=KETTLE)


@pytest.mark.row("OB-027")
def test_a_hook_begins_a_session_with_the_pages_and_says_which_are_stale(human, brain, tmp_path):
    answers = Answers(brain, Injections(tmp_path / "injected.log", CountingIds()))
    for number in range(3):
        filed(human, number)
    without = answers(a_record(event="SessionStart")).text
    assert "Shelf 1 holds jar 1." in without
    assert "compiled pages" not in without
    human.pages.compile("system-state", system="lab", name="lab", scope=KETTLE)

    fresh = answers(a_record(event="SessionStart")).text
    gone = human.facts.list(scope=KETTLE)[0]
    human.facts.retire(gone.id, reason="it is empty")
    stale = answers(a_record(event="SessionStart")).text

    assert "From compiled pages" in fresh
    assert "stale" not in fresh
    assert "stale since" in stale
    assert gone.said.text in fresh
    assert gone.said.text not in stale
    for number in range(2):
        assert stale.count(f"Shelf {number} holds jar {number}.") == 1
        assert fresh.count(f"Shelf {number} holds jar {number}.") == 1


@pytest.mark.row("OB-027", "KB-115")
def test_foundational_pages_come_first_and_whole_within_the_budget(human):
    told_ = [
        {"text": shelf(number), "scope": KETTLE, "system": "house" if number < 4 else "cellar"}
        for number in range(200)
    ]
    assert {one.verdict for one in human.facts.add_many(told_)} == {"recorded"}
    for system in ("cellar", "house"):
        human.pages.compile("system-state", system=system, name=system, scope=KETTLE)
    human.pages.compile(
        "system-state", system="house", name="house", scope=KETTLE, is_foundational=True
    )

    brief = begun(human)

    by_kind = {block.kind: [item.text for item in block.items] for block in brief.blocks}
    assert next(iter(by_kind)) == "foundational"
    assert sum("Shelf" in text for text in by_kind["foundational"]) == 4
    assert brief.tokens <= OPENING.tokens_max
    assert any(block.left_out for block in brief.blocks)
    assert all(brief.text.count(f"holds jar {number}.") == 1 for number in range(4))


@pytest.mark.row("OB-027")
def test_what_a_person_wants_no_agent_to_be_told_is_told_by_no_page(human):
    facts = [filed(human, number) for number in range(3)]
    human.pages.compile("system-state", system="lab", name="lab", scope=KETTLE)
    human.feedback(facts[1].id, "dead_end")

    told_ = begun(human).text

    assert "Shelf 1 holds" not in told_
    assert "Shelf 2 holds" in told_


@pytest.mark.row("OB-027")
def test_no_model_is_asked_and_other_projects_pages_are_not_told(human, store, place):
    filed(human, 1)
    human.pages.compile("system-state", system="lab", name="lab", scope=KETTLE)

    brief = a_brain(store, place.clock).brief(OPENING, scope="project:work/toaster")

    assert "jar" not in brief.text
    assert json.dumps([block.kind for block in brief.blocks]) == "[]"


def test_a_page_is_not_named_where_the_brief_tells_its_facts_anyway(human):
    for text in ("Always label the jars.", "Never stack jars on shelf 3."):
        told(human, text, scope=KETTLE, authority="instruction")
    human.pages.compile("project", name="kettle", scope=KETTLE)
    alone = begun(human).text
    filed(human, 1)
    human.pages.compile("project", name="kettle", scope=KETTLE)

    more = begun(human).text

    assert "Always label the jars." in alone
    assert "compiled pages" not in alone
    assert more.index("page “") < more.index("Shelf 1 holds jar 1.")
