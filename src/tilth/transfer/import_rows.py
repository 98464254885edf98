"""
Import one row of another store: a fact, an entity or an edge.

Rows of a Tilth export keep their IDs, so nothing is imported into the store that it came from,
least of all what was erased there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import datetime
from typing import NamedTuple, TypeAlias, cast

from tilth.core.dataclass import dataclass
from tilth.core.errors import ErasedError, InvalidInputError, NotFoundError
from tilth.core.ids import EntityId, EpisodeId, FactId, ProposalId
from tilth.core.json import canonical
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entities import add_in, tell_more
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.events import FactRetired
from tilth.knowledge.facts.fact import Fact, FactDraft, FactFields, parse_fact
from tilth.knowledge.facts.fact_lifecycle import removal_in
from tilth.knowledge.facts.facts import check_stated
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Writing, embedded, state_in
from tilth.knowledge.graph.edge import parse_edge_kind
from tilth.knowledge.graph.record_edge import add_named_edge_in
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.privacy.exclusion import Exclusion
from tilth.transfer.model import EXPORTED_KEY, Skipped, Spot, Told, ToldEdge, ToldEntity

Known: TypeAlias = Told | ToldEntity | ToldEdge
_REINFORCED = "reinforced"
_SECTIONS_MAX = 1000


class Taken(NamedTuple):
    """The result of a row: the ID of its fact or edge here, and whether it is new."""

    id: str
    is_new: bool


_NOTHING = Taken("", is_new=False)


@dataclass(slots=True)
class LegacyReport:
    """The result of importing rows: how many are new, known, and skipped."""

    is_dry_run: bool
    new_count: int = 0
    known_count: int = 0
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Promoted:
    """The result of promoting facts: confirmed; waiting, since a fact would end; and refused."""

    confirmed: tuple[ProposalId, ...]
    waiting: tuple[ProposalId, ...]
    refused: tuple[tuple[FactId, str], ...]


@dataclass(frozen=True, slots=True)
class RowImporter:
    """Imports rows into a store; rows with *excluded* terms are refused."""

    store_id: str
    writing: Writing
    excluded: Exclusion

    def take(self, tx: Transaction, row: Known) -> Taken:
        """
        Import a row in *tx*.

        Raises:
            InvalidInputError: a field has a value that is not allowed.
            ConflictError: another entity has the name.
            ForbiddenError: an import may not state it, or it has an excluded term.
        """
        match row:
            case ToldEdge() if row.home == self.store_id:
                return _NOTHING
            case ToldEdge():
                kind = parse_edge_kind(row.kind)
                self.excluded.refuse(row.ends, "an edge")
                recorder = self.writing.recorder
                joined = add_named_edge_in(tx, row.ends, kind, recorder, scope=row.scope)
                return Taken(joined.edge.id, joined.is_new)
            case ToldEntity():
                return Taken("", self._add(tx, row))
            case Told():
                return self._state(tx, row)

    @property
    def _within(self) -> Visibility:
        return Visibility(self.writing.recorder.owner)

    def _add(self, tx: Transaction, row: ToldEntity) -> bool:
        # Its metadata are checked as well as its names.
        more = canonical(row.draft.metadata)
        self.excluded.refuse((row.draft.name, *row.draft.aliases, more), "an entity")
        if not row.id:
            return self._add_document(tx, row.draft)
        namesakes = Entities(tx).named(row.draft.name, self._within)
        # An entity that was imported before has its original ID in its metadata.
        if row.draft.metadata in [one.metadata for one in namesakes]:
            return False
        if is_there(lambda: Entities(tx).get(EntityId(row.id), self._within)):
            return False
        return add_in(tx, row.draft, self.writing.recorder).is_new

    def _add_document(self, tx: Transaction, draft: EntityDraft) -> bool:
        """Record the entity of a document, or add to it if it was linked to or read before."""
        for name in (draft.name, *draft.aliases):
            for one in Entities(tx).named(name, self._within):
                lies = one.metadata.get("document")
                is_linked_to = lies is None and one.type in {EntityType.THING, draft.type}
                if lies == draft.metadata["document"] or (is_linked_to and name == draft.name):
                    tell_more(tx, one, draft, self.writing.recorder)
                    return False
        return add_in(tx, draft, self.writing.recorder).is_new

    def _state(self, tx: Transaction, row: Told) -> Taken:
        within = self._within
        if row.id and is_there(lambda: Facts(tx).get(FactId(row.id), within)):
            return _NOTHING
        quotes = (*_quotes(tx, row.spots, within), *_located(tx, row, within))
        draft = scrubbed_fact(_draft(row.telling, quotes))
        check_stated([draft], self.excluded)
        words = KnownWords(tx).known(within.owner)
        vectors = embedded([draft], self.writing.embedder)
        stated = state_in(tx, draft, self.writing, words=words, vectors=vectors, reason=None)
        if stated.verdict != _REINFORCED:
            return Taken(stated.fact.id, is_new=True)
        if draft.valid_to is not None:
            # It was imported before as a fact that holds, and has ended since.
            why = f"{row.where} says that it is over"
            end_in(tx, stated.fact, why, self.writing.recorder, valid_to=draft.valid_to)
        return Taken(stated.fact.id, is_new=False)


def end_in(
    tx: Transaction,
    fact: Fact,
    why: str,
    recorder: WriteContext,
    *,
    valid_to: datetime | None = None,
) -> None:
    """End an imported fact; if it is current or a human vouches for it, ask a human."""
    life = fact.life
    if life.valid_to is not None:
        return
    if life.lifecycle is Lifecycle.CURRENT or fact.is_vouched:
        removal_in(tx, fact, why, recorder)
    elif life.lifecycle is Lifecycle.HISTORICAL and fact.by == recorder.by:
        ends = None if valid_to is None else max(valid_to, life.valid_from)
        event = FactRetired(fact_id=fact.id, reason=why, valid_to=ends)
        tx.append(event, by=recorder.by, owner=recorder.owner)


def _draft(telling: Mapping[str, object], quotes: tuple[tuple[str, str], ...]) -> FactDraft:
    told = {name: value for name, value in telling.items() if name != "text"}
    if quotes:
        told["evidence"] = quotes
    return parse_fact(str(telling.get("text", "")), cast("FactFields", told))


def _quotes(
    reader: Snapshot, spots: tuple[Spot, ...], within: Visibility
) -> Iterator[tuple[str, str]]:
    """Yield the quotes of a fact from episodes that were imported before it."""
    for spot in spots:
        episode = _episode(reader, spot.episode_id, within)
        if episode is None:
            continue
        words = episode.text[spot.begin : spot.end]
        # An empty span means the whole episode, and so does an empty quote.
        if words.strip() or spot.begin == spot.end:
            yield episode.id, words


def _located(reader: Snapshot, row: Told, within: Visibility) -> Iterator[tuple[str, str]]:
    """Yield the quote of a document's fact, from the newest section that has it."""
    if row.session_id is None:
        return
    which = EpisodeFilter(within=within, session_id=row.session_id)
    for one in Episodes(reader).select(which, limit=_SECTIONS_MAX, newest_first=True):
        if row.quote in one.text:
            yield one.id, row.quote
            return


def _episode(reader: Snapshot, id_: str, within: Visibility) -> Episode | None:
    """Return the episode that was imported under an ID, or has that ID here."""
    brought = reader.by_key(within.owner, [EXPORTED_KEY + id_])
    if found := Episodes(reader).at(list(brought.values()), within):
        return found[0]
    try:
        return Episodes(reader).get(EpisodeId(id_), within)
    except (NotFoundError, InvalidInputError):
        return None


def is_there(get: Callable[[], object]) -> bool:
    """Say whether *get* finds something, or it was erased."""
    try:
        get()
    except ErasedError:
        return True
    except (NotFoundError, InvalidInputError):
        return False
    return True
