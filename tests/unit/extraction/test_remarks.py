"""What an agent tells in a short answer, and what of its talk tells nothing that lasts."""

import pytest

from tests.unit.extraction.turns import a_turn
from tilth.domain.episode import EpisodeKind, Role
from tilth.extraction.candidate import Harvest
from tilth.extraction.facts.remarks import remarks


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


def test_who_explains_at_length_gives_no_short_answer():
    assert remarked("The pool is 40 per pod now. " * 20) == []


def test_only_what_an_agent_says_is_a_remark_and_a_fact():
    text = "The pool is 40 per pod now."

    assert remarked(text, role=Role.USER) == []
    assert remarked(text, kind=EpisodeKind.TOOL_RESULT) == []
    (found,) = remarks(a_turn(text, role=Role.ASSISTANT))
    assert found.kind is Harvest.FACT
