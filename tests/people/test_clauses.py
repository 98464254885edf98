"""Clauses of the specification on talks with people, as whoever replies meets them."""

import pytest

from tilth.people.reply_context import RECENT
from tilth.people.summarise import SUMMARY_TOKENS
from tilth.recall.packing import token_estimate

PUMP = "The pump in the cellar hums again, and nobody has looked at it since Monday. "


@pytest.fixture
def talk(human):
    ada = human.entities.add("Ada Lovelace", type="person").entity.id
    return human.conversations.create(ada, "matrix", address="@ada:x").conversation.id


@pytest.mark.row("EM-010")
def test_a_summary_says_what_its_own_range_said_and_nothing_else(human, talk):
    texts = []
    for word in ("pears", "plums"):
        human.conversations.add(talk, f"We decided to order {word}.")
        texts.append(human.conversations.summarise(talk).draft.text)

    assert ["pears" in text for text in texts] == [True, False]
    assert ["plums" in text for text in texts] == [False, True]


@pytest.mark.row("EM-058")
def test_what_a_reply_needs_is_no_dump_of_what_was_said(human, talk):
    said = [human.conversations.add(talk, f"{n}: {PUMP * 10}") for n in range(24)]
    human.conversations.summarise(talk)

    told = human.conversations.reply_context(talk).text
    recent = RECENT * token_estimate(PUMP * 10 + "2026-01-01 00:00 Ada Lovelace: ")
    assert token_estimate(told) <= SUMMARY_TOKENS + recent
    assert f"0: {PUMP * 10}" not in told
    assert human.fetch(said[:1])[0].text == f"0: {PUMP * 10}"
