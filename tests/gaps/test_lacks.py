"""What somebody wanted and nobody could do, told by the words of both sides."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tilth.core.actor import HOOKS
from tilth.core.ids import EpisodeId
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.episode import Episode, EpisodeDraft, Role
from tilth.gaps.gap_detection import detect_gaps
from tilth.gaps.model import GapKind

NO = "Unfortunately that is not supported."


def thread(*lines):
    """Return messages of a person and an agent in turn; None is no answer."""
    return [
        Episode.recorded(
            EpisodeDraft(text=text, role=Role.ASSISTANT if number % 2 else Role.USER),
            id=EpisodeId(f"epi_{number:026}"),
            seq=number + 1,
            owner=DEFAULT_OWNER,
            recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
            by=HOOKS,
        )
        for number, text in enumerate(lines)
        if text is not None
    ]


def told(*lines):
    return [(one.description, one.kind) for one in detect_gaps(thread(*lines))]


@pytest.mark.row("EM-045")
@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("Can you export my notes as a PDF, please?", "export my notes as a PDF"),
        ("Hi! Is there any way to undo this?", "undo this"),
        ("Is it possible for you to read my mail?", "read my mail"),
        ("Do you support spreadsheets?", "spreadsheets"),
        ("How do I print a page?", "print a page"),
        ("I need my list on paper.", "my list on paper"),
        ("Does this work offline?", "this work offline"),
        ("Is German supported?", "German"),
        ("Look at the production logs.", "Look at the production logs"),
    ],
)
def test_a_request_is_a_gap_where_the_answer_declines(text, description):
    assert told(text, NO) == [(description, GapKind.MISSING_FEATURE)]
    assert told(text, "Done! I've put it into your folder.") == []
    assert told(text, "On it.") == []


@pytest.mark.row("EM-045")
def test_a_request_that_nobody_answers_in_its_thread_is_one_too():
    assert told("Can you fly?", None, "How do I land?") == [
        ("fly", GapKind.MISSING_FEATURE),
    ]
    # The answer is still to come where others were given.
    assert told("Can you swim?", "Here you are.", "Can you fly?") == []


@pytest.mark.row("EM-045")
@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("I wish you could speak Welsh.", "speak Welsh"),
        ("It would be great if it had a dark theme.", "a dark theme"),
        ("Why can't I search by date?", "search by date"),
        ("There is no way to sort the list.", "sort the list"),
        ("Feature request: bigger letters", "bigger letters"),
    ],
)
def test_a_wish_is_one_whatever_is_answered_but_that_it_is_done(text, description):
    assert told(text, "I see.") == told(text) == [(description, GapKind.MISSING_FEATURE)]
    assert told(text, "Here you are: it works now.") == []


@pytest.mark.row("EM-045")
@pytest.mark.parametrize(
    ("text", "answer", "kind"),
    [
        ("Who owns the pump?", "I don't know who owns it.", GapKind.KNOWLEDGE_GAP),
        ("Can you connect to Jira?", NO, GapKind.INTEGRATION_GAP),
        ("I have to rename them by hand every time.", "I see.", GapKind.WORKFLOW_GAP),
        ("Why do I have to log in again?", "I see.", GapKind.WORKFLOW_GAP),
        ("The menu is really confusing.", "I see.", GapKind.UX_FRICTION),
        ("There are too many clicks to get there.", "I see.", GapKind.UX_FRICTION),
    ],
)
def test_each_kind_has_its_words(text, answer, kind):
    assert [one for _, one in told(text, answer)] == [kind]


@pytest.mark.parametrize(
    "lines",
    [
        ("> I wish you could fly\nthat is what he said", "Fine."),
        ("```\nI wish you could fly\n```", "Fine."),
        ("Fix the failing test.", "I can't reproduce it, but I've fixed it and all tests pass."),
        ("Thanks!", "I can't do more."),
        ("It rains.", "It does."),
    ],
)
def test_what_is_quoted_done_or_no_request_is_no_gap(lines):
    assert told(*lines) == []


@pytest.mark.row("EM-048")
def test_what_shows_a_gap_is_the_sentence_as_it_stands():
    text = "Hello there. I wish you could fly. Bye."
    (one,) = detect_gaps(thread(text))

    assert text[one.start : one.end] == "I wish you could fly."
    assert one.episode_id == "epi_" + "0" * 26


def test_hostile_text_takes_no_longer_than_its_length():
    for text in ("can you " * 50_000, "I wish " * 50_000, "a" * 400_000, "is are " * 60_000):
        list(detect_gaps(thread(text, NO)))


def among_people(*lines):
    return [
        replace(one, role=Role.USER, speaker=("Ana", "Ben")[number % 2])
        for number, one in enumerate(thread(*lines))
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Do you have any tips for my trip to Lisbon?",
        "Can you recommend a good book?",
        "I wish I wasn't allergic to cats.",
        "It would be great to go somewhere together next year.",
        "How do you stay so calm?",
        "We always have to walk the dog every time it rains.",
    ],
)
def test_what_people_ask_of_each_other_is_no_gap(line):
    assert list(detect_gaps(among_people(line, "Sure, let's talk."))) == []


def test_what_people_wish_of_a_program_is_one():
    lines = ("I wish we could export invoices to Excel.", "Me too!")

    (gap,) = detect_gaps(among_people(*lines))

    assert gap.description == "export invoices to Excel"


@pytest.mark.parametrize(
    "answer", ["I can't wait to see it!", "I can't imagine life without them.", "I can't help it."]
)
def test_what_delights_declines_nothing(answer):
    assert told("Which team did you sign with?", answer) == []


@pytest.mark.row("EM-045")
def test_an_answer_that_begins_with_no_declines_whatever_cannot_do_it():
    ask = "Can the till print receipts in Plattdeutsch?"

    assert told(ask, "No, the till cannot do that; it supports English and German alone.")
    assert told(ask, "No problem, the till prints them now.") == []


@pytest.mark.row("EM-045")
@pytest.mark.parametrize("answer", ["I can't decide that for her.", "I cannot choose for you."])
def test_who_leaves_a_decision_to_others_declines_nothing(answer):
    assert told("Should my friend buy a boat? What do you think?", answer) == []
