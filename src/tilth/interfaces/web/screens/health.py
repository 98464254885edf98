"""Health: every check of the doctor, what background work came to, and what models spent."""

import os
from dataclasses import replace

from tilth.interfaces.web.screen import Ask, Told, screen
from tilth.runtime import connect as bootstrap
from tilth.runtime.doctor import examine_machine
from tilth.runtime.machine import backed_up_at, machine_of, transcripts_of, unread_of
from tilth.runtime.stages import alarm


@screen("/health", title="Health", group="Look after", place=100)
def health(ask: Ask) -> Told:
    """Gather checks, those of the store on request, and what work and models came to."""
    brain = ask.brain
    machine = replace(
        machine_of(os.environ, ask.where, ""),
        last_backup_at=backed_up_at(os.environ, brain.store_id),
        transcripts=transcripts_of(bootstrap.default_sources(os.environ), os.environ),
    )
    is_full = bool(ask.text("full"))
    checks = examine_machine(machine)
    if is_full:
        checks = [*checks, *brain.examine(machine)]
    stages = bootstrap.stage_log(ask.where).read()
    return {
        "checks": checks,
        "is_full": is_full,
        "stages": stages,
        "alarms": {name: wrong for name, one in stages.items() if (wrong := alarm(one))},
        "hooks": unread_of(os.environ),
        "spent": brain.models.spent_today(),
        "entities": brain.people.stats(),
    }
