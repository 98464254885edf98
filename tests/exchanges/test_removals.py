"""What a person has taken out of a project ends what was said of it before, and nothing else."""

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import Block, BriefRequest
from tilth.context.work.reading_cache import Readings

WHY = "Why do the basket and the till of the shop lose what they hold?"
OF_BACKEND = "The basket loses its items because the `backend` database never writes the cookie."
OF_TILL = "The till accepts only one printer, since `printer.py` must never open a second queue."
PLAIN = "I read the files that you named."


def told(brain, *blocks):
    brain.distil()
    every = brain.brief(BriefRequest(via="test"), scope=SHOP).blocks
    return [item.text for one in every if one.kind in blocks for item in one.items]


def names_of(brain, ask):
    Session(brain, "s1").asks(ask).says("Done.")
    return [
        " ".join(sorted(one.what))
        for asked in brain.exchanges.list(scope=SHOP)
        for one in Readings().taken_out(asked.ask)
    ]


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    ("ask", "names"),
    [
        ("Thank you, let's remove the backend database code.", ["backend databas"]),
        ("yes, use moabb, keep the model, remove pretraining/da", ["pretrain", "da"]),
        ("Please delete `worker.ts`.", ["ts worker workert"]),
    ],
)
def test_a_part_is_taken_out_by_its_name(brain, ask, names):
    assert names_of(brain, ask) == names


@pytest.mark.parametrize(
    "ask",
    [
        "Remove the button.",
        "Should we remove the backend database?",
        "If it is slow, remove the backend database.",
        "Remove dead code and unused imports.",
        "How do I remove the backend database?",
        "> remove the backend database",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_one_of_many_a_question_and_tidying_take_no_part_out(brain, ask):
    assert names_of(brain, ask) == []


def test_what_was_reported_of_it_is_told_no_more_and_all_else_is(brain):
    Session(brain, "s1").asks(WHY).says(f"{OF_BACKEND}\n\n{OF_TILL}\n\n{PLAIN}")
    assert any(OF_BACKEND in line for line in told(brain, *Block))

    Session(brain, "s2", day=1).asks("Let's remove the backend database code.").says("Done.")

    lines = "\n".join(told(brain, Block.REPORTED))
    assert OF_BACKEND not in lines
    assert OF_TILL in lines


def test_what_was_asked_for_of_it_is_told_no_more(brain):
    keep, gone = "We decided to keep the till in Oslo.", "We decided on sharding for pretraining."
    Session(brain, "s1").asks(keep).says("Done.")
    Session(brain, "s2").asks(gone).says("Done.")
    assert len(told(brain, Block.ASKED)) == 2

    Session(brain, "s3", day=1).asks("keep the model, remove pretraining").says("Done.")

    assert [keep in line for line in told(brain, Block.ASKED)] == [True]


def test_what_is_said_of_it_later_and_what_forbids_it_is_told(brain):
    forbids = "We never want a backend database in the shop of Oslo."
    Session(brain, "s1", day=-3).asks(forbids).says("Done.")
    Session(brain, "s2", day=-2).asks("Let's remove the backend database code.").says("Done.")
    again = "We decided to keep the orders of Bergen in a backend database again."
    Session(brain, "s3", day=-1).asks(again).says("Done.")

    lines = "\n".join(told(brain, Block.ASKED, Block.RULES))
    assert forbids in lines
    assert again in lines
