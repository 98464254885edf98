"""
Count the runs of the stages of background work, and raise an alarm for failing ones.

Work that comes to nothing is silent: a host changed its payloads, or a model is gone. So runs that
found work and made nothing of it are counted, and `tilth doctor` and `tilth metrics` report a stage
after several of them.
"""

from dataclasses import replace
from datetime import datetime

from tilth.core.dataclass import dataclass

# After this many runs in a row that failed, or made nothing of their work, a stage is reported.
BARREN_RUNS_MAX = 10
FAILED_RUNS_MAX = 3


@dataclass(frozen=True, slots=True)
class StageRun:
    """
    How much work one run of a stage found, and how much it did.

    `through` is the place in the ledger up to which it read, if the stage works by places.
    """

    found: int = 0
    made: int = 0
    through: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCounts:
    """
    What a stage did so far. Runs that found no work are not counted.

    `barren_runs` and `failed_runs` count the present row of such runs, `last_error` is the code of
    the last failure. A stage whose `through` is lost begins anew.
    """

    run_count: int = 0
    found_count: int = 0
    made_count: int = 0
    barren_runs: int = 0
    failed_runs: int = 0
    last_error: str = ""
    last_run_at: datetime | None = None
    last_made_at: datetime | None = None
    through: int = 0


def after_run(counts: StageCounts, ran: StageRun, now: datetime) -> StageCounts:
    """Return the counts after one more run."""
    counts = replace(counts, through=max(counts.through, ran.through))
    if not ran.found:
        return replace(counts, failed_runs=0)
    return replace(
        counts,
        run_count=counts.run_count + 1,
        found_count=counts.found_count + ran.found,
        made_count=counts.made_count + ran.made,
        barren_runs=0 if ran.made else counts.barren_runs + 1,
        failed_runs=0,
        last_run_at=now,
        last_made_at=now if ran.made else counts.last_made_at,
    )


def after_failure(counts: StageCounts, code: str, now: datetime) -> StageCounts:
    """Return the counts after one more run that failed with the error *code*."""
    return replace(
        counts,
        run_count=counts.run_count + 1,
        failed_runs=counts.failed_runs + 1,
        last_error=code,
        last_run_at=now,
    )


def alarm(counts: StageCounts) -> str:
    """Say what is wrong with a stage; empty if nothing is."""
    if counts.failed_runs >= FAILED_RUNS_MAX:
        return f"failed {counts.failed_runs} times in a row, with {counts.last_error}"
    if counts.barren_runs >= BARREN_RUNS_MAX:
        return f"found work {counts.barren_runs} times in a row and made nothing of it"
    return ""
