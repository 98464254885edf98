"""`tilth export`: everything that one may see, in one file."""

import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tilth import bootstrap
from tilth.surfaces.backups import EXPORT, Backup, note_backup
from tilth.surfaces.cli.opening import open_brain
from tilth.surfaces.cli.screen import Bold, Dim, Line, Screen
from tilth.system import SystemClock
from tilth.usecases.exporting import Exported


def run(args: Namespace, screen: Screen) -> int:
    """Write the file, and remember that it is there."""
    path = str(Path(args.path).absolute())
    with open_brain(args) as brain, screen.progress("exporting") as advance:
        exported = brain.export(
            path,
            is_shared=args.share,
            is_forced=args.force,
            scope=args.scope,
            progress=advance,
        )
        made = Backup(
            store_id=brain.store_id,
            path=path,
            made_at=SystemClock().now(),
            event_count=exported.through,
            kind=EXPORT,
        )
    # Whoever erases something is told of this file (usecases.erasing).
    note_backup(bootstrap.folders(os.environ).state, made)
    screen.answer(exported, _lines(exported))
    return 0


def _lines(exported: Exported) -> Iterator[Line]:
    rows = sum(exported.counts.values())
    yield ("exported ", Bold(exported.path), f": {rows:,} rows")
    yield Dim("  " + ", ".join(f"{noun} {count:,}" for noun, count in exported.counts.items()))
