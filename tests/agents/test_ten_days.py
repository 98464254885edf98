"""
Ten days of work in four hosts, in the shapes that real ones told.

The whole of it is a programme, `prove.days`: here it is run once, and a story of one project is
told on each engine.
"""

import re
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

import tilth_spool
from prove.days.__main__ import run
from prove.days.playing import Act, Session, Turn
from tests.brains import a_brain
from tests.fakes import START, CountingIds
from tilth.agents.hooks import Hooks
from tilth.core.actor import Human
from tilth.core.instant import EPOCH
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.runtime.brain import Brain
from tilth.transfer.file_importer import FileImporter

LEDGER = "/home/ada/code/ledger"


def a_session(number, host, begins, *said):
    act = Act(0, 0, host, "ledger", (Turn(*said),))
    return Session(number=number, act=act, folder=LEDGER, begins=begins)


@dataclass(slots=True)
class Desk:
    """An installation, and its clock."""

    brain: Brain
    hooks: Hooks
    clock: object

    def begin(self, session):
        """Return the brief that a session begins with."""
        opening = next(iter(session.records(lambda _: "")))
        self.clock.at = session.begins
        return Answers(self.brain, self.hooks.injections)(opening).text

    def work(self, session, brief):
        for record in session.records(lambda _: brief):
            at_ns = (record.at - EPOCH) // timedelta(microseconds=1) * 1000
            line = tilth_spool.framed(record.host, record.event, at_ns, record.payload)
            tilth_spool.append(str(self.hooks.spool._folder), line)
            self.clock.at = record.at
        self.brain.ingest(self.hooks.spool, self.hooks.reading)


@pytest.fixture
def desk(tmp_path, store, place):
    hooks = Hooks.within(tmp_path, tmp_path / "state", CountingIds())
    parts = replace(
        a_brain(store, place.clock)._parts,
        fence=hooks.injections,
        importer=FileImporter(hooks.injections.stripped),
    )
    return Desk(Brain(parts), hooks, place.clock)


def lines_of(brief):
    return [line for line in brief.splitlines() if line.startswith("- ")]


def test_no_line_of_any_brief_of_ten_days_is_wrong_doubled_foreign_or_older_than_it_says():
    report, failures = run()

    assert failures == []
    assert report["lines"] > 200


# What changes in ten days: a day, a host, what is asked, how it is answered.
RULE = "From now on run the linter before each commit."
STORY = (
    (0, "claude-code", RULE, "Understood, I run the linter before each commit."),
    (0, "codex", "Which queue do we take?", "We decided to use Redis for the queue."),
    (1, "gemini-cli", "Write the consumer.", "The consumer is written, its tests pass."),
    (3, "claude-code", "Move the queue.", "We switched the queue from Redis to RabbitMQ."),
    (5, "codex", "You no longer need to run the linter before each commit.", "Understood."),
    (6, "claude-code", "Never push to main without asking me.", "Understood."),
    (6, "gemini-cli", "What port does staging listen on?", "Staging listens on port 8443."),
    (8, "codex", "Use Postgres 15 after all.", "We decided on Postgres 15, 16 breaks the driver."),
    (9, "claude-code", "Look at the tests.", "The tests pass."),
)


def test_a_rule_that_is_taken_back_is_told_as_contested_until_a_person_ends_it(desk, store):
    told = []
    for number, (day, host, *said) in enumerate(STORY, 1):
        begins = START + timedelta(days=day, hours=8, minutes=20 * number)
        session = a_session(number, host, begins, *said)
        brief = desk.begin(session)
        quotes = re.findall(r"“([^”]+)”", brief)
        assert quotes.count(RULE) <= 1, f"a rule stands twice:\n{brief}"
        assert ": reported" not in brief, f"a line tells nothing:\n{brief}"
        told.append([line for line in lines_of(brief) if RULE in line])
        desk.work(session, brief)
        desk.clock.at += timedelta(hours=2)
        desk.brain.distil(is_asked=False)

    assert [len(lines) for lines in told] == [0] + [1] * 8
    before, after = told[1:5], told[5:]
    assert not any("contested" in line for (line,) in before)
    assert all("contested" in line and "typed on 2026-01-06" in line for (line,) in after)

    person = a_brain(store, desk.clock, by=Human("ana"))
    (asked,) = person.review.list().proposals
    seen = person.review.show(asked.id)
    person.review.confirm(asked.id, digest=seen.digest, retires=asked.draft.retires)
    later = a_session(99, "codex", desk.clock.at + timedelta(days=1), "Go on.", "Done.")
    assert RULE not in desk.begin(later)
