"""The tables of gaps and their evidence, and reading them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, NotFoundError
from tilth.core.event import Recorded, decode
from tilth.core.ids import EntityId, EpisodeId, clock_time_of, decode_ulid, encode_ulid, event_id_of
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.episodes.filters import EpisodeFilter, where
from tilth.episodes.tables import Episodes
from tilth.gaps.events import (
    FilingChosen,
    FilingEnded,
    GapDetected,
    GapEvidenced,
    GapFiled,
    GapMoved,
    GapsMerged,
    GapsParted,
    GapsPulsed,
)
from tilth.gaps.model import (
    DESCRIPTION_CHARS_MAX,
    Gap,
    GapEvidence,
    GapId,
    GapKind,
    GapScan,
    GapSort,
    GapStatus,
    KnownGap,
    Trace,
)
from tilth.gaps.todos import Filing, Way
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, actor_of, find_place, read_record
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.ledger.sql_list import one_of

GAPS = Table(
    "gaps",
    no=31,
    since=2,
    columns=f"""
    gap_no      $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(GapKind)})),
    status      TEXT NOT NULL CHECK (status IN ({one_of(GapStatus)})),
    -- The place of the event that gave it its status.
    moved_no    $integer NOT NULL,
    todo_ref    TEXT NOT NULL,
    -- A gap that was over when this one came.
    follows_no  $integer CHECK (follows_no <> gap_no),
    merged_into $integer CHECK (merged_into <> gap_no)
""",
    indexes="""
CREATE INDEX gaps_in_realm ON gaps (realm_no, status);
CREATE INDEX gaps_merged_into ON gaps (merged_into) WHERE merged_into IS NOT NULL;
""",
)
# The evidence of gaps; the root is the first episode that said so (I24).
GAP_EVIDENCE = Table(
    "gap_evidence",
    no=32,
    since=2,
    keyed=5,
    columns="""
    gap_no     $integer NOT NULL,
    episode_no $integer NOT NULL,
    root_no    $integer NOT NULL,
    span_start $integer NOT NULL,
    span_end   $integer NOT NULL,
    PRIMARY KEY (gap_no, episode_no)
""",
    indexes="""
CREATE INDEX gaps_shown_by ON gap_evidence (episode_no, gap_no);
""",
)
# The events that changed each gap.
GAP_MOVES = Table(
    "gap_moves",
    no=33,
    since=2,
    keyed=5,
    columns="""
    gap_no  $integer NOT NULL,
    move_no $integer NOT NULL,
    PRIMARY KEY (gap_no, move_no)
""",
)
# When the last scan was, and up to which place.
PULSES = Table(
    "pulses",
    no=34,
    since=2,
    is_record=True,
    columns="""
    pulse_no  $integer PRIMARY KEY,
    through   $integer NOT NULL,
    owner     TEXT NOT NULL UNIQUE,
    pulsed_at $integer NOT NULL
""",
)
# The repository for the TODOs of each scope.
FILINGS = Table(
    "filings",
    no=35,
    since=2,
    columns=f"""
    filing_no  $integer PRIMARY KEY,
    realm_no   $integer NOT NULL UNIQUE,
    repository TEXT NOT NULL,
    way        TEXT NOT NULL CHECK (way IN ({one_of(Way)}))
""",
)

_NEW = """
INSERT INTO gaps (gap_no, realm_no, kind, status, moved_no, todo_ref, follows_no)
VALUES (?, ?, ?, 'detected', ?, '', ?)
"""
# An episode is evidence of a gap once.
_EVIDENCE = """
INSERT INTO gap_evidence (gap_no, episode_no, root_no, span_start, span_end)
VALUES (?, ?, ?, ?, ?) ON CONFLICT (gap_no, episode_no) DO NOTHING
"""
_MOVED = """
UPDATE gaps SET status = ?, moved_no = ?, todo_ref = CASE WHEN ? = '' THEN todo_ref ELSE ? END
WHERE gap_no = ?
"""
_MOVE = "INSERT INTO gap_moves (gap_no, move_no) VALUES (?, ?)"
_PULSED = """
INSERT INTO pulses (pulse_no, through, owner, pulsed_at) VALUES (?, ?, ?, ?)
ON CONFLICT (owner) DO UPDATE SET pulse_no = excluded.pulse_no, through = excluded.through,
    pulsed_at = excluded.pulsed_at
