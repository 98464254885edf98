"""
Make backups, keep a record of them, and restore one in place of a store.

Only a person restores, and confirms what the backup is. Whatever it holds as confirmed is confirmed
afterwards, and decisions made since are gone: whoever could restore any backup could make anything
true. So a backup of another store, of another installation or from before a later decision is named
as such, and each of these needs a confirmation of its own.

The record is a file in the state folder with one line for each backup. It names files and counts
but no content; the end of the chain is signed, as a head is. A line for a backup that was never
finished tells where a killed process may have left a copy.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import Any

from tilth.core.actor import Actor, require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    InvalidInputError,
    StoreMissingError,
    TilthError,
    UnsupportedError,
)
from tilth.core.instant import parse_instant
from tilth.core.io.private_files import append_line, read_lines
from tilth.core.io.temporary_files import abandoned_files
from tilth.ledger.chain import Head, is_signed, sign
from tilth.ledger.heads import signing_key
from tilth.ledger.sqlite.compare_backup import BackupComparison, compare_backup
from tilth.ledger.sqlite.move_aside import set_aside
from tilth.ledger.sqlite.store import check_backup, erasures_of, open_store, restore_store
from tilth.ledger.store import Store, StoreEnvironment
from tilth.runtime.connect import store_environment
from tilth.runtime.places import place
from tilth.runtime.settings import Settings
from tilth.runtime.worker.process import end_processes

_FILE = "backups.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup that was made and verified; one that is about to be made has no end yet."""

    store_id: str
    path: str
    made_at: datetime
    event_count: int = 0
    end: str = ""
    signature: str = ""


def back_up(store: Store, target: str, around: StoreEnvironment) -> Backup:
    """
    Copy *store* to the file *target*, verify the copy, and record the backup.

    The file gets its name only after it is verified. Remains of killed backups are removed.

    Raises:
        ConflictError: *target* exists.
        CorruptionError: the copy is not whole.
        UnsupportedError: the store is a database behind a URL.
    """
    path = Path(target).absolute()
    made = Backup(store_id=store.store_id, path=str(path), made_at=around.clock.now())
    for one in _recorded_backups(around.state):
        for left in abandoned_files(Path(one.path)):
            left.unlink(missing_ok=True)
    # Recorded before it is made: an erase searches for what a killed backup left.
    note_backup(around.state, made)
    ends: list[Head] = []
    store.backup(target, lambda copy: ends.append(check_backup(copy, around)))
    made = signed(made, ends[0], around.state)
    note_backup(around.state, made)
    return made


def note_backup(state: Path, backup: Backup) -> None:
    """Add *backup* to the record in the folder *state*."""
    append_line(state / _FILE, asdict(backup) | {"made_at": backup.made_at.isoformat()})


def last_backup(state: Path, store_id: str) -> Backup | None:
    """Return the newest recorded backup of the store; None if there is none."""
    made = (one for one in reversed(_recorded_backups(state)) if one.event_count)
    return next((one for one in made if one.store_id == store_id), None)


def signed(backup: Backup, head: Head, state: Path) -> Backup:
    """Return *backup* with its end *head*, signed by this installation."""
    signature = sign(head, key=signing_key(state), store_id=backup.store_id)
    return replace(backup, event_count=head.seq, end=head.chain.hex(), signature=signature.hex())


def signed_ends(state: Path) -> list[Head]:
    """Return the ends of the backups that this installation signed."""
    return [
        head for one in _recorded_backups(state) if (head := _signed_end(one, state)) is not None
    ]


def _signed_end(backup: Backup, state: Path) -> Head | None:
    try:
        head = Head(backup.event_count, bytes.fromhex(backup.end))
        signature = bytes.fromhex(backup.signature)
    except (ValueError, TypeError):
        return None
    key = signing_key(state)
    return head if is_signed(head, signature, key=key, store_id=backup.store_id) else None


def _recorded_backups(state: Path) -> list[Backup]:
    return [one for one in map(_parse_backup, read_lines(state / _FILE)) if one is not None]


def _parse_backup(line: Mapping[str, Any]) -> Backup | None:
    try:
        return Backup(**{**line, "made_at": parse_instant(line["made_at"])})
    except (ValueError, TypeError, KeyError, InvalidInputError):
        return None


