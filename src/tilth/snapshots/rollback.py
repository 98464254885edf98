"""Take a snapshot of knowledge, and go back to one."""

import json
import logging
from collections import Counter
from dataclasses import replace

from tilth.core.actor import require_human
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.event import Recorded, encode
from tilth.core.instant import written_day
from tilth.core.json import JsonObject
from tilth.core.scope import Owner
from tilth.episodes.remember import WriteContext
from tilth.ledger.events import SetAside
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.ledger.tables import Tombstones
from tilth.privacy.redaction import scrub
from tilth.snapshots.changes_since import changed_since, changes
from tilth.snapshots.folder import SnapshotFolder, row_text
from tilth.snapshots.model import Operation, RollbackPlan, TakenSnapshot, operation_of, plan_of

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """
    A rollback that is planned or done.

    `aside` are operations that go, `back` those that come back, `kept` later ones that stay:
    rejections with what they name, and entities with conversations. `confirm` is the token that
    confirms exactly this plan. `id` is the event that carried it out, empty before; `is_equal` says
    whether knowledge is then exactly that of the snapshot; otherwise `kept` is all the difference.
    """

    snapshot: TakenSnapshot
    aside: tuple[Operation, ...]
    back: tuple[Operation, ...]
    kept: tuple[Operation, ...]
    confirm: str
    id: str = ""
    is_equal: bool = False


def take(store: Store, folder: SnapshotFolder, clock: Clock, owner: Owner) -> TakenSnapshot:
    """
    Write the snapshot of today; a second one replaces the first of the day.

    It has every operation behind present knowledge, but no episodes, which the ledger has.

    Raises:
        UnavailableError: it cannot be written.
    """
    now = clock.now()
    with store.read() as view:
        head = view.head()
        counts: Counter[str] = Counter()
        # As text each takes a tenth of the memory of a parsed row.
        rows: list[str] = []
        aside = view.asides(head.seq)
        for one in changes(view):
            if one.owner == owner and one.event_id not in aside and not one.event.aspects.stays:
                counts[one.event.kind] += 1
                rows.append(row_text(_row(one)))
        header: JsonObject = {
            "store_id": store.store_id,
            "owner": owner,
            "taken_at": now.isoformat(),
            "through": head.seq,
            "chain": head.chain.hex(),
            "digest": view.knowledge_digest(),
            "counts": dict(sorted(counts.items())),
        }
        taken = folder.put(written_day(now), header, rows)
    logger.info("snapshot taken: through=%d operations=%d", head.seq, counts.total())
    return taken


def plan_rollback(
    store: Store, folder: SnapshotFolder, day: str, recorder: WriteContext
) -> Rollback:
    """
    Return what going back to the snapshot of a day would do. Nothing changes.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no snapshot of that day.
        CorruptionError: its file is not as it was written.
        ConflictError: it was taken of another store, or of a history that was replaced.
    """
    require_human(recorder.by, "go back to a snapshot")
    taken = folder.get(day)
    with store.read() as view:
        return _planned(view, taken, recorder.owner)[0]


def roll_back(
    store: Store,
    folder: SnapshotFolder,
    day: str,
    recorder: WriteContext,
    *,
    confirm: str,
    reason: str,
) -> Rollback:
    """
    Go back to the knowledge of a day; see `plan_rollback` for further errors.

    One event sets later operations aside, and they can be brought back. Erasures and rejections
    stay, and so does what was said.

    Raises:
        ConflictError: the plan is not the one that *confirm* confirms, or nothing has changed.
    """
    require_human(recorder.by, "go back to a snapshot")
    taken = folder.get(day)

    def act(tx: Transaction) -> Rollback:
        rollback, plan = _planned(tx, taken, recorder.owner)
        if rollback.confirm != confirm:
            raise ConflictError(
                "what would change is not what was shown",
                hint=f"look at it again: tilth snapshot restore {day}",
            )
        if not (plan.aside or plan.back):
            raise ConflictError(f"nothing that was known on {day} has changed since")
        event = SetAside(
            aside=plan.aside, back=plan.back, through=taken.through, reason=scrub(reason).text
        )
        done = tx.set_aside(event, by=recorder.by, owner=recorder.owner)
        return replace(rollback, id=done.made, is_equal=tx.knowledge_digest() == taken.digest)

    done = store.change(act)
    logger.info("rolled back: through=%d aside=%d", taken.through, len(done.aside))
    return done


def _planned(view: Snapshot, taken: TakenSnapshot, owner: Owner) -> tuple[Rollback, RollbackPlan]:
    chain = view.chain_at(taken.through)
    if chain is None or chain.hex() != taken.chain or taken.owner != owner:
        raise ConflictError(
            f"the snapshot of {taken.day} is of another store, or of a history that was replaced",
            hint="a store that was lost comes back with: tilth restore",
        )
    now, then = view.asides(view.head().seq), view.asides(taken.through)
    later = [one for one in changed_since(view, taken.through) if one.owner == owner]
    moved = Tombstones(view).present(sorted(now ^ then))
    earlier = {
        one.event_id: one for one in moved if one.seq <= taken.through and one.owner == owner
    }
    plan = plan_of(later, now, then, earlier)
    known = earlier | {one.event_id: one for one in later}
    rollback = Rollback(
        snapshot=taken,
        aside=tuple(operation_of(known[one]) for one in plan.aside),
        back=tuple(operation_of(known[one]) for one in plan.back),
        kept=tuple(map(operation_of, plan.kept)),
        confirm=plan.digest,
    )
    return rollback, plan


def _row(one: Recorded) -> JsonObject:
    return {
        "type": "operation",
        "seq": one.seq,
        "id": one.event_id,
        "at": one.recorded_at.isoformat(),
        "by": {"name": one.by.name, "kind": one.by.kind},
        "kind": one.event.kind,
        "says": json.loads(encode(one.event)),
    }
