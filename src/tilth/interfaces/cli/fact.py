"""`tilth fact …` and `tilth state`."""

from argparse import Namespace
from collections.abc import Iterator
from typing import cast

from tilth.core.errors import InvalidInputError
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.fact import Telling
from tilth.knowledge.facts.fact_lifecycle import Ended
from tilth.knowledge.facts.query import Asking
from tilth.knowledge.facts.state import StateFact
from tilth.knowledge.facts.views import fact_lines
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.privacy.inert import one_line

_CHARS = 160
_TOLD = (
    "subject", "predicate", "object", "channel", "area", "environment", "system", "component",
    "tags", "scope", "valid_from", "valid_to", "confidence", "authority", "about", "supersedes",
)  # fmt: skip
_ASKED = (
    "subject", "predicate", "object", "channel", "area", "environment", "system", "component",
    "tags", "as_of", "known_at", "lifecycles", "reviews",
)  # fmt: skip


def add(args: Namespace, screen: Screen) -> int:
    """State a fact."""
    with open_brain(args) as brain:
        stated = brain.facts.add(args.text, **_telling(args))
    return _say_stated(stated, screen)


def propose(args: Namespace, screen: Screen) -> int:
    """State a draft for a human to decide."""
    with open_brain(args) as brain:
        stated = brain.facts.propose(args.text, reason=args.reason, **_telling(args))
    return _say_stated(stated, screen)


def plan(args: Namespace, screen: Screen) -> int:
    """Show what stating a fact would do, and what says something like it."""
    with open_brain(args) as brain:
        planned = brain.facts.plan(args.text, **_telling(args))
    likeness = {one.fact.id: f"{one.likeness:.2f} like it" for one in planned.likely}
    lines = [(Bold(planned.verdict), "  ", planned.would_supersede or "nothing ends")]
    screen.answer(planned, [*lines, *fact_lines((one.fact for one in planned.likely), likeness)])
    for warning in planned.warnings:
        screen.say(warning)
    screen.say(f"within ten minutes: tilth fact apply … --token {planned.token}")
    return 0


def apply(args: Namespace, screen: Screen) -> int:
    """State what was planned."""
    with open_brain(args) as brain:
        stated = brain.facts.apply(
            args.text,
            token=args.token,
            updates=args.update,
            declines=args.decline,
            reason=args.reason,
            **_telling(args),
        )
    return _say_stated(stated, screen)


def get(args: Namespace, screen: Screen) -> int:
    """Show one fact, with everything that it was."""
    with open_brain(args) as brain:
        fact = brain.facts.get(args.fact, known_at=args.known_at, scope=args.scope)
        lives = brain.facts.lives(args.fact, scope=args.scope)
    lines = [
        *fact_lines([fact]),
        *(Dim(f"  rests on {one.episode_id} [{one.start}:{one.end}]") for one in fact.evidence),
        *(
            Dim(f"  {past.began_at:%Y-%m-%d %H:%M}  {past.life.lifecycle} by {past.by.name}")
            for past in lives
        ),
    ]
    screen.answer({"fact": fact, "lives": lives}, lines)
    return 0


def list_(args: Namespace, screen: Screen) -> int:
    """List facts, the one that began last first."""
    with open_brain(args) as brain:
        facts = brain.facts.list(
            limit=args.limit, offset=args.offset, scope=args.scope, **_asking(args)
        )
    screen.answer({"facts": facts}, fact_lines(facts))
    if not facts:
        screen.say("no fact of that is here; state one: tilth fact add TEXT")
    return 0


def taxonomy(args: Namespace, screen: Screen) -> int:
    """List under what facts are filed."""
    with open_brain(args) as brain:
        shelves = brain.facts.taxonomy(scope=args.scope, **_asking(args))
    lines: list[Line] = []
    axis = ""
    for shelf in shelves:
        lines += [(Bold(shelf.axis),)] if shelf.axis != axis else []
        axis = shelf.axis
        name = f"{shelf.system} / {shelf.name}" if shelf.system else shelf.name
        lines.append(f"  {shelf.fact_count:>7,}  {name}")
    screen.answer({"shelves": shelves}, lines)
    if not shelves:
        screen.say("nothing is filed under anything: tilth fact add TEXT --area NAME --tag TAG")
    return 0


