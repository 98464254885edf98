"""
The tables of facts: projecting events into them, and reading facts at any moment.

`facts` holds what a fact says, which never changes; `lives` holds its states, each with a range of
places in the ledger. The words stay in the ledger, once. Columns of names hold keys
(`tilth.core.names`), for comparison only.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded, decode
from tilth.core.ids import EntityId, EpisodeId, EventId, FactId, encode_ulid
from tilth.core.instant import DAY_US, EPOCH, from_micros, to_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope, Visibility
from tilth.core.table import Table
from tilth.core.text.names import index_key
from tilth.core.text.tokens import index_terms
from tilth.core.text.urn import node_key
from tilth.episodes.filters import last_before
from tilth.knowledge.facts import lives
from tilth.knowledge.facts.events import FactArchived, FactRecorded, FactReinforced, FactRetired
from tilth.knowledge.facts.fact import Beside, Evidence, Fact, Outline, confidence_of
from tilth.knowledge.facts.filters import (
    NOW,
    SAME_WORDS,
    FactFilter,
    Known,
    Moment,
    known,
    where,
)
from tilth.knowledge.facts.life import (
    Life,
    PastLife,
    affirmed,
    archived,
    as_evidence,
    disputed,
    fresh_from,
    rejected,
    restricted,
    retired,
    stale,
    superseded,
)
from tilth.knowledge.facts.lives import CONTESTED, LIFE, contested_at, read_life
from tilth.knowledge.proposals.events import ChangeUndone, ProposalDecided
from tilth.knowledge.proposals.proposal import Action, Ruling
from tilth.knowledge.vocabulary.registries import Channel, word_key
from tilth.knowledge.vocabulary.tables import count_unknown
from tilth.ledger.engine import FACTS as INDEXED_FACTS
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, indexes_terms, projects
from tilth.ledger.records import (
    RECORD,
    RECORD_WIDTH,
    actor_of,
    find_place,
    read_as,
    records_at,
)
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import one_of
from tilth.ledger.tables import not_there

FACTS = Table(
    "facts",
    no=5,
    since=2,
    columns=f"""
    fact_no     $integer PRIMARY KEY,
    statement   TEXT NOT NULL,
    channel     TEXT CHECK (channel IN ({one_of(Channel)})),
    subject     TEXT,
    predicate   TEXT,
    object      TEXT,
    -- The things at the ends: of a sub-URN, the whole (`tilth.domain.urn`).
    subject_node TEXT,
    object_node  TEXT,
    area        TEXT NOT NULL,
    environment TEXT NOT NULL,
    system      TEXT NOT NULL,
    component   TEXT NOT NULL,
    CHECK (subject IS NULL OR channel IS NOT NULL),
    CHECK (component = '' OR system <> '')
""",
    indexes="""
CREATE INDEX facts_by_statement ON facts (statement);
CREATE INDEX facts_by_subject ON facts (subject, predicate) WHERE subject IS NOT NULL;
CREATE INDEX facts_by_object ON facts (object) WHERE object IS NOT NULL;
CREATE INDEX triples_from ON facts (subject_node, fact_no) WHERE subject_node IS NOT NULL;
CREATE INDEX triples_in_a_channel ON facts (subject_node, channel, fact_no)
    WHERE subject_node IS NOT NULL;
CREATE INDEX triples_to ON facts (object_node, fact_no) WHERE object_node IS NOT NULL;
CREATE INDEX facts_by_system ON facts (system, component) WHERE system <> '';
""",
)
ANCHORS = Table(
    "anchors",
    no=7,
    since=2,
    keyed=5,
    columns="""
    fact_no   $integer NOT NULL,
    position  $integer NOT NULL,
    entity_no $integer NOT NULL,
    PRIMARY KEY (fact_no, position)
""",
    indexes="""
CREATE INDEX facts_about ON anchors (entity_no, fact_no);
""",
)
EVIDENCE = Table(
    "evidence",
    no=8,
    since=2,
    keyed=5,
    columns="""
    fact_no    $integer NOT NULL,
    position   $integer NOT NULL,
    episode_no $integer NOT NULL,
    span_start $integer NOT NULL,
    span_end   $integer NOT NULL,
    since      $integer NOT NULL,
    PRIMARY KEY (fact_no, position),
    UNIQUE (fact_no, episode_no, span_start, span_end)
