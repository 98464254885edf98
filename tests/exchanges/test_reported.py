"""What agents reported is told when a session begins, where there is little else."""

from functools import partial

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import Block, BriefRequest
from tilth.exchanges.report_sentences import sentences_of
from tilth.exchanges.reported import reported

CAUSE = "The basket loses its items because `session.py` never writes the cookie on Safari."
LIMIT = "The till accepts only one printer, since `printer.py` must never open a second queue."
PLAIN = "I read the files that you named."


def answered(brain, *report, session="s1", day=0):
    ask = "Why do the basket and the till of the shop lose what they hold?"
    return Session(brain, session, day=day).asks(ask).says("\n\n".join([*report, PLAIN]))


def told(brain, **of):
    blocks = brain.brief(BriefRequest(via="test", **of), scope=SHOP).blocks
    return [one.text for block in blocks if block.kind is Block.REPORTED for one in block.items]


def worth_telling(brain, *known):
    work = brain.exchanges.list(scope=SHOP)
    return [one.text for one in reported(work, known, partial(sentences_of, least=0.0))]


def test_what_an_agent_reported_is_told_once_with_its_day_and_its_exchange(brain):
    answered(brain, CAUSE, LIMIT)

    whole = brain.brief(BriefRequest(via="test"), scope=SHOP)

    assert {*told(brain)} == {f"2026-01-01: “{CAUSE}”", f"2026-01-01: “{LIMIT}”"}
    assert [whole.text.count(one) for one in (CAUSE, LIMIT, PLAIN)] == [1, 1, 0]
    (exchange,) = brain.exchanges.list(scope=SHOP)
    assert {item.source for block in whole.blocks for item in block.items} == {exchange.id}


def test_what_the_card_of_an_exchange_tells_is_not_told_again(brain):
    answered(brain, CAUSE)

    whole = brain.brief(BriefRequest(via="test"), scope=SHOP)

    assert whole.text.count(CAUSE) == 1


def test_the_session_that_asks_is_told_nothing_of_its_own(brain):
    session = answered(brain, CAUSE, LIMIT)

    assert told(brain)
    assert not told(brain, session_id=session.name)


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    "said",
    [
        "You want to update the till so that `printer.py` takes a queue instead of a lock.",
        "You asked that `session.py` never writes a cookie because Safari refuses it.",
        "The goal is to remove the lock in `printer.py`, because it must never block the till.",
        "The task holds:\n\n1. Detailed rules covering `printer.py`, `till.py` and all errors",
    ],
)
def test_what_was_asked_of_the_agent_or_only_named_is_no_report(brain, said):
    answered(brain, said, CAUSE)

    assert worth_telling(brain) == [CAUSE]


def test_an_offer_is_not_told_with_what_was_reported(brain):
    answered(brain, f"{CAUSE} Let me know if you want the same for the till.")

    assert worth_telling(brain) == [CAUSE]


@pytest.mark.row("I26")
def test_what_somebody_doubted_or_took_back_is_not_told(brain):
    answered(brain, CAUSE).asks("Are you sure? That's not right.").says("Let me look.")
    session = Session(brain, "s2", day=1).asks("Mend the till.").edited("src/printer.py")
    session.says(LIMIT).asks("No.").ran("git checkout -- src/printer.py", "done").says("Undone.")

    assert not {CAUSE, LIMIT} & {*worth_telling(brain)}


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
@pytest.mark.on_sqlite(but=2)
def test_advice_guesses_and_the_state_of_the_hour_are_not_told(brain, report):
    answered(brain, report, LIMIT)

    assert worth_telling(brain) == [LIMIT]


def test_what_says_the_same_is_told_once_and_of_one_exchange_no_more_than_two(brain):
    again = "`session.py` never writes the cookie on Safari, so the basket loses its items."
    locks = [f"`mod_{n}.py` must never hold lock {n}, because job {n} waits for it." for n in "ab"]
    answered(brain, CAUSE, again, LIMIT, *locks)

    found = worth_telling(brain)

    assert len(found) == 2
    assert sum("Safari" in one for one in found) <= 1
    assert not [one for one in worth_telling(brain, CAUSE) if "Safari" in one]


def test_of_a_long_report_the_beginning_is_read_and_no_line_that_breaks_off(brain):
    filler = "The basket of shop 12 was looked at.\n" * 120
    answered(brain, f"{CAUSE}\n{filler}{CAUSE.replace('Safari', 'Firefox')}")

    found = worth_telling(brain)

    assert any("Safari" in text for text in found)
    assert not any("Firefox" in text for text in found)
    assert all(text.endswith(".") for text in found)


@pytest.mark.parametrize(
    "text",
    [
        "Investigating the error: `session.py` never writes the cookie on Safari by itself.",
        "I'm verifying that `session.py` never writes the cookie on Safari any more.",
        "However, there are several errors in `printer.py` which must be fixed first.",
        "However, there are several TypeScript errors which `printer.py` must never print.",
        "It never writes the cookie on Safari, because `session.py` must not open it.",
        "The user wants to remove `printer.py`, which must never open a second queue.",
        "Here's what `printer.py` must never do, because the till accepts only one printer.",
        "`session.py` never writes the cookie on Safari, since the basket must be either",
        "`session.py` must never write the cookie, because it does the following:",
        "Run command: git rebase on `session.py`, which must never be pushed</summary> by hand.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_the_agent_is_about_and_what_leans_is_not_told(brain, text):
    answered(brain, text, LIMIT)

    assert worth_telling(brain) == [LIMIT]
