"""What an agent tells in a short answer, and what of its talk tells nothing that lasts."""

from dataclasses import replace

import pytest

from tests.learning.turns import a_turn, an_episode
from tilth.episodes.episode import EpisodeKind, Role
from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.values.agent_reports import remarks


def remarked(text, **about):
    said = {"role": Role.ASSISTANT} | about
    return [one.quote for one in remarks(a_turn(text, **said))]


@pytest.mark.parametrize(
    "text",
    [
        "Eight scanners were delivered on 2 July.",
        "Renovate merged the upgrade to OkHttp 5.",
        "20 requests a second are allowed.",
    ],
)
def test_a_short_answer_with_a_name_or_a_number_tells_something(text):
    assert remarked(text)


@pytest.mark.parametrize(
    "text",
    [
        "Let me look at the 3 files.",
        "I'll start 2 workers.",
        "Should the 2 workers be restarted?",
        "If the 2 workers die, the queue grows.",
        "`runSession()` is called with 2 arguments.",
        "Line 43 asserts that the field is empty.",
        "The branch has 2 commits.",
        "Reading the 4 logs that are left.",
        "The job reads everything at once.",
        "Works now.",
        "> the pool is 40 per pod",
    ],
)
def test_steps_questions_and_talk_of_code_tell_nothing(text):
    assert remarked(text) == []


def test_a_sentence_is_told_with_its_reason_and_apart_from_another():
    reason = "The archive takes 9 GB, because the thumbnails are kept in /srv/thumbs."

    assert remarked(f"Found it: {reason[0].lower()}{reason[1:]}") == [
        f"{reason[0].lower()}{reason[1:]}"
    ]
    assert remarked("The relay drops 40 mails a day; the queue holds 3 hours.") == [
        "The relay drops 40 mails a day",
        "the queue holds 3 hours.",
    ]


LONG = "The rest of the setup is as it was when we looked at it together. " * 5


def test_at_length_an_item_counts_where_it_has_a_value():
    report = f"{LONG}\n- the importer polls every 15 minutes\n- the importer is easy to read\n"

    assert remarked(report) == ["the importer polls every 15 minutes"]


def test_what_an_agent_says_between_its_tools_is_no_report():
    text = "The importer polls every 15 minutes."
    said = replace(an_episode(text, role=Role.ASSISTANT), seq=40)
    asked = an_episode("Have a look at the importer.")

    assert list(remarks(Turn(said, asked, is_last=False))) == []
    assert [one.quote for one in remarks(Turn(said, asked))] == [text]


def test_only_what_an_agent_says_is_a_remark_and_a_fact():
    text = "The pool is 40 per pod."

    assert remarked(text, role=Role.USER) == []
    assert remarked(text, kind=EpisodeKind.TOOL_RESULT) == []
    (found,) = remarks(a_turn(text, role=Role.ASSISTANT))
    assert found.kind is StatementKind.FACT