""",
    indexes="""
CREATE INDEX facts_resting_on ON evidence (episode_no, fact_no);
""",
)
FACT_TAGS = Table(
    "fact_tags",
    no=9,
    since=2,
    keyed=5,
    columns="""
    fact_no  $integer NOT NULL,
    position $integer NOT NULL,
    tag      TEXT NOT NULL,
    PRIMARY KEY (fact_no, position)
""",
    indexes="""
CREATE INDEX facts_by_tag ON fact_tags (tag, fact_no);
""",
)

_NEW_FACT = """
INSERT INTO facts (fact_no, statement, channel, subject, predicate, object,
                   subject_node, object_node,
                   area, environment, system, component)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_ANCHOR = "INSERT INTO anchors (fact_no, position, entity_no) VALUES (?, ?, ?)"
_TAG = "INSERT INTO fact_tags (fact_no, position, tag) VALUES (?, ?, ?)"
# Repeating a statement with the same words is no new evidence (I24).
_NEW_EVIDENCE = """
INSERT INTO evidence (fact_no, position, episode_no, span_start, span_end, since)
VALUES (?, (SELECT count(*) FROM evidence WHERE fact_no = ?), ?, ?, ?, ?)
ON CONFLICT (fact_no, episode_no, span_start, span_end) DO NOTHING
"""

