"""
Stages that run only when something new was recorded, or a time has come.

Their result depends on the ledger and the time alone. So an idle worker reads no more than the end
of the ledger. The place of the last run is kept in memory: a new worker, such as one with other
settings, runs each stage once.
"""

from collections.abc import Callable
from dataclasses import field
from datetime import datetime, timedelta
from typing import NamedTuple, TypeAlias

from tilth.core.clock import Clock, is_early
from tilth.core.dataclass import dataclass
from tilth.garden.model import Step
from tilth.ledger.chain import Head
from tilth.ledger.store import Store
from tilth.runtime.brain import Brain
from tilth.runtime.stages import StageRun
from tilth.runtime.worker.loop import Stage

# What a run did, and when it is due again even without news; None if not known.
RunAndNext: TypeAlias = tuple[StageRun, datetime | None]

# A fact that begins to hold today may call for a page, and no event announces that.
AGAIN = timedelta(hours=1)
# A session records something every few seconds; pages it makes stale are left alone for twice this
# time (`tilth.pages.compile.compile_pages.QUIET`).
_PAGES_REST = timedelta(minutes=1)


class _LastRun(NamedTuple):
    """
    Where the ledger ended at the last run, when that was, and how long the result is valid.

    After news, the next run waits for `rest`.
    """

    head: Head
    at: datetime
    wait: timedelta
    rest: timedelta


@dataclass(slots=True)
class DueStage:
    """
    A stage that runs if the ledger has grown since its last run, or its time has come.

    After a run without work it rests before it looks at news.
    """

    store: Store
    clock: Clock
    look: Callable[[], RunAndNext]
    rest: timedelta = timedelta()
    last: _LastRun | None = field(default=None, init=False)

    def __call__(self) -> StageRun:
        """
        Run the stage if it is due, and return what it did.

        Raises:
            UnavailableError: the store or a model does not answer; the next call tries again.
        """
        now, last = self.clock.now(), self.last
        with self.store.read() as view:
            head = view.head()
        if last is not None:
            wait = last.wait if last.head == head else min(last.rest, last.wait)
            if is_early(last.at, now, wait):
                return StageRun()
        self.last = None
        ran, next_at = self.look()
        wait = AGAIN if next_at is None else min(next_at - now, AGAIN)
        # What was recorded during the run, even by the run itself, is news to the next.
        rest = timedelta() if ran.found or ran.made else self.rest
        self.last = _LastRun(head, now, wait, rest)
        return ran


def garden_stage(brain: Brain) -> Stage:
    """Return the stage that runs the garden's cycle, if there is a topic and a cycle is due."""
    parts = brain.parts
    return Stage("garden", DueStage(parts.store, parts.clock, lambda: _tend_garden(brain)))


def pages_stage(brain: Brain) -> Stage:
    """Return the stage that compiles stale and missing pages, a few at a time."""
    parts = brain.parts
    compile_ = DueStage(parts.store, parts.clock, lambda: _compile_pages(brain), _PAGES_REST)
    return Stage("pages", compile_)


def _tend_garden(brain: Brain) -> RunAndNext:
    began = brain.parts.clock.now()
    report = brain.garden.run(is_applied=True)
    told = {} if report.cycle is None else report.cycle.ended.get(Step.TEND, {})
    asked, found = told.get("reads", 0), told.get("candidates", [])
    ran = StageRun(
        asked if isinstance(asked, int) else 0, len(found) if isinstance(found, list) else 0
    )
    if report.is_busy:
        return ran, began
    # Without a topic a cycle is always due, so wait for one to be named.
    return ran, report.next_at if report.next_at > brain.parts.clock.now() else None


def _compile_pages(brain: Brain) -> RunAndNext:
    swept = brain.pages.sweep()
    done = swept.compiled + swept.made
    return StageRun(done, done), swept.next_at
