"""`tilth doctor`: check everything, and name the fixes; `tilth metrics`: what work came to."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from tilth.core.errors import CorruptionError, ForeignStoreError, StoreMissingError, TilthError
from tilth.core.io.os_errors import unavailable
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.open_brain import is_there, settings_of
from tilth.interfaces.cli.screen import columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.error_codes import EXIT_UNEXPECTED
from tilth.llm.views import spending
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.check import Check, Status
from tilth.runtime.doctor import Machine, SpoolState, examine_machine
from tilth.runtime.machine import (
    host_tools_of,
    last_backup_at,
    machine_of,
    spool_state,
    transcripts_of,
)
from tilth.runtime.stages import StageCounts, alarm


@command("doctor", section=Section.LOOK_AFTER, examples=("tilth doctor", "tilth doctor --strict"))
def run(
    terminal: Terminal,
    *,
    strict: Annotated[bool, Arg("let warnings count as failures")] = False,
) -> int:
    """
    Check the store, the machine and the agents, and name what mends them.

    The exit code is 1 if a check fails.
    """
    checks = list(_checks(terminal))
    worst = max((check.status for check in checks), key=list(Status).index)
    terminal.screen.answer({"status": worst, "checks": checks}, _lines(checks))
    is_bad = worst is Status.FAIL or (strict and worst is Status.WARN)
    return EXIT_UNEXPECTED if is_bad else 0


def _checks(terminal: Terminal) -> Iterator[Check]:
    machine = replace(_machine(terminal), host_tools=host_tools_of(os.environ))
    try:
        brain = _opened(terminal)
    except TilthError as error:
        fix = _remaking(terminal, error) or _bringing_back(machine, error) or error.hint
        yield from examine_machine(replace(machine, store_problem=str(error), store_fix=fix))
        return
    yield from examine_machine(machine)
    with brain:
        machine = replace(
            machine,
            last_backup_at=last_backup_at(os.environ, brain.store_id),
            transcripts=transcripts_of(bootstrap.default_sources(os.environ), os.environ),
        )
        yield from brain.examine(machine)


def _opened(terminal: Terminal) -> Brain:
    try:
        return terminal.open()
    except OSError as error:
        raise unavailable(error) from error


def _remaking(terminal: Terminal, error: TilthError) -> str:
    """Name what makes a store whole whose ledger is, and nothing where that is damaged too."""
    is_damaged = isinstance(error, CorruptionError)
    is_mendable = is_damaged and bootstrap.is_mendable(terminal.place, settings_of())
    return "tilth rebuild" if is_mendable else ""


def _bringing_back(machine: Machine, error: TilthError) -> str:
    """Name the backup of what was here, where it is gone or no store any more."""
    is_lost = isinstance(error, StoreMissingError | CorruptionError | ForeignStoreError)
    restore_command = bootstrap.put_back_command(machine.store) or machine.restore_command
    return f"put the file back, or {restore_command}" if is_lost and restore_command else ""


def _machine(terminal: Terminal) -> Machine:
    try:
        settings = places.loaded(os.environ).settings
    except TilthError as error:
        fallback = terminal.store or str(places.folders(os.environ).data / "tilth.db")
        return machine_of(os.environ, fallback, str(error))
    return machine_of(os.environ, places.place(terminal.store, settings))


def _lines(checks: Sequence[Check]) -> Iterator[Line]:
    yield from columns([[Bold(check.status), Dim(check.id), check.summary] for check in checks])
    for check in checks:
        if check.fix and check.status in {Status.WARN, Status.FAIL}:
            yield ("mend ", Bold(check.id), f": {check.fix}")


@command("metrics", section=Section.ADVANCED, examples=("tilth metrics", "tilth metrics --json"))
def metrics(terminal: Terminal) -> int:
    """
    Show what the worker and hooks did, and what language models spent.

    Counts are kept for each stage of the worker; spending is today's.
    """
    where, spent, screen = terminal.place, None, terminal.screen
    stages, spool = bootstrap.stage_log(where).read(), spool_state(os.environ)
    if "://" in where or is_there(where):
        with terminal.open() as brain:
            spent = brain.models.spent_today()
    told = {"stages": stages, "hooks": spool, "models": spent}
    screen.answer(told, [*_work_lines(stages, spool), *(spending(spent) if spent else ())])
    if not stages:
        screen.say("no worker has had anything to do yet; let one look: tilth worker --once")
    return 0


def _work_lines(stages: Mapping[str, StageCounts], spool: SpoolState) -> Iterator[Line]:
    header = [Dim(word) for word in ("stage", "runs", "found", "made", "last made")]
    used = {name: counts for name, counts in stages.items() if counts.run_count}
    yield from columns([header, *(_stage_row(name, counts) for name, counts in used.items())])
    if idle := [name for name in stages if name not in used]:
        yield f"nothing to do yet: {', '.join(idle)}"
    for name, counts in stages.items():
        if wrong := alarm(counts):
            yield (Bold(name), f" {wrong}")
    yield (
        f"hooks: {spool.waiting_bytes:,} bytes wait, {spool.lost_count:,} events were lost,"
        f" {spool.aside_bytes:,} bytes could not be read"
    )


def _stage_row(name: str, counts: StageCounts) -> list[str]:
    made_at = counts.last_made_at
    numbers = (counts.run_count, counts.found_count, counts.made_count)
    shown = [f"{number:,}" for number in numbers]
    return [Bold(name), *shown, f"{made_at:%Y-%m-%d %H:%M}" if made_at else "never"]