_MOVED_DAYS = 1_000_000
# Lifecycles of facts that may have held, if their end is known and they were not rejected.
_HELD_ONCE = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})
_UNREJECTED = frozenset(Review) - {Review.REJECTED}
_NARROW = "FROM facts f JOIN lives v ON v.fact_no = f.fact_no"
# How facts are filed: by which column, within which system.
FILED_UNDER = (
    ("area", "f.area", "''", ""),
    ("environment", "f.environment", "''", ""),
    ("system", "f.system", "''", ""),
    ("component", "f.component", "f.system", ""),
    ("tag", "t.tag", "''", "JOIN fact_tags t ON t.fact_no = f.fact_no"),
)
_FROM = f"""
{_NARROW}
JOIN realms r ON r.realm_no = v.realm_no JOIN ledger l ON l.seq = f.fact_no
LEFT JOIN ledger s ON s.seq = v.successor_no
"""
_FACT = f"""
SELECT {RECORD}, f.statement, coalesce(v.slot, ''), v.since,
CASE WHEN {CONTESTED} THEN 1 ELSE 0 END, {LIFE} {_FROM} WHERE l.payload IS NOT NULL AND
"""
_OUTLINE = f"""
SELECT f.fact_no, r.scope, v.lifecycle, v.review, a.entity_no {_NARROW}
JOIN realms r ON r.realm_no = v.realm_no JOIN ledger l ON l.seq = f.fact_no
LEFT JOIN anchors a ON a.fact_no = f.fact_no
WHERE v.until IS NULL AND l.payload IS NOT NULL
AND f.fact_no IN {{integers}} AND v.realm_no IN {{integers}} ORDER BY f.fact_no, a.position
"""
_CROWDS = """
SELECT r.scope, c.entity_no, c.fact_no FROM (
    SELECT v.realm_no, a.entity_no, a.fact_no,
           count(*) OVER (PARTITION BY v.realm_no, a.entity_no) AS many
    FROM anchors a JOIN lives v ON v.fact_no = a.fact_no AND v.until IS NULL
    WHERE a.fact_no IN {integers}) c
JOIN realms r ON r.realm_no = c.realm_no WHERE c.many >= ?
"""
_ANCHORS = """
SELECT a.fact_no, l.event_id FROM anchors a JOIN ledger l ON l.seq = a.entity_no
WHERE a.fact_no IN {integers} ORDER BY a.fact_no, a.position
"""
_EVIDENCE = """
SELECT e.fact_no, l.event_id, e.span_start, e.span_end
FROM evidence e JOIN ledger l ON l.seq = e.episode_no
WHERE e.fact_no IN {integers} AND e.since <= ? ORDER BY e.fact_no, e.position
"""
# Values and the statements they were read from.
_BESIDE = f"""
SELECT DISTINCT {{asked}}, {{other}} FROM {SAME_WORDS}
JOIN facts f ON f.fact_no = x.fact_no AND f.subject IS NOT NULL
JOIN facts g ON g.fact_no = y.fact_no AND g.subject IS NULL
WHERE {{asked}} IN {{integers}} AND x.since <= ? AND y.since <= ? ORDER BY 1, 2
"""  # noqa: S608 - names of ours
# One step in each direction: to the successor, and to the superseded facts.
_NEXT = "SELECT successor_no FROM lives WHERE fact_no = ? AND until IS NULL"
_PREVIOUS = "SELECT fact_no FROM lives WHERE successor_no = ? AND until IS NULL ORDER BY fact_no"
_PAST = f"""
SELECT v.fact_no, v.since, v.until, b.recorded_at, b.event_id, b.kind,
b.actor, b.actor_kind, {LIFE}
FROM lives v JOIN realms r ON r.realm_no = v.realm_no JOIN ledger b ON b.seq = v.since
LEFT JOIN ledger s ON s.seq = v.successor_no
WHERE v.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours

_TURNS = """
SELECT v.since, v.fact_no, b.lifecycle, v.lifecycle, v.successor_no
FROM lives v JOIN lives b ON b.fact_no = v.fact_no AND b.until = v.since
WHERE v.since IN {integers} AND v.realm_no IN {integers}
AND b.lifecycle <> v.lifecycle AND 'current' IN (b.lifecycle, v.lifecycle)
ORDER BY v.since, v.fact_no
"""
_REJECTED = """
SELECT fact_no FROM lives WHERE review = 'rejected' AND until IS NULL AND realm_no IN {integers}
"""
# Statements that are current twice in one realm.
_DOUBLED = """
SELECT v.fact_no FROM lives v JOIN facts f ON f.fact_no = v.fact_no
WHERE v.until IS NULL AND v.lifecycle = 'current' AND EXISTS (
    SELECT 1 FROM facts g JOIN lives w ON w.fact_no = g.fact_no
    WHERE g.statement = f.statement AND g.fact_no <> f.fact_no AND w.until IS NULL
    AND w.lifecycle = 'current' AND w.realm_no = v.realm_no
)
"""
_STATING = "fact_no IN (SELECT fact_no FROM facts WHERE statement = ?)"
_ORPHANS = f"""
SELECT count(*) {_NARROW} WHERE v.until IS NULL AND v.realm_no IN {{integers}} AND (
    NOT EXISTS (SELECT 1 FROM anchors a WHERE a.fact_no = f.fact_no)
    OR NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact_no = f.fact_no)
)
"""  # noqa: S608 - names of ours


@projects(FactRecorded)
def recorded_fact(rows: Rows, recorded: Recorded, event: FactRecorded) -> None:
    """Project a new fact; if it is current, what it supersedes ends where it begins."""
    said, begins = event.said, event.valid_from or recorded.recorded_at
    triple, taxonomy = said.triple, said.taxonomy
    parts: tuple[str | None, ...] = (None,) * 5
    if triple is not None:
        parts = (
            index_key(triple.subject),
            word_key(triple.predicate),
            index_key(triple.object),
            node_key(triple.subject),
            node_key(triple.object),
        )
    places = (taxonomy.area, taxonomy.environment, taxonomy.system, taxonomy.component)
    keys = map(index_key, places)
    rows.run(_NEW_FACT, (recorded.seq, event.key, said.channel, *parts, *keys))
    for position, entity_id in enumerate(event.about):
        rows.run(_ANCHOR, (recorded.seq, position, rows.place_of(entity_id)))
    for position, tag in enumerate(taxonomy.tags):
        rows.run(_TAG, (recorded.seq, position, word_key(tag)))
    _add_evidence(rows, recorded, recorded.seq, event.evidence)
    count_unknown(rows, recorded.owner, event.unknown)
    if event.supersedes is not None and event.lifecycle is Lifecycle.CURRENT:
        by = FactId.of(recorded.event_id)
        lives.change(rows, recorded, event.supersedes, partial(superseded, by=by, at=begins))
    life = Life(
        scope=event.scope,
        lifecycle=event.lifecycle,
        review=Review.CONFIRMED if recorded.by.is_human else Review.UNREVIEWED,
        authority=event.authority,
        valid_from=begins,
        valid_to=event.valid_to,
        checked_at=recorded.recorded_at,
    )
    lives.begin(rows, recorded, recorded.seq, life, event.slot or None)
    realm = rows.realm_of(recorded, event.scope)
    rows.texts.facts.add(rows.conn, recorded.seq, realm, index_terms(said.words))


@projects(FactReinforced)
def reinforced(rows: Rows, recorded: Recorded, event: FactReinforced) -> None:
    """Project a repetition; by a person it counts as confirmation."""
    _add_evidence(rows, recorded, rows.place_of(event.fact_id), event.evidence)
    if event.affirms:
        step = partial(affirmed, since=None, at=recorded.recorded_at)
        lives.change(rows, recorded, event.fact_id, step)


@projects(FactRetired)
def retired_fact(rows: Rows, recorded: Recorded, event: FactRetired) -> None:
    """Project the end of a fact."""
    at = event.valid_to or recorded.recorded_at
    lives.change(rows, recorded, event.fact_id, partial(retired, at=at))


@projects(FactArchived)
def archived_fact(rows: Rows, recorded: Recorded, event: FactArchived) -> None:
    """Project that a fact was archived."""
    lives.change(rows, recorded, event.fact_id, archived)


@projects(ChangeUndone)
def undone(rows: Rows, recorded: Recorded, event: ChangeUndone) -> None:
    """Project an undo."""
    lives.take_back(rows, recorded, rows.place_of(event.event_id))


@projects(ProposalDecided)
def decided(rows: Rows, recorded: Recorded, event: ProposalDecided) -> None:
    """Project what a human's decision does to facts."""
    ruling = event.ruling
    since = ruling.since or recorded.recorded_at
    for fact_id in ruling.retires:
        if ruling.facts:
            step: lives.Step = partial(superseded, by=ruling.facts[0], at=since)
        else:
            step = partial(retired, at=since)
        lives.change(rows, recorded, fact_id, step)
    for fact_id in ruling.rejects:
        lives.change(rows, recorded, fact_id, rejected)
    for fact_id in ruling.facts:
        lives.change(rows, recorded, fact_id, _step(ruling, recorded))