class Consent(StrEnum):
    """What a person has to confirm, each by an option of its own."""

    ANOTHER_STORE = "another-store"
    ANOTHER_INSTALLATION = "another-installation"
    LOST_DECISIONS = "lost-decisions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """
    A store restored from a backup: its number of events, and where the former store is now.

    `left` counts what the former store holds and the backup lacks, `removed` are the files of
    skills that were approved only there; `was_serving` says that its server was stopped.
    """

    event_count: int
    replaced: Path | None
    brought: int
    left: int = 0
    removed: Sequence[str] = ()
    was_serving: bool = False


def restore(
    backup: str,
    where: str,
    settings: Settings,
    *,
    by: Actor,
    replace: bool = False,
    accepted: Collection[Consent] = (),
) -> Restored:
    """
    Put *backup* in the place of the store at *where*, which is moved aside and kept.

    Args:
        backup: The file that `tilth backup` made.
        where: The path of the store.
        settings: The settings in force.
        by: Who asks.
        replace: Whether an existing store may be moved aside.
        accepted: What the person confirmed.

    Raises:
        ForbiddenError: *by* is not a person.
        UnsupportedError: the store is a database behind a URL.
        StoreMissingError: there is no backup.
        ConflictError: there is a store, another process has it open, or the backup needs a
            confirmation that *accepted* lacks.
        CorruptionError: the backup is not whole.
    """
    require_human(by, "put a backup in the place of a store")
    copy, path, around = Path(backup), Path(where), store_environment(settings)
    again = _checked(backup, where, settings, replace=replace)
    standing = compare_backup(copy, path, around, signed_ends(around.state))
    _refuse(standing, accepted, again, is_first=not path.exists())
    known, aside = erasures_of(path, around) if path.exists() else (), []
    approved = _approved(path, around)

    def erase_again(store: Store) -> None:
        # Imported here: the doctor reads backups and erases nothing, and this takes half a second.
        from tilth.erasure.erase import finish_erasures, reapply_erasures  # noqa: PLC0415

        reapply_erasures(store, known)
        finish_erasures(store)

    servers: list[bool] = []

    def make_room() -> None:
        if path.exists():
            servers.append(end_processes(where).server)
            aside.append(set_aside(path, around.clock.now()))

    count = restore_store(
        copy, path, around, before_served=erase_again, make_room=make_room if replace else None
    )
    return Restored(
        event_count=count,
        replaced=aside[0] if aside else None,
        brought=standing.brought,
        left=standing.left,
        removed=_taken_away(approved, _approved(path, around)),
        was_serving=any(servers),
    )


def _approved(path: Path, around: StoreEnvironment) -> Mapping[str, str]:
    """Return the approved skill files of the store at *path*; empty if it cannot be read."""
    # Imported here: the doctor reads backups and restores none.
    from tilth.skills.tables import approved_files  # noqa: PLC0415

    if not path.exists():
        return {}
    try:
        with closing(open_store(path, around)) as store, store.read() as view:
            return approved_files(view)
    except TilthError:
        return {}


def _taken_away(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Remove the files of skills that are no longer approved, and return their paths."""
    from tilth.skills.install_files import remove_if_same  # noqa: PLC0415 - as above

    removed = []
    for path, digest in before.items():
        with suppress(TilthError):
            if now.get(path) != digest and remove_if_same(path, digest):
                removed.append(path)
    return removed


def _checked(backup: str, where: str, settings: Settings, *, replace: bool) -> str:
    """Return the command that restores *backup*, after checking the file and its target."""
    if "://" in where:
        raise UnsupportedError(
            "only a store in a file is restored from a file",
            hint="restore a PostgreSQL store with: pg_restore",
        )
    if not Path(backup).exists():
        raise StoreMissingError(f"there is no backup at {backup}")
    elsewhere = "" if where == place(None, settings) else f" --store {quote(where)}"
    again = f"tilth restore {quote(backup)}{elsewhere}"
    if Path(where).exists() and not replace:
        raise ConflictError(
            f"{where} is there already", hint=f"to move it aside first: {again} --replace"
        )
    return again + " --replace" * replace


def _refuse(
    standing: BackupComparison, accepted: Collection[Consent], again: str, *, is_first: bool
) -> None:
    """Refuse a backup that needs confirmations not in *accepted*; the error names the command."""
    told = dict(_needed_consents(standing, is_first=is_first))
    needed = {word: what for word, what in told.items() if word not in accepted}
    if needed:
        asked = " ".join((again, *(f"--accept {word}" for word in told)))
        moved = [*needed] == [Consent.ANOTHER_INSTALLATION]
        meant = "if it is from another machine or account of yours" if moved else "if you mean it"
        raise ConflictError(f"the backup {'; it '.join(needed.values())}", hint=f"{meant}: {asked}")


def _needed_consents(
    standing: BackupComparison, *, is_first: bool
) -> Iterator[tuple[Consent, str]]:
    """Yield the confirmations that a backup needs, each with its explanation."""
    if standing.is_another:
        yield (
            Consent.ANOTHER_STORE,
            f"is of another store ({standing.store_id}, where {standing.here} was)",
        )
    if not standing.is_known:
        went_on = "" if is_first else ", or not from this store as it went on here"
        told = f"was not made by this installation{went_on}"
        holds = f"it holds {_decisions(standing.brought)} that are not here"
        unsigned = ", and nothing here can tell whether somebody else wrote them" * is_first
        rest = f", and {holds}{unsigned}" if standing.brought else ""
        yield Consent.ANOTHER_INSTALLATION, f"{told}{rest}"
    if standing.lost:
        yield (
            Consent.LOST_DECISIONS,
            f"lacks {_decisions(standing.lost)} that the store here holds",
        )


def _decisions(count: int) -> str:
    return "a decision of a person" if count == 1 else f"{count:,} decisions of people"
