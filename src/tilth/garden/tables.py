"""The tables of the garden, and reading them."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.event import Recorded, decode
from tilth.core.ids import FactId
from tilth.core.instant import from_micros, to_micros
from tilth.core.lifecycle import Review
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.core.text.names import index_key, name_key
from tilth.garden.events import (
    CandidateFound,
    CycleBegun,
    CycleStepEnded,
    GardenAnswered,
    GardenSpent,
    InboxFileTaken,
    RequestAsked,
    RequestQueued,
    SourceFound,
    SourceRated,
    SourceRead,
    TopicAdded,
    TopicChanged,
    TopicContains,
    TopicTended,
    VerdictSuggested,
)
from tilth.garden.model import (
    CANDIDATES_MAX,
    PRIORITIES,
    READS_MAX,
    SEARCHES_MAX,
    CandidateVerdict,
    Counts,
    Credibility,
    Cycle,
    CycleId,
    FileState,
    Outcomes,
    Request,
    RequestId,
    RequestState,
    Source,
    SourceId,
    Spent,
    Step,
    Topic,
    TopicId,
    Unit,
)
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import RECORD, RECORD_WIDTH, actor_of, find_place, read_as, read_record
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import one_of

TOPICS = Table(
    "topics",
    no=42,
    since=3,
    columns=f"""
    topic_no       $integer PRIMARY KEY,
    realm_no       $integer NOT NULL,
    name           TEXT NOT NULL,
    name_key       TEXT NOT NULL,
    priority       $integer NOT NULL
                   CHECK (priority BETWEEN {PRIORITIES.start} AND {PRIORITIES.stop - 1}),
    freshness_days $integer NOT NULL CHECK (freshness_days > 0),
    tended_at      $integer,
    is_archived    $integer NOT NULL CHECK (is_archived IN (0, 1)),
    -- How often in a row nothing was found, and since when.
    barren         $integer NOT NULL,
    barren_since   $integer CHECK ((barren = 0) = (barren_since IS NULL))
""",
    indexes="CREATE UNIQUE INDEX one_topic_of_a_name ON topics (realm_no, name_key);",
)
SOURCES = Table(
    "sources",
    no=43,
    since=3,
    columns=f"""
    source_no   $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    address     TEXT NOT NULL,
    title       TEXT NOT NULL,
    domain      TEXT NOT NULL,
    cluster     TEXT NOT NULL,
    credibility TEXT NOT NULL CHECK (credibility IN ({one_of(Credibility)})),
    fetched_at  $integer NOT NULL
""",
    indexes="CREATE UNIQUE INDEX one_source_of_an_address ON sources (realm_no, address);",
)
# The facts of topics; one found by a cycle has a source, and takes one of its places (GA-017).
TOPIC_FACTS = Table(
    "topic_facts",
    no=44,
    since=3,
    keyed=5,
    columns=f"""
    topic_no  $integer NOT NULL,
    fact_no   $integer NOT NULL,
    link_no   $integer NOT NULL,
    source_no $integer,
    cycle_no  $integer,
    nth       $integer CHECK (nth BETWEEN 1 AND {CANDIDATES_MAX}),
    search    $integer,
    PRIMARY KEY (topic_no, fact_no),
    UNIQUE (cycle_no, nth),
    CHECK ((source_no IS NULL) = (cycle_no IS NULL) AND (nth IS NULL) = (cycle_no IS NULL))
""",
    indexes="""
CREATE INDEX topics_of_a_fact ON topic_facts (fact_no);
CREATE INDEX facts_from_a_source ON topic_facts (source_no) WHERE source_no IS NOT NULL;
""",
)
CYCLES = Table(
    "cycles",
    no=45,
    since=3,
    is_record=True,
    columns="""
    cycle_no $integer PRIMARY KEY,
    owner    TEXT NOT NULL,
    begun_at $integer NOT NULL,
    turn     $integer NOT NULL,
    ended_at $integer
""",
    indexes="""
CREATE INDEX cycles_of_an_owner ON cycles (owner, cycle_no);
CREATE UNIQUE INDEX one_cycle_at_a_time ON cycles (owner) WHERE ended_at IS NULL;
""",
)
CYCLE_STEPS = Table(
    "cycle_steps",
    no=46,
    since=3,
    keyed=5,
    is_record=True,
    columns=f"""
    cycle_no $integer NOT NULL,
    step     TEXT NOT NULL CHECK (step IN ({one_of(Step)})),
    ended_no $integer NOT NULL,
    PRIMARY KEY (cycle_no, step)
