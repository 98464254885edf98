"""`tilth fact import` and `tilth review promote`: facts of another store, made current."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, TypeAlias

from tilth.core.errors import InvalidInputError
from tilth.core.verb import Arg
from tilth.core.view import Dim, Line, Note, number_of
from tilth.episodes.context import Narrowed
from tilth.interfaces.cli.open_brain import require_person
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.views import fact_lines
from tilth.transfer.import_rows import LegacyReport, Promoted
from tilth.transfer.legacy.fact_lines import read_legacy_facts

_REASONS_SHOWN = 10

Place: TypeAlias = Annotated[str, Arg(metavar="NAME")]


@command(
    "fact import",
    examples=("tilth fact import memory.jsonl", "tilth fact import memory.jsonl --execute"),
)
def import_(
    terminal: Terminal,
    path: Annotated[str, Arg("one JSON object a line", metavar="FILE")],
    *,
    execute: Annotated[bool, Arg("record them; without it they are only counted")] = False,
) -> int:
    """
    Import facts of another store.

    Takes JSON lines, or the graph of the reference memory server. They are historical
    and unreviewed until `tilth review promote`.
    """
    with terminal.open() as brain:
        report = brain.facts.import_rows(read_legacy_facts(path), is_dry_run=not execute)
    terminal.screen.answer(report, _lines(report))
    return 0


@command("review promote", examples=("tilth review promote --system lab",))
def promote(
    terminal: Terminal,
    *,
    area: Annotated[Place, Arg("only of this area")] = "",
    environment: Annotated[Place, Arg("only of this environment")] = "",
    system: Annotated[Place, Arg("only of this system")] = "",
    component: Annotated[Place, Arg("only of this component")] = "",
    yes: Annotated[bool, Arg("without a question")] = False,
    scope: Narrowed = None,
) -> int:
    """
    Make imported facts current, one decision each.

    Those in whose place another fact stands are left in the queue. At most 1,000 at once;
    it can be repeated.
    """
    require_person()
    screen = terminal.screen
    if screen.is_json and not yes:
        raise InvalidInputError("a program says that a person agreed", hint="--yes")
    with terminal.open() as brain:
        found = brain.facts.promotable(
            scope=scope,
            area=area or None,
            environment=environment or None,
            system=system or None,
            component=component or None,
        )
        if not found and not screen.is_json:
            screen.say("no imported fact of that waits to be made current")
            return 0
        if not (yes or _agreed(found, screen)):
            screen.say("nothing was decided")
            return 0
        promoted = brain.facts.promote_many([fact.id for fact in found])
    terminal.screen.answer(promoted, _outcome(promoted))
    return 0


def _agreed(found: Sequence[Fact], screen: Screen) -> bool:
    for line in fact_lines(found):
        screen.show(line)
    question = f"make these {len(found)} current, one decision each? [y/N] "
    return screen.agrees(question)


def _lines(report: LegacyReport) -> Iterator[Line]:
    done = "would be recorded; --execute records them" if report.is_dry_run else "recorded"
    yield f"{number_of(report.new_count, 'fact')} {done}"
    yield Dim(f"known {report.known_count:,}, skipped {len(report.skipped):,}")
    reasons = Counter(one.reason for one in report.skipped)
    for reason, count in reasons.most_common(_REASONS_SHOWN):
        first = next(one.where for one in report.skipped if one.reason == reason)
        yield Dim(f"skipped {count:,}: {reason} ({first})")
    if report.new_count and not report.is_dry_run:
        yield Note("none holds until a person says so: tilth review promote")


def _outcome(promoted: Promoted) -> Iterator[Line]:
    yield f"{number_of(len(promoted.confirmed), 'fact')} made current"
    if promoted.waiting:
        yield f"{len(promoted.waiting):,} wait, since something would end: tilth review list"
    for fact_id, reason in promoted.refused:
        yield Dim(f"{fact_id} was refused: {reason}")
