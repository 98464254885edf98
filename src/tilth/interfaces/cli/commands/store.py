"""The store as a whole: `tilth verify`, `rebuild`, `backup` and `restore`."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated, NamedTuple

from tilth.core.errors import CorruptionError, ForeignStoreError, StoreMissingError
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Command, Line, number_of
from tilth.interfaces.cli.invocation import current_actor
from tilth.interfaces.cli.open_brain import SERVER_ENDED, require_person, settings_of
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.error_codes import OUTCOMES
from tilth.ledger.engine import Finding
from tilth.maintenance.embed import embed_backlog
from tilth.runtime import backups, places
from tilth.runtime import connect as bootstrap
from tilth.runtime.backups import Consent, back_up
from tilth.runtime.worker.process import end_processes
from tilth.transfer.ledger_file import opened


def init(terminal: Terminal) -> int:
    """Make an empty store; one that is there already is opened, checked and left as it is."""
    where, screen = terminal.place, terminal.screen
    is_new = False
    try:
        brain = terminal.open()
    except StoreMissingError:
        brain, is_new = terminal.open(create=True), True
    shown = places.shown(where)
    with brain:
        answer = {"store": shown, "store_id": brain.store_id, "is_new": is_new}
        former = brain.parts.store.swapped()
    screen.answer(answer, [("store ", Bold(shown), " is ready" if is_new else " is there already")])
    if former is not None:
        screen.say(f"{former.problem}; if you mean it: tilth verify --accept")
    if is_new:
        screen.say("next: tilth import")
    return 0


@command("verify", section=Section.LOOK_AFTER, examples=("tilth verify", "tilth verify --json"))
def verify(
    terminal: Terminal,
    *,
    accept: Annotated[
        bool, Arg("take the store that is here for the one that belongs here; only a person may")
    ] = False,
) -> int:
    """
    Prove that the store is as it was written.

    Checks the chain of the ledger, its signed heads, every table against a replay
    of the ledger, and the full-text index. What is wrong gives the exit code 8.
    Where the heads tell of another store, or of more than is here, `--accept` says
    that what is here is meant.
    """
    screen = terminal.screen
    if accept:
        require_person()
    with terminal.open() as brain:
        if accept:
            brain.parts.store.accept()
        verified = brain.verify()
    answer = {
        "is_whole": verified.is_whole,
        "event_count": verified.event_count,
        "findings": verified.findings,
    }
    if verified.is_whole:
        screen.answer(
            answer, [f"whole: {number_of(verified.event_count, 'event')} as they were written"]
        )
        return 0
    screen.answer(answer, [_found(finding) for finding in verified.findings])
    found = number_of(len(verified.findings), "finding")
    is_made_again = all(one.part not in {"ledger", "heads"} for one in verified.findings)
    mends = "tilth rebuild" if is_made_again else "tilth doctor"
    screen.say(f"{found}; what mends it: {mends}")
    return OUTCOMES[CorruptionError].exit_code


@command("rebuild", section=Section.ADVANCED, examples=("tilth rebuild",))
def rebuild(terminal: Terminal) -> int:
    """
    Make every table and index again from the ledger.

    Mends a store, too, that does not open because one of them is gone or damaged: its
    ledger is proven first and nothing is written to it. A damaged file is moved aside, and
    its path is shown; its worker and its server are ended. Only a person may.
    """
    require_person()
    try:
        done = _rebuilt(terminal)
    except CorruptionError:
        done = _mended(terminal)
    lines: list[Line] = [f"rebuilt from {number_of(done.event_count, 'event')}"]
    if done.replaced:
        moved = Bold(str(done.replaced))
        lines.append(("the damaged file is now ", moved, "; remove it once content"))
    if done.was_serving:
        lines.append(SERVER_ENDED)
    answer = {"event_count": done.event_count, "replaced": done.replaced}
    terminal.screen.answer(answer, lines)
    return 0


class _Rebuilt(NamedTuple):
    event_count: int
    # The damaged file, where it was put aside, and whether a server was ended for it.
    replaced: Path | None = None
    was_serving: bool = False


def _rebuilt(terminal: Terminal) -> _Rebuilt:
    with terminal.open() as brain, terminal.screen.progress("rebuilding") as advance:
        return _Rebuilt(brain.rebuild(progress=advance))


def _mended(terminal: Terminal) -> _Rebuilt:
    """Make a store anew that is too damaged for its tables to be emptied and filled."""
    where = terminal.place
    ended = end_processes(where)
    replaced = bootstrap.repair_store(where, settings_of())
    with terminal.open() as brain, terminal.screen.progress("rebuilding") as advance:
        parts = brain.parts
        embed_backlog(parts.store, [parts.first], progress=advance)
        with parts.store.read() as view:
            return _Rebuilt(view.head().seq, replaced, ended.server)


@command("backup", section=Section.LOOK_AFTER, examples=("tilth backup ~/backups/tilth.db",))
def backup(
    terminal: Terminal, target: Annotated[str, Arg("the file to make", metavar="TARGET")]
) -> int:
    """
    Copy the store, and verify the copy.

    The copy is restored and verified before this says that it is good.
    """
    with terminal.open() as brain:
        made = back_up(brain.parts.store, target, bootstrap.store_environment(settings_of()))
    told = {name: getattr(made, name) for name in ("store_id", "path", "made_at", "event_count")}
    line = ("backup ", Bold(made.path), f": {number_of(made.event_count, 'event')}, verified")
    terminal.screen.answer(told, [line])
    return 0


_NO_BACKUP = (
    "name what `tilth backup` made; an export is read by `tilth import`, a whole ledger by"
    " `tilth load`"
)


@command(
    "restore",
    section=Section.LOOK_AFTER,
    examples=(
        "tilth restore ~/backups/tilth.db --replace",
        "tilth restore from-my-laptop.db --accept another-installation",
    ),
)
def restore(
    terminal: Terminal,
    backup: Annotated[str, Arg("what `tilth backup` made", metavar="BACKUP")],
    *,
    replace: Annotated[bool, Arg("move the store that is there aside first")] = False,
    accept: Annotated[
        Sequence[Consent],
        Arg(
            "say yes to what the backup is: another-store, another-installation or"
            " lost-decisions; may be repeated",
            metavar="WHAT",
        ),
    ] = (),
) -> int:
    """
    Put a backup in place of the store.

    With `--replace` the store that is there is moved aside, and its path is shown; its
    worker and its server are ended. A backup of another store or another installation,
    or one that lacks what a person decided since, is told to be that, and wants an
    `--accept` of its own. Only a person may, at a terminal that no agent started.
    """
    require_person()
    where = terminal.place
    try:
        done = backups.restore(
            backup, where, settings_of(), by=current_actor(), replace=replace, accepted=accept
        )
    except ForeignStoreError as error:
        raise ForeignStoreError(str(error), hint=_NO_BACKUP) from error
    answer = {"store": where, "event_count": done.event_count, "replaced": done.replaced}
    answer |= {"left": done.left, "removed": done.removed}
    lines: list[Line] = [
        ("store ", Bold(where), f": {number_of(done.event_count, 'event')}, verified")
    ]
    if done.replaced is not None:
        lines.append(("the store that was here is now ", Bold(str(done.replaced))))
        if done.left:
            left = number_of(done.left, "event")
            lines.append(
                f"it holds {left} that the backup lacks; what was said and stated comes in by:"
            )
            lines += [("  ", Command(f"tilth {one}")) for one in _bringing_in(done.replaced)]
    lines += [
        f"a skill that it does not approve was there, and is removed: {one}" for one in done.removed
    ]
    if done.was_serving:
        lines.append(SERVER_ENDED)
    terminal.screen.answer(answer, lines)
    return 0


def _bringing_in(replaced: Path) -> Sequence[str]:
    return (
        f"export left.jsonl --store {quote(str(replaced))}",
        "import left.jsonl",
        "fact import left.jsonl --execute",
    )


@command("load", section=Section.LOOK_AFTER, examples=("tilth load ledger.jsonl --store new.db",))
def load(
    terminal: Terminal,
    file: Annotated[str, Arg("what `tilth export --whole` made", metavar="FILE")],
) -> int:
    """
    Make a store of a whole ledger, on this machine or another, in a file or on PostgreSQL.

    Nothing may be where the store is to be. Every line is proven by the chain, and the
    tables are compared with those of the store that was exported. Only a person may.
    """
    require_person()
    where = terminal.place
    count, is_equal = bootstrap.load_store(opened(file), where, settings_of())
    same = "to the letter what it was" if is_equal else "read by other rules than it was written by"
    line = ("store ", Bold(places.shown(where)), f": {number_of(count, 'event')}, {same}")
    answer = {"store": places.shown(where), "event_count": count, "is_equal": is_equal}
    terminal.screen.answer(answer, [line])
    return 0


def _found(finding: Finding) -> Line:
    place = "" if finding.seq is None else f" {finding.seq}"
    return (Bold(f"{finding.part}{place}"), f": {finding.problem}")
