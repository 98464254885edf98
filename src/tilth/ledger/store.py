"""
A store: the ledger, its projections and its indexes, on either engine.

Canonical state is the ledger alone. Everything else is written in the same
transaction and can be made again by `rebuild`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tilth.context.tables import Contexts
from tilth.core.actor import Actor
from tilth.core.clock import Clock, Ids
from tilth.core.errors import CorruptionError
from tilth.core.scope import Owner, Visibility
from tilth.core.tokens import TERM_CHARS_MAX
from tilth.embedding.embedder import Vector
from tilth.episodes.filters import visible, where
from tilth.episodes.ports import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.erasure.model import erasure_of
from tilth.gaps.tables import Gaps
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts import filters as fact_filter
from tilth.knowledge.facts.places import FactPlaces
from tilth.knowledge.facts.ports import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.triples import Triples
from tilth.knowledge.outcomes.tables import Outcomes
from tilth.knowledge.proposals.tables import Proposals
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.learning.tables import Distillation
from tilth.ledger import verification
from tilth.ledger.chain import Head
from tilth.ledger.engine import BUSY_TIMEOUT_S, FACTS, Connection, Engine, Where
from tilth.ledger.erased import Erased
from tilth.ledger.erasing import erase_lines, remake
from tilth.ledger.erasures import ErasuresFile
from tilth.ledger.events import Event, Recorded
from tilth.ledger.findings import Finding
from tilth.ledger.heads import HeadsFile
from tilth.ledger.log import LedgerWriter, chain_at, events_after, head_of, places_of
from tilth.ledger.places import place_of
from tilth.ledger.ports import Appended
from tilth.ledger.projection import project, storable
from tilth.ledger.records import records_at
from tilth.ledger.search import CorpusStats, Scored, Searched, SpaceStats
from tilth.ledger.tombstones import Tombstones
from tilth.llm.tables import Budgets
from tilth.maintenance.tables import Tending
from tilth.people.conversation_tables import Conversations
from tilth.people.tables import People


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a store needs besides its place: time, chance, and this installation's folder."""

    clock: Clock
    ids: Ids
    state: Path
    busy_timeout_s: float = BUSY_TIMEOUT_S


