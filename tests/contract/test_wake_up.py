"""What a session begins with stays in its bounds, however much there is; and agents' diaries."""

from datetime import timedelta

import pytest

from tests.conftest import append_all
from tests.contract.test_brief import OPENING, WORK, lines, said
from tests.fakes import START
from tilth.domain.brief import BRIEF_TOKENS_MAX, Block, BriefRequest
from tilth.domain.episode import Role


@pytest.mark.parametrize("count", [10, 10_000])
def test_mp_07_a_wake_up_is_within_its_bounds_however_much_there_is(brain, store, count):
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
            for number in range(count)
        ],
    )

    opening = brain.brief(OPENING, scope=WORK)
    smaller = brain.brief(BriefRequest(budget_tokens=900), scope=WORK)

    assert 250 <= opening.tokens <= BRIEF_TOKENS_MAX
    assert smaller.tokens <= 900
    if count > 10:
        assert smaller.tokens >= 600
    assert lines(opening, Block.SUMMARY)


def test_mp_10_a_diary_is_read_whatever_the_case_of_its_agents_name(brain):
    brain.facts.add(
        "Reviewer: the parser is brittle at tabs.",
        subject="Reviewer",
        predicate="noted",
        object="the parser is brittle at tabs",
        channel="agent_diary",
        scope=WORK,
    )
    brain.facts.add(
        subject="REVIEWER",
        predicate="noted",
        object="tabs again",
        channel="agent_diary",
        scope=WORK,
    )
    brain.facts.add(
        subject="scout", predicate="noted", object="found a map", channel="agent_diary", scope=WORK
    )

    for name in ("reviewer", "Reviewer", "REVIEWER", " reviewer "):
        assert _diary(brain, name) == ["the parser is brittle at tabs", "tabs again"]
    assert _diary(brain, "Scout") == ["found a map"]
    assert _diary(brain, "nobody") == []


def test_mp_10_an_entry_does_not_come_in_the_place_of_another(brain):
    for entry in ("one", "two", "two"):
        brain.facts.add(
            subject="scout", predicate="noted", object=entry, channel="agent_diary", scope=WORK
        )

    assert _diary(brain, "scout") == ["one", "two"]


def test_mp_10_a_name_in_a_diary_is_one_entity(brain):
    facts = [
        brain.facts.add(
            subject=name, predicate="noted", object=f"{number}", channel="agent_diary", scope=WORK
        ).fact
        for number, name in enumerate(("Scout", "SCOUT", "scout"))
    ]

    assert len({fact.id for fact in facts}) == 3
    assert len({fact.about for fact in facts}) == 1


def _diary(brain, agent):
    found = brain.facts.list(channel="agent_diary", subject=agent, scope=WORK)
    return [fact.said.triple.object for fact in sorted(found, key=lambda one: one.seq)]
