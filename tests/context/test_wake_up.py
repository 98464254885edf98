"""What a session begins with stays in its bounds, however much there is; and agents' diaries."""

from datetime import timedelta

import pytest

from tests.conftest import append_all
from tests.context.test_brief import OPENING, WORK, lines, said
from tests.fakes import START
from tilth.context.model import OPENING_TOKENS, Block, BriefRequest
from tilth.episodes.episode import Role


@pytest.mark.row("MP-07")
@pytest.mark.parametrize("count", [10, 500])
def test_a_wake_up_is_within_its_bounds_however_much_there_is(brain, store, place, count):
    append_all(
        store,
        [
            said(
                f"We decided to use way {number} for the queue, and wrote down why in note"
                f" {number} of the project, so that nobody has to ask again.",
                session=f"s{number % 50}",
                role=Role.ASSISTANT if number % 2 else Role.USER,
                occurred_at=START + timedelta(seconds=number),
            )
            for number in range(max(10, count // place.size_share))
        ],
    )

    brain.distil()

    opening = brain.brief(OPENING, scope=WORK)
    larger = brain.brief(BriefRequest(budget_tokens=900), scope=WORK)

    assert 100 <= opening.tokens <= OPENING_TOKENS
    assert larger.tokens <= 900
    if count > 10:
        assert larger.tokens >= opening.tokens
    assert lines(opening, Block.ASKED)


@pytest.mark.row("MP-10")
def test_a_diary_is_read_whatever_the_case_of_its_agents_name(brain):
    _note(brain, "Reviewer", "the parser is brittle at tabs")
    _note(brain, "REVIEWER", "tabs again")
    _note(brain, "scout", "found a map", "s2")

    for name in ("reviewer", "Reviewer", "REVIEWER", " reviewer "):
        assert _diary(brain, name) == ["the parser is brittle at tabs", "tabs again"]
    assert _diary(brain, "Scout") == ["found a map"]
    assert _diary(brain, "nobody") == []


@pytest.mark.row("MP-10")
def test_an_entry_does_not_come_in_the_place_of_another(brain):
    for entry in ("one", "two", "two"):
        _note(brain, "scout", entry)

    assert _diary(brain, "scout") == ["one", "two"]


@pytest.mark.row("MP-10")
def test_a_name_in_a_diary_is_one_entity(brain):
    facts = [
        _note(brain, name, f"{number}") for number, name in enumerate(("Scout", "SCOUT", "scout"))
    ]

    assert len({fact.id for fact in facts}) == 3
    assert len({fact.about for fact in facts}) == 1


def _note(brain, agent, entry, session="s1"):
    """Write in the diary of an agent, in a session of its own."""
    told = brain.kg.add("agent_diary", agent, "noted", entry, session_id=session, scope=WORK)
    return told.fact


def _diary(brain, agent):
    found = brain.facts.list(channel="agent_diary", subject=agent, scope=WORK)
    return [fact.said.triple.object for fact in sorted(found, key=lambda one: one.seq)]
