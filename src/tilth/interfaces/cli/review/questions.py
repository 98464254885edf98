"""Questions about a proposal, and what follows from the answer."""

import sys
from collections.abc import Mapping, Sequence
from typing import cast

from tilth.interfaces.cli.review.card import card
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, ProposalKind
from tilth.runtime.brain import Brain

# What ends a fact, and so must name it.
_ENDING = frozenset({Action.CONFIRM, Action.EDIT})
_REPLACING = frozenset({Action.MERGE, Action.SUPERSEDE})


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


def ending(seen: Shown, action: str, keeps: str | None) -> Sequence[str]:
    """Return the facts that end if *action* is the answer."""
    is_choice = seen.proposal.draft.kind is ProposalKind.CONTRADICTION
    if action in _REPLACING or (is_choice and action == Action.CONFIRM):
        return [fact.id for fact in (*seen.facts, *seen.retires) if fact.id != keeps]
    return [fact.id for fact in seen.retires] if action in _ENDING else []
