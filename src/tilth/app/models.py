"""What a brain does with language models."""

from typing import TypeVar

from tilth.app.parts import Parts
from tilth.domain.answers import Answer
from tilth.usecases.spending import SpentToday, spent_today
from tilth.usecases.thinking import Question, Refusal, Thought, think

_A = TypeVar("_A", bound=Answer)


class Models:
    """The language models of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def think(self, kind: type[_A], question: Question) -> Thought[_A] | Refusal:
        """See `tilth.usecases.thinking.think`."""
        return think(self._parts.thinker, kind, question)

    def spent_today(self) -> SpentToday:
        """See `tilth.usecases.spending.spent_today`."""
        parts = self._parts
        return spent_today(parts.store, parts.clock, parts.recorder.owner, parts.staff.budget)
