"""What an agent reports under headings, and what there is no report of anything done."""

import pytest

from tests.effort import at_most
from tests.learning.turns import a_turn, an_episode
from tilth.episodes.episode import EpisodeKind, Role
from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.values.agent_reports import reports

REPORT = """The move is over.

## What was done
- All 61 mailboxes now live on `mx4.orchard.example`.
- quota of 20 GB for each

**Not done:**
1. The calendar of the choir
2. Aliases with a plus sign still bounce; nobody knows why.

### Cause
The old host stored names in Latin-1, so 3 of them were unreadable. No test had seen it.

### Next steps
- Move the archive to `mx5.orchard.example`
"""


def reported(text, **about):
    said = {"role": Role.ASSISTANT} | about
    return [(one.kind, one.said.text) for one in reports(a_turn(text, **said))]


def test_what_was_done_is_left_and_was_found_is_told_item_by_item():
    assert reported(REPORT) == [
        (StatementKind.MILESTONE, "All 61 mailboxes now live on `mx4.orchard.example`."),
        (StatementKind.MILESTONE, "What was done: Quota of 20 GB for each"),
        (StatementKind.GAP, "Not done: The calendar of the choir"),
        (StatementKind.GAP, "Not done: Aliases with a plus sign still bounce; nobody knows why."),
        (StatementKind.FACT, "The old host stored names in Latin-1, so 3 of them were unreadable."),
        (StatementKind.FACT, "No test had seen it."),
    ]


def test_each_quote_is_word_for_word():
    assert all(one.quote in REPORT for one in reports(a_turn(REPORT, role=Role.ASSISTANT)))


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("*Cause:* the spool of 3 GB was full.", StatementKind.FACT, "The spool of 3 GB was full."),
        ("**Not done yet:** the swap.", StatementKind.GAP, "Not done yet: The swap."),
        ("Done: a lid of 3 GB for it", StatementKind.MILESTONE, "Done: A lid of 3 GB for it"),
        ("\u2705 spool runs on opal2 now", StatementKind.MILESTONE, "Spool runs on opal2 now"),
        (
            "## Done\n- The 3 hosts are moved; I could not test the fourth",
            StatementKind.GAP,
            "The 3 hosts are moved; the assistant could not test the fourth",
        ),
    ],
)
def test_a_heading_may_stand_in_the_line_of_what_it_heads(text, kind, told):
    assert reported(text) == [(kind, told)]


@pytest.mark.parametrize(
    "text",
    [
        "## Done\n- Should the 3 old hosts go?",
        "## Done\n- You can delete `mx3.orchard.example` now",
        "## Done\n- Logs the start of each of the 3 moves",
        "## Done\n- `moveAll()` - moves all 3 hosts",
        "## Plan\n- Move all 3 hosts to `mx4.orchard.example`",
        "## Suggestions\n- 3 more hosts make it faster",
        "## Done\n- moved it",
        "## Done\n- A comprehensive tour of all 3 hosts is in place",
        "## Done\n```\nmoved 3 hosts of 3\n```",
        "- All 3 hosts are moved.",
        "## Found\n- src/mail/host.py:41 opens 3 files",
        "## Found\n- When 3 hosts are down, nothing moves",
        "## What anybody here could possibly have changed\n- `host_a` with 3 users",
        "## Done\n- moved\n\nThe 3 hosts are where they were.",
        "## Done\n" + "- One of the 9 hosts is moved.\n" * 9,
    ],
)
def test_plans_questions_code_and_logs_of_changes_report_nothing(text):
    assert reported(text) == []


def test_only_the_last_word_of_an_agent_is_a_report():
    said = an_episode(REPORT, role=Role.ASSISTANT)

    assert list(reports(Turn(said, is_last=False))) == []
    assert reported(REPORT, role=Role.USER) == []
    assert reported(REPORT, kind=EpisodeKind.TOOL_RESULT) == []


@pytest.mark.parametrize("piece", ["- a `", "# ", "** ", "1. a. ", ". ! ? "])
def test_any_text_is_read_in_little_time(piece):
    with at_most(seconds=1):
        reported("## Done\n" + piece * 2_000)
