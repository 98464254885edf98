"""
How the stages of background work do.

What a stage found and what it made of it is counted, because work that comes
to nothing is silent: a host that changed its payloads, a model that is gone.
Whoever looks (`tilth doctor`, `tilth metrics`) is told once it has gone on for
a while.
"""

from dataclasses import replace
from datetime import datetime

from tilth.core.dataclass import dataclass

# So many runs in a row that found work and made nothing of it, or failed, are no accident.
BARREN_RUNS_MAX = 10
FAILED_RUNS_MAX = 3


@dataclass(frozen=True, slots=True)
class Ran:
    """
    What one run of a stage found to do, and how much came of it.

    `through` is the place in the ledger that it read up to, if it goes by places.
    """

    found: int = 0
    made: int = 0
    through: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCounts:
    """
    What a stage did so far. Runs that found nothing to do are not counted.

    `barren_runs` and `failed_runs` are those of the present row, `last_error`
    is the code of the last failure. Where `through` is lost, a stage begins anew.
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


def after_run(counts: StageCounts, ran: Ran, now: datetime) -> StageCounts:
    """Return the counts with one more run."""
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
    """Return the counts with one more run that failed with the error *code*."""
    return replace(
        counts,
        run_count=counts.run_count + 1,
        failed_runs=counts.failed_runs + 1,
        last_error=code,
        last_run_at=now,
    )


def alarm(counts: StageCounts) -> str:
    """Say what is wrong with a stage; an empty text if nothing is."""
    if counts.failed_runs >= FAILED_RUNS_MAX:
        return f"failed {counts.failed_runs} times in a row, with {counts.last_error}"
    if counts.barren_runs >= BARREN_RUNS_MAX:
        return f"found work {counts.barren_runs} times in a row and made nothing of it"
    return ""