@indexes_terms(INDEXED_FACTS)
def _fact_terms(payload: str) -> list[str]:
    """
    Return the terms of a fact's *payload* in the full-text index.

    Raises:
        CorruptionError: it is not a fact's payload.
    """
    event = decode("fact_recorded", payload, None)
    if not isinstance(event, FactRecorded):
        raise CorruptionError("a fact cannot be read")
    return index_terms(event.said.words)


def _step(ruling: Ruling, recorded: Recorded) -> lives.Step:
    at = recorded.recorded_at
    match ruling.action:
        case Action.CONFIRM | Action.SUPERSEDE | Action.EDIT | Action.MERGE:
            return partial(affirmed, since=ruling.since, at=at)
        case Action.REJECT:
            return rejected
        case Action.DISPUTE:
            return disputed
        case Action.MARK_STALE:
            return stale
        case Action.EVIDENCE_ONLY:
            return as_evidence
        case Action.RESTRICT_SCOPE:
            if ruling.scope is None:
                raise CorruptionError("a scope is restricted, and none is named")
            since = ruling.since or at
            return partial(restricted, scope=ruling.scope, since=since, at=at)


def _add_evidence(
    rows: Rows, recorded: Recorded, fact_no: int, evidence: Iterable[Evidence]
) -> None:
    for one in evidence:
        episode_no = rows.place_of(one.episode_id)
        row = (fact_no, fact_no, episode_no, one.start, one.end, recorded.seq)
        rows.run(_NEW_EVIDENCE, row)


