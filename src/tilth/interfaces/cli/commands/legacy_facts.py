"""`tilth fact import`: facts of another store."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from tilth.core.verb import Arg
from tilth.core.view import Dim, Line
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.runtime import connect as bootstrap
from tilth.transfer.legacy_import import LegacyReport

_REASONS_SHOWN = 10


@command(
    "fact import",
    examples=("tilth fact import memory.jsonl", "tilth fact import memory.jsonl --execute"),
)
def import_facts(
    terminal: Terminal,
    path: Annotated[str, Arg("one JSON object a line", metavar="FILE")],
    *,
    execute: Annotated[bool, Arg("record them; without it they are only counted")] = False,
) -> int:
    """
    Import facts of another store.

    Takes JSON lines, or the graph of the reference memory server. They are
    historical and unreviewed until `tilth review promote`.
    """
    with terminal.open() as brain:
        rows = bootstrap.legacy_facts(path)
        report = brain.facts.import_rows(rows, is_dry_run=not execute)
    terminal.screen.answer(report, _lines(report))
    return 0


def _lines(report: LegacyReport) -> Iterator[Line]:
    done = "would be recorded; --execute records them" if report.is_dry_run else "recorded"
    yield f"{report.new_count:,} facts {done}"
    yield Dim(f"known {report.known_count:,}, skipped {len(report.skipped):,}")
    reasons = Counter(one.reason for one in report.skipped)
    for reason, count in reasons.most_common(_REASONS_SHOWN):
        first = next(one.where for one in report.skipped if one.reason == reason)
        yield Dim(f"skipped {count:,}: {reason} ({first})")
