"""Read triples by the entities at their ends, with the SQL of both engines."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError
from tilth.core.ids import EpisodeId, FactId, SessionId, encode_ulid
from tilth.core.instant import from_micros
from tilth.core.lifecycle import Freshness, Lifecycle, Review, freshness_of
from tilth.core.scope import Scope, Visibility
from tilth.core.text.urn import node_key, part_key
from tilth.knowledge.facts.events import written_triple
from tilth.knowledge.facts.fact import confidence_of, grade_of
from tilth.knowledge.facts.filters import FactFilter, FactsWhere, where
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.lives import CONTESTED, LIFE, contested_at, read_life
from tilth.knowledge.vocabulary.registries import Channel
from tilth.ledger.engine import Row
from tilth.ledger.realms import realm_numbers
from tilth.ledger.snapshot import SnapshotReader

# CROSS JOIN fixes SQLite's order: first the few facts of one entity, by index, then each further
# table by key.
_TRIPLES = f"""
SELECT l.event_id, l.recorded_at, l.actor_kind, l.payload, f.channel,
o.session_id, o.event_id, CASE WHEN {CONTESTED} THEN 1 ELSE 0 END, {LIFE}
FROM facts f CROSS JOIN lives v CROSS JOIN realms r CROSS JOIN ledger l
LEFT JOIN ledger s ON s.seq = v.successor_no
LEFT JOIN evidence x ON x.fact_no = f.fact_no AND x.position = 0
LEFT JOIN ledger o ON o.seq = x.episode_no
WHERE v.fact_no = f.fact_no AND r.realm_no = v.realm_no AND l.seq = f.fact_no
AND l.payload IS NOT NULL AND
"""  # noqa: S608 - names of ours
_PART = "(f.{end} = ? OR substr(f.{end}, 1, length(?)) = ?)"
_COUNTS = """
SELECT f.channel, f.predicate, count(*) FROM facts f JOIN lives v ON v.fact_no = f.fact_no
JOIN ledger l ON l.seq = f.fact_no WHERE f.subject IS NOT NULL AND l.payload IS NOT NULL AND
"""
_DIARISTS = """
SELECT DISTINCT f.subject FROM sessions n JOIN episodes e ON e.session_no = n.session_no
JOIN evidence x ON x.episode_no = e.seq JOIN facts f ON f.fact_no = x.fact_no
WHERE n.session_id = ? AND n.realm_no = ? AND e.session_no > 0
  AND f.channel = ? AND f.subject IS NOT NULL
"""


class End(StrEnum):
    """The end of a triple at which an entity stands."""

    SUBJECT = "subject"
    OBJECT = "object"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTriple:
    """
    A triple as a step in the graph.

    `source` is its session, or its episode if it has none. `depth` is the number of hops from the
    start.
    """

    id: FactId
    channel: Channel
    subject: str
    predicate: str
    object: str
    confidence: float
    source: str
    recorded_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    lifecycle: Lifecycle
    review: Review
    grade: Grade
    freshness: Freshness
    age_days: int
    scope: Scope
    depth: int
    is_contested: bool


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop: in which direction, with at most `fan_out` triples for each entity."""

    end: End
    depth: int
    fan_out: int
    # The time at which ages are measured.
    at: datetime


@dataclass(frozen=True, slots=True)
class PredicateCount:
    """How many triples of a channel use a predicate."""

    channel: Channel
    predicate: str
    count: int


class Triples(SnapshotReader):
    """The triples of one snapshot."""

    def around(self, names: Sequence[str], which: FactFilter, hop: Hop) -> list[list[StatedTriple]]:
        """
        Return for each of *names* the triples with it, or a part of it, at that end.

        The last recorded come first, with one more than `fan_out` if there are more. Invisible
        triples are neither returned nor counted.
        """
        narrowed = where(self._conn, which, self._integers)
        sql = f"f.{hop.end}_node = ? AND {{part}} ORDER BY f.fact_no DESC LIMIT ?"
        return [
            self._of(sql, name, hop.end, narrowed, (hop.fan_out + 1, hop.depth, hop.at))
            for name in names
        ]

    def timeline(
        self, name: str, which: FactFilter, at: datetime, *, limit: int
    ) -> list[StatedTriple]:
        """Return the triples about an entity, the one that began last first."""
        narrowed = where(self._conn, which, self._integers)
        sql = "f.subject_node = ? AND {part} ORDER BY v.valid_from DESC, f.fact_no DESC LIMIT ?"
        return self._of(sql, name, End.SUBJECT, narrowed, (limit, 1, at))

    def counts(self, which: FactFilter) -> list[PredicateCount]:
        """Return how many triples use each predicate, the most used first."""
        narrowed = where(self._conn, which, self._integers)
        sql = f"{_COUNTS} {narrowed.sql} GROUP BY f.channel, f.predicate"
        found = [
            PredicateCount(Channel(channel), predicate, count)
            for channel, predicate, count in self._conn.rows(sql, narrowed.params)
        ]
        # Sorted here, since databases collate differently.
        return sorted(found, key=lambda one: (-one.count, one.channel, one.predicate))

    def diarists(self, session_id: SessionId, within: Visibility) -> list[str]:
        """Return the keys of those who wrote in the diary of a session."""
        realms = realm_numbers(self._conn, within.owner, within.scopes)
        params = [(session_id, realm, Channel.AGENT_DIARY.value) for realm in realms]
        rows = [row for one in params for row in self._conn.rows(_DIARISTS, one)]
        return sorted({str(subject) for (subject,) in rows})

    def _of(
        self,
        sql: str,
        name: str,
        end: End,
        narrowed: FactsWhere,
        rest: tuple[int, int, datetime],
    ) -> list[StatedTriple]:
        limit, depth, at = rest
        key = part_key(name)
        part = _PART.format(end=end) if key else "1 = 1"
        params = (key, f"{key}/", f"{key}/") if key else ()
        rows = self._conn.rows(
            f"{_TRIPLES} {narrowed.sql} AND {sql.format(part=part)}",
            (*contested_at(narrowed.known), *narrowed.params, node_key(name), *params, limit),
        )
        return [_triple(row, depth, at) for row in rows]


def _triple(row: Row, depth: int, at: datetime) -> StatedTriple:
    event_id, recorded_at, kind, payload, channel, session_id, episode, contested, *rest = row
    triple, life, writer = written_triple(payload), read_life(tuple(rest)), ActorKind(kind)
    if triple is None:
        raise CorruptionError("a fact in the graph holds no triple")
    age = at - life.fresh_from(from_micros(recorded_at))
    return StatedTriple(
        id=FactId.stored(event_id),
        channel=Channel(channel),
        subject=triple.subject,
        predicate=triple.predicate,
        object=triple.object,
        confidence=confidence_of(triple.confidence, writer, life.review).value,
        source=session_id or EpisodeId.prefix + encode_ulid(bytes(episode)),
        recorded_at=from_micros(recorded_at),
        valid_from=life.valid_from,
        valid_to=life.valid_to,
        lifecycle=life.lifecycle,
        review=life.review,
        grade=grade_of(triple.noted_grade, writer, life),
        freshness=freshness_of(age),
        age_days=max(age.days, 0),
        scope=life.scope,
        depth=depth,
        is_contested=bool(contested),
    )
