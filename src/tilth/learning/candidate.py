"""The contract between extractors and distillation: what extractors read, and what they find."""

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.episodes.episode import SPOKEN, Episode, Role
from tilth.knowledge.facts.fact import check_confidence
from tilth.knowledge.facts.statement import Statement

_SPEAKERS = frozenset({Role.USER, Role.ASSISTANT})


class StatementKind(StrEnum):
    """What kind of thing was said (DU-054)."""

    CORRECTION = "correction"
    DECISION = "decision"
    FACT = "fact"
    PREFERENCE = "preference"
    GAP = "gap"
    COMMITMENT = "commitment"
    DEFERRAL = "deferral"
    RELATIONSHIP = "relationship"
    GOAL = "goal"
    MILESTONE = "milestone"
    OPINION = "opinion"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Turn:
    """
    An episode, with what the other side last said before it in the same session.

    `is_last` says that nothing follows before the other side speaks again: then it is a report,
    while earlier messages may only comment on the work. `is_after_stop` says that it follows an
    interruption or a rejected call; `is_proved` that tests passed or a commit was made before
    anything else was asked. `call` is the call of which it is the outcome. `people` are the names
    of those who talk with each other; empty where one person talks with an agent.
    """

    episode: Episode
    before: Episode | None = None
    is_last: bool = True
    is_after_stop: bool = False
    is_proved: bool = False
    call: str = ""
    people: frozenset[str] = frozenset()

    @property
    def is_spoken(self) -> bool:
        """Whether a person or an agent says it, in a message or note."""
        return self.episode.kind in SPOKEN and self.episode.role in _SPEAKERS


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    What a text may state, in the words of `quote`, and what it is about besides its subject.

    Without `valid_from` it holds from when it was said. `due` is the deadline of a commitment or
    deferral. A correction gives `new_value` and, if it says so, the `old_value` that it takes back;
    it need not say of what.
    """

    said: Statement
    quote: str
    kind: StatementKind
    confidence: float
    about: tuple[str, ...] = ()
    valid_from: datetime | None = None
    due: datetime | None = None
    old_value: str | None = None
    new_value: str | None = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence)

    @property
    def only_corrects(self) -> bool:
        """
        Whether it corrects a value, and states nothing if no such value is known.

        Then its sentence is told as a whole, if it is worth it.
        """
        is_value = self.new_value is not None or self.old_value is not None
        return self.kind is StatementKind.CORRECTION and is_value and self.said.triple is None


@dataclass(frozen=True, slots=True)
class Malformed:
    """Words that were meant as a statement, and why they cannot be read."""

    reason: str


Extractor: TypeAlias = Callable[[Turn], Iterator[Candidate | Malformed]]
