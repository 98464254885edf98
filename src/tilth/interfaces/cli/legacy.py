"""`tilth fact import` and `tilth review promote`: facts of another store, made current."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from tilth.core.errors import InvalidInputError
from tilth.core.view import Dim, Line
from tilth.interfaces.cli.opening import open_brain, require_person
from tilth.interfaces.cli.review import read_answer
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.query import Asking
from tilth.knowledge.facts.views import fact_lines
from tilth.runtime import connect as bootstrap
from tilth.transfer.legacy_import import LegacyReport, Promoted

_REASONS_SHOWN = 10
_ASKED = ("area", "environment", "system", "component")


def run(args: Namespace, screen: Screen) -> int:
    """Import the facts of another store; without --execute, only count them."""
    with open_brain(args) as brain:
        rows = bootstrap.legacy_facts(args.path)
        report = brain.facts.import_rows(rows, is_dry_run=not args.execute)
    screen.answer(report, _lines(report))
    return 0


def promote(args: Namespace, screen: Screen) -> int:
    """Make historical facts current, one decision each."""
    require_person()
    if screen.is_json and not args.yes:
        raise InvalidInputError("a program says that a person agreed", hint="--yes")
    told = {name: getattr(args, name) for name in _ASKED}
    asking = cast("Asking", {name: value for name, value in told.items() if value is not None})
    with open_brain(args) as brain:
        found = brain.facts.promotable(scope=args.scope, **asking)
        if not (args.yes or _agreed(found, screen)):
            screen.say("nothing was decided")
            return 0
        promoted = brain.facts.promote_many([fact.id for fact in found])
    screen.answer(promoted, _outcome(promoted))
    return 0


def _agreed(found: Sequence[Fact], screen: Screen) -> bool:
    for line in fact_lines(found):
        screen.show(line)
    question = f"make these {len(found)} current, one decision each? [y/N] "
    return read_answer(question, screen).casefold() in {"y", "yes"}


def _lines(report: LegacyReport) -> Iterator[Line]:
    done = "would be recorded; --execute records them" if report.is_dry_run else "recorded"
    yield f"{report.new_count:,} facts {done}"
    yield Dim(f"known {report.known_count:,}, skipped {len(report.skipped):,}")
    reasons = Counter(one.reason for one in report.skipped)
    for reason, count in reasons.most_common(_REASONS_SHOWN):
        first = next(one.where for one in report.skipped if one.reason == reason)
        yield Dim(f"skipped {count:,}: {reason} ({first})")


def _outcome(promoted: Promoted) -> Iterator[Line]:
    yield f"{len(promoted.confirmed):,} facts are current"
    if promoted.waiting:
        yield f"{len(promoted.waiting):,} wait, since something would end: tilth review list"
    for fact_id, reason in promoted.refused:
        yield Dim(f"{fact_id} was refused: {reason}")
