"""What a brain does with gaps."""

from collections.abc import Mapping, Sequence

from tilth.core.ids import EpisodeId, parse_gap_id
from tilth.core.instant import parse_span
from tilth.core.scope import GLOBAL, parse_scope
from tilth.gaps import filings, gaps
from tilth.gaps import record_gap as noting
from tilth.gaps.draft_todo import draft_todo
from tilth.gaps.filing import Filing, Way, parse_way
from tilth.gaps.gap_matching import Likener
from tilth.gaps.gaps import GapStory, Move
from tilth.gaps.model import (
    Gap,
    GapKind,
    GapSort,
    GapStatus,
    parse_gap_kind,
    parse_gap_sort,
    parse_gap_status,
)
from tilth.gaps.ports import GapFilter
from tilth.gaps.record_gap import Noted, Told
from tilth.gaps.scan import INTERACTIONS_MAX, Scan, Scanned, scan_gaps
from tilth.gaps.schedule import Heart, Pulsed, pulse
from tilth.knowledge.entities.naming import meant
from tilth.runtime.parts import Parts, within


class Gaps:
    """The gaps of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def add(
        self,
        description: str,
        *,
        kind: str = GapKind.MISSING_FEATURE,
        evidence: Sequence[str] = (),
        follows: str | None = None,
        scope: str = GLOBAL,
    ) -> Noted:
        """See `tilth.gaps.record_gap.note_gap`."""
        told = Told(
            description=description,
            kind=parse_gap_kind(kind),
            scope=parse_scope(scope),
            episode_ids=tuple(map(EpisodeId, evidence)),
            follows=None if follows is None else parse_gap_id(follows),
        )
        parts = self._parts
        return noting.note_gap(parts.store, told, parts.writing, self._likener())

    def scan(
        self,
        *,
        since: str = "24h",
        entity: str | None = None,
        limit: int = INTERACTIONS_MAX,
        is_dry_run: bool = False,
        scope: str | None = None,
    ) -> Scanned:
        """Look for gaps in what was said lately; see `tilth.gaps.scan.scan_gaps`."""
        parts, seen = self._parts, within(self._parts, scope)
        asked = Scan(
            within=seen,
            since=parse_span(since),
            about=None if entity is None else meant(parts.store, entity, seen),
            limit=limit,
            is_dry_run=is_dry_run,
        )
        return scan_gaps(parts.thinker, self._likener(), asked)

    def get(self, gap_id: str, *, scope: str | None = None) -> GapStory:
        """See `tilth.gaps.gaps.read_gap`."""
        return gaps.read_gap(self._parts.store, parse_gap_id(gap_id), within(self._parts, scope))

    def list(
        self,
        *,
        status: str | None = None,
        entity: str | None = None,
        sort: str = GapSort.FREQUENCY,
        limit: int = 50,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Gap]:
        """See `tilth.gaps.gaps.list_gaps`; *entity* is a name or an ID."""
        store, seen = self._parts.store, within(self._parts, scope)
        which = GapFilter(
            within=seen,
            statuses=None if status is None else frozenset({parse_gap_status(status)}),
            about=None if entity is None else meant(store, entity, seen),
        )
        return gaps.list_gaps(store, which, sort=parse_gap_sort(sort), limit=limit, offset=offset)

    def move(
        self, gap_id: str, *, status: str | None = None, todo_ref: str = "", note: str = ""
    ) -> Gap:
        """Say what became of a gap; see `tilth.gaps.gaps.move_gap`."""
        move = Move(
            status=None if status is None else parse_gap_status(status),
            todo_ref=todo_ref,
            note=note,
        )
        return gaps.move_gap(self._parts.store, parse_gap_id(gap_id), move, self._parts.recorder)

    def resolve(self, gap_id: str, *, todo_ref: str = "", note: str = "") -> Gap:
        """Say that a gap is closed; see `tilth.gaps.gaps.move_gap`."""
        return self.move(gap_id, status=GapStatus.RESOLVED, todo_ref=todo_ref, note=note)

    def _likener(self) -> Likener:
        return Likener(self._parts.second or self._parts.first)

    def todo(self, gap_id: str) -> Gap:
        """See `tilth.gaps.draft_todo.draft_todo`."""
        parts = self._parts
        return draft_todo(parts.store, parts.outbox, parse_gap_id(gap_id), parts.recorder)

    def pulse(
        self,
        *,
        is_forced: bool = False,
        is_dry_run: bool = False,
        threshold: int | None = None,
    ) -> Pulsed:
        """See `tilth.gaps.schedule.pulse`."""
        parts = self._parts
        heart = Heart(
            thinker=parts.thinker,
            likener=self._likener(),
            outbox=parts.outbox,
            tasks=parts.tasks,
            threshold=parts.settings.gap_threshold if threshold is None else threshold,
        )
        return pulse(heart, is_forced=is_forced, is_dry_run=is_dry_run)

    def opt_in(self, repository: str, *, way: str = Way.TODO_FILE, scope: str = GLOBAL) -> Filing:
        """See `tilth.gaps.filings.choose_filing`."""
        parts, told = self._parts, (parse_scope(scope), repository, parse_way(way))
        return filings.choose_filing(parts.store, parts.tasks, told, parts.clock, parts.recorder)

    def opt_out(self, *, scope: str = GLOBAL) -> None:
        """See `tilth.gaps.filings.end_filing`."""
        filings.end_filing(self._parts.store, parse_scope(scope), self._parts.recorder)

    def filings(self, *, scope: str | None = None) -> Sequence[Filing]:
        """See `tilth.gaps.filings.list_filings`."""
        return filings.list_filings(self._parts.store, within(self._parts, scope))

    def stats(self, *, scope: str | None = None) -> Mapping[str, Mapping[str, int]]:
        """See `tilth.gaps.gaps.gap_stats`."""
        return gaps.gap_stats(self._parts.store, within(self._parts, scope))
