"""
Coming into a host's configuration, and going out of it again.

Planned first and shown; then a copy of everything is kept, each file is
replaced whole, and read again. Undoing gives back every byte; where others
have edited a file since, our part goes and theirs stays.
"""

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Protocol

from tilth.agents.installation import Change, Plan, Receipt, Undone, Written
from tilth.core.clock import Clock, Ids
from tilth.core.errors import ConflictError, CorruptionError, TilthError
from tilth.core.ids import encode_ulid

logger = logging.getLogger(__name__)


class Host(Protocol):
    """Knows what one agent program's configuration needs to hold."""

    @property
    def name(self) -> str:
        """The host's name."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What its user has to do after."""
        ...

    def changes(self, read: Callable[[str], bytes | None]) -> list[Change]:
        """
        Return what has to change; nothing, where all is done.

        Raises:
            InvalidInputError: a file is not what the host would read.
            ConflictError: something else stands in the place of a file of ours.
        """
        ...

    def without(self, path: str, current: bytes, before: bytes | None) -> bytes | None:
        """Return *current* without our part; None if all of it is ours."""
        ...


class Files(Protocol):
    """The files of a user."""

    def read(self, path: str) -> bytes | None:
        """
        Return a file's content; None if there is none.

        Raises:
            ConflictError: something else than a file is there.
            UnavailableError: it cannot be read.
        """
        ...

    def check(self, path: str) -> None:
        """
        Say whether a file could be written.

        Raises:
            ForbiddenError: it is read-only, or its folder is.
            ConflictError: what is there cannot be replaced.
        """
        ...

    def folders_missing_for(self, path: str) -> tuple[str, ...]:
        """Return the folders that writing a file would make, the outermost first."""
        ...

    def write(self, path: str, content: bytes) -> None:
        """
        Replace a file, whole and durably, or make it.

        Raises:
            UnavailableError: it cannot be written; what was there is there.
        """
        ...

    def remove(self, path: str, folders: tuple[str, ...]) -> None:
        """Remove a file, and of *folders* those that are empty then."""
        ...


class Receipts(Protocol):
    """What was done, and what there was before."""

    def keep(self, receipt: Receipt, contents: tuple[bytes | None, ...]) -> None:
        """Keep a receipt with the contents from before, durably."""
        ...

    def in_force(self, host: str | None = None) -> list[Receipt]:
        """Return the receipts that were not undone, the newest first."""
        ...

    def content_before(self, receipt: Receipt, number: int) -> bytes | None:
        """Return what the file at that place of the receipt held; None if there was none."""
        ...

    def keep_edited(self, receipt: Receipt, number: int, content: bytes) -> str:
        """Keep what others made of a file of ours, and return where."""
        ...

    def close(self, receipt: Receipt) -> None:
        """Say that a receipt was undone."""
        ...


def plan_init(host: Host, files: Files) -> Plan:
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


def init(plan: Plan, files: Files, receipts: Receipts, *, clock: Clock, ids: Ids) -> Receipt | None:
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
    host: Host, files: Files, receipts: Receipts, *, clock: Clock, ids: Ids
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
    to_undo: Sequence[Receipt], host: Host | None, files: Files, receipts: Receipts
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
        undone = _undone(receipt, host, files, receipts)
        receipts.close(receipt)
        done.append(undone)
        logger.info("host undone: host=%s receipt=%s", receipt.host, receipt.id)
    return done


def _undone(receipt: Receipt, host: Host | None, files: Files, receipts: Receipts) -> Undone:
    fates: dict[str, list[str]] = {}
    for number in reversed(range(len(receipt.files))):
        fate, path = _taken_back(receipt, number, host, files, receipts)
        fates.setdefault(fate, []).append(path)
    fates.pop(_AS_BEFORE, None)
    return Undone(receipt_id=receipt.id, **{fate: tuple(paths) for fate, paths in fates.items()})


_AS_BEFORE = "as before"


def _taken_back(
    receipt: Receipt, number: int, host: Host | None, files: Files, receipts: Receipts
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
        return _given_back(written, before, files)
    rest = current if host is None else host.without(written.path, current, before)
    if rest is None:
        moved = receipts.keep_edited(receipt, number, current)
        files.remove(written.path, written.folders)
        return "moved", moved
    if rest == current:
        return "left", written.path
    files.write(written.path, rest)
    return "trimmed", written.path


def _given_back(written: Written, before: bytes | None, files: Files) -> tuple[str, str]:
    if before is None:
        files.remove(written.path, written.folders)
        return "removed", written.path
    files.write(written.path, before)
    return "restored", written.path


def _check_unchanged(files: Files, change: Change) -> None:
    if files.read(change.path) != change.before:
        raise ConflictError(
            f"{change.path!r} changed while its change was planned", hint="plan again"
        )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
