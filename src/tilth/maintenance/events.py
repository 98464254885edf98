"""That facts are put away by rule, and read over by a model."""

from tilth.core.event import Event, event
from tilth.core.ids import FactId


@event("sweep_begun", goes_with=())
class SweepBegun(Event):
    """A round of putting away began; each fact that it puts away names it."""


@event("facts_judged", kw_only=True, goes_with=())
class FactsJudged(Event):
    """A language model read over facts; what it condemned is put away by events that follow."""

    facts: tuple[FactId, ...]
