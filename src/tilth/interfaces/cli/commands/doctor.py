"""`tilth doctor`: check everything, and name the fixes."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

from tilth.core.errors import TilthError
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.screen import columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.outcome import EXIT_UNEXPECTED
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.checkup import Check, Status
from tilth.runtime.doctor import Machine, examine_machine
from tilth.runtime.machine import backed_up_at, machine_of, transcripts_of


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
    machine = _machine(terminal)
    try:
        brain = terminal.open()
    except TilthError as error:
        yield from examine_machine(replace(machine, store_problem=str(error), store_fix=error.hint))
        return
    yield from examine_machine(machine)
    with brain:
        machine = replace(
            machine,
            last_backup_at=backed_up_at(os.environ, brain.store_id),
            transcripts=transcripts_of(bootstrap.default_sources(os.environ), os.environ),
        )
        yield from brain.examine(machine)


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
            yield (Bold(check.id), f": {check.fix}")
