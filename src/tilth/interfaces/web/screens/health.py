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
    """Gather checks, the counts of the worker's stages, and today's spending."""
    brain = ask.brain
    machine = replace(
        machine_of(os.environ, ask.where, ""),
        last_backup_at=backed_up_at(os.environ, brain.store_id),
        transcripts=transcripts_of(bootstrap.default_sources(os.environ), os.environ),
    )
    stages = bootstrap.stage_log(ask.where).read()
    return {
        "checks": [*examine_machine(machine), *brain.examine(machine)],
        "stages": stages,
        "alarms": {name: wrong for name, one in stages.items() if (wrong := alarm(one))},
        "hooks": unread_of(os.environ),
        "spent": brain.models.spent_today(),
        "entities": brain.people.stats(),
    }
