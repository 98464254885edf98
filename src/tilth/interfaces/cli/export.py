"""`tilth export`: everything that one may see, in one file."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.transfer.export import Exported


def run(args: Namespace, screen: Screen) -> int:
    """Write the file."""
    path = str(Path(args.path).absolute())
    with open_brain(args) as brain, screen.progress("exporting") as advance:
        exported = brain.export(
            path,
            is_shared=args.share,
            is_forced=args.force,
            scope=args.scope,
            progress=advance,
        )
    screen.answer(exported, _lines(exported))
    return 0


def _lines(exported: Exported) -> Iterator[Line]:
    rows = sum(exported.counts.values())
    yield ("exported ", Bold(exported.path), f": {rows:,} rows")
    yield Dim("  " + ", ".join(f"{noun} {count:,}" for noun, count in exported.counts.items()))
