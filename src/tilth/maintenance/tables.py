"""The tables of archiving by rule, and reading which facts are due."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from tilth.core.actor import ActorKind
from tilth.core.event import Recorded
from tilth.core.ids import EntityId, EventId, FactId, clock_time_of, encode_ulid, is_identifier
from tilth.core.instant import to_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.episodes.filters import last_before
from tilth.knowledge.facts.events import FactArchived
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.proposals.proposal import ProposalKind, ProposalState
from tilth.knowledge.vocabulary.registries import EdgeKind
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import find_place, place_of
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import one_of
from tilth.maintenance.events import FactsJudged, SweepBegun
from tilth.maintenance.retention import (
    EVERGREEN,
    EVERGREEN_TAG,
    JUDGED_AGAIN,
    JUDGED_FROM,
    LINKED_LIFE,
    UNLINKED_LIFE,
    ConsolidationGroup,
    DueFact,
    Sweep,
)
from tilth.recall.feedback import WEIGHTS

# Sweeps, and what each archived.
SWEEPS = Table(
    "sweeps",
    no=27,
    since=2,
    columns="""
    sweep_no $integer PRIMARY KEY,
    began_at $integer NOT NULL,
    owner    TEXT NOT NULL
""",
)
SWEPT = Table(
    "swept",
    no=28,
    since=2,
    columns="""
    -- The place of the event that put a fact away.
    archived_no $integer PRIMARY KEY,
    sweep_no    $integer NOT NULL
""",
    indexes="""
CREATE INDEX swept_by ON swept (sweep_no);
""",
)
# When a language model judged a fact last.
JUDGED = Table(
    "judged",
    no=63,
    since=3,
    columns="""
    fact_no   $integer PRIMARY KEY,
    judged_no $integer NOT NULL