@dataclass(frozen=True, slots=True)
class Filed:
    """How many facts are filed under a word: its key, its system, and one of the facts."""

    axis: str
    key: str
    system: str
    count: int
    example: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A fact that an event made hold or cease; `was` is empty if it had no state before."""

    event_no: int
    fact_no: int
    was: str
    now: str
    successor_no: int | None


_LIFECYCLES: Mapping[str, Lifecycle] = {one.value: one for one in Lifecycle}
_REVIEWS: Mapping[str, Review] = {one.value: one for one in Review}


class Facts(SnapshotReader):
    """The facts of one snapshot."""

    def get(self, fact_id: FactId, within: Visibility, moment: Moment = NOW) -> Fact:
        """
        Return one fact in any lifecycle, as it was known at *moment*.

        Raises:
            NotFoundError: none with this ID was visible.
        """
        place = find_place(self._conn, fact_id)
        found = [] if place is None else self.at([place], within, moment)
        if not found:
            raise not_there(self._conn, "fact", fact_id, within)
        return found[0]

    def at(self, seqs: Sequence[int], within: Visibility, moment: Moment = NOW) -> list[Fact]:
        """Return the visible facts recorded at these places, in ledger order."""
        if not seqs:
            return []
        at = known(self._conn, moment)
        sql = f"f.fact_no IN {{integers}} AND v.realm_no IN {{integers}} AND {at.sql}"
        return self._facts(f"{sql} ORDER BY f.fact_no", (seqs, within, *at.params), at)

    def select(self, which: FactFilter, *, limit: int, offset: int = 0) -> list[Fact]:
        """Return facts, the one that began last first."""
        # Choose the facts before reading any row of the ledger.
        places = self.places(which, limit=limit, offset=offset)
        position = {fact_no: at for at, fact_no in enumerate(places)}
        facts = self.at(places, which.within, which.moment)
        return sorted(facts, key=lambda fact: position[fact.seq])

    def with_beside(
        self, facts: Sequence[Fact], within: Visibility, moment: Moment = NOW
    ) -> list[Fact]:
        """Return *facts*, each with the visible others of its sentence."""
        seqs = [fact.seq for fact in facts]
        others = {**self.values_of(seqs, moment), **self._statements_of(seqs, moment)}
        places = sorted({seq for beside in others.values() for seq in beside})
        known = {one.seq: _beside(one) for one in self.at(places, within, moment)}
        return [
            replace(fact, beside=tuple(known[seq] for seq in others[fact.seq] if seq in known))
            if fact.seq in others
            else fact
            for fact in facts
        ]

    def values_of(self, seqs: Sequence[int], moment: Moment = NOW) -> Mapping[int, Sequence[int]]:
        """Return the places of values read from the statements at *seqs*."""
        return self._beside(seqs, moment, asked="y.fact_no", other="x.fact_no")

    def _statements_of(self, seqs: Sequence[int], moment: Moment) -> Mapping[int, Sequence[int]]:
        return self._beside(seqs, moment, asked="x.fact_no", other="y.fact_no")

    def _beside(
        self, seqs: Sequence[int], moment: Moment, **sides: str
    ) -> Mapping[int, Sequence[int]]:
        at, found = known(self._conn, moment), defaultdict[int, list[int]](list)
        sql = _BESIDE.format(integers=self._integers, **sides)
        for one, other in self._rows(sql, seqs, at.seq, at.seq) if seqs else ():
            found[int(one)].append(int(other))
        return found

    def places(self, which: FactFilter, *, limit: int, offset: int = 0) -> list[int]:
        """Return the places of the facts of `select`, in its order."""
        rows = self._newest(f"f.fact_no {_NARROW}", which, limit=limit, offset=offset)
        return [int(no) for (no,) in rows]

    def placed(self, which: FactFilter, *, limit: int) -> list[tuple[int, Scope]]:
        """Return the places and scopes of the facts of `select`, in its order."""
        read = f"f.fact_no, r.scope {_NARROW} JOIN realms r ON r.realm_no = v.realm_no"
        return [(int(no), Scope(at)) for no, at in self._newest(read, which, limit=limit)]

    def crowds(self, seqs: Sequence[int], least: int) -> list[tuple[Scope, int, int]]:
        """
        Return the entities that at least *least* of these facts in one scope are about.

        Each row holds the scope, the place of the entity, and the place of a fact.
        """
        rows = self._rows(_CROWDS, seqs, least)
        return [(Scope(scope), int(entity_no), int(no)) for scope, entity_no, no in rows]

    def grounds(self, seqs: Sequence[int]) -> list[int]:
        """Return those of the episodes' places on which any fact rests, visible or not."""
        sql = """SELECT DISTINCT episode_no FROM evidence
            WHERE episode_no IN {integers} ORDER BY episode_no"""
        return [int(no) for (no,) in self._rows(sql, seqs)]

    def resting_on(self, seqs: Sequence[int]) -> list[int]:
        """Return the places of facts that rest on these episodes, visible or not."""
        sql = """SELECT DISTINCT fact_no FROM evidence
            WHERE episode_no IN {integers} ORDER BY fact_no"""
        return [int(no) for (no,) in self._rows(sql, seqs)]

    def outlines(self, seqs: Sequence[int], within: Visibility) -> Mapping[int, Outline]:
        """Return the facts recorded at these places without their words, by place."""
        about: defaultdict[int, set[int]] = defaultdict(set)
        found: dict[int, tuple[Scope, Lifecycle, Review]] = {}
        for fact_no, scope, lifecycle, review, entity_no in self._rows(_OUTLINE, seqs, within):
            found[fact_no] = Scope(scope), _LIFECYCLES[lifecycle], _REVIEWS[review]
            if entity_no is not None:
                about[fact_no].add(entity_no)
        return {
            fact_no: Outline(*said, frozenset(about.get(fact_no, ())))
            for fact_no, said in found.items()
        }

    def count(self, which: FactFilter) -> int:
        """Return the number of facts of `select` without a limit."""
        narrowed = where(self._conn, which, self._integers)
        sql = f"SELECT count(*) {_NARROW} WHERE {narrowed.sql}"
        return int(self._conn.rows(sql, narrowed.params)[0][0])

    def next_begin(self, slot: str, within: Visibility, after: datetime) -> datetime | None:
        """Return when a fact known to have held in *slot* first began after an instant."""
        which = FactFilter(within=within, slot=slot, lifecycles=_HELD_ONCE, reviews=_UNREJECTED)
        narrowed = where(self._conn, which, self._integers)
        # A fact that ended without a known end never held.
        sql = f"""SELECT min(v.valid_from) {_NARROW} WHERE {narrowed.sql} AND v.valid_from > ?
            AND (v.lifecycle = ? OR v.valid_to IS NOT NULL)"""
        params = (*narrowed.params, to_micros(after), Lifecycle.CURRENT.value)
        ((begins,),) = self._conn.rows(sql, params)
        return None if begins is None else from_micros(begins)

    def days(self, which: FactFilter, *, limit: int) -> list[date]:
        """Return the days on which facts began, earliest first; of many, the latest."""
        narrowed = where(self._conn, which, self._integers)
        # Division rounds towards zero; the shift makes all times positive.
        sql = f"""SELECT DISTINCT (v.valid_from + {_MOVED_DAYS * DAY_US}) / {DAY_US}
            {_NARROW} WHERE {narrowed.sql} ORDER BY 1 DESC LIMIT ?"""
        rows = self._conn.rows(sql, (*narrowed.params, limit))
        return [(EPOCH + timedelta(days=int(no) - _MOVED_DAYS)).date() for (no,) in reversed(rows)]

    def recorded_days(self, which: FactFilter, *, limit: int) -> list[date]:
        """Return the days on which facts were last recorded or changed; of many, the latest."""
        narrowed = where(self._conn, which, self._integers)
        rows = self._conn.rows(
            f"SELECT f.fact_no, v.since {_NARROW} WHERE {narrowed.sql}", narrowed.params
        )
        places = sorted({int(place) for row in rows for place in row})
        days: list[date] = []
        # A day is a range of places, so one row of the ledger is read for each day.
        while places and len(days) < limit:
            at = self._conn.rows("SELECT recorded_at FROM ledger WHERE seq = ?", (places[-1],))
            number = int(at[0][0]) // DAY_US
            days.append((EPOCH + timedelta(days=number)).date())
            before = last_before(self._conn, number * DAY_US)
            places = places[: bisect_right(places, before)]
        return days[::-1]

    def fresh_from(self, which: FactFilter, *, limit: int) -> list[datetime]:
        """Return from when the ages of facts count, those of the latest beginning first."""
        read = f"""l.recorded_at, v.valid_from, v.checked_at
            {_NARROW} JOIN ledger l ON l.seq = f.fact_no"""
        return [from_micros(fresh_from(*row)) for row in self._newest(read, which, limit=limit)]

    def _newest(
        self, read: str, which: FactFilter, *, limit: int, offset: int = 0
    ) -> Sequence[Row]:
        """Return columns of facts, the one that began last first."""
        narrowed = where(self._conn, which, self._integers)
        sql = f"""SELECT {read} WHERE {narrowed.sql}
            ORDER BY v.valid_from DESC, f.fact_no DESC LIMIT ? OFFSET ?"""
        return self._conn.rows(sql, (*narrowed.params, limit, offset))

    def repeated_count(self, which: FactFilter) -> int:
        """Return how many of these facts repeat another word for word."""
        narrowed = where(self._conn, which, self._integers)
        sql = f"SELECT count(*) - count(DISTINCT f.statement) {_NARROW} WHERE {narrowed.sql}"
        return int(self._conn.rows(sql, narrowed.params)[0][0])

    def rejected(self, within: Visibility, key: str, *, limit: int) -> list[Fact]:
        """Return rejected facts, the last ones first, and all with this *key*."""
        last = self._rows(f"{_REJECTED} ORDER BY fact_no DESC LIMIT ?", within, limit)
        if not last:
            return []
        same = self._rows(f"{_REJECTED} AND {_STATING}", within, key)
        seqs = {int(fact_no) for (fact_no,) in (*last, *same)}
        return self.at(sorted(seqs), within)[::-1]

    def doubled(self) -> set[int]:
        """Return the places of current facts that another in the same scope repeats."""
        return {int(fact_no) for (fact_no,) in self._conn.rows(_DOUBLED)}

    def orphan_count(self, within: Visibility) -> int:
        """Return the number of facts about nothing, or without evidence."""
        return int(self._rows(_ORPHANS, within)[0][0])

    def filed(self, which: FactFilter, only: str = "") -> list[Filed]:
        """
        Return how facts are filed: areas, environments, systems, components, tags.

        *only* restricts it to one axis.
        """
        narrowed = where(self._conn, which, self._integers)
        found = []
        for axis, column, system, join in FILED_UNDER:
            if only not in {"", axis}:
                continue
            # In stores from before tags were folded, a fact may have one twice.
            sql = f"""SELECT {column}, {system}, count(DISTINCT f.fact_no), max(f.fact_no)
                {_NARROW} {join} WHERE {column} <> '' AND {narrowed.sql}
                GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"""
            for key, within, count, example in self._conn.rows(sql, narrowed.params):
                found.append(Filed(axis, str(key), str(within), int(count), int(example)))
        return found

    def head(self, fact_id: FactId, within: Visibility, moment: Moment) -> Fact | None:
        """Return what had replaced a fact by *moment*; None if nothing visible had."""
        at, place = known(self._conn, moment), find_place(self._conn, fact_id)
        sql = f"SELECT v.successor_no FROM lives v WHERE v.fact_no = ? AND {at.sql}"  # noqa: S608
        chain: list[int] = []
        while place is not None:
            chain.append(place)
            rows = self._conn.rows(sql, (place, *at.params))
            place = None if not rows or rows[0][0] is None else int(rows[0][0])
        found = {fact.seq: fact for fact in self.at(chain, within, moment)}
        return next((found[seq] for seq in reversed(chain) if seq in found), None)

    def history(self, fact_id: FactId, within: Visibility) -> list[Fact]:
        """Return the chain of supersession through a fact, oldest first."""
        start = self.get(fact_id, within).seq
        chain = [*reversed(self._followed(_PREVIOUS, start)), start, *self._followed(_NEXT, start)]
        place = {fact_no: position for position, fact_no in enumerate(chain)}
        return sorted(self.at(chain, within), key=lambda fact: place[fact.seq])

    def lives(self, fact_id: FactId, within: Visibility) -> list[PastLife]:
        """Return all lives of a fact, oldest first."""
        place = find_place(self._conn, fact_id)
        return [] if place is None else self._past("v.fact_no = ?", place, within)

    def told_lives(self, fact_id: FactId, within: Visibility) -> list[PastLife]:
        """Return all lives of a fact, oldest first, with their reasons."""
        lives = self.lives(fact_id, within)
        records = records_at(self._conn, [one.since for one in lives], self._integers)
        whys = {one.seq: str(getattr(one.event, "reason", "")) for one in records}
        return [replace(one, why=whys.get(one.since, "")) for one in lives]

    def changed_by(self, event_id: EventId, within: Visibility) -> list[PastLife]:
        """Return the lives that an event began."""
        place = find_place(self._conn, event_id)
        return [] if place is None else self._past("v.since = ?", place, within)

    def turns(self, seqs: Sequence[int], within: Visibility) -> list[Turn]:
        """Return the facts that events at *seqs* made hold or cease, except newly stated ones."""
        rows = self._rows(_TURNS, seqs, within)
        return [Turn(*row) for row in rows]

    def _past(self, condition: str, place: int, within: Visibility) -> list[PastLife]:
        sql = f"{_PAST} {condition} ORDER BY v.since, v.fact_no"
        return [self._past_life(row) for row in self._rows(sql, within, place)]

    def _past_life(self, row: Row) -> PastLife:
        fact_no, since, until, began_at, event_id, event_kind, actor, actor_kind = row[:8]
        fact = self._conn.rows("SELECT event_id FROM ledger WHERE seq = ?", (fact_no,))
        return PastLife(
            fact_id=FactId.stored(fact[0][0]),
            since=since,
            until=until,
            began_at=from_micros(began_at),
            event_id=EventId(encode_ulid(bytes(event_id))),
            event_kind=event_kind,
            by=actor_of(actor, actor_kind),
            life=read_life(row[8:]),
        )

    def _followed(self, step: str, start: int) -> list[int]:
        """Return the places along single steps; a chain has one head and no cycle (I14)."""
        chain: list[int] = []
        at: int | None = start
        while at is not None:
            found = [int(row[0]) for row in self._conn.rows(step, (at,)) if row[0] is not None]
            at = found[-1] if found else None
            if at is not None:
                chain.append(at)
        return chain

    def _facts(self, condition: str, params: Sequence[object], at: Known) -> list[Fact]:
        rows = self._rows(_FACT + condition, *contested_at(at), *params)
        seqs = [row[0] for row in rows]
        anchors = self._anchors(seqs)
        evidence = self._evidence(seqs, at)
        return [_fact(row, anchors[row[0]], evidence[row[0]]) for row in rows]

    def _anchors(self, seqs: Sequence[int]) -> Mapping[int, list[EntityId]]:
        anchors = defaultdict(list)
        for fact_no, event_id in self._rows(_ANCHORS, seqs):
            anchors[fact_no].append(EntityId.stored(event_id))
        return anchors

    def _evidence(self, seqs: Sequence[int], at: Known) -> Mapping[int, list[Evidence]]:
        evidence = defaultdict(list)
        for fact_no, event_id, start, end in self._rows(_EVIDENCE, seqs, at.seq):
            episode_id = EpisodeId.stored(event_id)
            evidence[fact_no].append(Evidence(episode_id, start, end))
        return evidence


def _beside(fact: Fact) -> Beside:
    triple, life = fact.said.triple, fact.life
    return Beside(
        id=fact.id,
        is_value=triple is not None,
        words=fact.said.text if triple is None else triple.words,
        lifecycle=life.lifecycle,
        review=life.review,
        successor=life.successor,
    )


def _fact(row: Row, about: Sequence[EntityId], evidence: Sequence[Evidence]) -> Fact:
    recorded, event = read_as(FactRecorded, row)
    key, slot, since, is_contested = row[RECORD_WIDTH : RECORD_WIDTH + 4]
    life = read_life(row[RECORD_WIDTH + 4 :])
    return Fact(
        id=FactId.of(recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        said=event.said,
        slot=slot,
        key=key,
        life=life,
        since=since,
        confidence=confidence_of(event.confidence, recorded.by.kind, life.review),
        about=tuple(about),
        evidence=tuple(evidence),
        supersedes=event.supersedes,
        is_contested=bool(is_contested),
        metadata=event.metadata,
    )
