"""
The worker's loop: each stage does the work that waits, round by round.

No stage has a queue of its own. Work is whatever the record lacks: spool lines that were not taken,
episodes without a vector, briefs that are out of date. So nothing is lost when a worker dies.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import UnavailableError
from tilth.core.io.os_errors import unavailable
from tilth.runtime.stages import StageCounts, StageRun, after_failure, after_run
from tilth.runtime.worker.stage_log import StageLog

logger = logging.getLogger(__name__)

PAUSE_S = 5.0
# The error code of a run that its worker did not survive.
KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Stage:
    """One kind of work: its name, and a function that does a bounded piece of it."""

    name: str
    run: Callable[[], StageRun]


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """
    When a worker ends.

    It ends after *idle_s* seconds without work or requests; None is never, 0 is at once. `asked_at`
    returns the time of the last request, by `time.monotonic`; `is_stopped` whether the worker was
    told to end. `pause` waits for some seconds between rounds without work.
    """

    idle_s: float | None
    asked_at: Callable[[], float] = lambda: 0.0
    is_stopped: Callable[[], bool] = lambda: False
    pause: Callable[[float], object] = time.sleep


ONCE = Until(idle_s=0)


def work(
    stages: Sequence[Stage],
    log: StageLog,
    clock: Clock,
    until: Until = ONCE,
    *,
    rest: Callable[[], None] = lambda: None,
) -> None:
    """
    Run the stages round by round, with a *rest* after each stage.

    Raises:
        UnavailableError: the model, the store or the disk does not answer, and *until* allows no
            further round.
    """
    counts = log.read()
    if (cut := log.cut_off()) is not None:
        _note_kill(*cut, counts, log)
    active_at = time.monotonic()
    while not until.is_stopped():
        made = 0
        for stage in stages:
            try:
                made += _run(stage, counts, log, clock)
            except UnavailableError:
                if until.idle_s == 0:
                    raise
            rest()
        if made:
            active_at = time.monotonic()
            continue
        idle_s = time.monotonic() - max(active_at, until.asked_at())
        if until.idle_s is not None and idle_s >= until.idle_s:
            return
        until.pause(PAUSE_S)


def _run(stage: Stage, counts: dict[str, StageCounts], log: StageLog, clock: Clock) -> int:
    known = counts.get(stage.name, StageCounts())
    try:
        with log.running(stage.name, clock.now()), _as_unavailable():
            ran = stage.run()
    except UnavailableError as error:
        logger.warning("work put off: stage=%s code=%s", stage.name, error.code)
        counts[stage.name] = after_failure(known, error.code, clock.now())
        log.write(counts)
        raise
    counts[stage.name] = after_run(known, ran, clock.now())
    if counts[stage.name] != known:
        log.write(counts)
    return ran.made


@contextmanager
def _as_unavailable() -> Iterator[None]:
    """Turn a refusal of the machine, such as a full disk, into an error to try again after."""
    try:
        yield
    except OSError as error:
        raise unavailable(error) from error


def _note_kill(stage: str, began: datetime, counts: dict[str, StageCounts], log: StageLog) -> None:
    """Count a run during which the last worker was killed as a failed run."""
    logger.warning("the last worker was killed: stage=%s began=%s", stage, began.isoformat())
    counts[stage] = after_failure(counts.get(stage, StageCounts()), KILLED, began)
    log.write(counts)
