"""That facts are put away by rule."""

from tilth.core.event import Event, event


@event("sweep_begun", goes_with=())
class SweepBegun(Event):
    """A round of putting away began; each fact that it puts away names it."""
