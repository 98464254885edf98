"""`tilth metrics`: what the stages of background work and the hooks have come to."""

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping

from tilth import bootstrap
from tilth.surfaces.cli.opening import place_of
from tilth.surfaces.cli.screen import Bold, Dim, Line, Screen, columns
from tilth.surfaces.machine import unread_of
from tilth.usecases.doctor import Unread
from tilth.usecases.stages import StageCounts, alarm


def run(args: Namespace, screen: Screen) -> int:
    """Show counters; the store is not opened."""
    stages, unread = bootstrap.stage_log(place_of(args)).read(), unread_of(os.environ)
    screen.answer({"stages": stages, "hooks": unread}, _lines(stages, unread))
    return 0


def _lines(stages: Mapping[str, StageCounts], unread: Unread) -> Iterator[Line]:
    header = [Dim(word) for word in ("stage", "runs", "found", "made", "last made")]
    yield from columns([header, *(_row(name, counts) for name, counts in stages.items())])
    for name, counts in stages.items():
        if wrong := alarm(counts):
            yield (Bold(name), f" {wrong}")
    yield (
        f"hooks: {unread.waiting_bytes:,} bytes wait, {unread.lost_count:,} events were lost,"
        f" {unread.aside_bytes:,} bytes could not be read"
    )


def _row(name: str, counts: StageCounts) -> list[str]:
    made_at = counts.last_made_at
    numbers = (counts.run_count, counts.found_count, counts.made_count)
    shown = [f"{number:,}" for number in numbers]
    return [Bold(name), *shown, f"{made_at:%Y-%m-%d %H:%M}" if made_at else "never"]
