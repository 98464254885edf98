"""Reading what has had its time."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from tilth.core.ids import EventId, FactId
from tilth.core.scope import Owner
from tilth.maintenance.retention import Crowd, Due, Sweep


class TendingReader(Protocol):
    """What is to be put away, and what was, as one snapshot shows it."""

    def due(
        self, owner: Owner, now: datetime, *, limit: int, among: Collection[int] | None = None
    ) -> list[Due]:
        """Return what has had its time at *now*, the oldest first; see `domain.tending`."""
        ...

    def crowds(self, owner: Owner, *, least: int) -> list[Crowd]:
        """
        Return where *least* plain facts or more, from which nothing was drawn, are about one thing.

        They are current, in no slot, no triples, drawn from nothing themselves, and no
        proposal waits about them; the thing is the first that they are about.
        """
        ...

    def last_sweep(self, owner: Owner) -> Sweep | None:
        """Return the sweep that began last."""
        ...

    def swept(self, event_id: EventId) -> list[FactId]:
        """Return what a sweep put away and nobody has touched since, the oldest first."""
        ...