""",
)

_NEW_JUDGED = """
INSERT INTO judged (fact_no, judged_no) VALUES (?, ?)
ON CONFLICT (fact_no) DO UPDATE SET judged_no = excluded.judged_no
"""
_NEW_SWEEP = "INSERT INTO sweeps (sweep_no, began_at, owner) VALUES (?, ?, ?)"
_SWEPT = "INSERT INTO swept (archived_no, sweep_no) VALUES (?, ?)"
_LAST = """
SELECT l.event_id FROM sweeps s JOIN ledger l ON l.seq = s.sweep_no
WHERE s.owner = ? ORDER BY s.sweep_no DESC LIMIT 1
"""
_PUT_AWAY = """
SELECT l.event_id FROM swept s JOIN lives v ON v.since = s.archived_no AND v.until IS NULL
JOIN ledger l ON l.seq = v.fact_no WHERE s.sweep_no = ? ORDER BY v.fact_no
"""
_NAMED_IN_ORIGINS = """
SELECT DISTINCT entity_id FROM origins WHERE entity_id <> '' AND episode_no > ?
"""
# The entities with news after the place ?: facts, evidence, edges, conversations or messages. Those
# merged with them count as well.
_ACTIVE = """
WITH RECURSIVE touched (entity_no) AS (
    SELECT a.entity_no FROM anchors a WHERE a.fact_no > ?
    UNION SELECT a.entity_no FROM evidence e JOIN anchors a ON a.fact_no = e.fact_no
        WHERE e.since > ?
    UNION SELECT g.source FROM edges g WHERE g.edge_no > ? AND g.source_kind = 'entity'
    UNION SELECT g.target FROM edges g WHERE g.edge_no > ? AND g.target_kind = 'entity'
    UNION SELECT c.entity_no FROM conversations c WHERE c.conversation_no > ?
    UNION SELECT i.entity_no FROM identities i JOIN origins o
        ON o.transport = i.transport AND o.address = i.address AND o.entity_id = ''
        WHERE o.episode_no > ? AND i.owner = ?
    UNION SELECT n.entity_no FROM entities n WHERE n.entity_no IN {integers}
), above (entity_no) AS (
    SELECT entity_no FROM touched
    UNION SELECT m.merged_into FROM entities m JOIN above ON above.entity_no = m.entity_no
        WHERE m.merged_into IS NOT NULL
), active (entity_no) AS (
    SELECT entity_no FROM above
    UNION SELECT m.entity_no FROM entities m JOIN active ON active.entity_no = m.merged_into
)
"""
_UNHEARD = f"""v.since <= ?
AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact_no = v.fact_no AND e.since > ?)
AND NOT EXISTS (
    SELECT 1 FROM votes t WHERE t.target_no = v.fact_no AND t.vote_no > ?
    AND t.verdict IN ({one_of(verdict for verdict, weight in WEIGHTS.items() if weight > 0)})
)"""  # noqa: S608 - names of ours
# Facts that no human, slot or rule backs: they may be archived without a human.
_UNBACKED = f"""v.until IS NULL AND v.realm_no IN {{integers}} {{among}}
AND v.lifecycle = '{Lifecycle.CURRENT}' AND v.review = '{Review.UNREVIEWED}'
AND v.authority = '{Authority.EVIDENCE}' AND v.slot IS NULL
AND (f.channel IS NULL OR f.channel NOT IN ({one_of(sorted(EVERGREEN))}))
AND l.actor_kind <> '{ActorKind.HUMAN}' AND l.payload IS NOT NULL
AND NOT EXISTS (
    SELECT 1 FROM fact_tags t WHERE t.fact_no = v.fact_no AND t.tag = '{EVERGREEN_TAG}'
)
AND NOT EXISTS (
    SELECT 1 FROM proposal_facts b JOIN proposals p ON p.proposal_no = b.proposal_no
    WHERE b.fact_no = v.fact_no AND p.state = '{ProposalState.OPEN}'
    AND p.kind <> '{ProposalKind.DUPLICATE}'
)"""  # noqa: S608 - names of ours
_DUE = f"""{_ACTIVE}
SELECT v.fact_no, l.event_id, octet_length(l.payload)
FROM lives v JOIN facts f ON f.fact_no = v.fact_no JOIN ledger l ON l.seq = v.fact_no
WHERE {_UNBACKED} AND {_UNHEARD}
AND (({_UNHEARD}) OR v.fact_no NOT IN (
    SELECT a.fact_no FROM anchors a JOIN active ON active.entity_no = a.entity_no
))
ORDER BY v.fact_no LIMIT ?
"""  # noqa: S608 - names of ours
# A fact that was archived once and is current was restored by somebody.
_UNJUDGED = f"""
SELECT v.fact_no, v.realm_no
FROM lives v JOIN facts f ON f.fact_no = v.fact_no JOIN ledger l ON l.seq = v.fact_no
LEFT JOIN judged j ON j.fact_no = v.fact_no
WHERE {_UNBACKED} AND v.fact_no <= ? AND (j.judged_no IS NULL OR j.judged_no <= ?)
AND NOT EXISTS (
    SELECT 1 FROM lives w
    WHERE w.fact_no = v.fact_no AND w.lifecycle = '{Lifecycle.ARCHIVED}'
)
ORDER BY coalesce(j.judged_no, 0), v.fact_no
"""  # noqa: S608 - names of ours
# Edges that ended count, too: a human may have parted a source from its consolidated fact.
_CROWDED = f"""
WITH RECURSIVE roots (entity_no, root) AS (
    SELECT entity_no, entity_no FROM entities WHERE merged_into IS NULL
    UNION ALL SELECT m.entity_no, r.root FROM entities m JOIN roots r ON r.entity_no = m.merged_into
)
SELECT n.event_id, m.scope, v.fact_no
FROM lives v JOIN facts f ON f.fact_no = v.fact_no JOIN realms m ON m.realm_no = v.realm_no
JOIN anchors a ON a.fact_no = v.fact_no AND a.position = 0
JOIN roots r ON r.entity_no = a.entity_no JOIN ledger n ON n.seq = r.root
WHERE v.until IS NULL AND v.realm_no IN {{integers}}
AND v.lifecycle = '{Lifecycle.CURRENT}' AND v.authority = '{Authority.EVIDENCE}'
AND v.review IN ('{Review.UNREVIEWED}', '{Review.CONFIRMED}')
AND v.slot IS NULL AND f.channel IS NULL
AND NOT EXISTS (
    SELECT 1 FROM edges g WHERE g.source = v.fact_no AND g.kind = '{EdgeKind.DERIVED_FROM}'
)
AND NOT EXISTS (
    SELECT 1 FROM edges g WHERE g.target = v.fact_no AND g.kind = '{EdgeKind.DERIVED_FROM}'
)
AND NOT EXISTS (
    SELECT 1 FROM proposal_facts b JOIN proposals p ON p.proposal_no = b.proposal_no
    WHERE b.fact_no = v.fact_no AND p.state = '{ProposalState.OPEN}'
)
ORDER BY v.fact_no
"""  # noqa: S608 - names of ours
_INSTANT = 1


@projects(SweepBegun)
def begun(rows: Rows, recorded: Recorded, _: SweepBegun) -> None:
    """Project a sweep."""
    rows.run(_NEW_SWEEP, (recorded.seq, to_micros(recorded.recorded_at), recorded.owner))


@projects(FactsJudged)
def judged(rows: Rows, recorded: Recorded, event: FactsJudged) -> None:
    """Project when facts were judged."""
    for one in event.facts:
        rows.run(_NEW_JUDGED, (rows.place_of(one), recorded.seq))


@projects(FactArchived)
def swept(rows: Rows, recorded: Recorded, event: FactArchived) -> None:
    """Project which sweep archived a fact."""
    if event.sweep is not None:
        rows.run(_SWEPT, (recorded.seq, rows.place_of(event.sweep)))


class Retention(SnapshotReader):
    """The facts of one snapshot that are due for archiving, judgement or consolidation."""

    def due(
        self, owner: Owner, now: datetime, *, limit: int, among: Collection[int] | None = None
    ) -> list[DueFact]:
        """Return the facts that are due for archiving at *now*, the oldest first."""
        recent, long_ago = self._place(now - UNLINKED_LIFE), self._place(now - LINKED_LIFE)
        sql = _DUE.format(
            integers=self._integers,
            among="" if among is None else "AND v.fact_no IN {integers}",
        )
        params = (
            *(recent,) * 6,
            owner,
            self._named_since(recent),
            Visibility(owner),
            *(() if among is None else (sorted(among),)),
            *(recent,) * 3,
            *(long_ago,) * 3,
            limit,
        )
        return [
            DueFact(int(seq), FactId.stored(event_id), int(size))
            for seq, event_id, size in self._rows(sql, *params)
        ]

    def unjudged(
        self, owner: Owner, now: datetime, *, limit: int, among: Collection[int] | None = None
    ) -> list[int]:
        """
        Return the places of facts of one scope that a model may judge, the longest unjudged first.

        With *among*, only facts at these places are considered.
        """
        sql = _UNJUDGED.format(
            integers=self._integers,
            among="" if among is None else "AND v.fact_no IN {integers}",
        )
        params = (
            Visibility(owner),
            *(() if among is None else (sorted(among),)),
            self._place(now - JUDGED_FROM),
            self._place(now - JUDGED_AGAIN),
        )
        found = self._rows(sql, *params)
        return [int(seq) for seq, realm in found if realm == found[0][1]][:limit]

    def groups(self, owner: Owner, *, least: int) -> list[ConsolidationGroup]:
        """
        Return groups of *least* facts or more about one entity, the first that each is about.

        They are current, in no slot, in words and not triples, neither sources nor results of a
        consolidation, and no proposal waits for them.
        """
        found: defaultdict[tuple[EntityId, Scope], list[int]] = defaultdict(list)
        for event_id, scope, seq in self._rows(_CROWDED, Visibility(owner)):
            about = EntityId.stored(event_id)
            found[about, Scope(scope)].append(int(seq))
        return [
            ConsolidationGroup(about, scope, tuple(seqs))
            for (about, scope), seqs in found.items()
            if len(seqs) >= least
        ]

    def last_sweep(self, owner: Owner) -> Sweep | None:
        """Return the last sweep."""
        for (event_id,) in self._conn.rows(_LAST, (owner,)):
            id_ = EventId(encode_ulid(bytes(event_id)))
            return Sweep(id_, clock_time_of(id_))
        return None

    def swept(self, event_id: EventId) -> list[FactId]:
        """Return the facts that a sweep archived and that have not changed since, oldest first."""
        rows = self._conn.rows(_PUT_AWAY, (place_of(self._conn, event_id),))
        return [FactId.stored(one) for (one,) in rows]

    def _place(self, at: datetime) -> int:
        """Return the last place in the ledger that was recorded by *at*."""
        return last_before(self._conn, to_micros(at) + _INSTANT)

    def _named_since(self, after: int) -> list[int]:
        """Return the places of the entities that episodes after a place name as participants."""
        rows = self._conn.rows(_NAMED_IN_ORIGINS, (after,))
        # An importer's entity need not be known here.
        found = (find_place(self._conn, str(id_)) for (id_,) in rows if is_identifier(str(id_)))
        return [place for place in found if place is not None]
