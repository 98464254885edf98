"""What is done: by the word of people and agents, and by what tools print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most, tried
from tests.learning.turns import a_turn, triples
from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import StatementKind
from tilth.learning.values.outcomes import outcomes
from tilth.learning.values.tool_outcomes import WHOLE_RUN_MIN, tool_outcomes

PRINTED = [
    ("[main 4be91d0] Page the export\n 2 files changed", ("committed", "4be91d0")),
    ("[main (root-commit) 4be91d0] Begin", ("committed", "4be91d0")),
    ("[master a81f0be] Release 2.4.0", ("released", "2.4.0")),
    ("✓ Squashed and merged pull request #318 (Raise it)", ("merged", "#318")),
    ("✓ Closed issue acme/x#45 (It hangs)", ("closed", "#45")),
    ("===== 212 passed in 38.41s =====", ("passed", "212 tests")),
    ("===== 40 passed, 2 skipped in 1.2s =====", ("passed", "40 tests")),
    ("test result: ok. 31 passed; 0 failed; 0 ignored", ("passed", "31 tests")),
    ("Tests:       88 passed, 88 total", ("passed", "88 tests")),
    ("Ran 64 tests in 0.310s\n\nOK", ("passed", "64 tests")),
    ("Finished in 12.4 seconds\n341 tests, 0 failures", ("passed", "341 tests")),
    ('deployment "envoy" successfully rolled out', ("deployed", "envoy")),
    ("Uploading pellucid-2.4.0-py3-none-any.whl", ("released", "2.4.0")),
    ("+ @acme/ui@3.1.4", ("released", "3.1.4")),
    ("https://forge.example/acme/x/releases/tag/v1.2.3", ("released", "1.2.3")),
]
NOT_DONE = [
    "===== 1 failed, 211 passed in 38.41s =====",
    "test result: FAILED. 30 passed; 1 failed",
    "Tests:       1 failed, 87 passed, 88 total",
    "Ran 64 tests in 0.310s\n\nFAILED (failures=1)",
    "Compiling qwill v0.9.3",
    "[WARN] something",
    "3 files changed",
    f"{WHOLE_RUN_MIN - 1} passed in 0.02s",
]
TOLD = [
    (Role.ASSISTANT, "Merged #318.", ("merged", "#318")),
    (Role.ASSISTANT, "Committed as 4be91d0.", ("committed", "4be91d0")),
    (Role.ASSISTANT, "All 212 tests pass.", ("passed", "212 tests")),
    (Role.ASSISTANT, "2.4.0 is out.", ("released", "2.4.0")),
]
TOLD_IN_WORDS = [
    (Role.ASSISTANT, "p99 went down to 214 ms."),
    (Role.ASSISTANT, "Pushed to develop."),
    (Role.ASSISTANT, "I've put a lid of 3 GB on the spool."),
    (Role.ASSISTANT, "The pager of Rosa Lind is silenced until 4 May."),
    (Role.USER, "we signed the lease"),
    (Role.USER, "Emre got the job!"),
    (Role.USER, "contract signed yesterday"),
]
UNTOLD = [
    (Role.ASSISTANT, "Added."),
    (Role.ASSISTANT, "All tests pass."),
    (Role.ASSISTANT, "I checked 3 of the spools."),
    (Role.ASSISTANT, "I've passed it to Rosa."),
    (Role.ASSISTANT, "I wrote `openSpool()` anew."),
    (Role.ASSISTANT, "It is silenced for 14 days."),
    (Role.ASSISTANT, "Shall I merge #318?"),
    (Role.ASSISTANT, "I'll merge #318 now."),
    (Role.ASSISTANT, "Once #318 is merged, I can go on."),
    (Role.ASSISTANT, "#318 is not merged."),
    (Role.ASSISTANT, "Build succeeded."),
    (Role.ASSISTANT, "- Removed `runSession()`"),
    (Role.USER, "merge #318"),
    (Role.USER, "set the limit to 3"),
    (Role.USER, "Ana is out"),
    (Role.USER, "port 80 is closed"),
]


def printed(text, kind=EpisodeKind.TOOL_RESULT):
    return list(tool_outcomes(a_turn(text, role=Role.TOOL, kind=kind)))


@pytest.mark.row("DU-022")
@pytest.mark.parametrize(("text", "outcome"), PRINTED)
def test_what_a_tool_prints_when_it_is_done_is_a_milestone(text, outcome):
    (found,) = printed(text)

    triple = found.said.triple
    assert (triple.subject, triple.predicate, triple.object) == ("tilth", *outcome)
    assert found.said.channel is Channel.MILESTONE
    assert found.kind is StatementKind.MILESTONE
    assert found.quote in text


@pytest.mark.parametrize("text", NOT_DONE)
def test_what_failed_or_is_a_step_on_the_way_is_no_milestone(text):
    assert printed(text) == []


def test_what_failed_is_no_milestone_whatever_it_prints():
    assert printed("[main 4be91d0] Page the export", EpisodeKind.TOOL_FAILURE) == []


@pytest.mark.row("DU-022")
@pytest.mark.parametrize(("role", "text", "outcome"), TOLD)
def test_what_somebody_says_is_done_is_a_milestone(role, text, outcome):
    assert triples(outcomes, text, role=role) == [("tilth", *outcome)]


@pytest.mark.parametrize(("role", "text"), UNTOLD)
def test_what_has_no_name_is_asked_for_or_is_to_come_is_no_milestone(role, text):
    assert list(outcomes(a_turn(text, role=role))) == []


@pytest.mark.parametrize(("role", "text"), TOLD_IN_WORDS)
def test_what_is_done_and_has_no_number_is_told_in_words(role, text):
    (found,) = outcomes(a_turn(text, role=role))

    assert found.quote.rstrip("!.") == text.rstrip("!.")
    assert found.said.triple is None
    assert found.kind is StatementKind.MILESTONE
    assert found.said.channel is Channel.MILESTONE


def test_a_tool_and_whoever_tells_of_it_state_one_milestone():
    (of_tool,) = printed("✓ Merged pull request #7 (Pin it)")
    (told,) = outcomes(a_turn("Merged #7, thanks.", role=Role.ASSISTANT))

    assert of_tool.said.triple == told.said.triple


@tried(150)
@given(st.text(max_size=200), st.sampled_from([Role.USER, Role.ASSISTANT]))
def test_no_text_is_too_strange_and_every_quote_is_verbatim(text, role):
    text = f"Merged #1 {text}"
    for found in [*outcomes(a_turn(text, role=role)), *printed(text)]:
        assert found.quote in text


@pytest.mark.parametrize(
    "text", ["Merged " * 14_000, "[main " * 16_000, "1 passed, " * 10_000, "the a " * 16_000]
)
def test_hostile_texts_take_linear_time(text):
    with at_most(seconds=2):
        list(outcomes(a_turn(text, role=Role.ASSISTANT)))
        printed(text)


def test_an_agent_tells_in_one_breath_what_it_did_and_how_that_went():
    text = "The spool of `opal2` is written and ran through in 6 min"

    (found,) = outcomes(a_turn(f"{text}; the rest is as it was.", role=Role.ASSISTANT))

    assert found.quote == text
