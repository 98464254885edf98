"""`tilth review walk`: what waits, one card after the other."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tilth.core.errors import InvalidInputError, TilthError
from tilth.interfaces.cli.review.card import card
from tilth.interfaces.cli.review.questions import agreed, ending, read_answer
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, Proposal
from tilth.review.queue import Queue
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock

# Keys follow the inboxes that people know; capital letters are never needed.
_HELP = (
    "a it is so · r it is not · e other words · s tomorrow · d in doubt · v evidence only"
    " · t stale · b so in one scope · z undo · q quit · Enter next"
)
_HELP_TWO_SIDES = (
    "1 A is right · 2 B is right · 3 A then B · 4 B then A · b A in one scope alone · m one"
    " · n neither · r no contradiction · d in doubt · s tomorrow · z undo · q quit · Enter next"
)
_KEYS = {"a": Action.CONFIRM, "r": Action.REJECT, "d": Action.DISPUTE,
         "v": Action.EVIDENCE_ONLY, "t": Action.MARK_STALE}  # fmt: skip


def walk_through(brain: Brain, screen: Screen, queue: Queue) -> int:
    """Show what waits, one by one, and ask; return how many were decided."""
    decided: list[Proposal] = []
    for number, proposal in enumerate(queue.proposals, 1):
        screen.say(f"{number} of {queue.count}")
        if not _Asking(brain, screen, decided).about(proposal):
            break
    return len(decided)


class _Asking:
    """One proposal, asked about until it is answered or left."""

    def __init__(self, brain: Brain, screen: Screen, decided: list[Proposal]) -> None:
        self._brain = brain
        self._screen = screen
        self._decided = decided

    def about(self, proposal: Proposal) -> bool:
        """Ask about *proposal*; return whether to go on."""
        while True:
            seen = self._brain.review.show(proposal.id)
            for line in card(self._brain, seen):
                self._screen.show(line)
            is_two = len(seen.facts) > 1
            key = read_answer(f"{_HELP_TWO_SIDES if is_two else _HELP}\n> ", self._screen)
            if key == "q":
                return False
            if not key:
                return True
            try:
                if self._answered(seen, key):
                    return True
            except TilthError as error:
                self._screen.say(f"{error} {error.hint}".strip())

    def _answered(self, seen: Shown, key: str) -> bool:
        review, id_ = self._brain.review, seen.proposal.id
        if key == "z":
            self._undo()
            return False
        if key == "s":
            review.snooze(id_, until=SystemClock().now() + timedelta(days=1))
            return True
        is_two = len(seen.facts) > 1
        action, told = self._two_sides(seen, key) if is_two else self._one_side(key)
        told |= {"digest": seen.digest, "retires": ending(seen, action, told.get("keeps"))}
        if told["retires"] and not agreed(self._brain, seen, action, told, self._screen):
            return False
        self._decided.append(review.decide(id_, action, **told))
        return True

    def _one_side(self, key: str) -> tuple[Action, dict[str, Any]]:
        if key == "e":
            return Action.EDIT, {"text": self._line("in your words: ")}
        if key == "b":
            return Action.RESTRICT_SCOPE, {"scope": self._line("scope: ")}
        if key not in _KEYS:
            raise InvalidInputError(f"{key!r} is none of the keys")
        return _KEYS[key], {}

    def _two_sides(self, seen: Shown, key: str) -> tuple[Action, dict[str, Any]]:
        one, other = (fact.id for fact in seen.facts[:2])
        chosen: dict[str, Callable[[], tuple[Action, dict[str, Any]]]] = {
            "1": lambda: (Action.CONFIRM, {"keeps": one}),
            "2": lambda: (Action.CONFIRM, {"keeps": other}),
            "3": lambda: (Action.SUPERSEDE, {"keeps": other}),
            "4": lambda: (Action.SUPERSEDE, {"keeps": one}),
            "m": lambda: (Action.MERGE, {"keeps": one}),
            "n": lambda: (Action.REJECT, {"facts": [one, other]}),
            "r": lambda: (Action.REJECT, {}),
            "d": lambda: (Action.DISPUTE, {}),
            "b": lambda: (
                Action.RESTRICT_SCOPE, {"facts": [one], "scope": self._line("scope of A: ")},
            ),
        }  # fmt: skip
        if key not in chosen:
            raise InvalidInputError(f"{key!r} is none of the keys")
        return chosen[key]()

    def _undo(self) -> None:
        if not self._decided:
            raise InvalidInputError("nothing was decided yet")
        self._screen.say(f"{self._brain.review.undo(self._decided.pop().id).id} waits again")

    def _line(self, question: str) -> str:
        return read_answer(question, self._screen)
