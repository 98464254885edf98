"""`tilth review walk`: what waits, one card after the other."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.instant import written_minute
from tilth.core.view import Bold, Dim
from tilth.interfaces.cli import invocation
from tilth.interfaces.cli.review.card import card
from tilth.interfaces.cli.review.questions import ended_facts, read_key, read_text
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind
from tilth.privacy.terminal_text import one_line
from tilth.review.queue import Queue
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock

# Keys follow the inboxes that people know; capital letters are never needed.
_ALWAYS = ("s tomorrow", "u undo", "q quit", "Enter next")
_OF_FACTS = ("d in doubt", "o its source")
_OF_ONE = (
    "a it is so", "r it is not", "e other words", "v evidence only", "t stale", "b in one scope",
)  # fmt: skip
_OF_TWO = (
    "1 A is right", "2 B is right", "3 A then B", "4 B then A", "b A in one scope alone", "m one",
    "n neither", "r no contradiction",
)  # fmt: skip
# Where no fact is asked about, an answer is a yes or a no.
_OF_THINGS = {
    ProposalKind.MERGE: ("a they are one", "r they are two"),
    ProposalKind.GAP_MERGE: ("a they are one", "r they are two"),
    ProposalKind.SPLIT: ("a they are two", "r they are one"),
}
_OTHERWISE = ("a it is so", "r it is not")
_BETWEEN = " · "
_ACTIONS = {"a": Action.CONFIRM, "r": Action.REJECT, "d": Action.DISPUTE,
         "v": Action.EVIDENCE_ONLY, "t": Action.MARK_STALE}  # fmt: skip
_SOURCES_MAX = 3
_HEAD_CHARS = 120


def _keys_of(seen: Shown) -> Sequence[str]:
    """Return the keys that answer a card, each with what it says."""
    if len(seen.facts) > 1:
        return (*_OF_TWO, *_OF_FACTS, *_ALWAYS)
    if seen.facts or seen.retires:
        return (*_OF_ONE, *_OF_FACTS, *_ALWAYS)
    return (*_OF_THINGS.get(seen.proposal.draft.kind, _OTHERWISE), *_ALWAYS)


def _in_lines(keys: Sequence[str], width: int) -> str:
    """Return keys in lines of at most *width* columns; none is parted from what it says."""
    lines = [""]
    for key in keys:
        longer = f"{lines[-1]}{_BETWEEN}{key}" if lines[-1] else key
        lines[-1:] = [longer] if len(longer) <= width or not lines[-1] else [lines[-1], key]
    return "\n".join(lines)


def walk_through(brain: Brain, screen: Screen, queue: Queue) -> int:
    """Show what waits, one by one, and ask; return how many were decided."""
    asking, at = _Walk(brain, screen), 0
    try:
        while 0 <= at < len(queue.proposals):
            screen.say(f"{at + 1} of {queue.count}")
            at = asking.about(queue.proposals[at], at)
    except KeyboardInterrupt:
        # What was decided stays so.
        screen.say(f"\ndecided {len(asking.decided)}")
        raise
    return len(asking.decided)


class _Walk:
    """What was decided so far, each with the place of its card, and asking about one more."""

    def __init__(self, brain: Brain, screen: Screen) -> None:
        self.decided: list[tuple[Proposal, int]] = []
        self._brain = brain
        self._screen = screen

    def about(self, proposal: Proposal, at: int) -> int:
        """Ask about the proposal at a place; return the place to go on with, -1 to end."""
        seen = self._show(proposal)
        while True:
            key = read_key(
                f"{_in_lines(_keys_of(seen), invocation.terminal_width())}\n> ", self._screen
            )
            try:
                match key:
                    case "q":
                        return -1
                    case "":
                        return at + 1
                    case "u":
                        return self._undo()
                    case "o":
                        self._open(seen)
                    case _:
                        self._answer(seen, key, at)
                        return at + 1
            except TilthError as error:
                self._screen.say(f"{error} {error.hint}".strip())
                seen = self._show(proposal)

    def _show(self, proposal: Proposal) -> Shown:
        seen = self._brain.review.show(proposal.id)
        for line in card(self._brain, seen):
            self._screen.show(line)
        return seen

    def _answer(self, seen: Shown, key: str, at: int) -> None:
        review, id_ = self._brain.review, seen.proposal.id
        if key == "s":
            review.snooze(id_, until=SystemClock().now() + timedelta(days=1))
            return
        is_two = len(seen.facts) > 1
        action, told = self._two_sides(seen, key) if is_two else self._one_side(seen, key)
        # The card has named what ends; the digest binds the answer to it.
        told |= {"digest": seen.digest, "retires": ended_facts(seen, action, told.get("keeps"))}
        self.decided.append((review.decide(id_, action, **told), at))

    def _one_side(self, seen: Shown, key: str) -> tuple[Action, dict[str, Any]]:
        if not any(one.startswith(f"{key} ") for one in _keys_of(seen)):
            raise InvalidInputError(f"{key!r} is none of the keys")
        if key == "e":
            return Action.EDIT, self._edited(seen)
        if key == "b":
            return Action.RESTRICT_SCOPE, {"scope": self._screen.ask("scope: ")}
        return _ACTIONS[key], {}

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
                Action.RESTRICT_SCOPE, {"facts": [one], "scope": self._screen.ask("scope of A: ")},
            ),
        }  # fmt: skip
        if key not in chosen:
            raise InvalidInputError(f"{key!r} is none of the keys")
        return chosen[key]()

    def _edited(self, seen: Shown) -> dict[str, Any]:
        """Return the words that a person makes of those that are proposed."""
        said = seen.facts[0].said if seen.facts else None
        if said is None or said.triple is None:
            return {"text": read_text("> ", self._screen, said.text if said else "")}
        before = f"{said.triple.subject} {said.triple.predicate} "
        return {"value": read_text(before, self._screen, said.triple.object)}

    def _open(self, seen: Shown) -> None:
        """Show, whole, what the sides rest on."""
        facts = (*seen.retires, *seen.facts)
        supports = [one for fact in facts for one in self._brain.facts.why(fact.id).supports]
        ids = [one.evidence.episode_id for one in supports if one.quote]
        for episode_id in list(dict.fromkeys(ids))[:_SOURCES_MAX]:
            episode = self._brain.episodes.get(episode_id)
            who = episode.author or episode.role
            head = f"{written_minute(episode.occurred_at)}  {who}  {episode.session_id or ''}"
            self._screen.show((Bold(one_line(head, _HEAD_CHARS)), Dim(f"  {episode_id}")))
            for line in episode.text.splitlines():
                self._screen.show(f"    {line}")
        if not ids:
            raise InvalidInputError("it rests on nothing that was recorded")

    def _undo(self) -> int:
        """Take back what was decided last, and return the place of its card."""
        if not self.decided:
            raise InvalidInputError("nothing was decided yet")
        decided, at = self.decided.pop()
        self._screen.say(f"{self._brain.review.undo(decided.id).id} waits again")
        return at
