"""Gaps, as a snapshot shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tilth.core.ids import EntityId, EpisodeId, GapId
from tilth.core.scope import Owner, Visibility
from tilth.gaps.filing import Filing
from tilth.gaps.model import Gap, GapSort, GapStatus, Pulse, Trace
from tilth.ledger.events import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFilter:
    """Which gaps a read may return; `about` keeps those that an entity's interactions show."""

    within: Visibility
    statuses: frozenset[GapStatus] | None = None
    about: EntityId | None = None


@dataclass(frozen=True, slots=True)
class KnownGap:
    """A gap, and what shows it."""

    gap: Gap
    trail: Sequence[Trace]


class GapReader(Protocol):
    """What somebody wanted and nobody could do. What was merged is read under its own ID alone."""

    def get(self, gap_id: GapId, within: Visibility) -> Gap:
        """
        Return one gap.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def select(
        self, which: GapFilter, *, sort: GapSort = GapSort.FREQUENCY, limit: int, offset: int = 0
    ) -> list[Gap]:
        """Return gaps in the order of *sort*."""
        ...

    def merged(self, gap_id: GapId, within: Visibility) -> list[Gap]:
        """Return the gaps that were merged into one."""
        ...

    def trail(self, gap_id: GapId, within: Visibility) -> list[Trace]:
        """Return what shows a gap and those merged into it, in ledger order, erased or not."""
        ...

    def known(self, within: Visibility, *, limit: int) -> list[KnownGap]:
        """Return the gaps that were recorded last, with what shows them, the newest first."""
        ...

    def moves(self, gap_id: GapId, within: Visibility) -> list[Recorded]:
        """Return the events that made a gap what it is, in ledger order."""
        ...

    def shown_by(
        self, episode_ids: Sequence[EpisodeId], owner: Owner
    ) -> Mapping[EpisodeId, Sequence[GapId]]:
        """Return the gaps that these episodes are evidence of already."""
        ...

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Count gaps by status and by kind, and their evidence."""
        ...

    def last_pulse(self, owner: Owner) -> Pulse | None:
        """Return when was looked for gaps last; None if nobody did."""
        ...

    def filings(self, within: Visibility) -> list[Filing]:
        """Return where TODOs are filed, scope by scope."""
        ...
