"""
Export everything visible as JSON lines, in the order of recording.

The ledger is read once, a page at a time and in one snapshot. So an export of any size takes little
memory, no row refers to a later one, and the same history gives the same rows.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import ConversationId, EdgeId, EntityId, SessionId
from tilth.core.io.private_files import write_rows
from tilth.core.json import Json, JsonObject
from tilth.core.scope import Visibility
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.tables import Episodes
from tilth.gaps.events import GapDetected
from tilth.gaps.model import GapId
from tilth.gaps.tables import Gaps
from tilth.knowledge.entities.events import EntityRecorded, IdentityLinked
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.events import EdgeRecorded
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.people.conversation_tables import Conversations
from tilth.people.events import ConversationBegun, SummaryWritten, TraitTold
from tilth.people.profile import Trait
from tilth.people.tables import People
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.redaction import redact
from tilth.privacy.shareable import mask_values
from tilth.transfer import export_rows, ledger_file
from tilth.transfer.export_file import Exporting, NotedExports

logger = logging.getLogger(__name__)

FORMAT, VERSION = "tilth-export", 1
_PAGE = 1000
# Addresses are not shared, nor places in texts, which do not fit once the text is masked.
_PRIVATE = frozenset({"address", "start", "end"})
_SECRETIVE = ("text", "value", "description")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The file that was written, the last place in the ledger, and the rows of each type."""

    path: str
    through: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ExportContext:
    """What an export needs: the list of exports, the clock, and the excluded terms."""

    exports: NotedExports
    clock: Clock
    excluded: Exclusion = field(default_factory=Exclusion)

    def leaving_out(self, excluded: Exclusion) -> "ExportContext":
        """Return a context that covers *excluded* terms."""
        return replace(self, excluded=excluded)


def export(
    store: Store,
    context: ExportContext,
    told: Exporting,
    *,
    progress: Callable[[int], None] = lambda _done: None,
) -> Exported:
    """
    Write everything visible into one file of JSON lines.

    Args:
        store: The store.
        context: The context of the export.
        told: What to write, and where.
        progress: Called with the number of rows written so far.

    Raises:
        ConflictError: a file exists at the path, and may not be replaced.
        UnavailableError: the file cannot be written.
    """
    if told.is_whole:
        return _export_whole(store, context, told)
    counts: Counter[str] = Counter()
    with store.read() as view:
        through = view.head().seq
        scopes = told.within.scopes
        header: JsonObject = {
            "type": FORMAT,
            "version": VERSION,
            "store_id": store.store_id,
            "owner": told.within.owner,
            "scopes": None if scopes is None else sorted(scopes),
            "exported_at": context.clock.now().isoformat(),
            "through": through,
            "is_shared": told.is_shared,
        }
        shown = map(context.excluded.shown, _rows(view, told))
        rows = _framed(header, _counted(shown, counts, progress), counts)
        write_rows(told.path, rows, is_forced=told.is_forced)
    context.exports.note(store.store_id, told)
    logger.info("exported: rows=%d through=%d", counts.total(), through)
    return Exported(path=told.path, through=through, counts=dict(sorted(counts.items())))


def _export_whole(store: Store, context: ExportContext, told: Exporting) -> Exported:
    with store.read() as view:
        through = view.head().seq
        at = context.clock.now().isoformat()
        rows = ledger_file.rows_of(view, store.store_id, told.within.owner, at)
        write_rows(told.path, rows, is_forced=told.is_forced)
    context.exports.note(store.store_id, told)
    logger.info("exported whole: events=%d", through)
    return Exported(path=told.path, through=through, counts={"event": through})


def _framed(
    header: JsonObject, rows: Iterator[JsonObject], counts: Mapping[str, int]
) -> Iterator[JsonObject]:
    """Yield rows between the header and a last row with their counts."""
    yield header
    yield from rows
    yield {"type": "end", "counts": dict(sorted(counts.items()))}


def _counted(
    rows: Iterator[JsonObject], counts: Counter[str], progress: Callable[[int], None]
) -> Iterator[JsonObject]:
    for row in rows:
        counts[str(row["type"])] += 1
        if counts.total() % _PAGE == 0:
            progress(counts.total())
        yield row


def _rows(view: Snapshot, told: Exporting) -> Iterator[JsonObject]:
    walk, after = _Walk(view, told.within), 0
    while events := view.events(after=after, limit=_PAGE):
        for row in walk.page(events):
            if not told.is_shared:
                # The rules of today may find secrets that an older version recorded.
                clean = {name: redact(str(row[name])).text for name in _SECRETIVE if name in row}
                yield {**row, **clean}
            elif row["type"] != "identity":
                yield {
                    name: mask_values(_public(value))
                    for name, value in row.items()
                    if name not in _PRIVATE
                }
        after = events[-1].seq