def history(args: Namespace, screen: Screen) -> int:
    """Show the chain of supersession through a fact, oldest first."""
    with open_brain(args) as brain:
        facts = brain.facts.history(args.fact, scope=args.scope)
    screen.answer({"facts": facts}, fact_lines(facts))
    return 0


def retire(args: Namespace, screen: Screen) -> int:
    """End a fact, or propose that."""
    with open_brain(args) as brain:
        ended = brain.facts.retire(args.fact, reason=args.reason, valid_to=args.valid_to)
    return _say_ended(ended, screen)


def promote(args: Namespace, screen: Screen) -> int:
    """Propose that a historical fact is so."""
    with open_brain(args) as brain:
        ended = brain.facts.promote(args.fact, reason=args.reason)
    return _say_ended(ended, screen)


def archive(args: Namespace, screen: Screen) -> int:
    """Put a fact away."""
    with open_brain(args) as brain:
        fact = brain.facts.archive(args.fact, reason=args.reason)
    screen.answer({"fact": fact}, fact_lines([fact]))
    return 0


def restore(args: Namespace, screen: Screen) -> int:
    """Bring back what was put away."""
    with open_brain(args) as brain:
        fact = brain.facts.restore(args.fact)
    screen.answer({"fact": fact}, fact_lines([fact]))
    return 0


def undo(args: Namespace, screen: Screen) -> int:
    """Take back what happened to a fact last."""
    with open_brain(args) as brain:
        fact = brain.facts.undo(args.fact, reason=args.reason)
    screen.answer({"fact": fact}, fact_lines([fact]))
    return 0


def state(args: Namespace, screen: Screen) -> int:
    """Show what is so."""
    with open_brain(args) as brain:
        found = brain.state(
            limit=args.limit, is_widening=args.widen, scope=args.scope, **_asking(args)
        )
    screen.answer(found, [line for one in found.facts for line in _held(one)])
    if found.is_widened:
        screen.say("nothing of that holds; this is what did once")
    elif not found.facts:
        screen.say("nothing of that holds; --widen shows what did once")
    if found.count > len(found.facts):
        screen.say(f"{found.count} in all: --limit N shows more")
    return 0


def _telling(args: Namespace) -> Telling:
    told: dict[str, object] = {name: getattr(args, name) for name in _TOLD}
    if args.quote and len(args.quote) != len(args.evidence):
        raise InvalidInputError("give one --quote for each --evidence, or none at all")
    quotes = args.quote or [""] * len(args.evidence)
    told["evidence"] = list(zip(args.evidence, quotes, strict=True))
    return cast("Telling", {name: value for name, value in told.items() if value is not None})


def _asking(args: Namespace) -> Asking:
    asked = {name: getattr(args, name, None) for name in _ASKED}
    return cast("Asking", {name: value for name, value in asked.items() if value is not None})


def _say_stated(stated: Stated, screen: Screen) -> int:
    screen.answer(stated, [(Bold(stated.verdict), "  ", stated.fact.id)])
    if stated.retired is not None:
        screen.say(f"it came in the place of {stated.retired}; tilth fact undo {stated.fact.id}")
    for warning in stated.warnings:
        screen.say(warning)
    _say_waiting(stated.proposal_id, screen)
    return 0


def _say_ended(ended: Ended, screen: Screen) -> int:
    screen.answer(ended, fact_lines([ended.fact]))
    _say_waiting(ended.proposal_id, screen)
    return 0


def _say_waiting(proposal_id: str | None, screen: Screen) -> None:
    if proposal_id is not None:
        screen.say(f"it waits for a human: tilth review show {proposal_id}")


def _held(one: StateFact) -> Iterator[Line]:
    """Yield a fact of a state, and beside it what speaks against it."""
    yield from fact_lines([one.fact], {one.fact.id: f"{one.freshness}"})
    for other in one.against:
        yield Dim(f"  against it: {one_line(other.said.text, _CHARS)}  {other.id}")
