"""
Taking in one row of what another store knows: a fact, an entity, an edge.

What comes from an export of ours is known by the ID that it had: nothing comes back into the
store that it left, whatever became of it there, least of all what was erased.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from tilth.core.errors import ErasedError, InvalidInputError, NotFoundError
from tilth.core.ids import EntityId, EpisodeId, FactId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entities import add_in
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import FactDraft, Telling, parse_fact
from tilth.knowledge.facts.facts import check_stated
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Writing, embedded, state_in
from tilth.knowledge.graph.edge import parse_edge_kind
from tilth.knowledge.graph.record_edge import named_in
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.privacy.exclusion import Exclusion
from tilth.transfer.importing import EXPORTED_KEY, Spot, Told, ToldEdge, ToldEntity

Known: TypeAlias = Told | ToldEntity | ToldEdge
_REINFORCED = "reinforced"


@dataclass(frozen=True, slots=True)
class Taker:
    """Into which store rows are taken, on whose word, and what none of them may state."""

    store_id: str
    writing: Writing
    excluded: Exclusion

    def take(self, tx: Transaction, row: Known) -> bool:
        """
        Take a row into *tx*, and say whether it was new.

        Raises:
            InvalidInputError: it says something that its place does not allow.
            ConflictError: somebody goes by that name.
            ForbiddenError: an import may not say so, or it is excluded.
        """
        match row:
            case ToldEdge():
                return row.home != self.store_id and self._join(tx, row)
            case ToldEntity():
                return self._add(tx, row)
            case Told():
                return self._state(tx, row)

    @property
    def _within(self) -> Visibility:
        return Visibility(self.writing.recorder.owner)

    def _join(self, tx: Transaction, row: ToldEdge) -> bool:
        kind = parse_edge_kind(row.kind)
        return named_in(tx, row.ends, kind, self.writing.recorder, scope=row.scope).is_new

    def _add(self, tx: Transaction, row: ToldEntity) -> bool:
        namesakes = Entities(tx).named(row.draft.name, self._within)
        # What was taken in before has the ID that it came with in its metadata.
        if row.draft.metadata in [one.metadata for one in namesakes]:
            return False
        if is_there(lambda: Entities(tx).get(EntityId(row.id), self._within)):
            return False
        return add_in(tx, row.draft, self.writing.recorder).is_new

    def _state(self, tx: Transaction, row: Told) -> bool:
        within = self._within
        if row.id and is_there(lambda: Facts(tx).get(FactId(row.id), within)):
            return False
        draft = scrubbed_fact(_draft(row.telling, tuple(_quotes(tx, row.spots, within))))
        check_stated([draft], self.excluded)
        words = KnownWords(tx).known(within.owner)
        vectors = embedded([draft], self.writing.embedder)
        stated = state_in(tx, draft, self.writing, words=words, vectors=vectors, reason=None)
        return stated.verdict != _REINFORCED


def _draft(telling: Mapping[str, object], quotes: tuple[tuple[str, str], ...]) -> FactDraft:
    told = {name: value for name, value in telling.items() if name != "text"}
    if quotes:
        told["evidence"] = quotes
    return parse_fact(str(telling.get("text", "")), cast("Telling", told))


def _quotes(
    reader: Snapshot, spots: tuple[Spot, ...], within: Visibility
) -> Iterator[tuple[str, str]]:
    """Yield what a fact rests on, word by word, where its episodes came in before it."""
    for spot in spots:
        episode = _episode(reader, spot.episode_id, within)
        words = "" if episode is None else episode.text[spot.begin : spot.end]
        if episode is not None and words.strip():
            yield episode.id, words


def _episode(reader: Snapshot, id_: str, within: Visibility) -> Episode | None:
    """Return the episode that an export brought, or that is here under its own ID."""
    brought = reader.by_key(within.owner, [EXPORTED_KEY + id_])
    if found := Episodes(reader).at(list(brought.values()), within):
        return found[0]
    try:
        return Episodes(reader).get(EpisodeId(id_), within)
    except (NotFoundError, InvalidInputError):
        return None


def is_there(get: Callable[[], object]) -> bool:
    """Say whether something is there, or was and is erased."""
    try:
        get()
    except ErasedError:
        return True
    except (NotFoundError, InvalidInputError):
        return False
    return True
