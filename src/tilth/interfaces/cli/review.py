"""
`tilth review …`: what waits, and what a person says to it.

A person alone decides, at a terminal that no agent started. What is answered
is bound to what was shown: by its digest, which the person brings along, or
because it was shown right before the question.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import cast

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import ProposalId
from tilth.core.view import Dim, Line
from tilth.interfaces.cli.opening import open_brain, require_person
from tilth.interfaces.cli.review_card import card, summary
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind
from tilth.review.answers import Answering, Sorting
from tilth.review.queue import Queue
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock

_SORTED = ("states", "kinds", "by", "about")
_ANSWERED = ("facts", "keeps", "since", "scope", "text", "value", "note")
# What ends a fact, and so must name it.
_ENDING = frozenset({Action.CONFIRM, Action.EDIT})
_REPLACING = frozenset({Action.MERGE, Action.SUPERSEDE})


def list_(args: Namespace, screen: Screen) -> int:
    """List what waits."""
    with open_brain(args) as brain:
        queue = waiting(brain, args)
        lines = [line for one in queue.proposals for line in _summed_up(brain, one, args.scope)]
    screen.answer(queue, lines)
    screen.say("; ".join(_told(queue, len(queue.proposals))))
    return 0


def show(args: Namespace, screen: Screen) -> int:
    """Show a proposal, with all that a decision about it rests on."""
    with open_brain(args) as brain:
        seen = brain.review.show(args.proposal, scope=args.scope)
        lines = [*card(brain, seen), Dim(f"digest {seen.digest}")]
    screen.answer(seen, lines)
    return 0


def decide(args: Namespace, screen: Screen) -> int:
    """Answer proposals, one after the other, each after it was shown."""
    require_person()
    if args.digest and len(args.proposals) > 1:
        raise InvalidInputError("a digest is that of one proposal", hint="answer one at a time")
    if screen.is_json and not args.digest:
        raise InvalidInputError(
            "a program's answer brings its digest", hint=f"tilth review show {args.proposals[0]}"
        )
    decided: list[Proposal] = []
    with open_brain(args) as brain:
        for proposal_id in args.proposals:
            answering = _answering(args)
            if not args.digest:
                seen = brain.review.show(proposal_id)
                answering |= {"digest": seen.digest, "retires": _retires(args, seen)}
                if not agreed(brain, seen, args.action, answering, screen):
                    screen.say(f"{proposal_id} still waits")
                    continue
            decided.append(
                brain.review.decide(proposal_id, args.action, **cast("Answering", answering))
            )
    screen.answer({"decided": decided}, [_said(one) for one in decided])
    return 0


def snooze(args: Namespace, screen: Screen) -> int:
    """Put proposals off."""
    require_person()
    until: datetime = args.until or SystemClock().now() + timedelta(days=args.days)
    with open_brain(args) as brain:
        snoozed = [brain.review.snooze(one, until=until) for one in args.proposals]
    lines = [f"{one.id} waits again on {until:%Y-%m-%d %H:%M}" for one in snoozed]
    screen.answer({"snoozed": snoozed}, lines)
    return 0


def undo(args: Namespace, screen: Screen) -> int:
    """Take decisions back."""
    require_person()
    with open_brain(args) as brain:
        reopened = [brain.review.undo(one, reason=args.note) for one in args.proposals]
    screen.answer({"reopened": reopened}, [f"{one.id} waits again" for one in reopened])
    return 0


def ask(args: Namespace, screen: Screen) -> int:
    """Have a human look at a fact."""
    with open_brain(args) as brain:
        proposal = brain.review.question(args.fact, reason=args.reason)
    screen.answer(proposal, [proposal.id])
    screen.say(f"it waits for a human: tilth review show {proposal.id}")
    return 0


def scan(args: Namespace, screen: Screen) -> int:
    """Ask about facts that contradict each other."""
    asked: list[ProposalId] = []
    compared, through, is_done = 0, args.after, False
    with open_brain(args) as brain, screen.progress("comparing") as advance:
        while not is_done:
            scanned = brain.review.scan(after=through)
            compared += scanned.fact_count
            asked += scanned.asked
            through, is_done = scanned.through, scanned.is_done
            advance(compared)
    screen.answer({"fact_count": compared, "asked": asked, "through": through}, asked)
    screen.say(f"compared {compared} facts, asked {len(asked)} questions")
    return 0


def waiting(brain: Brain, args: Namespace) -> Queue:
    """Return the page of the queue that *args* ask for."""
    told = {name: getattr(args, name, None) for name in _SORTED}
    sorting = cast("Sorting", {name: value for name, value in told.items() if value is not None})
    offset = getattr(args, "offset", 0)
    return brain.review.list(limit=args.limit, offset=offset, scope=args.scope, **sorting)


def agreed(
    brain: Brain, seen: Shown, action: str, answering: Mapping[str, object], screen: Screen
) -> bool:
    """Show a proposal and ask whether that is the answer; the end of input is a no (OB-060)."""
    for line in card(brain, seen):
        screen.show(line)
    ends = ", ".join(cast("Sequence[str]", answering.get("retires", ())))
    question = f"{action.replace('_', ' ')}{f', which retires {ends}' if ends else ''}? [y/N] "
    return read_answer(question, screen).casefold() in {"y", "yes"}


def read_answer(question: str, screen: Screen) -> str:
    """Ask a person, and return what was typed; nothing at the end of input."""
    screen.ask(question)
    return sys.stdin.readline().strip()


def _summed_up(brain: Brain, proposal: Proposal, scope: str | None) -> Iterator[Line]:
    try:
        yield from summary(brain.review.show(proposal.id, scope=scope))
    except NotFoundError:
        yield Dim(f"{proposal.draft.kind}  {proposal.id}  about what is not seen from here")


def _answering(args: Namespace) -> dict[str, object]:
    told = {name: getattr(args, name, None) for name in _ANSWERED}
    told |= {"digest": args.digest, "retires": getattr(args, "retires", ())}
    return {name: value for name, value in told.items() if value is not None}


def _retires(args: Namespace, seen: Shown) -> Sequence[str]:
    """Return what the answer retires, as the question names it: what was given, or what follows."""
    if named := getattr(args, "retires", ()):
        return cast("Sequence[str]", named)
    return ending(seen, args.action, getattr(args, "keeps", None))


def ending(seen: Shown, action: str, keeps: str | None) -> Sequence[str]:
    """Return the facts that end if *action* is the answer."""
    is_choice = seen.proposal.draft.kind is ProposalKind.CONTRADICTION
    if action in _REPLACING or (is_choice and action == Action.CONFIRM):
        return [fact.id for fact in (*seen.facts, *seen.retires) if fact.id != keeps]
    return [fact.id for fact in seen.retires] if action in _ENDING else []


def _said(proposal: Proposal) -> Line:
    action = "" if proposal.ruling is None else proposal.ruling.action.replace("_", " ")
    return f"{proposal.id}  {action}  (tilth review undo {proposal.id})"


def _told(queue: Queue, shown: int) -> Iterator[str]:
    yield f"{queue.waiting} need a decision" if queue.waiting else "all clear"
    if queue.later:
        yield f"{queue.later} later"
    yield f"{queue.decided} decided"
    if queue.count > shown:
        yield f"{shown} of {queue.count} like these shown"