""",
)
# What cycles paid for; the table has no place beyond the budget (GA-016).
GARDEN_SPENDING = Table(
    "garden_spending",
    no=47,
    since=3,
    is_record=True,
    columns=f"""
    spent_no    $integer PRIMARY KEY,
    cycle_no    $integer NOT NULL,
    unit        TEXT NOT NULL CHECK (unit IN ({one_of(Unit)})),
    nth         $integer NOT NULL CHECK (
        nth BETWEEN 1 AND CASE unit WHEN 'search' THEN {SEARCHES_MAX} ELSE {READS_MAX} END
    ),
    topic_no    $integer NOT NULL,
    answered_no $integer,
    UNIQUE (cycle_no, unit, nth)
""",
)
GARDEN_REQUESTS = Table(
    "garden_requests",
    no=48,
    since=3,
    is_record=True,
    columns=f"""
    request_no $integer PRIMARY KEY,
    realm_no   $integer NOT NULL,
    text_key   TEXT NOT NULL,
    topic_no   $integer,
    state      TEXT NOT NULL CHECK (state IN ({one_of(RequestState)}))
""",
    indexes="CREATE UNIQUE INDEX one_request_of_a_text ON garden_requests (realm_no, text_key);",
)
# The files of inboxes by their bytes; each outcome once.
INBOX_FILES = Table(
    "inbox_files",
    no=49,
    since=3,
    is_record=True,
    columns=f"""
    file_no $integer PRIMARY KEY,
    owner   TEXT NOT NULL,
    inbox   TEXT NOT NULL,
    name    TEXT NOT NULL,
    digest  TEXT NOT NULL,
    state   TEXT NOT NULL CHECK (state IN ({one_of(FileState)})),
    UNIQUE (owner, inbox, name, digest, state)
""",
)
SUGGESTED_VERDICTS = Table(
    "suggested_verdicts",
    no=50,
    since=3,
    keyed=5,
    columns=f"""
    fact_no    $integer NOT NULL,
    inbox      TEXT NOT NULL,
    verdict    TEXT NOT NULL CHECK (verdict IN ({one_of(CandidateVerdict)})),
    verdict_no $integer NOT NULL,
    PRIMARY KEY (fact_no, inbox)
""",
)


@projects(TopicAdded)
def topic_added(rows: Rows, recorded: Recorded, event: TopicAdded) -> None:
    """Project a new topic."""
    draft = event.draft
    realm, name = rows.realm_of(recorded, draft.scope), storable(draft.name)
    rows.run(
        """INSERT INTO topics (topic_no, realm_no, name, name_key, priority, freshness_days,
        is_archived, barren) VALUES (?, ?, ?, ?, ?, ?, 0, 0)""",
        (recorded.seq, realm, name, _key(draft.name, recorded), draft.priority,
         draft.freshness_days),
    )  # fmt: skip


@projects(TopicChanged)
def topic_changed(rows: Rows, recorded: Recorded, event: TopicChanged) -> None:
    """Project a change of a topic."""
    place = rows.place_of(event.topic_id)
    name = storable(event.name)
    for column, value in (
        ("name", name or None),
        ("name_key", _key(event.name, recorded) if name else None),
        ("priority", event.priority),
        ("freshness_days", event.freshness_days),
        ("is_archived", None if event.is_archived is None else int(event.is_archived)),
    ):
        if value is not None:
            rows.run(f"UPDATE topics SET {column} = ? WHERE topic_no = ?", (value, place))  # noqa: S608


@projects(TopicTended)
def topic_tended(rows: Rows, recorded: Recorded, event: TopicTended) -> None:
    """Project the tending of a topic."""
    at, place = to_micros(recorded.recorded_at), rows.place_of(event.topic_id)
    if event.found_count:
        rows.run(
            """UPDATE topics SET tended_at = ?, barren = 0, barren_since = NULL
            WHERE topic_no = ?""",
            (at, place),
        )
    else:
        rows.run(
            """UPDATE topics SET tended_at = ?, barren = barren + 1,
            barren_since = coalesce(barren_since, ?) WHERE topic_no = ?""",
            (at, at, place),
        )


@projects(TopicContains)
def topic_contains(rows: Rows, recorded: Recorded, event: TopicContains) -> None:
    """Project a known fact added to a topic."""
    rows.run(
        """INSERT INTO topic_facts (topic_no, fact_no, link_no) VALUES (?, ?, ?)
        ON CONFLICT (topic_no, fact_no) DO NOTHING""",
        (rows.place_of(event.topic_id), rows.place_of(event.fact_id), recorded.seq),
    )


@projects(SourceFound)
def source_found(rows: Rows, recorded: Recorded, event: SourceFound) -> None:
    """Project a new source."""
    draft = event.draft
    realm = rows.realm_of(recorded, draft.scope)
    address = f"erased:{recorded.seq}" if not draft.title and _is_gone(draft.address) else None
    rows.run(
        """INSERT INTO sources (source_no, realm_no, address, title, domain, cluster, credibility,
        fetched_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (recorded.seq, realm, address or storable(draft.address), storable(draft.title),
         storable(draft.domain), storable(draft.cluster), draft.credibility.value,
         to_micros(recorded.recorded_at)),
    )  # fmt: skip


