"""What agents reported is told when a session begins, as far as all else leaves room."""

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import Block, BriefRequest
from tilth.exchanges.reported import reported

CAUSE = "The basket loses its items because `session.py` never writes the cookie on Safari."
PLAIN = "I read the files that you named."


def told(brain, **of):
    blocks = brain.brief(BriefRequest(via="test", **of), scope=SHOP).blocks
    return [one.text for block in blocks if block.kind is Block.REPORTED for one in block.items]


def asked_and_told(brain, session, report, *, day=0, ask="Why does the basket lose items?"):
    # So much is said of each session's end that this stands behind what its card tells.
    return Session(brain, session, day=day).asks(ask).says(f"{report}\n\n{PLAIN}")


def later_sessions(brain):
    """Let cards have others to tell of."""
    for day in range(1, 5):
        asked_and_told(
            brain,
            f"later{day}",
            f"The queue {day} must keep its lock file, since `worker{day}.py` never unlinks it.",
            day=day,
            ask=f"How does queue {day} keep its lock on the disk?",
        )


def test_a_cause_that_an_agent_reported_is_told_with_its_day_and_its_exchange(brain):
    asked_and_told(brain, "s0", CAUSE)
    later_sessions(brain)

    lines = told(brain)

    (line,) = [one for one in lines if "Safari" in one]
    assert line.startswith("20")
    assert CAUSE in line
    assert PLAIN not in "".join(lines)


@pytest.mark.row("I26")
def test_what_somebody_doubted_is_not_told(brain):
    session = asked_and_told(brain, "s0", CAUSE)
    session.asks("Are you sure? That's not right.").says("Let me look.")
    later_sessions(brain)

    assert not [one for one in told(brain) if "Safari" in one]


def test_the_session_that_asks_is_told_nothing_of_its_own(brain):
    session = asked_and_told(brain, "s0", CAUSE)
    later_sessions(brain)

    assert not [one for one in told(brain, session_id=session.name) if "Safari" in one]


@pytest.mark.parametrize(
    "report",
    [
        "The basket should keep its items once `session.py` writes the cookie on Safari.",
        "The basket probably loses its items because `session.py` never writes a Safari cookie.",
        "✅ Basket: `session.py` writes the cookie on Safari, because it never did before.",
        "Status: `session.py` never writes the cookie on Safari, because the flag is missing.",
        "I'll check why `session.py` never writes the cookie on Safari.",
        "See [why `session.py` never writes the Safari cookie](https://example.org/1) only there.",
    ],
)
def test_advice_guesses_and_the_state_of_the_hour_are_not_told(brain, report):
    asked_and_told(brain, "s0", report)
    later_sessions(brain)

    assert not [one for one in told(brain) if "Safari" in one]


def test_what_says_the_same_is_told_once_and_of_one_exchange_no_more_than_two(brain):
    again = "`session.py` never writes the cookie on Safari, so the basket loses its items."
    more = [
        f"`mod{n}.py` must never hold lock {n}, because reader {n} waits for it." for n in "abc"
    ]
    asked_and_told(brain, "s0", "\n\n".join([CAUSE, again, *more]))
    work = brain.exchanges.list(scope=SHOP)

    found = reported(work, (), least=0.0)

    assert len(found) == 2
    assert sum("Safari" in one.text for one in found) <= 1
    assert not [one for one in reported(work, [CAUSE], least=0.0) if "Safari" in one.text]


def test_of_a_long_report_the_beginning_is_read_and_no_line_that_breaks_off(brain):
    filler = "The basket of shop 12 was looked at.\n" * 120
    asked_and_told(brain, "s0", f"{CAUSE}\n{filler}{CAUSE.replace('Safari', 'Firefox')}")

    found = reported(brain.exchanges.list(scope=SHOP), (), least=0.0)

    texts = [one.text for one in found]
    assert any("Safari" in text for text in texts)
    assert not any("Firefox" in text for text in texts)
    assert all(text.endswith(".") for text in texts)
