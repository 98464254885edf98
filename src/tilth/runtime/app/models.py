"""What a brain does with language models."""

from typing import TypeVar

from tilth.llm.answers import Answer
from tilth.llm.client import Question, Refusal, Thought, think
from tilth.llm.spending import SpentToday, spent_today
from tilth.runtime.parts import Parts

_A = TypeVar("_A", bound=Answer)


class Models:
    """The language models of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def think(self, kind: type[_A], question: Question) -> Thought[_A] | Refusal:
        """See `tilth.llm.client.think`."""
        return think(self._parts.thinker, kind, question)

    def spent_today(self) -> SpentToday:
        """See `tilth.llm.spending.spent_today`."""
        parts = self._parts
        return spent_today(parts.store, parts.clock, parts.recorder.owner, parts.staff.budget)