"""
_FILING = "INSERT INTO filings (filing_no, realm_no, repository, way) VALUES (?, ?, ?, ?)"
_NO_FILING = "DELETE FROM filings WHERE realm_no = ?"
_FILINGS = """
SELECT r.scope, f.repository, f.way, l.actor, l.actor_kind, l.recorded_at
FROM filings f JOIN realms r ON r.realm_no = f.realm_no JOIN ledger l ON l.seq = f.filing_no
WHERE f.realm_no IN {integers} ORDER BY r.scope
"""
# A gap stands for itself and those merged into it.
_STANDING = """
FROM gaps m JOIN gap_evidence v ON v.gap_no = m.gap_no
LEFT JOIN episodes e ON e.seq = v.episode_no
WHERE (m.gap_no = g.gap_no OR m.merged_into = g.gap_no)
"""
# A gap's words may be erased while evidence remains, so its row and its words are read separately.
_GAP = f"""
SELECT l.event_id, l.seq, l.recorded_at, l.owner, l.actor, l.actor_kind, l.payload, g.kind,
       r.scope, g.status, g.todo_ref, f.event_id, w.event_id,
       (SELECT count(DISTINCT v.root_no) {_STANDING}) AS frequency,
       (SELECT count(DISTINCT v.episode_no) {_STANDING}) AS mentions,
       coalesce((SELECT max(e.occurred_at) {_STANDING}), l.recorded_at) AS seen_at,
       d.recorded_at
