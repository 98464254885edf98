"""What extractors are given, and what they find: the one contract between them and distillation."""

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
    An episode, and what the other side said last before it in the same session.

    What `is_last` before the other side speaks again reports; what comes before it may be
    no more than the comment of an agent on its work. What `is_after_stop` follows on an
    interruption or a call that was rejected; what `is_proved` was followed by tests that passed
    or a commit before anything else was asked. `call` is the call that an outcome is of.
    `people` are those who talk with each other there, by their names; none where one person
    talks with an agent.
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
        """Whether a person or an agent says it, in a message or a note."""
        return self.episode.kind in SPOKEN and self.episode.role in _SPEAKERS


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    What a text may state, in the words of `quote`, and about what besides its subject.

    Without `valid_from` it holds from when it was said. `due` is the deadline of a
    commitment or deferral. A correction takes `old_value` back, where it says so, and says
    `new_value` instead; of what, it need not say.
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
        Whether it puts a value right, and states nothing where no such value is known.

        The sentence that it stands in is told as a whole then, if it is worth it.
        """
        is_value = self.new_value is not None or self.old_value is not None
        return self.kind is StatementKind.CORRECTION and is_value and self.said.triple is None


@dataclass(frozen=True, slots=True)
class Malformed:
    """What was meant to state something, and why it cannot be read."""

    reason: str


Extractor: TypeAlias = Callable[[Turn], Iterator[Candidate | Malformed]]
