"""Clauses of the specification on what agents are shown, as they meet them."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.episodes.test_documents import SLUG, section
from tilth.context.brief import fit_blocks
from tilth.context.model import BRIEF_TOKENS_MAX, Block, BriefItem, BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.scope import Scope
from tilth.runtime.settings import Settings

LAB, APP = Scope("project:work/lab"), Scope("project:work/app")
DAY = timedelta(days=1)


@pytest.fixture
def human(store, place):
    ada = Actor("ada", ActorKind.HUMAN)
    return a_brain(
        store, place.clock, by=ada, settings=Settings(project_domains=(f"{LAB}=domain:go",))
    )


def told(brain, scope=LAB):
    blocks = brain.brief(BriefRequest(), scope=scope).blocks
    return {str(block.kind): [item.text for item in block.items] for block in blocks}


@pytest.mark.row("KB-051")
def test_a_brief_tells_of_the_domains_of_its_project_and_of_no_others(human):
    for domain in ("go", "flutter"):
        text = f"Listeners are closed as {domain} says."
        human.facts.add(text, about=["x"], scope=f"domain:{domain}", authority="instruction")
        human.facts.add(f"{domain} is fast.", about=["y"], scope=f"domain:{domain}")

    (rule,), (known,) = told(human)["rules"], told(human)["summary"]
    assert "as go says" in rule
    assert "go is fast" in known
    assert told(human, APP) == {}


@pytest.mark.row("DU-057")
def test_what_was_stated_within_a_day_comes_before_what_is_older(human, place):
    for day in range(3):
        human.facts.add(f"The valve {day} is shut.", about=[f"valve {day}"], scope=LAB)
        place.clock.at += DAY

    assert [text.split("“")[1] for text in told(human)["summary"]] == [
        f"The valve {day} is shut.”" for day in (2, 1, 0)
    ]


@pytest.mark.row("C-18")
def test_the_blocks_of_a_brief_stand_in_this_order():
    order = (
        *("rules", "foundational", "noted", "asked", "commands", "open", "documents", "attention"),
        *("pages", "summary", "pitfalls", "recent", "reported", "recalled"),
    )
    assert tuple(map(str, Block)) == order

    # What agents reported is told where there is little else.
    kinds = [kind for kind in Block if kind is not Block.REPORTED]
    blocks = fit_blocks([(kind, [BriefItem(str(kind), "")]) for kind in kinds], BRIEF_TOKENS_MAX)
    assert [block.kind for block in blocks] == kinds


@pytest.mark.row("KB-116")
def test_the_first_context_holds_rules_what_is_known_and_the_index(human):
    human.facts.add("Ask before a push.", about=["git"], scope=LAB, authority="instruction")
    human.facts.add("The valve is shut.", about=["valve"], scope=LAB)
    human.remember_many([section(name, f"{name} it.") for name in ("Runbook", "Runbook > Backup")])

    opening = told(human)
    assert "Ask before a push." in opening["rules"][0]
    assert "The valve is shut." in opening["summary"][0]
    (line,) = opening["documents"]
    assert line == f"“{SLUG}”: runbook, backup"


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("strategy", ["top_k_recent", "top_k_relevant"])
def test_a_strategy_that_counts_tells_five_unless_somebody_sets_another_number(
    store, place, strategy
):
    brain = a_brain(store, place.clock, settings=Settings(injection=strategy))
    for n in range(9):
        brain.remember(f"Put the kettle {n} on the stove.", scope=LAB, session_id=f"s{n}")
        brain.remember(f"The kettle {n} is on.", scope=LAB, session_id=f"s{n}", role="assistant")
    question = "" if strategy == "top_k_recent" else "Which kettle is on the stove?"

    (block,) = brain.brief(BriefRequest(question=question, is_asked=False), scope=LAB).blocks
    assert len(block.items) == 5
