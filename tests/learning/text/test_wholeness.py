"""What is cut off, pasted or said at work is no statement."""

from dataclasses import replace

import pytest

from tests.learning.turns import an_episode
from tests.learning.voices import read
from tilth.episodes.episode import Role
from tilth.learning.candidate import Turn
from tilth.learning.spoken.speech import speech
from tilth.learning.text.wholeness import is_whole
from tilth.learning.values.agent_reports import remarks
from tilth.learning.values.outcomes import outcomes
from tilth.learning.values.values import values


@pytest.mark.parametrize(
    "text",
    [
        "The fix is to make it deterministic by",
        "Which means in practice",
        "Stage B is just the rollup.)",
        "The index lives in `scripts",
        "<@U0BMS113R> uploaded a file",
        "Answer: All 3.",
        "The matches don't show [Image #11]",
        "Progress matters...",
        "No matter how it is kept warm",
    ],
)
def test_what_is_cut_off_or_a_programs_is_not_whole(text):
    assert not is_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "Postgres it is",
        "Our stand-up is at 9:15 :)",
        'The shelf is 30" deep',
        "/var/lib/tilth holds the backups",
        "`minSpan` is 28 now (Java 9)",
        "Which port? 8081",
        "The index lives in `scripts/lib`",
    ],
)
def test_a_sentence_with_its_end_is_whole(text):
    assert is_whole(text)


def at_work(text):
    """Return what an agent says between its tools, a while after a person spoke."""
    said = replace(an_episode(text, role=Role.ASSISTANT), seq=40)
    return Turn(said, an_episode("Build the search."), is_last=False)


def test_running_commentary_of_an_agent_states_nothing():
    turn = at_work("All tests pass. The header reads the count from the store. Two of six done.")
    found = [one for extract in (speech, remarks, values, outcomes) for one in extract(turn)]
    assert found == []


def test_what_an_agent_merged_settled_or_measured_at_work_counts():
    assert [str(one.kind) for one in outcomes(at_work("Merged #318."))] == ["milestone"]
    assert [str(one.kind) for one in speech(at_work("Decision: one global index."))] == ["decision"]
    assert [str(one.kind) for one in values(at_work("The cold start is 13 seconds."))] == ["fact"]


def test_a_reply_that_only_lets_an_agent_go_on_states_nothing():
    assert read("Proceed through step 4.", after="Want me to kick off with step 1?") == []
    assert read("All those dates...", after="Want me to log those two, or leave it?") == []


def test_how_a_long_task_is_to_be_done_is_no_decision():
    task = "Implement the list with filters, use the existing types from the folder. "
    assert read(task + "It is for the demo that we show to the others at the fair. " * 5) == []
