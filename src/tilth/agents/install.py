"""
Add Tilth to a host's configuration, and remove it.

Planned first and shown; then a copy of everything is kept, each file is replaced whole, and read
again. Undoing gives back every byte; where others have edited a file since, our part goes and
theirs stays.
"""

import hashlib
import logging
from collections.abc import Sequence
from pathlib import PurePath

from tilth.agents.hosts.setup import HostSetup
from tilth.agents.install_plan import Change, Plan, Receipt, Undone, Written
from tilth.agents.receipt_folder import ReceiptFolder
from tilth.core.clock import Clock, Ids
from tilth.core.errors import ConflictError, CorruptionError, TilthError
from tilth.core.ids import encode_ulid
from tilth.core.io.atomic_file import Disk

logger = logging.getLogger(__name__)


def plan_init(host: HostSetup, files: Disk) -> Plan:
    """
    Return what serving *host* would change. It only reads.

    Raises:
        InvalidInputError: a file is not what the host would read.
        ConflictError: something else stands in the place of a file of ours.
        ForbiddenError: a file or folder is read-only.
        UnavailableError: a file cannot be read.
    """
    changes = host.changes(files.read)
    for change in changes:
        files.check(change.path)
    return Plan(host.name, tuple(changes), host.notes)


def init(
    plan: Plan, files: Disk, receipts: ReceiptFolder, *, clock: Clock, ids: Ids
) -> Receipt | None:
    """
    Do what was planned, all of it or nothing.

    Args:
        plan: What its user agreed to.
        files: Where it happens.
        receipts: Where copies and the receipt go, before anything changes.
        clock: Dates the receipt.
        ids: Names it.

    Returns:
        The receipt; None if there was nothing to do.

    Raises:
        ConflictError: a file changed since the plan was made.
        UnavailableError: a file could not be written; all is as before.
    """
    if plan.is_done:
        return None
    for change in plan.changes:
        _check_unchanged(files, change)
    now = clock.now()
    written = tuple(
        Written(
            change.path,
            None if change.before is None else _sha256(change.before),
            _sha256(change.after),
            files.folders_missing_for(change.path),
        )
        for change in plan.changes
    )
    receipt = Receipt(encode_ulid(ids.ulid(now)), plan.host, now, written)
    receipts.keep(receipt, tuple(change.before for change in plan.changes))
    try:
        for change in plan.changes:
            _check_unchanged(files, change)
            files.write(change.path, change.after)
            if files.read(change.path) != change.after:
                raise CorruptionError(f"{change.path!r} does not hold what was written")
    except TilthError:
        undo([receipt], None, files, receipts)
        raise
    logger.info("host initialised: host=%s files=%d", plan.host, len(plan.changes))
    return receipt


def adopt(
    host: HostSetup, files: Disk, receipts: ReceiptFolder, *, clock: Clock, ids: Ids
) -> Receipt | None:
    """
    Keep a receipt of what is ours and has none, because the folder of receipts was lost.

    Without one `undo` would leave it for ever. What a file of somebody else's held before is not
    known any more, so only our part of it will go.

    Returns:
        The receipt; None where there is one, or nothing of ours.
    """
    if receipts.in_force(host.name):
        return None
    whole = [(one.path, one.after) for one in host.changes(lambda _path: None)]
    paths = [path for path, _ in whole]
    written = tuple(
        Written(path, None, _sha256(ours), _own_folders(path, paths))
        for path, ours in whole
        if files.read(path) is not None
    )
    if not written:
        return None
    now = clock.now()
    receipt = Receipt(encode_ulid(ids.ulid(now)), host.name, now, written)
    receipts.keep(receipt, (None,) * len(written))
    logger.info("host adopted: host=%s files=%d", host.name, len(written))
    return receipt


def _own_folders(path: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the folders around *path* that only files of ours share, the outermost first."""
    if len(paths) == 1:
        return ()
    shared = set.intersection(*(set(PurePath(one).parents) for one in paths))
    own = len(max(shared, key=lambda one: len(one.parts)).parts)
    around = [one for one in PurePath(path).parents if len(one.parts) >= own]
    return tuple(map(str, reversed(around)))


def undo(
    to_undo: Sequence[Receipt], host: HostSetup | None, files: Disk, receipts: ReceiptFolder
) -> list[Undone]:
    """
    Take back what receipts tell, the newest first.

    Args:
        to_undo: Of one host, the newest first, as `Receipts.in_force` gives them.
        host: What knows our part of a file that others edited; None leaves such a file.
        files: Where it happens.
        receipts: Where the contents from before are.

    Raises:
        UnavailableError: a file could not be written; undoing again goes on from there.
    """
    done = []
    for receipt in to_undo:
        undone = _undo_receipt(receipt, host, files, receipts)
        receipts.close(receipt)
        done.append(undone)
        logger.info("host undone: host=%s receipt=%s", receipt.host, receipt.id)
    return done


def _undo_receipt(
    receipt: Receipt, host: HostSetup | None, files: Disk, receipts: ReceiptFolder
) -> Undone:
    fates: dict[str, list[str]] = {}
    for number in reversed(range(len(receipt.files))):
        fate, path = _undo_file(receipt, number, host, files, receipts)
        fates.setdefault(fate, []).append(path)
    fates.pop(_AS_BEFORE, None)
    return Undone(receipt_id=receipt.id, **{fate: tuple(paths) for fate, paths in fates.items()})


_AS_BEFORE = "as before"


def _undo_file(
    receipt: Receipt, number: int, host: HostSetup | None, files: Disk, receipts: ReceiptFolder
) -> tuple[str, str]:
    """Take back one file; return what became of it, and where it is."""
    written = receipt.files[number]
    before, current = receipts.content_before(receipt, number), files.read(written.path)
    if current is None:
        if before is None:
            files.remove(written.path, written.folders)
        return "gone", written.path
    if current == before:
        return _AS_BEFORE, written.path
    if _sha256(current) == written.sha256_after:
        return _restore(written, before, files)
    rest = current if host is None else host.without(written.path, current, before)
    if rest is None:
        moved = receipts.keep_edited(receipt, number, current)
        files.remove(written.path, written.folders)
        return "moved", moved
    if rest == current:
        return "left", written.path
    files.write(written.path, rest)
    return "trimmed", written.path


def _restore(written: Written, before: bytes | None, files: Disk) -> tuple[str, str]:
    if before is None:
        files.remove(written.path, written.folders)
        return "removed", written.path
    files.write(written.path, before)
    return "restored", written.path


def _check_unchanged(files: Disk, change: Change) -> None:
    if files.read(change.path) != change.before:
        raise ConflictError(
            f"{change.path!r} changed while its change was planned", hint="plan again"
        )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
