"""The events of archiving by rule, and of a model's judgement of facts."""

from tilth.core.event import Event, event
from tilth.core.ids import FactId


@event("sweep_begun", goes_with=())
class SweepBegun(Event):
    """A sweep began; each event that archives a fact in it names this one."""


@event("facts_judged", kw_only=True, goes_with=())
class FactsJudged(Event):
    """A language model judged facts; later events archive those that it condemned."""

    facts: tuple[FactId, ...]
