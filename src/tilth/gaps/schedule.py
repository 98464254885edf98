"""
The scheduled run over gaps: close those that are done, scan, and draft and file TODOs.

There is one run in six hours, whoever asks for it: it is claimed in the ledger before it begins.
Each step takes its work from the record, so a run that dies leaves nothing half done; the next one
does what it missed or failed to do.
"""

import logging
from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from tilth.core.actor import Actor, ActorKind, require_known
from tilth.core.clock import is_early
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, UnavailableError
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import WriteContext
from tilth.gaps.draft_todo import (
    OUTBOX_REF,
    draft_text,
    draft_title,
    draft_todo,
    is_ticked,
    redraft,
)
from tilth.gaps.events import GapsPulsed
from tilth.gaps.gap_matching import GapMatcher
from tilth.gaps.gaps import Move, move_gap
from tilth.gaps.model import Gap, GapScan, GapSort, GapStatus
from tilth.gaps.scan import Scan, Scanned, scan_gaps
from tilth.gaps.tables import GapFilter, Gaps
from tilth.gaps.todos import Filing, Outbox, Task, TaskLists
from tilth.ledger.store import Store
from tilth.llm.client import ModelClient

logger = logging.getLogger(__name__)

# How often it runs, and how much it does at most (EM-050).
EVERY = timedelta(hours=6)
TODOS_MAX = 5
# How many gaps with a TODO are checked, the latest first.
_OPEN_MAX = 1000
# Errors that keep a TODO from being written, filed or checked; the next run tries again.
_TRIED_AGAIN = (ConflictError, UnavailableError)
# The actor of a run, since nobody asked for what it does.
PULSER = Actor("pulse", ActorKind.JOB)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapJob:
    """What a run needs: a model client and matcher, and the places for TODOs."""

    thinker: ModelClient
    matcher: GapMatcher
    outbox: Outbox
    task_lists: TaskLists
    threshold: int

    def __post_init__(self) -> None:
        if self.threshold < 1:
            raise InvalidInputError(f"a threshold is at least 1, not {self.threshold}")

    @property
    def store(self) -> Store:
        """The store of the gaps."""
        return self.thinker.store

    @property
    def recorder(self) -> WriteContext:
        """The recorder with which the run acts."""
        return replace(self.thinker.recorder, by=PULSER)

    @property
    def within(self) -> Visibility:
        """Everything of the owner."""
        return Visibility(self.thinker.recorder.owner)


@dataclass(slots=True, kw_only=True)
class GapRun:
    """
    What a run did; `is_due` is false if it was too early and did nothing.

    `next_at` is when the next one is due. `failed` names gaps whose TODO could not be written,
    filed or checked, with the error code.
    """

    is_due: bool
    next_at: datetime
    is_dry_run: bool = False
    resolved: list[Gap] = field(default_factory=list)
    scanned: Scanned | None = None
    drafted: list[Gap] = field(default_factory=list)
    filed: list[Gap] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)


def run(job: GapJob, *, is_forced: bool = False, is_dry_run: bool = False) -> GapRun:
    """
    Run, if it is due or forced.

    Raises:
        ForbiddenError: the caller is anonymous.
        UnavailableError: the store does not answer.
    """
    require_known(job.thinker.recorder.by, "look for gaps and file their TODOs")
    done, last = _claim(job, is_forced=is_forced, is_dry_run=is_dry_run)
    if not done.is_due:
        return done
    scan = Scan(within=job.within, read_after=last.through if last else 0, is_dry_run=is_dry_run)
    thinker = replace(job.thinker, recorder=job.recorder)
    if is_dry_run:
        done.scanned = scan_gaps(thinker, job.matcher, scan)
        done.drafted = _often(job)
        return done
    filings = _filings(job)
    _close(job, done, filings)
    done.scanned = scan_gaps(thinker, job.matcher, scan)
    _draft(job, done)
    _file(job, done, filings)
    logger.info(
        "gaps: resolved=%d drafted=%d filed=%d failed=%d",
        len(done.resolved),
        len(done.drafted),
        len(done.filed),
        len(done.failed),
    )
    return done


def _claim(job: GapJob, *, is_forced: bool, is_dry_run: bool) -> tuple[GapRun, GapScan | None]:
    """Claim this run, so that nobody else does it; also return the last one."""
    recorder = job.recorder
    with job.store.read() as view:
        last = Gaps(view).last_pulse(recorder.owner)
    is_due = is_forced or not _is_early(job, last)
    if is_due and not is_dry_run:
        with job.store.begin() as tx:
            # Another process may have run meanwhile.
            last = Gaps(tx).last_pulse(recorder.owner)
            is_due = is_forced or not _is_early(job, last)
            if is_due:
                tx.append(GapsPulsed(tx.head().seq), by=recorder.by, owner=recorder.owner)
    begun = last.at if last is not None and not is_due else job.thinker.clock.now()
    return GapRun(is_due=is_due, next_at=begun + EVERY, is_dry_run=is_dry_run), last


