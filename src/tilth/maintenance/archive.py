"""
Putting away by rule what has had its time, and bringing it back.

Every fact is put away by an event of its own, so each comes back alone too. What a dry run
names is what the real one puts away: both ask the same question once, before anything is done.
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
from tilth.knowledge.facts.fact_lifecycle import restored_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.maintenance.events import SweepBegun
from tilth.maintenance.retention import BYTES_MAX, PAUSE, ROWS_MAX, TENDER, Due
from tilth.maintenance.tables import Tending

logger = logging.getLogger(__name__)

# So many are put away in one transaction; whoever writes meanwhile waits for no more.
_AT_ONCE = 500
_REASON = "nobody has heard of it for long, and nothing and nobody stands behind it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """
    What was put away, or would be in a dry run, the oldest first.

    `byte_count` is what the facts take in the ledger, where they stay. `has_more` says that
    more is due than one round takes, `is_early` that it was not yet time to look.
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
    Put away what has had its time; see `tilth.maintenance.retention` for what that is.

    Args:
        store: Where the facts are.
        clock: Tells what is old.
        recorder: Who asks, and whose facts they are.
        is_asked: Whether somebody asks for it. What nobody asks for happens once in 24 hours
            at most, a round that somebody asked for counted in.
        is_dry_run: Say what would be put away, and write nothing.
        progress: Is told how many were put away.

    Raises:
        ForbiddenError: nobody knows the caller.
    """
    require_known(recorder.by, "put away what is there")
    now, owner = clock.now(), recorder.owner
    with store.read() as view:
        if not is_asked and not _is_time(view, owner, now):
            return Swept(is_dry_run=is_dry_run, is_early=True)
        due = Tending(view).due(owner, now, limit=ROWS_MAX + 1)
    bounded = list(_bounded(due))
    has_more = len(due) > len(bounded)
    if is_dry_run:
        return _swept(bounded, is_dry_run=True, has_more=has_more)
    begun = _begun(store, recorder, now, is_asked=is_asked)
    if begun is None:
        return Swept(is_dry_run=False, is_early=True)
    done: list[Due] = []
    for start in range(0, len(bounded), _AT_ONCE):
        done += _put_away(store, bounded[start : start + _AT_ONCE], begun, owner, now)
        progress(len(done))
    logger.info("put away by rule: facts=%d more=%s", len(done), has_more)
    return _swept(done, is_dry_run=False, has_more=has_more)


def undo_sweep(store: Store, recorder: WriteContext) -> tuple[FactId, ...]:
    """
    Bring back what the last sweep put away; what was touched since stays as it is.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: there is nothing to bring back.
    """
    require_human(recorder.by, "bring back what was put away by rule")
    with store.read() as view:
        last = Tending(view).last_sweep(recorder.owner)
        facts = [] if last is None else Tending(view).swept(last.event_id)
    if last is None or not facts:
        raise ConflictError(
            "the last sweep put nothing away that is still so",
            hint="one fact comes back with: tilth fact restore ID",
        )
    for start in range(0, len(facts), _AT_ONCE):
        with store.begin() as tx:
            there = set(Tending(tx).swept(last.event_id))
            for fact_id in facts[start : start + _AT_ONCE]:
                if fact_id in there:
                    restored_in(tx, fact_id, recorder)
    logger.info("brought back: facts=%d", len(facts))
    return tuple(facts)


def _is_time(view: Snapshot, owner: Owner, now: datetime) -> bool:
    last = Tending(view).last_sweep(owner)
    if last is not None and is_early(last.began_at, now, PAUSE):
        return False
    return bool(Facts(view).select(FactFilter(within=Visibility(owner)), limit=1))


def _begun(
    store: Store, recorder: WriteContext, now: datetime, *, is_asked: bool
) -> EventId | None:
    """Begin a round; None if somebody else began one meanwhile, and nobody asks for another."""
    with store.begin() as tx:
        if not is_asked and not _is_time(tx, recorder.owner, now):
            return None
        begun = tx.append(SweepBegun(), by=recorder.by, owner=recorder.owner)
    return begun.recorded.event_id


def _put_away(
    store: Store, some: Sequence[Due], sweep_id: EventId, owner: Owner, now: datetime
) -> list[Due]:
    """Put away those of *some* that are still due: somebody may have spoken of one meanwhile."""
    with store.begin() as tx:
        due = Tending(tx).due(owner, now, limit=len(some), among=[one.seq for one in some])
        for one in due:
            event = FactArchived(fact_id=one.fact_id, reason=_REASON, sweep=sweep_id)
            tx.append(event, by=TENDER, owner=owner)
    return due


def _bounded(due: Sequence[Due]) -> Iterator[Due]:
    """Yield as much as one round takes; the first is taken whatever its size."""
    size = 0
    for number, one in enumerate(due):
        size += one.byte_count
        if number >= ROWS_MAX or (number and size > BYTES_MAX):
            return
        yield one


def _swept(due: Sequence[Due], *, is_dry_run: bool, has_more: bool) -> Swept:
    return Swept(
        is_dry_run=is_dry_run,
        facts=tuple(one.fact_id for one in due),
        byte_count=sum(one.byte_count for one in due),
        has_more=has_more,
    )