FROM gaps g JOIN ledger l ON l.seq = g.gap_no
JOIN realms r ON r.realm_no = g.realm_no
JOIN ledger d ON d.seq = g.moved_no
LEFT JOIN ledger f ON f.seq = g.follows_no
LEFT JOIN ledger w ON w.seq = g.merged_into
WHERE g.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_IS_SHOWN = f"EXISTS (SELECT 1 {_STANDING} AND e.seq IS NOT NULL)"
_ORDERS = {
    GapSort.FREQUENCY: "frequency DESC, seen_at DESC, g.gap_no DESC",
    GapSort.DATE: "seen_at DESC, g.gap_no DESC",
    GapSort.STATUS: """CASE g.status WHEN 'detected' THEN 0 WHEN 'todo_created' THEN 1
        WHEN 'resolved' THEN 2 ELSE 3 END, frequency DESC, g.gap_no DESC""",
}
# Two merged gaps may share an episode, which then counts once.
_TRAIL = """
SELECT coalesce(g.merged_into, g.gap_no), v.episode_no, min(l.event_id), min(r.event_id),
       min(v.root_no), min(v.span_start), max(v.span_end)
FROM gaps g JOIN gap_evidence v ON v.gap_no = g.gap_no
JOIN ledger l ON l.seq = v.episode_no JOIN ledger r ON r.seq = v.root_no
WHERE {which} IN {integers}
GROUP BY coalesce(g.merged_into, g.gap_no), v.episode_no ORDER BY v.episode_no
"""
_ITS_OWN, _AS_ONE = "g.gap_no", "coalesce(g.merged_into, g.gap_no)"
_MOVES = f"""
SELECT {RECORD} FROM gap_moves m JOIN ledger l ON l.seq = m.move_no
WHERE m.gap_no = ? AND l.payload IS NOT NULL ORDER BY m.move_no
"""  # noqa: S608 - names of ours
_SHOWN_BY = """
SELECT l.event_id, coalesce(w.event_id, d.event_id)
FROM gap_evidence v JOIN ledger l ON l.seq = v.episode_no
JOIN gaps g ON g.gap_no = v.gap_no JOIN ledger d ON d.seq = g.gap_no
LEFT JOIN ledger w ON w.seq = g.merged_into
WHERE v.episode_no IN {integers} AND l.owner = ? ORDER BY v.episode_no, v.gap_no
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFilter:
    """A filter of gaps; `about` keeps those shown by interactions with an entity."""

    within: Visibility
    statuses: frozenset[GapStatus] | None = None
    about: EntityId | None = None


@projects(GapDetected)
def detected(rows: Rows, recorded: Recorded, event: GapDetected) -> None:
    """Project a new gap with its evidence."""
    draft, seq = event.draft, recorded.seq
    realm = rows.realm_of(recorded, draft.scope)
    follows = None if draft.follows is None else rows.place_of(draft.follows)
    rows.run(_NEW, (seq, realm, draft.kind.value, seq, follows))
    rows.run(_MOVE, (seq, seq))
    _add_evidence(rows, seq, draft.evidence)


@projects(GapEvidenced)
def evidenced(rows: Rows, recorded: Recorded, event: GapEvidenced) -> None:
    """Project more evidence."""
    gap_no = _moved(rows, recorded, event.gap_id)
    _add_evidence(rows, gap_no, event.evidence)


@projects(GapMoved)
def moved(rows: Rows, recorded: Recorded, event: GapMoved) -> None:
    """Project a change of status."""
    gap_no, ref = _moved(rows, recorded, event.gap_id), event.todo_ref
    rows.run(_MOVED, (event.status.value, recorded.seq, ref, ref, gap_no))


@projects(GapFiled)
def filed(rows: Rows, recorded: Recorded, event: GapFiled) -> None:
    """Project the place of a TODO."""
    gap_no = _moved(rows, recorded, event.gap_id)
    rows.run("UPDATE gaps SET todo_ref = ? WHERE gap_no = ?", (event.todo_ref, gap_no))


@projects(GapsMerged)
def merged(rows: Rows, recorded: Recorded, event: GapsMerged) -> None:
    """Project a merge, as a redirect."""
    _redirect(rows, recorded, event.loser, rows.place_of(event.winner))


@projects(GapsParted)
def parted(rows: Rows, recorded: Recorded, event: GapsParted) -> None:
    """Remove a redirect."""
    _redirect(rows, recorded, event.loser, None)


@projects(GapsPulsed)
def pulsed(rows: Rows, recorded: Recorded, event: GapsPulsed) -> None:
    """Project a scan."""
    at = to_micros(recorded.recorded_at)
    rows.run(_PULSED, (recorded.seq, event.through, recorded.owner, at))


@projects(FilingChosen)
def chosen(rows: Rows, recorded: Recorded, event: FilingChosen) -> None:
    """Project the repository of a scope."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_NO_FILING, (realm,))
    rows.run(_FILING, (recorded.seq, realm, event.repository, event.way.value))


@projects(FilingEnded)
def ended(rows: Rows, recorded: Recorded, event: FilingEnded) -> None:
    """Project that a scope has no repository any more."""
    rows.run(_NO_FILING, (rows.realm_of(recorded, event.scope),))


def _moved(rows: Rows, recorded: Recorded, gap_id: GapId) -> int:
    """Record an event of a gap, and return the gap's place."""
    gap_no = rows.place_of(gap_id)
    rows.run(_MOVE, (gap_no, recorded.seq))
    return gap_no


def _add_evidence(rows: Rows, gap_no: int, evidence: Sequence[GapEvidence]) -> None:
    for one in evidence:
        episode_no = rows.place_of(one.episode_id)
        root_no = episode_no if one.root is None else rows.place_of(one.root)
        rows.run(_EVIDENCE, (gap_no, episode_no, root_no, one.start, one.end))


def _redirect(rows: Rows, recorded: Recorded, loser: GapId, winner_no: int | None) -> None:
    loser_no = _moved(rows, recorded, loser)
    rows.run("UPDATE gaps SET merged_into = ? WHERE gap_no = ?", (winner_no, loser_no))


