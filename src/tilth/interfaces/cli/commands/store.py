"""The store as a whole: `tilth verify`, `rebuild`, `backup` and `restore`."""

import os
from pathlib import Path
from typing import Annotated

from tilth.core.errors import ConflictError, CorruptionError, StoreMissingError, UnsupportedError
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Line
from tilth.interfaces.cli.opening import is_there, settings_of, shown_place
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.outcome import OUTCOMES
from tilth.ledger.engine import Finding
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.backups import Backup, note_backup
from tilth.runtime.system import SystemClock


def init(terminal: Terminal) -> int:
    """Make an empty store; one that is there already is opened, checked and left as it is."""
    where, screen = terminal.place, terminal.screen
    is_new = False
    try:
        brain = terminal.open()
    except StoreMissingError:
        brain, is_new = terminal.open(create=True), True
    shown = shown_place(where)
    with brain:
        answer = {"store": shown, "store_id": brain.store_id, "is_new": is_new}
    screen.answer(answer, [("store ", Bold(shown), " is ready" if is_new else " is there already")])
    if is_new:
        screen.say("next: tilth import")
    return 0


@command("verify", section=Section.LOOK_AFTER, examples=("tilth verify", "tilth verify --json"))
def verify(terminal: Terminal) -> int:
    """
    Prove that the store is as it was written.

    Checks the chain of the ledger, its signed heads, every table against a replay
    of the ledger, and the full-text index. What is wrong gives the exit code 8.
    """
    screen = terminal.screen
    with terminal.open() as brain:
        verified = brain.verify()
    answer = {
        "is_whole": verified.is_whole,
        "event_count": verified.event_count,
        "findings": verified.findings,
    }
    if verified.is_whole:
        screen.answer(answer, [f"whole: {verified.event_count:,} events as they were written"])
        return 0
    screen.answer(answer, [_found(finding) for finding in verified.findings])
    screen.say(f"{len(verified.findings)} findings; a projection comes back with: tilth rebuild")
    return OUTCOMES[CorruptionError].exit_code


@command("rebuild", section=Section.ADVANCED, examples=("tilth rebuild",))
def rebuild(terminal: Terminal) -> int:
    """Make every table and index again from the ledger."""
    screen = terminal.screen
    with terminal.open() as brain, screen.progress("rebuilding") as advance:
        count = brain.rebuild(progress=advance)
    screen.answer({"event_count": count}, [f"rebuilt from {count:,} events"])
    return 0


@command("backup", section=Section.LOOK_AFTER, examples=("tilth backup ~/backups/tilth.db",))
def backup(
    terminal: Terminal, target: Annotated[str, Arg("the file to make", metavar="TARGET")]
) -> int:
    """
    Copy the store, and verify the copy.

    The copy is restored and verified before this says that it is good.
    """
    settings = settings_of()
    with terminal.open() as brain:
        brain.backup(target)
        count = bootstrap.check_backup(target, settings)
        made = Backup(
            store_id=brain.store_id,
            path=str(Path(target).absolute()),
            made_at=SystemClock().now(),
            event_count=count,
        )
    note_backup(places.folders(os.environ).state, made)
    terminal.screen.answer(made, [("backup ", Bold(made.path), f": {count:,} events, verified")])
    return 0


@command(
    "restore",
    section=Section.LOOK_AFTER,
    examples=("tilth restore ~/backups/tilth.db --replace",),
)
def restore(
    terminal: Terminal,
    backup: Annotated[str, Arg("what `tilth backup` made", metavar="BACKUP")],
    *,
    replace: Annotated[bool, Arg("move the store that is there aside first")] = False,
) -> int:
    """
    Put a backup in place of the store.

    With `--replace` the store that is there is moved aside, and its path is shown.
    """
    where, settings, aside = terminal.place, settings_of(), None
    if "://" in where:
        raise UnsupportedError("a backup is a file", hint="use the database's own tools")
    if is_there(where) and not replace:
        raise ConflictError(f"{where} is there already", hint="--replace moves it aside first")
    if is_there(where):
        count, aside = bootstrap.replace_store(backup, where, settings)
    else:
        count = bootstrap.restore(backup, where, settings)
    answer = {"store": where, "event_count": count, "replaced": aside}
    lines: list[Line] = [("store ", Bold(where), f": {count:,} events, verified")]
    if aside is not None:
        lines.append(("the store that was here is now ", Bold(str(aside))))
    terminal.screen.answer(answer, lines)
    return 0


def _found(finding: Finding) -> Line:
    place = "" if finding.seq is None else f" {finding.seq}"
    return (Bold(f"{finding.part}{place}"), f": {finding.problem}")