class _Search:
    def __init__(self, conn: Connection, engine: Engine) -> None:
        self._conn = conn
        self._engine = engine

    def lexical(self, terms: Sequence[str], which: Searched, *, limit: int) -> list[Scored]:
        seen = self._where(which)
        known = _possible(terms)
        if not known or not seen.realms:
            return []
        text = self._engine.text
        index = text.facts if seen.indexed is FACTS else text.episodes
        return index.match(self._conn, known, seen, limit)

    def corpus(self, terms: Sequence[str], within: Visibility) -> CorpusStats:
        seen = visible(self._conn, within, self._engine.integers)
        realms = self._engine.integers
        sql = f"""SELECT coalesce(sum(episode_count), 0), coalesce(sum(term_count), 0), EXISTS (
                SELECT 1 FROM lives WHERE realm_no IN {realms} AND until IS NULL
            ) FROM realms WHERE realm_no IN {realms}"""  # noqa: S608 - bound
        episodes, length, has_facts = self._conn.rows(sql, (*seen.params, *seen.params))[0]
        known = _possible(terms) if episodes else []
        counts = self._engine.text.episodes.frequencies(self._conn, known, seen)
        every = {term: counts.get(term, 0) for term in terms}
        mean = int(length) / max(int(episodes), 1)
        return CorpusStats(int(episodes), mean, every, bool(has_facts))

    def nearest(self, space: str, vector: Vector, which: Searched, *, limit: int) -> list[Scored]:
        seen = self._where(which)
        return self._engine.vectors.nearest(self._conn, space, vector, seen, limit)

    def cosines(self, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        return self._engine.vectors.cosines(self._conn, space, vector, seqs)

    def vectors(self, space: str, seqs: Sequence[int]) -> Mapping[int, Vector]:
        return self._engine.vectors.get(self._conn, space, seqs)

    def spaces(self) -> list[SpaceStats]:
        return self._engine.vectors.spaces(self._conn)

    def unembedded(self, space: str, *, limit: int, after: int = 0) -> list[Recorded]:
        seqs = self._engine.vectors.without(self._conn, space, after, limit)
        return records_at(self._conn, seqs, self._engine.integers)

    def _where(self, which: Searched) -> Where:
        match which:
            case FactFilter():
                return fact_filter.searched(self._conn, which, self._engine.integers)
            case EpisodeFilter():
                return where(self._conn, which, self._engine.integers)


def _possible(terms: Sequence[str]) -> list[str]:
    """Return those of *terms* that an index can hold, each once; none of them is ever syntax."""
    return [
        term
        for term in dict.fromkeys(terms)
        if term.isalnum() and term == term.casefold() and len(term) <= TERM_CHARS_MAX
    ]


class _Snapshot:
    def __init__(self, conn: Connection, engine: Engine) -> None:
        self._conn = conn
        self.episodes = Episodes(conn, engine.integers)
        self.search = _Search(conn, engine)
        self.facts = Facts(conn, engine.integers)
        self.triples = Triples(conn, engine.integers)
        self.fact_places = FactPlaces(conn, engine.integers)
        self.entities = Entities(conn, engine.integers)
        self.edges = Edges(conn, engine.integers, self.entities)
        self.proposals = Proposals(conn, engine.integers)
        self.words = KnownWords(conn)
        self.contexts = Contexts(conn, engine.integers)
        self.budgets = Budgets(conn)
        self.distillation = Distillation(conn, engine.integers)
        self.outcomes = Outcomes(conn, engine.integers)
        self.tending = Tending(conn, engine.integers)
        self.tombstones = Tombstones(conn)
        self.people = People(conn, engine.integers, self.entities, self.episodes)
        self.conversations = Conversations(conn, engine.integers, self.entities, self.episodes)
        self.gaps = Gaps(conn, engine.integers, self.episodes)

    def head(self) -> Head:
        return head_of(self._conn)

    def chain_at(self, seq: int) -> bytes | None:
        return chain_at(self._conn, seq)

    def events(self, *, after: int = 0, limit: int = 1000) -> list[Recorded]:
        return events_after(self._conn, after, limit)

    def by_key(self, owner: Owner, keys: Sequence[str]) -> Mapping[str, int]:
        return places_of(self._conn, owner, keys)

    def imported(self, owner: Owner, uri: str) -> str | None:
        sql = "SELECT sha256 FROM imports WHERE owner = ? AND uri = ?"
        found = self._conn.rows(sql, (owner, storable(uri)))
        return str(found[0][0]) if found else None


class _Transaction(_Snapshot):
    def __init__(
        self, conn: Connection, engine: Engine, writer: LedgerWriter, erasures: ErasuresFile
    ) -> None:
        super().__init__(conn, engine)
        self._engine = engine
        self._writer = writer
        self._erasures = erasures

    def append(
        self, event: Event, *, by: Actor, owner: Owner, idempotency_key: str | None = None
    ) -> Appended:
        appended = self._writer.append(event, by=by, owner=owner, idempotency_key=idempotency_key)
        if appended.is_new:
            project(self._conn, appended.recorded, self._engine.text)
        return appended

    def erase(self, event: Erased, *, by: Actor, owner: Owner) -> Recorded:
        recorded = self._writer.append(event, by=by, owner=owner, idempotency_key=None).recorded
        erase_lines(self._conn, event)
        self._engine.vectors.forget(
            self._conn, [place_of(self._conn, one.event_id) for one in event.gone]
        )
        remake(self._conn, self._engine)
        # Before the commit: a crash in between finds there what is to be finished.
        self._erasures.note(erasure_of(recorded, event))
        return recorded

    def put_vectors(self, space: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        self._engine.vectors.put(self._conn, space, vectors)

    def drop_space(self, space: str) -> None:
        self._engine.vectors.drop(self._conn, space)


class SqlStore:
    """A store on one engine. See `tilth.ledger.ports.Store` for what its methods promise."""

    def __init__(
        self, engine: Engine, heads: HeadsFile, erasures: ErasuresFile, clock: Clock, ids: Ids
    ) -> None:
        self._engine = engine
        self._heads = heads
        self._erasures = erasures
        self._clock = clock
        self._ids = ids
        self._is_head_known = False

    @property
    def store_id(self) -> str:
        """The store's own ID, made once."""
        return self._heads.store_id

    @contextmanager
    def begin(self) -> Iterator[_Transaction]:
        """Open a transaction; leaving it commits durably, an exception rolls it back."""
        with self._engine.writing() as conn:
            self._refuse_if_rewound(conn)
            writer = LedgerWriter(conn, self._clock, self._ids)
            yield _Transaction(conn, self._engine, writer, self._erasures)
            tail = writer.tail
        self._heads.keep(Head(tail.seq, tail.chain))

    def _refuse_if_rewound(self, conn: Connection) -> None:
        """Refuse to write on an old file put back: new events would hide that some are lost."""
        if self._is_head_known:
            return
        head = self._heads.latest()
        if head is not None and head.seq > 0 and chain_at(conn, head.seq) != head.chain:
            raise CorruptionError(
                f"the store is older than its signed head, or another: {head.seq} is not in it",
                hint="put the newest file back, or accept this one with: tilth restore",
            )
        self._is_head_known = True

    @contextmanager
    def read(self) -> Iterator[_Snapshot]:
        """Open a snapshot."""
        with self._engine.reading() as conn:
            yield _Snapshot(conn, self._engine)

    def verify(self) -> Iterator[Finding]:
        """Check chain, heads, projections and indexes; yield what is wrong, or nothing."""
        # Before the snapshot: a head that is signed meanwhile is not the end of a lost tail.
        heads = self._heads.signed()
        with self._engine.checking() as conn:
            yield from verification.findings(conn, self._engine, heads)

    def rebuild(self) -> int:
        """Make every projection and text index again from the ledger, and drop all vectors."""
        with self._engine.writing() as conn:
            for stats in self._engine.vectors.spaces(conn):
                self._engine.vectors.drop(conn, stats.space)
            return remake(conn, self._engine)

    @property
    def erasures(self) -> ErasuresFile:
        """What was erased here, as it is kept outside the database."""
        return self._erasures

    def purge(self) -> None:
        """Leave nothing in the database's files of what is in no table any more."""
        self._engine.purge()

    def backup(self, target: str) -> None:
        """Copy one snapshot of the store to the file *target*, whole or not at all."""
        self._engine.backup(target)

    def digest(self) -> str:
        """Return one digest over all projections."""
        with self._engine.reading() as conn:
            return verification.digest(conn)

    def close(self) -> None:
        """Release the database and the heads file. Calling it twice does no harm."""
        self._heads.close()
        self._engine.close()