def _public(value: Json) -> Json:
    if isinstance(value, list):
        return [_public(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _public(one) for name, one in value.items() if name not in _PRIVATE}
    return value


@dataclass(slots=True)
class _Walk:
    """A walk along the ledger, which yields each session before its first episode."""

    view: Snapshot
    within: Visibility
    sessions: set[SessionId] = field(default_factory=set)

    def page(self, events: list[Recorded]) -> Iterator[JsonObject]:
        """Yield the rows of some events, in their order."""
        view, within = self.view, self.within
        episodes = {one.seq: one for one in Episodes(view).at(_at(events, EpisodeRecorded), within)}
        facts = {one.seq: one for one in Facts(view).at(_at(events, FactRecorded), within)}
        entities = {one.seq: one for one in Entities(view).at(_at(events, EntityRecorded), within)}
        summaries = Conversations(view).summaries_at(_at(events, SummaryWritten), within)
        told = {one.seq: export_rows.summary_row(one) for one in summaries}
        told |= {one.seq: export_rows.trait_row(one) for one in self._traits(events)}
        for one in events:
            if (episode := episodes.get(one.seq)) is not None:
                yield from self._session(episode.session_id)
                yield export_rows.episode_row(episode)
            elif (fact := facts.get(one.seq)) is not None:
                about = [name for one in fact.about if (name := self._name(one)) is not None]
                yield export_rows.fact_row(fact, about, Facts(view).lives(fact.id, within))
            elif (entity := entities.get(one.seq)) is not None:
                yield export_rows.entity_row(entity)
            elif (row := told.get(one.seq)) is not None:
                yield row
            else:
                yield from self._other(one)

    def _session(self, session_id: SessionId | None) -> Iterator[JsonObject]:
        if session_id is not None and session_id not in self.sessions:
            self.sessions.add(session_id)
            yield export_rows.session_row(Episodes(self.view).session(session_id, self.within))

    def _name(self, node: str) -> str | None:
        """Return the name of a visible entity; facts have none."""
        if not node.startswith(EntityId.prefix):
            return None
        try:
            return Entities(self.view).get(EntityId(node), self.within).name
        except NotFoundError:
            return None

    def _other(self, one: Recorded) -> Iterator[JsonObject]:
        """Yield the row of a record that is read by itself, if it is visible and holds."""
        try:
            match one.event:
                case EdgeRecorded():
                    yield self._edge(EdgeId.of(one.event_id))
                case IdentityLinked() as event:
                    yield from self._identity(one, event)
                case ConversationBegun():
                    id_ = ConversationId.of(one.event_id)
                    found = Conversations(self.view).get(id_, self.within)
                    yield export_rows.conversation_row(found)
                case GapDetected():
                    gap = Gaps(self.view).get(GapId.of(one.event_id), self.within)
                    trail = Gaps(self.view).trail(gap.id, self.within)
                    yield export_rows.gap_row(gap, trail)
                case _:
                    # A change of a record is in its row.
                    return
        except NotFoundError:
            # It has ended, or is not visible.
            return

    def _edge(self, edge_id: EdgeId) -> JsonObject:
        edge = Edges(self.view).get(edge_id, self.within)
        ends = ((end, self._name(end)) for end in (edge.source, edge.target))
        return export_rows.edge_row(edge, {end: name for end, name in ends if name is not None})

    def _identity(self, one: Recorded, event: IdentityLinked) -> Iterator[JsonObject]:
        known = Identities(self.view).at(event.draft.address, self.within)
        # An address that was linked again is written where it was linked last.
        if known is not None and known.linked_at == one.recorded_at:
            yield export_rows.identity_row(known)

    def _traits(self, events: list[Recorded]) -> Iterator[Trait]:
        """Yield the visible traits that some events recorded, entity by entity."""
        seqs: defaultdict[EntityId, list[int]] = defaultdict(list)
        for one in events:
            if isinstance(one.event, TraitTold):
                seqs[one.event.draft.entity_id].append(one.seq)
        for entity_id, places in seqs.items():
            with suppress(NotFoundError):
                yield from People(self.view).told_at(entity_id, places, self.within)


def _at(events: list[Recorded], kind: type) -> list[int]:
    return [one.seq for one in events if isinstance(one.event, kind)]
