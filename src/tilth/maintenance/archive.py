"""
Archive facts without new evidence, and restore them.

An event of its own archives each fact, so each can be restored alone. A dry run and a real one ask
the same query once, before anything is written, so they name the same facts.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from tilth.core.actor import require_human, require_known
from tilth.core.clock import Clock, is_early
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.ids import EventId, FactId
from tilth.core.scope import Owner, Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.events import FactArchived
from tilth.knowledge.facts.fact_lifecycle import restore_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.maintenance.events import SweepBegun
from tilth.maintenance.retention import ARCHIVER, BYTES_MAX, PAUSE, ROWS_MAX, DueFact
from tilth.maintenance.tables import Retention

logger = logging.getLogger(__name__)

# Facts in one transaction, so that other writers never wait for a whole sweep.
_AT_ONCE = 500
_REASON = "nobody has heard of it for long, and nothing and nobody stands behind it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """
    The facts that a sweep archived, or would in a dry run, the oldest first.

    `byte_count` is their size in the ledger, where they stay. `has_more` says that more is due
    than one sweep takes, `is_early` that the next sweep is not due yet.
    """

    is_dry_run: bool
    facts: tuple[FactId, ...] = ()
    byte_count: int = 0
    has_more: bool = False
    is_early: bool = False


def sweep(
    store: Store,
    clock: Clock,
    recorder: WriteContext,
    *,
    is_asked: bool = True,
    is_dry_run: bool = False,
    progress: Callable[[int], None] = lambda _done: None,
) -> Swept:
    """
    Archive the facts that are due by the ages in `tilth.maintenance.retention`.

    Args:
        store: The store with the facts.
        clock: The clock that ages are counted by.
        recorder: The caller, and the owner of the facts.
        is_asked: Whether somebody asks for it. Otherwise a sweep runs once in 24 hours at most,
            counted from the last one of either kind.
        is_dry_run: Return what would be archived, and write nothing.
        progress: Called with the number archived so far.

    Raises:
        ForbiddenError: the caller is unknown.
    """
    require_known(recorder.by, "archive what is there")
    now, owner = clock.now(), recorder.owner
    with store.read() as view:
        if not is_asked and not _is_sweep_due(view, owner, now):
            return Swept(is_dry_run=is_dry_run, is_early=True)
        due = Retention(view).due(owner, now, limit=ROWS_MAX + 1)
    bounded = list(_within_bounds(due))
    has_more = len(due) > len(bounded)
    if is_dry_run:
        return _result(bounded, is_dry_run=True, has_more=has_more)
    begun = _begin_sweep(store, recorder, now, is_asked=is_asked)
    if begun is None:
        return Swept(is_dry_run=False, is_early=True)
    done: list[DueFact] = []
    for start in range(0, len(bounded), _AT_ONCE):
        done += _archive_due(store, bounded[start : start + _AT_ONCE], begun, owner, now)
        progress(len(done))
    logger.info("archived by rule: facts=%d more=%s", len(done), has_more)
    return _result(done, is_dry_run=False, has_more=has_more)


def undo_sweep(store: Store, recorder: WriteContext) -> tuple[FactId, ...]:
    """
    Restore what the last sweep archived; facts that changed since stay as they are.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: there is nothing to restore.
    """
    require_human(recorder.by, "bring back what was archived by rule")
    with store.read() as view:
        last = Retention(view).last_sweep(recorder.owner)
        facts = [] if last is None else Retention(view).swept(last.event_id)
    if last is None or not facts:
        raise ConflictError(
            "the last sweep put nothing away that is still so",
            hint="one fact comes back with: tilth fact restore ID",
        )
    for start in range(0, len(facts), _AT_ONCE):
        with store.begin() as tx:
            there = set(Retention(tx).swept(last.event_id))
            for fact_id in facts[start : start + _AT_ONCE]:
                if fact_id in there:
                    restore_in(tx, fact_id, recorder)
    logger.info("brought back: facts=%d", len(facts))
    return tuple(facts)


def _is_sweep_due(view: Snapshot, owner: Owner, now: datetime) -> bool:
    last = Retention(view).last_sweep(owner)
    if last is not None and is_early(last.began_at, now, PAUSE):
        return False
    return bool(Facts(view).select(FactFilter(within=Visibility(owner)), limit=1))


def _begin_sweep(
    store: Store, recorder: WriteContext, now: datetime, *, is_asked: bool
) -> EventId | None:
    """Begin a sweep; return None if one began meanwhile and nobody asks for another."""
    with store.begin() as tx:
        if not is_asked and not _is_sweep_due(tx, recorder.owner, now):
            return None
        begun = tx.append(SweepBegun(), by=recorder.by, owner=recorder.owner)
    return begun.recorded.event_id


def _archive_due(
    store: Store, batch: Sequence[DueFact], sweep_id: EventId, owner: Owner, now: datetime
) -> list[DueFact]:
    """Archive those of *batch* that are still due: there may be new evidence of one meanwhile."""
    with store.begin() as tx:
        due = Retention(tx).due(owner, now, limit=len(batch), among=[one.seq for one in batch])
        for one in due:
            event = FactArchived(fact_id=one.fact_id, reason=_REASON, sweep=sweep_id)
            tx.append(event, by=ARCHIVER, owner=owner)
    return due


def _within_bounds(due: Sequence[DueFact]) -> Iterator[DueFact]:
    """Yield as much as one sweep takes; the first fact is taken whatever its size."""
    size = 0
    for number, one in enumerate(due):
        size += one.byte_count
        if number >= ROWS_MAX or (number and size > BYTES_MAX):
            return
        yield one


def _result(due: Sequence[DueFact], *, is_dry_run: bool, has_more: bool) -> Swept:
    return Swept(
        is_dry_run=is_dry_run,
        facts=tuple(one.fact_id for one in due),
        byte_count=sum(one.byte_count for one in due),
        has_more=has_more,
    )
