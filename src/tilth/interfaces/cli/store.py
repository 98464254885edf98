"""`tilth init`, `verify`, `rebuild`, `backup` and `restore`: the store as a whole."""

import os
from argparse import Namespace
from pathlib import Path

from tilth.core.errors import ConflictError, CorruptionError, StoreMissingError, UnsupportedError
from tilth.core.view import Bold, Line
from tilth.interfaces.cli.opening import is_there, open_brain, place_of, settings_of, shown_place
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.outcome import OUTCOMES
from tilth.ledger.engine import Finding
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.backups import Backup, note_backup
from tilth.runtime.system import SystemClock


def init(args: Namespace, screen: Screen) -> int:
    """Make an empty store; one that is there already is opened, checked and left as it is."""
    where = place_of(args)
    is_new = False
    try:
        brain = open_brain(args)
    except StoreMissingError:
        brain, is_new = open_brain(args, create=True), True
    shown = shown_place(where)
    with brain:
        answer = {"store": shown, "store_id": brain.store_id, "is_new": is_new}
    screen.answer(answer, [("store ", Bold(shown), " is ready" if is_new else " is there already")])
    if is_new:
        screen.say("next: tilth import")
    return 0


def verify(args: Namespace, screen: Screen) -> int:
    """Check everything; what is wrong gives the exit code of corruption."""
    with open_brain(args) as brain:
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


def rebuild(args: Namespace, screen: Screen) -> int:
    """Make every table and index again."""
    with open_brain(args) as brain, screen.progress("rebuilding") as advance:
        count = brain.rebuild(progress=advance)
    screen.answer({"event_count": count}, [f"rebuilt from {count:,} events"])
    return 0


def backup(args: Namespace, screen: Screen) -> int:
    """Copy the store; the copy is restored and verified before this says that it is good."""
    settings = settings_of()
    with open_brain(args) as brain:
        brain.backup(args.target)
        count = bootstrap.check_backup(args.target, settings)
        made = Backup(
            store_id=brain.store_id,
            path=str(Path(args.target).absolute()),
            made_at=SystemClock().now(),
            event_count=count,
        )
    note_backup(places.folders(os.environ).state, made)
    screen.answer(made, [("backup ", Bold(made.path), f": {count:,} events, verified")])
    return 0


def restore(args: Namespace, screen: Screen) -> int:
    """Put a backup in place, and say where the store is that was there before."""
    where, settings, aside = place_of(args), settings_of(), None
    if "://" in where:
        raise UnsupportedError("a backup is a file", hint="use the database's own tools")
    if is_there(where) and not args.replace:
        raise ConflictError(f"{where} is there already", hint="--replace moves it aside first")
    if is_there(where):
        count, aside = bootstrap.replace_store(args.backup, where, settings)
    else:
        count = bootstrap.restore(args.backup, where, settings)
    answer = {"store": where, "event_count": count, "replaced": aside}
    lines: list[Line] = [("store ", Bold(where), f": {count:,} events, verified")]
    if aside is not None:
        lines.append(("the store that was here is now ", Bold(str(aside))))
    screen.answer(answer, lines)
    return 0


def _found(finding: Finding) -> Line:
    place = "" if finding.seq is None else f" {finding.seq}"
    return (Bold(f"{finding.part}{place}"), f": {finding.problem}")
