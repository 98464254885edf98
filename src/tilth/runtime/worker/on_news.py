"""
Stages that look again only once something was recorded, or it is time.

What they look at is what the ledger says, and what time it is. So an idle worker reads where the
ledger ends, and no more. Where they looked last is kept in memory: a worker that begins, as it does
with other settings, looks once.
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
from tilth.runtime.stages import Ran
from tilth.runtime.worker.loop import Stage

# What came of a look, and when another is due though nothing is recorded; None if that is not told.
Looked: TypeAlias = tuple[Ran, datetime | None]

# Facts that begin to hold one day may earn a page, and nothing is told of when.
AGAIN = timedelta(hours=1)
# A session records something every few seconds, and what goes stale by it is left alone for twice
# as long as this (`tilth.pages.compiling.compile.QUIET`).
_PAGES_REST = timedelta(minutes=1)


class _Last(NamedTuple):
    """
    Where the ledger ended at the last look, when that was, and how long it is good for.

    News is waited with for `rest`.
    """

    head: Head
    at: datetime
    wait: timedelta
    rest: timedelta


@dataclass(slots=True)
class OnNews:
    """
    Looks where the ledger ends elsewhere than it did at the last look, or it is time.

    After a look that found nothing to do, it rests before it looks at news.
    """

    store: Store
    clock: Clock
    look: Callable[[], Looked]
    rest: timedelta = timedelta()
    last: _Last | None = field(default=None, init=False)

    def __call__(self) -> Ran:
        """
        Look if it is time, and return what came of it.

        Raises:
            UnavailableError: the store or a model does not answer; the next call looks again.
        """
        now, last = self.clock.now(), self.last
        with self.store.read() as view:
            head = view.head()
        if last is not None:
            wait = last.wait if last.head == head else min(last.rest, last.wait)
            if is_early(last.at, now, wait):
                return Ran()
        self.last = None
        ran, next_at = self.look()
        wait = AGAIN if next_at is None else min(next_at - now, AGAIN)
        # What was recorded meanwhile, by the look itself too, is news to the next one.
        rest = timedelta() if ran.found or ran.made else self.rest
        self.last = _Last(head, now, wait, rest)
        return ran


def garden_stage(brain: Brain) -> Stage:
    """Return what runs the garden's cycle, if there is a topic and it is time."""
    return _on_news("garden", brain, lambda: _tend_garden(brain))


def pages_stage(brain: Brain) -> Stage:
    """Return what compiles pages that are stale or missing, a few at a time."""
    return _on_news("pages", brain, lambda: _compile(brain), rest=_PAGES_REST)


def _on_news(
    name: str, brain: Brain, look: Callable[[], Looked], *, rest: timedelta = timedelta()
) -> Stage:
    return Stage(name, OnNews(brain.parts.store, brain.parts.clock, look, rest))


def _tend_garden(brain: Brain) -> Looked:
    began = brain.parts.clock.now()
    report = brain.garden.run(is_applied=True)
    told = {} if report.cycle is None else report.cycle.ended.get(Step.TEND, {})
    asked, found = told.get("reads", 0), told.get("candidates", [])
    ran = Ran(asked if isinstance(asked, int) else 0, len(found) if isinstance(found, list) else 0)
    if report.is_busy:
        return ran, began
    # Without a topic a cycle is due all the time, until one is named.
    return ran, report.next_at if report.next_at > brain.parts.clock.now() else None


def _compile(brain: Brain) -> Looked:
    swept = brain.pages.sweep()
    done = swept.compiled + swept.made
    return Ran(done, done), swept.next_at