def _is_early(job: GapJob, last: GapScan | None) -> bool:
    return last is not None and is_early(last.at, job.thinker.clock.now(), EVERY)


def _close(job: GapJob, done: GapRun, filings: dict[Scope, Filing]) -> None:
    """Resolve gaps whose task is done, and write blanked drafts again."""
    for gap in _with_todo(job):
        try:
            if _is_done(job, gap, filings.get(gap.scope)):
                done.resolved.append(_resolved(job, gap))
            else:
                _rewrite_draft(job, gap)
        except _TRIED_AGAIN as error:
            _note_failure(done, gap, error, filings)


def _note_failure(
    done: GapRun, gap: Gap, error: ConflictError | UnavailableError, filings: dict[Scope, Filing]
) -> None:
    """Note what failed; a repository that does not answer is not tried again in this run."""
    done.failed.append((gap.id, error.code))
    if isinstance(error, UnavailableError):
        filings.pop(gap.scope, None)


def _is_done(job: GapJob, gap: Gap, filing: Filing | None) -> bool:
    if gap.todo_ref.startswith(OUTBOX_REF):
        return is_ticked(job.outbox, gap)
    return filing is not None and job.task_lists.of(filing).is_done(gap.id, gap.todo_ref)


def _resolved(job: GapJob, gap: Gap) -> Gap:
    move = Move(status=GapStatus.RESOLVED, note="its task is done")
    with job.store.begin() as tx:
        return move_gap(tx, Gaps(tx).get(gap.id, job.within), move, job.recorder)


def _rewrite_draft(job: GapJob, gap: Gap) -> None:
    if gap.todo_ref.startswith(OUTBOX_REF):
        with job.store.read() as view:
            redraft(view, job.outbox, gap, job.within)


def _draft(job: GapJob, done: GapRun) -> None:
    for gap in _often(job):
        try:
            done.drafted.append(draft_todo(job.store, job.outbox, gap.id, job.recorder))
        except ConflictError:
            # Another process drafted its TODO meanwhile.
            logger.info("todo drafted elsewhere: gap=%s", gap.id)
        except UnavailableError as error:
            done.failed.append((gap.id, error.code))


def _often(job: GapJob) -> list[Gap]:
    """Return gaps without a TODO that came up often enough, as many as one run drafts."""
    found = _gaps(job, GapStatus.DETECTED, GapSort.FREQUENCY, TODOS_MAX)
    return [gap for gap in found if gap.frequency >= job.threshold]


def _file(job: GapJob, done: GapRun, filings: dict[Scope, Filing]) -> None:
    """File the drafts of scopes for which a human chose a repository."""
    waiting = [
        gap
        for gap in _with_todo(job)
        if gap.todo_ref.startswith(OUTBOX_REF) and gap.scope in filings
    ]
    for gap in reversed(waiting[-TODOS_MAX:]):
        if (filing := filings.get(gap.scope)) is None:
            continue
        try:
            done.filed.append(_filed(job, gap, filing))
        except _TRIED_AGAIN as error:
            _note_failure(done, gap, error, filings)


def _filed(job: GapJob, gap: Gap, filing: Filing) -> Gap:
    """File a task, then record it; a repeated attempt adds nothing."""
    with job.store.read() as view:
        text = draft_text(view, gap, job.within, is_public=True)
    title = draft_title(gap, is_public=True)
    ref = job.task_lists.of(filing).file(Task(gap_id=gap.id, title=title, text=text))
    with job.store.begin() as tx:
        now = Gaps(tx).get(gap.id, job.within)
        return move_gap(tx, now, Move(todo_ref=ref), job.recorder)


def _filings(job: GapJob) -> dict[Scope, Filing]:
    with job.store.read() as view:
        return {one.scope: one for one in Gaps(view).filings(job.within)}


def _with_todo(job: GapJob) -> Sequence[Gap]:
    return _gaps(job, GapStatus.TODO_CREATED, GapSort.DATE, _OPEN_MAX)


def _gaps(job: GapJob, status: GapStatus, sort: GapSort, limit: int) -> list[Gap]:
    which = GapFilter(within=job.within, statuses=frozenset({status}))
    with job.store.read() as view:
        return Gaps(view).select(which, sort=sort, limit=limit)
