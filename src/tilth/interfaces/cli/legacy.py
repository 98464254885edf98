"""`tilth fact import` and `tilth review promote`: facts of another store, made current."""

from argparse import Namespace
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
from tilth.transfer.legacy_import import Promoted

_ASKED = ("area", "environment", "system", "component")


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


def _outcome(promoted: Promoted) -> Iterator[Line]:
    yield f"{len(promoted.confirmed):,} facts are current"
    if promoted.waiting:
        yield f"{len(promoted.waiting):,} wait, since something would end: tilth review list"
    for fact_id, reason in promoted.refused:
        yield Dim(f"{fact_id} was refused: {reason}")