@projects(SourceRead)
def source_read(rows: Rows, recorded: Recorded, event: SourceRead) -> None:
    """Project a further read of a source."""
    rows.run(
        "UPDATE sources SET fetched_at = ?, cluster = ? WHERE source_no = ?",
        (to_micros(recorded.recorded_at), event.cluster, rows.place_of(event.source_id)),
    )


@projects(SourceRated)
def source_rated(rows: Rows, _: Recorded, event: SourceRated) -> None:
    """Project a source's credibility."""
    rows.run(
        "UPDATE sources SET credibility = ? WHERE source_no = ?",
        (event.credibility.value, rows.place_of(event.source_id)),
    )


@projects(CandidateFound)
def candidate_found(rows: Rows, recorded: Recorded, event: CandidateFound) -> None:
    """Project a candidate with its topic, source, and number in the cycle."""
    rows.run(
        """INSERT INTO topic_facts (topic_no, fact_no, link_no, source_no, cycle_no, nth, search)
        VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (rows.place_of(event.topic_id), rows.place_of(event.fact_id), recorded.seq,
         rows.place_of(event.source_id), rows.place_of(event.cycle_id), event.nth, event.search),
    )  # fmt: skip


@projects(CycleBegun)
def cycle_begun(rows: Rows, recorded: Recorded, event: CycleBegun) -> None:
    """Project the beginning of a cycle."""
    rows.run(
        "INSERT INTO cycles (cycle_no, owner, begun_at, turn) VALUES (?, ?, ?, ?)",
        (recorded.seq, recorded.owner, to_micros(recorded.recorded_at), event.turn),
    )


@projects(CycleStepEnded)
def cycle_step_ended(rows: Rows, recorded: Recorded, event: CycleStepEnded) -> None:
    """Project the end of a step."""
    place = rows.place_of(event.cycle_id)
    rows.run(
        "INSERT INTO cycle_steps (cycle_no, step, ended_no) VALUES (?, ?, ?)",
        (place, event.step.value, recorded.seq),
    )
    if event.step is Step.LOG:
        at = to_micros(recorded.recorded_at)
        rows.run("UPDATE cycles SET ended_at = ? WHERE cycle_no = ?", (at, place))


@projects(GardenSpent)
def garden_spent(rows: Rows, recorded: Recorded, event: GardenSpent) -> None:
    """Project a payment."""
    rows.run(
        """INSERT INTO garden_spending (spent_no, cycle_no, unit, nth, topic_no)
        VALUES (?, ?, ?, ?, ?)""",
        (recorded.seq, rows.place_of(event.cycle_id), event.unit.value, event.nth,
         rows.place_of(event.topic_id)),
    )  # fmt: skip


@projects(GardenAnswered)
def garden_answered(rows: Rows, recorded: Recorded, event: GardenAnswered) -> None:
    """Project a result."""
    rows.run(
        """UPDATE garden_spending SET answered_no = ?
        WHERE cycle_no = ? AND unit = ? AND nth = ? AND answered_no IS NULL""",
        (recorded.seq, rows.place_of(event.cycle_id), event.unit.value, event.nth),
    )


@projects(RequestQueued)
def request_queued(rows: Rows, recorded: Recorded, event: RequestQueued) -> None:
    """Project a waiting question."""
    topic = None if event.topic_id is None else rows.place_of(event.topic_id)
    rows.run(
        """INSERT INTO garden_requests (request_no, realm_no, text_key, topic_no, state)
        VALUES (?, ?, ?, ?, 'open')""",
        (recorded.seq, rows.realm_of(recorded, event.scope), _key(event.text, recorded), topic),
    )


@projects(RequestAsked)
def request_asked(rows: Rows, _: Recorded, event: RequestAsked) -> None:
    """Project that a question was asked."""
    rows.run(
        "UPDATE garden_requests SET state = 'asked', topic_no = ? WHERE request_no = ?",
        (rows.place_of(event.topic_id), rows.place_of(event.request_id)),
    )


@projects(InboxFileTaken)
def inbox_file_taken(rows: Rows, recorded: Recorded, event: InboxFileTaken) -> None:
    """Project what became of a file."""
    rows.run(
        """INSERT INTO inbox_files (file_no, owner, inbox, name, digest, state)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (owner, inbox, name, digest, state) DO NOTHING""",
        (recorded.seq, recorded.owner, event.inbox, event.name, event.digest, event.state.value),
    )


@projects(VerdictSuggested)
def verdict_suggested(rows: Rows, recorded: Recorded, event: VerdictSuggested) -> None:
    """Project an unsigned answer; the last one of an inbox counts."""
    rows.run(
        """INSERT INTO suggested_verdicts (fact_no, inbox, verdict, verdict_no) VALUES (?, ?, ?, ?)
        ON CONFLICT (fact_no, inbox) DO UPDATE SET verdict = excluded.verdict,
            verdict_no = excluded.verdict_no""",
        (rows.place_of(event.fact_id), event.inbox, event.verdict.value, recorded.seq),
    )


def _key(text: str, recorded: Recorded) -> str:
    """Return the key that makes a name or question unique; an erased one is unique by itself."""
    return index_key(text) if name_key(text) and not _is_gone(text) else f"erased:{recorded.seq}"


def _is_gone(text: str) -> bool:
    return text == "(erased)"


_TOPIC = f"""
SELECT {RECORD}, t.name, t.priority, t.freshness_days, r.scope, t.tended_at, t.is_archived,
    t.barren, t.barren_since
FROM topics t JOIN ledger l ON l.seq = t.topic_no JOIN realms r ON r.realm_no = t.realm_no
WHERE t.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_COUNTS = """
SELECT f.topic_no,
    sum(CASE WHEN v.lifecycle = 'current' AND v.review = 'confirmed' THEN 1 ELSE 0 END),
    sum(CASE WHEN v.lifecycle = 'draft' AND v.review = 'unreviewed' THEN 1 ELSE 0 END),
    sum(CASE WHEN v.review = 'rejected' THEN 1 ELSE 0 END),
    sum(CASE WHEN v.review = 'disputed' THEN 1 ELSE 0 END),
    sum(CASE WHEN v.lifecycle = 'current' AND v.review = 'unreviewed' THEN 1 ELSE 0 END)
FROM topic_facts f JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
WHERE f.topic_no IN {integers} GROUP BY f.topic_no
"""
_OUTCOME = """
    sum(CASE WHEN v.review = 'confirmed' THEN 1 ELSE 0 END),
    sum(CASE WHEN v.review = 'rejected' THEN 1 ELSE 0 END),
    sum(CASE WHEN v.review NOT IN ('confirmed', 'rejected') THEN 1 ELSE 0 END)
"""
_SOURCE = """
SELECT l.event_id, l.owner, s.source_no, s.address, s.title, s.domain, s.cluster, s.credibility,
    r.scope, s.fetched_at
FROM sources s JOIN ledger l ON l.seq = s.source_no JOIN realms r ON r.realm_no = s.realm_no
WHERE s.realm_no IN {integers} AND
"""
_BY_SOURCE = f"""
SELECT f.source_no, {_OUTCOME}
FROM topic_facts f JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
WHERE f.source_no IN {{integers}} GROUP BY f.source_no
"""  # noqa: S608 - names of ours
_CYCLE = """
SELECT c.cycle_no, l.event_id, c.begun_at, c.turn, c.ended_at
FROM cycles c JOIN ledger l ON l.seq = c.cycle_no WHERE c.owner = ?
"""
_STEPS = """
SELECT s.cycle_no, s.step, l.payload FROM cycle_steps s JOIN ledger l ON l.seq = s.ended_no
WHERE s.cycle_no IN {integers}
"""
_SPENT = """
SELECT g.unit, g.nth, l.kind, l.payload, t.event_id, a.kind, a.payload
FROM garden_spending g JOIN ledger l ON l.seq = g.spent_no JOIN ledger t ON t.seq = g.topic_no
LEFT JOIN ledger a ON a.seq = g.answered_no
WHERE {of} ORDER BY g.spent_no
"""
_LINKS = """
SELECT f.fact_no, f.topic_no, f.source_no, f.cycle_no, f.nth, f.search, f.link_no,
    t.event_id, s.event_id, c.event_id, k.recorded_at, q.payload
FROM topic_facts f
JOIN topics o ON o.topic_no = f.topic_no
JOIN ledger t ON t.seq = f.topic_no
JOIN ledger s ON s.seq = f.source_no
JOIN ledger c ON c.seq = f.cycle_no
JOIN ledger k ON k.seq = f.link_no
JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
LEFT JOIN garden_spending g ON g.cycle_no = f.cycle_no AND g.unit = 'search' AND g.nth = f.search
LEFT JOIN ledger q ON q.seq = g.spent_no
WHERE o.realm_no IN {integers}
"""


# SQL for a waiting candidate, for an answered one, and for its time: later lives may only end it.
_OPEN = "v.lifecycle = 'draft' AND v.review = 'unreviewed'"
_ANSWERED = "v.review IN ('confirmed', 'rejected')"
_FIRST_ANSWER = """(
    SELECT min(w.since) FROM lives w WHERE w.fact_no = f.fact_no AND w.review <> 'unreviewed'
)"""
_ANSWERED_SINCE = f"""{_ANSWERED} AND EXISTS (
    SELECT 1 FROM ledger d WHERE d.seq = {_FIRST_ANSWER} AND d.recorded_at >= ?
)"""  # noqa: S608 - names of ours
_DECISIONS = f"""
SELECT v.review, d.recorded_at FROM topic_facts f
JOIN topics o ON o.topic_no = f.topic_no
JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
JOIN ledger d ON d.seq = {_FIRST_ANSWER}
WHERE o.realm_no IN {{integers}} AND f.cycle_no IS NOT NULL AND {_ANSWERED}
ORDER BY d.seq DESC
"""  # noqa: S608 - names of ours
_ANSWERS = f"""
SELECT v.review, count(DISTINCT f.fact_no) FROM topic_facts f
JOIN topics o ON o.topic_no = f.topic_no
JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
WHERE o.realm_no IN {{integers}} AND f.cycle_no IS NOT NULL AND v.review <> 'unreviewed'
AND {_FIRST_ANSWER} > ? GROUP BY v.review
"""  # noqa: S608 - names of ours
_BY_SEARCH = f"""
SELECT t.event_id, q.payload, {_OUTCOME} FROM topic_facts f
JOIN topics o ON o.topic_no = f.topic_no
JOIN ledger t ON t.seq = f.topic_no
JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
JOIN garden_spending g ON g.cycle_no = f.cycle_no AND g.unit = 'search' AND g.nth = f.search
JOIN ledger q ON q.seq = g.spent_no
WHERE o.realm_no IN {{integers}} GROUP BY t.event_id, q.payload
"""  # noqa: S608 - names of ours


class Topics(SnapshotReader):
    """The topics of one snapshot."""

    def get(self, topic_id: TopicId, within: Visibility) -> Topic:
        """
        Return one topic.

        Raises:
            NotFoundError: no such topic exists or is visible.
        """
        found = self._read("t.topic_no = ?", (find_place(self._conn, topic_id) or 0,), within)
        if not found:
            raise NotFoundError(f"no topic {topic_id!r}", hint="see: tilth topic list")
        return found[0]

    def named(self, name: str, within: Visibility) -> Topic | None:
        """Return the topic of a name; None if there is none."""
        return next(iter(self.called(name, within)), None)

    def called(self, name: str, within: Visibility) -> list[Topic]:
        """Return the topics of a name, in any case; each scope has at most one."""
        return self._read("t.name_key = ? ORDER BY t.topic_no", (index_key(name),), within)

    def select(self, within: Visibility, *, archived: bool = False) -> list[Topic]:
        """Return topics, those of the highest priority first and the oldest of those first."""
        clause = "t.is_archived = ? ORDER BY t.priority DESC, t.topic_no"
        return self._read(clause, (int(archived),), within)

    def of_fact(self, fact_id: FactId, within: Visibility) -> list[Topic]:
        """Return the topics of a fact."""
        clause = "t.topic_no IN (SELECT topic_no FROM topic_facts WHERE fact_no = ?)"
        return self._read(clause, (find_place(self._conn, fact_id) or 0,), within)

    def _read(self, clause: str, params: Sequence[object], within: Visibility) -> list[Topic]:
        rows = self._rows(_TOPIC + clause, within, *params)
        numbers = [int(row[0]) for row in rows]
        counted = self._rows(_COUNTS, numbers)
        counts = {
            int(no): Counts(
                confirmed=int(confirmed), candidates=int(candidates), rejected=int(rejected),
                disputed=int(disputed), unreviewed=int(unreviewed),
            )
            for no, confirmed, candidates, rejected, disputed, unreviewed in counted
        }  # fmt: skip
        return [_topic(row, counts.get(int(row[0]), Counts())) for row in rows]


class Sources(SnapshotReader):
    """The sources of one snapshot."""

    def get(self, source_id: SourceId, within: Visibility) -> Source:
        """
        Return one source.

        Raises:
            NotFoundError: no such source exists or is visible.
        """
        found = self._read("s.source_no = ?", (find_place(self._conn, source_id) or 0,), within)
        if not found:
            raise NotFoundError(f"no source {source_id!r}", hint="see: tilth source list")
        return found[0]

    def at(self, address: str, within: Visibility) -> Source | None:
        """Return the source at a normalised address; None if there is none."""
        found = self._read("s.address = ? ORDER BY s.source_no", (address,), within)
        return found[0] if found else None

    def select(self, within: Visibility, *, limit: int) -> list[Source]:
        """Return sources, the last read first."""
        clause = "1 = 1 ORDER BY s.fetched_at DESC, s.source_no DESC LIMIT ?"
        return self._read(clause, (limit,), within)

    def _read(self, clause: str, params: Sequence[object], within: Visibility) -> list[Source]:
        rows = self._rows(_SOURCE + clause, within, *params)
        numbers = [int(row[2]) for row in rows]
        counted = self._rows(_BY_SOURCE, numbers)
        by_source = {int(no): _outcomes(counts) for no, *counts in counted}
        return [_source(row, by_source.get(int(row[2]), Outcomes())) for row in rows]


class Cycles(SnapshotReader):
    """The cycles of one snapshot, with their payments."""

    def last(self, owner: Owner, *, limit: int = 1) -> list[Cycle]:
        """Return the last cycles of an owner, the newest first."""
        rows = self._conn.rows(f"{_CYCLE} ORDER BY c.cycle_no DESC LIMIT ?", (owner, limit))
        numbers = [int(row[0]) for row in rows]
        steps = self._rows(_STEPS, numbers)
        return [_cycle(row, steps) for row in rows]

    def open(self, owner: Owner) -> Cycle | None:
        """Return the open cycle, which runs or was interrupted; None if there is none."""
        return next((one for one in self.last(owner) if one.ended_at is None), None)

    def spent(self, cycle_id: CycleId) -> list[Spent]:
        """Return a cycle's payments, in order."""
        place = find_place(self._conn, cycle_id) or 0
        return [
            _spent(row) for row in self._conn.rows(_SPENT.format(of="g.cycle_no = ?"), (place,))
        ]

    def spent_count(self, cycle_id: CycleId, unit: Unit) -> int:
        """Return how many searches or reads a cycle paid for."""
        sql = "SELECT count(*) FROM garden_spending WHERE cycle_no = ? AND unit = ?"
        place = find_place(self._conn, cycle_id) or 0
        return int(self._conn.rows(sql, (place, unit.value))[0][0])

    def spent_on(self, topic_id: TopicId, *, unit: Unit, before: int) -> list[Spent]:
        """Return payments for a topic from before a place of the ledger, the latest last."""
        place = find_place(self._conn, topic_id) or 0
        sql = _SPENT.format(of="g.topic_no = ? AND g.unit = ? AND g.spent_no < ?")
        return [_spent(row) for row in self._conn.rows(sql, (place, unit.value, before))]

    def paid_count(self, owner: Owner, unit: Unit) -> int:
        """Return how many searches or reads were ever paid for."""
        sql = """SELECT count(*) FROM garden_spending g JOIN cycles c ON c.cycle_no = g.cycle_no
            WHERE c.owner = ? AND g.unit = ?"""
        return int(self._conn.rows(sql, (owner, unit.value))[0][0])

    def candidate_count(self, cycle_id: CycleId) -> int:
        """Return how many candidates a cycle has found."""
        sql = "SELECT count(*) FROM topic_facts WHERE cycle_no = ?"
        return int(self._conn.rows(sql, (find_place(self._conn, cycle_id) or 0,))[0][0])

    def tended(self, cycle_id: CycleId) -> list[tuple[TopicId, TopicTended]]:
        """Return the topics that a cycle tended, with the result."""
        sql = f"""SELECT {RECORD} FROM ledger l
            WHERE l.kind = 'topic_tended' AND l.seq > ? AND l.payload IS NOT NULL
            ORDER BY l.seq"""  # noqa: S608 - names of ours
        place = find_place(self._conn, cycle_id) or 0
        events = [read_record(row).event for row in self._conn.rows(sql, (place,))]
        return [
            (one.topic_id, one)
            for one in events
            if isinstance(one, TopicTended) and one.cycle_id == cycle_id
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateFilter:
    """
    A filter of candidates; all given fields must hold.

    `is_open` keeps waiting ones, or the others; `decided_from` keeps those that a human answered at
    that time or later.
    """

    topic_id: TopicId | None = None
    cycle_id: CycleId | None = None
    is_open: bool | None = None
    decided_from: datetime | None = None


EVERY = CandidateFilter()


class Links(SnapshotReader):
    """The links between facts, topics, sources and questions."""

    def select(
        self,
        within: Visibility,
        which: CandidateFilter = EVERY,
        *,
        limit: int = 1000,
    ) -> list[Row]:
        """
        Return candidates as rows, newest first.

        A row holds the places of fact, topic, source and cycle, the numbers, the place of the link,
        three event IDs, the time, and the payload of the search.
        """
        conditions, params = [""], list[object]([within])
        for column, id_ in (("f.topic_no", which.topic_id), ("f.cycle_no", which.cycle_id)):
            if id_ is not None:
                conditions.append(f"{column} = ?")
                params.append(find_place(self._conn, id_) or 0)
        if which.is_open is not None:
            conditions.append(_OPEN if which.is_open else f"NOT ({_OPEN})")
        if which.decided_from is not None:
            conditions.append(_ANSWERED_SINCE)
            params.append(to_micros(which.decided_from))
        sql = _LINKS + " AND ".join(conditions)
        return self._rows(f"{sql} ORDER BY f.link_no DESC LIMIT ?", *params, limit)

    def contained(self, topic_id: TopicId) -> list[int]:
        """Return the places of facts that somebody added to a topic, in ledger order."""
        sql = """SELECT fact_no FROM topic_facts WHERE topic_no = ? AND cycle_no IS NULL
            ORDER BY fact_no"""
        rows = self._conn.rows(sql, (find_place(self._conn, topic_id) or 0,))
        return [int(row[0]) for row in rows]

    def open_count(self, within: Visibility) -> int:
        """Return how many candidates wait for a human."""
        sql = f"""SELECT count(*) FROM topic_facts f
            JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
            WHERE f.cycle_no IS NOT NULL AND {_OPEN}
            AND v.realm_no IN {self._integers}"""  # noqa: S608 - values are bound
        return int(self._rows(sql, within)[0][0])

    def decisions(self, within: Visibility) -> list[tuple[Review, datetime]]:
        """Return humans' answers about candidates with their times, latest first."""
        rows = self._rows(_DECISIONS, within)
        return [(Review(review), from_micros(at)) for review, at in rows]

    def answers(self, within: Visibility, *, after: int) -> dict[Review, int]:
        """Return how many candidates humans answered *after* a place in the ledger, by answer."""
        rows = self._rows(_ANSWERS, within, after)
        return {Review(review): int(count) for review, count in rows}

    def by_search(self, within: Visibility) -> list[tuple[TopicId, str, Outcomes]]:
        """Return the outcomes of candidates by topic and question."""
        rows = self._rows(_BY_SEARCH, within)
        return [
            (TopicId.stored(topic), _asked(payload), _outcomes(counts))
            for topic, payload, *counts in rows
        ]


class Inbox(SnapshotReader):
    """Files of inboxes, and waiting questions."""

    def signer(self, owner: Owner, inbox: str, name: str, digest: str) -> Recorded | None:
        """Return the event with which a human signed exactly these bytes; None if nobody did."""
        sql = f"""SELECT {RECORD} FROM inbox_files i JOIN ledger l ON l.seq = i.file_no
            WHERE i.owner = ? AND i.inbox = ? AND i.name = ? AND i.digest = ?
            AND i.state = 'signed' AND l.actor_kind = 'human'"""  # noqa: S608 - names of ours
        rows = self._conn.rows(sql, (owner, inbox, name, digest))
        return read_record(rows[0]) if rows else None

    def is_taken(
        self, owner: Owner, inbox: str, name: str, digest: str, states: Collection[FileState]
    ) -> bool:
        """Say whether exactly these bytes were in one of *states* before."""
        sql = f"""SELECT 1 FROM inbox_files WHERE owner = ? AND inbox = ? AND name = ?
            AND digest = ? AND state IN ({one_of(states)})"""  # noqa: S608 - words of ours
        return bool(self._conn.rows(sql, (owner, inbox, name, digest)))

    def suggested(self, within: Visibility) -> list[tuple[FactId, VerdictSuggested]]:
        """Return the answers of unsigned files about open candidates."""
        sql = f"""SELECT {RECORD} FROM suggested_verdicts g
            JOIN ledger l ON l.seq = g.verdict_no
            JOIN lives v ON v.fact_no = g.fact_no AND v.until IS NULL
            WHERE v.realm_no IN {self._integers} AND v.lifecycle = 'draft'
            AND v.review = 'unreviewed' AND l.payload IS NOT NULL
            ORDER BY g.verdict_no"""  # noqa: S608 - values are bound
        rows = self._rows(sql, within)
        events = [read_record(row).event for row in rows]
        return [(one.fact_id, one) for one in events if isinstance(one, VerdictSuggested)]

    def requests(
        self, within: Visibility, *, state: RequestState = RequestState.OPEN
    ) -> list[Request]:
        """Return the questions of humans, oldest first."""
        sql = f"""SELECT {RECORD}, q.state, t.event_id FROM garden_requests q
            JOIN ledger l ON l.seq = q.request_no LEFT JOIN ledger t ON t.seq = q.topic_no
            WHERE q.realm_no IN {self._integers} AND q.state = ? AND l.payload IS NOT NULL
            ORDER BY q.request_no"""  # noqa: S608 - values are bound
        rows = self._rows(sql, within, state.value)
        return [_request(row) for row in rows]

    def knows_request(self, text: str, owner: Owner) -> bool:
        """Say whether the same question was queued before."""
        sql = """SELECT 1 FROM garden_requests
            WHERE text_key = ? AND realm_no IN {integers}"""
        return bool(self._rows(sql, index_key(text), Visibility(owner)))


def _topic(row: Row, counts: Counts) -> Topic:
    seq, event_id, recorded_at, owner, actor, kind = row[:6]
    name, priority, days, scope, tended_at, is_archived, barren, since = row[RECORD_WIDTH:]
    return Topic(
        id=TopicId.stored(event_id),
        seq=int(seq),
        owner=Owner(owner),
        by=actor_of(actor, kind),
        added_at=from_micros(recorded_at),
        name=name,
        priority=int(priority),
        freshness_days=int(days),
        scope=Scope(scope),
        last_tended=None if tended_at is None else from_micros(tended_at),
        is_archived=bool(is_archived),
        barren=int(barren),
        barren_since=None if since is None else from_micros(since),
        counts=counts,
    )


def _source(row: Row, outcomes: Outcomes) -> Source:
    event_id, owner, seq, address, title, domain, cluster, credibility, scope, fetched_at = row
    return Source(
        id=SourceId.stored(event_id),
        seq=int(seq),
        owner=Owner(owner),
        address=address,
        title=title,
        domain=domain,
        cluster=cluster,
        credibility=Credibility(credibility),
        scope=Scope(scope),
        fetched_at=from_micros(fetched_at),
        outcomes=outcomes,
    )


def _asked(payload: str | None) -> str:
    """Return the question of a search; empty if it was erased."""
    event = decode("garden_spent", payload, None) if payload else None
    return event.what if isinstance(event, GardenSpent) else ""


def _outcomes(counts: Sequence[int]) -> Outcomes:
    confirmed, rejected, waiting = map(int, counts)
    return Outcomes(confirmed=confirmed, rejected=rejected, waiting=waiting)


def _cycle(row: Row, steps: Sequence[Row]) -> Cycle:
    no, event_id, begun_at, turn, ended_at = row
    told = {step: payload for cycle_no, step, payload in steps if cycle_no == no}
    ended = {
        step: json.loads(told[step]).get("told", {}) if told[step] else {}
        for step in Step
        if step in told
    }
    return Cycle(
        id=CycleId.stored(event_id),
        seq=int(no),
        begun_at=from_micros(begun_at),
        turn=int(turn),
        ended_at=None if ended_at is None else from_micros(ended_at),
        ended=ended,
    )


def _spent(row: Row) -> Spent:
    unit, nth, kind, payload, topic, answer_kind, answer = row
    event = decode(kind, payload, None) if payload else None
    answered = decode(answer_kind, answer, None) if answer else None
    return Spent(
        unit=Unit(unit),
        nth=int(nth),
        topic_id=TopicId.stored(topic),
        what=event.what if isinstance(event, GardenSpent) else "",
        found=answered.found if isinstance(answered, GardenAnswered) else None,
        left_count=answered.left_count if isinstance(answered, GardenAnswered) else 0,
        failed=answered.failed if isinstance(answered, GardenAnswered) else (),
    )


def _request(row: Row) -> Request:
    recorded, event = read_as(RequestQueued, row)
    state, topic = row[RECORD_WIDTH:]
    return Request(
        id=RequestId.of(recorded.event_id),
        text=event.text,
        topic_id=None if topic is None else TopicId.stored(topic),
        state=RequestState(state),
        asked_at=recorded.recorded_at,
    )