class Gaps(SnapshotReader):
    """The gaps of one snapshot. A merged gap is only read by its own ID."""

    def __init__(self, view: Snapshot) -> None:
        super().__init__(view)
        self._episodes = Episodes(view)

    def get(self, gap_id: GapId, within: Visibility) -> Gap:
        """
        Return one gap.

        Raises:
            NotFoundError: no such gap is visible.
        """
        place = find_place(self._conn, gap_id)
        found = self._gaps("g.gap_no = ?", (place or 0,), within)
        if not found:
            raise NotFoundError(f"no gap {gap_id!r}", hint="see: tilth gap list")
        return found[0]

    def select(
        self, which: GapFilter, *, sort: GapSort = GapSort.FREQUENCY, limit: int, offset: int = 0
    ) -> list[Gap]:
        """Return gaps in the order of *sort*."""
        # A gap whose evidence was all erased is only read by its ID.
        clauses, params = ["g.merged_into IS NULL", _IS_SHOWN], list[object]()
        if which.statuses is not None:
            marks = ", ".join("?" * len(which.statuses)) or "NULL"
            clauses.append(f"g.status IN ({marks})")
            params.extend(sorted(which.statuses))
        if which.about is not None:
            met = EpisodeFilter(within=which.within, about=which.about)
            seen = where(self._conn, met, self._integers)
            clauses.append(
                f"""g.gap_no IN (SELECT coalesce(m.merged_into, m.gap_no) FROM gaps m
                JOIN gap_evidence v ON v.gap_no = m.gap_no
                JOIN episodes e ON e.seq = v.episode_no WHERE {seen.sql})"""  # noqa: S608 - bound
            )
            params.extend(seen.params)
        condition = f"{' AND '.join(clauses)} ORDER BY {_ORDERS[sort]} LIMIT ? OFFSET ?"
        return self._gaps(condition, (*params, limit, offset), which.within)

    def merged(self, gap_id: GapId, within: Visibility) -> list[Gap]:
        """Return the gaps that were merged into one."""
        place = find_place(self._conn, gap_id) or 0
        return self._gaps("g.merged_into = ? ORDER BY g.gap_no", (place,), within)

    def trail(self, gap_id: GapId, within: Visibility) -> list[Trace]:
        """Return the evidence of a gap and those merged into it, in ledger order, erased or not."""
        gap = self.get(gap_id, within)
        which = _ITS_OWN if gap.merged_into is not None else _AS_ONE
        return [one for traces in self._traces([gap.seq], within, which).values() for one in traces]

    def known(self, within: Visibility, *, limit: int) -> list[KnownGap]:
        """Return the last recorded gaps with their evidence, newest first."""
        gaps = self._gaps("g.merged_into IS NULL ORDER BY g.gap_no DESC LIMIT ?", (limit,), within)
        traces = self._traces([one.seq for one in gaps], within, _AS_ONE)
        return [KnownGap(one, traces.get(one.seq, [])) for one in gaps]

    def moves(self, gap_id: GapId, within: Visibility) -> list[Recorded]:
        """Return the events of a gap, in ledger order."""
        place = self.get(gap_id, within).seq
        return [read_record(row) for row in self._conn.rows(_MOVES, (place,))]

    def shown_by(
        self, episode_ids: Sequence[EpisodeId], owner: Owner
    ) -> Mapping[EpisodeId, Sequence[GapId]]:
        """Return the gaps that these episodes are already evidence of."""
        asked = [decode_ulid(event_id_of(one)) for one in episode_ids]
        marks = ", ".join("?" * len(asked)) or "NULL"
        places = self._conn.rows(f"SELECT seq FROM ledger WHERE event_id IN ({marks})", asked)  # noqa: S608 - bound
        rows = self._rows(_SHOWN_BY, [int(seq) for (seq,) in places], owner)
        found: dict[EpisodeId, list[GapId]] = defaultdict(list)
        for episode, gap in rows:
            id_ = EpisodeId.stored(episode)
            found[id_].append(_gap_id(gap))
        return found

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Count gaps by status and by kind, and their evidence."""
        by = """SELECT {column}, count(*) FROM gaps
            WHERE merged_into IS NULL AND realm_no IN {integers} GROUP BY {column}"""
        evidence = """SELECT count(DISTINCT v.episode_no), count(DISTINCT v.root_no)
            FROM gap_evidence v JOIN gaps g ON g.gap_no = v.gap_no
            WHERE g.realm_no IN {integers}"""
        mentions, roots = self._rows(evidence, within)[0]
        told = {
            column: self._counted(by.format(column=column, integers=self._integers), within)
            for column in ("status", "kind")
        }
        return told | {"evidence": {"mentions": int(mentions), "roots": int(roots)}}

    def last_pulse(self, owner: Owner) -> GapScan | None:
        """Return the last scan; None if there was none."""
        sql = """SELECT l.event_id, p.through FROM pulses p JOIN ledger l ON l.seq = p.pulse_no
            WHERE p.owner = ?"""
        for event_id, through in self._conn.rows(sql, (owner,)):
            return GapScan(clock_time_of(encode_ulid(bytes(event_id))), int(through))
        return None

    def filings(self, within: Visibility) -> list[Filing]:
        """Return the repositories for TODOs, by scope."""
        return [
            Filing(
                scope=Scope(scope),
                repository=repository,
                way=Way(way),
                by=actor_of(actor, kind),
                at=from_micros(at),
            )
            for scope, repository, way, actor, kind, at in self._rows(_FILINGS, within)
        ]

    def _counted(self, sql: str, within: Visibility) -> Mapping[str, int]:
        return {str(word): int(count) for word, count in sorted(self._rows(sql, within))}

    def _gaps(self, condition: str, params: Sequence[object], within: Visibility) -> list[Gap]:
        return [self._gap(row, within) for row in self._rows(_GAP + condition, within, *params)]

    def _gap(self, row: Row, within: Visibility) -> Gap:
        event_id, seq, recorded_at, owner, actor, actor_kind, payload, kind = row[:8]
        scope, status, todo_ref, follows, winner, frequency, mentions, seen_at, moved_at = row[8:]
        description, model = self._words(payload, int(seq), within)
        return Gap(
            id=_gap_id(event_id),
            seq=int(seq),
            owner=Owner(owner),
            by=actor_of(actor, actor_kind),
            recorded_at=from_micros(recorded_at),
            description=description,
            kind=GapKind(kind),
            scope=Scope(scope),
            status=GapStatus(status),
            todo_ref=todo_ref,
            follows=_known(follows),
            merged_into=_known(winner),
            model=model,
            frequency=int(frequency),
            evidence_count=int(mentions),
            seen_at=from_micros(seen_at),
            moved_at=from_micros(moved_at),
        )

    def _words(self, payload: str | None, seq: int, within: Visibility) -> tuple[str, str]:
        """Return a gap's description and its model; if erased, those of a merged gap."""
        if payload is None:
            shown = [*self._traces([seq], within, _ITS_OWN).values()]
            quotes = [one.quote for traces in shown for one in traces if not one.is_erased]
            return (quotes[0][:DESCRIPTION_CHARS_MAX] if quotes else ""), ""
        event = decode("gap_detected", payload, None)
        if not isinstance(event, GapDetected):
            raise CorruptionError(f"place {seq} of the ledger records no gap")
        return event.draft.description, event.draft.model

    def _traces(
        self, places: Sequence[int], within: Visibility, which: str
    ) -> Mapping[int, list[Trace]]:
        """Return the evidence of the gaps at *places*, by place."""
        sql = _TRAIL.format(which=which, integers=self._integers)
        rows = self._rows(sql, places)
        said = {one.seq: one for one in self._episodes.at([int(row[1]) for row in rows], within)}
        found: dict[int, list[Trace]] = defaultdict(list)
        for gap_no, *row in rows:
            found[int(gap_no)].append(Trace(_evidence(row), said.get(int(row[0]))))
        return found


def _gap_id(event_id: bytes) -> GapId:
    return GapId.stored(event_id)


def _evidence(row: Sequence[Any]) -> GapEvidence:
    episode_no, episode, root, root_no, start, end = row
    return GapEvidence(
        EpisodeId.stored(episode),
        int(start),
        int(end),
        None if root_no == episode_no else EpisodeId.stored(root),
    )


def _known(event_id: bytes | None) -> GapId | None:
    return None if event_id is None else _gap_id(event_id)
