"""Filters of facts as SQL, through which every read of facts goes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId, EpisodeId, encode_ulid
from tilth.core.instant import to_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.core.text.names import index_key
from tilth.episodes.filters import last_before
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.vocabulary.registries import Channel, Registry, word_key
from tilth.knowledge.vocabulary.tables import spellings
from tilth.ledger.engine import FACTS, Connection, Where
from tilth.ledger.realms import is_every_realm, realm_numbers, visible_realms
from tilth.ledger.records import RECORD, find_place, read_record
from tilth.ledger.sql_list import Clause, among

_TOLD = frozenset({Lifecycle.DRAFT, Lifecycle.HISTORICAL})
_LAST_SEQ = 2**62
# Facts that ever held, whatever their present state: one that ended without a known end never
# counts, nor an import that nobody promoted.
_HELD = """v.review <> 'rejected' AND (v.lifecycle IN ('current', 'superseded')
OR (v.lifecycle = 'historical' AND v.valid_to IS NOT NULL))"""
_AT = "v.valid_from <= ? AND (v.valid_to IS NULL OR v.valid_to > ?)"
# The SQL of `Life.holds_at`.
_NOW = """(v.valid_from <= v.checked_at OR v.valid_from <= ?)
AND (v.valid_to IS NULL OR v.valid_to > ?)"""
_ABOUT = """f.fact_no IN (
    WITH RECURSIVE same (entity_no) AS (
        SELECT CAST(? AS BIGINT) UNION
        SELECT m.entity_no FROM entities m JOIN same ON m.merged_into = same.entity_no
    ) SELECT a.fact_no FROM anchors a JOIN same ON same.entity_no = a.entity_no
)"""
# All names of the visible entities with a name, and of those merged into them.
_NAMED_ALIKE = """
WITH RECURSIVE up (entity_no, merged_into) AS (
    SELECT e.entity_no, e.merged_into FROM names n JOIN entities e ON e.entity_no = n.entity_no
    WHERE n.key = ? AND e.realm_no IN {integers}
    UNION SELECT e.entity_no, e.merged_into FROM entities e JOIN up ON e.entity_no = up.merged_into
), same (entity_no) AS (
    SELECT entity_no FROM up
    UNION SELECT m.entity_no FROM entities m JOIN same ON m.merged_into = same.entity_no
)
SELECT DISTINCT n.key FROM names n JOIN same ON same.entity_no = n.entity_no
JOIN entities e ON e.entity_no = n.entity_no WHERE e.realm_no IN {integers}
"""
_TAG = "f.fact_no IN (SELECT t.fact_no FROM fact_tags t WHERE {found})"
_WRITTEN = "EXISTS (SELECT 1 FROM ledger b WHERE b.seq = f.fact_no AND {wrote})"
# Leaves out values read from the words of another fact in the result (ADR 11). The inner names hide
# the outer ones, so that the same condition says what else is shown.
_ONCE = """f.subject IS NULL OR NOT EXISTS (
    SELECT 1 FROM {same_words} WHERE x.fact_no = f.fact_no AND EXISTS (
        SELECT 1 FROM facts f JOIN lives v ON v.fact_no = f.fact_no
        WHERE f.fact_no = y.fact_no AND f.subject IS NULL AND {shown}
    )
)"""
# The first evidence of a value, `x`, is the words that it was read from; a statement's evidence,
# `y`, contains these.
SAME_WORDS = """evidence x JOIN evidence y ON y.episode_no = x.episode_no
AND x.position = 0 AND x.span_end > x.span_start
AND y.span_start <= x.span_start AND y.span_end >= x.span_end"""
_RESTS_ON = "f.fact_no IN (SELECT e.fact_no FROM evidence e WHERE e.episode_no = ?)"
# Proposals that wait though they were decided once: few, and mostly none.
_DECIDED_ONCE = """
SELECT p.proposal_no, m.event_id FROM proposals p JOIN namings n ON n.named_no = p.proposal_no
JOIN ledger m ON m.seq = n.naming_no
WHERE p.proposal_no <= ? AND (p.decided_no IS NULL OR p.decided_no > ?) AND n.naming_no <= ?
AND m.kind = 'proposal_decided'
"""
_UNDONE_SINCE = f"""
SELECT {RECORD} FROM ledger l
WHERE l.seq > ? AND l.kind = 'change_undone' AND l.payload IS NOT NULL
"""  # noqa: S608 - names of ours
# Filters that leave few facts, each with an index.
_TELLING = ("subject", "object", "system", "key", "about", "episode_id")


@dataclass(frozen=True, slots=True)
class Moment:
    """
    The moment to look from: what held at `as_of`, as it was known at `known_at`.

    None is now. Both include their own instant; `known_seq` is a place in the ledger instead, which
    separates records of one microsecond.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None
    known_seq: int | None = None


NOW = Moment()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """
    A filter of facts; all given fields must hold.

    Without `lifecycles` it returns facts that hold: current ones, or those that held at
    `moment.as_of`, whatever became of them. Current facts may not have begun yet, or be over: `now`
    leaves those out. `began_from` leaves out earlier beginnings, `by` other writers; `has_channel`
    is whether a fact names a channel, as all from sessions do. Names are compared folded; `subject`
    and `system` mean the entity that has the name today, `about` follows merges, `slot` and `key`
    are exact. `is_once` leaves out values read from the words of a statement in the result.
    """

    within: Visibility
    moment: Moment = NOW
    now: datetime | None = None
    began_from: datetime | None = None
    lifecycles: frozenset[Lifecycle] | None = None
    reviews: frozenset[Review] | None = None
    authority: Authority | None = None
    by: frozenset[ActorKind] | None = None
    channel: Channel | None = None
    has_channel: bool | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    area: str | None = None
    environment: str | None = None
    system: str | None = None
    component: str | None = None
    tags: tuple[str, ...] = ()
    about: EntityId | None = None
    episode_id: EpisodeId | None = None
    slot: str | None = None
    key: str | None = None
    is_once: bool = False

    def searched(self, conn: Connection, integers: str) -> Where:
        """
        Return the filter as a condition on the index of facts.

        The index's marks separate owners; the life of a fact tells its present scope.
        """
        narrowed = where(conn, self, integers)
        realms = realm_numbers(conn, self.within.owner, None)
        return Where(
            indexed=FACTS,
            sql=f"v.fact_no = f.fact_no AND {narrowed.sql}",
            params=narrowed.params,
            realms=realms,
            is_open=False,
            sees_all=is_every_realm(conn, realms),
        )


@dataclass(frozen=True, slots=True)
class Known:
    """
    The lives that were open at a place in the ledger, as a condition on `v`.

    `as_of` is the moment to look at, in µs since 1970; None is now. `decided` are the places of
    proposals that were decided there though the decision was taken back later, comma-separated.
    """

    sql: str
    params: tuple[object, ...]
    seq: int
    as_of: int | None = None
    decided: str = ""


@dataclass(frozen=True, slots=True)
class FactsWhere:
    """A filter on facts, as a condition on facts `f` and lives `v`."""

    sql: str
    params: tuple[object, ...]
    known: Known


def not_holding(which: FactFilter) -> FactFilter:
    """Return *which* for facts that do not hold, were stated or proposed, and not rejected."""
    unrejected = frozenset(Review) - {Review.REJECTED}
    return replace(which, lifecycles=_TOLD, reviews=which.reviews or unrejected, now=None)


def known(conn: Connection, moment: Moment) -> Known:
    """Return the lives known at *moment*; both bounds are inclusive."""
    as_of = None if moment.as_of is None else to_micros(moment.as_of)
    if moment.known_seq is not None:
        seq = moment.known_seq
    elif moment.known_at is not None:
        seq = last_before(conn, to_micros(moment.known_at) + 1)
    else:
        return Known("v.until IS NULL", (), _LAST_SEQ, as_of)
    sql = "v.since <= ? AND (v.until IS NULL OR v.until > ?)"
    return Known(sql, (seq, seq), seq, as_of, _taken_back_since(conn, seq))


def _taken_back_since(conn: Connection, seq: int) -> str:
    """Return proposals that were decided at a place and wait now, since that was taken back."""
    decisions = conn.rows(_DECIDED_ONCE, (seq, seq, seq))
    if not decisions:
        return ""
    undone = {read_record(row).event.undoes for row in conn.rows(_UNDONE_SINCE, (seq,))}
    decided = [str(no) for no, event_id in decisions if encode_ulid(bytes(event_id)) in undone]
    return f",{','.join(decided)}," if decided else ""


def where(conn: Connection, which: FactFilter, integers: str) -> FactsWhere:
    """Return *which* as a condition."""
    at = known(conn, which.moment)
    clauses: list[Clause] = [_seen(conn, which, integers), (at.sql, at.params)]
    clauses += _alive(which)
    clauses += _said(which)
    clauses += _named(conn, which, integers)
    clauses += _filed(conn, which)
    clauses += _related(conn, which)
    sql = " AND ".join(f"({sql})" for sql, _ in clauses)
    params = tuple(param for _, params in clauses for param in params)
    if which.is_once:
        sql = f"{sql} AND ({_ONCE.format(same_words=SAME_WORDS, shown=sql)})"
        params += params
    return FactsWhere(sql=sql, params=params, known=at)


def _seen(conn: Connection, which: FactFilter, integers: str) -> Clause:
    """Return the visible realms; a single one is read in order of time."""
    realms = realm_numbers(conn, which.within.owner, which.within.scopes)
    is_telling = bool(which.tags) or any(getattr(which, name) is not None for name in _TELLING)
    # The sign keeps SQLite from the index of all current facts where a better one exists.
    column = "+v.realm_no" if is_telling and which.slot is None else "v.realm_no"
    if len(realms) == 1:
        return f"{column} = ?", (realms[0],)
    return f"{column} IN {integers}", (visible_realms(conn, which.within),)


def _alive(which: FactFilter) -> Iterator[Clause]:
    as_of = which.moment.as_of
    if which.lifecycles is not None:
        yield among("v.lifecycle", which.lifecycles)
    elif as_of is None:
        yield "v.lifecycle = ?", (Lifecycle.CURRENT.value,)
    else:
        yield _HELD, ()
    yield from _holding(which)
    if which.began_from is not None:
        yield "v.valid_from >= ?", (to_micros(which.began_from),)
    if which.reviews is not None:
        yield among("v.review", which.reviews)
    if which.by is not None:
        wrote, kinds = among("b.actor_kind", which.by)
        yield _WRITTEN.format(wrote=wrote), kinds
    if which.authority is not None:
        yield "v.authority = ?", (which.authority.value,)


def _holding(which: FactFilter) -> Iterator[Clause]:
    if which.moment.as_of is not None:
        yield _AT, (to_micros(which.moment.as_of),) * 2
    elif which.now is not None:
        yield _NOW, (to_micros(which.now),) * 2


def _said(which: FactFilter) -> Iterator[Clause]:
    named = {
        "f.channel": which.channel,
        "v.slot": which.slot,
        "f.statement": which.key,
    }
    for column in ("object", "environment", "component"):
        value: str | None = getattr(which, column)
        named[f"f.{column}"] = None if value is None else index_key(value)
    for column, value in named.items():
        if value is not None:
            yield f"{column} = ?", (str(value),)
    if which.has_channel is not None:
        yield f"f.channel IS {'NOT ' if which.has_channel else ''}NULL", ()


def _named(conn: Connection, which: FactFilter, integers: str) -> Iterator[Clause]:
    """Yield conditions for a subject and system, by all their names."""
    for column, name in (("f.subject", which.subject), ("f.system", which.system)):
        if name is not None:
            yield among(column, {index_key(name), *_alike(conn, which.within, name, integers)})
    if which.system:
        # Repeats the condition of the partial index, which SQLite does not infer.
        yield "f.system <> ''", ()


def _alike(conn: Connection, within: Visibility, name: str, integers: str) -> Iterator[str]:
    key, seen = index_key(name), visible_realms(conn, within)
    if key:
        rows = conn.rows(_NAMED_ALIKE.format(integers=integers), (key, seen, seen))
        yield from (str(other) for (other,) in rows)


def _filed(conn: Connection, which: FactFilter) -> Iterator[Clause]:
    """Yield conditions for registered words, by all their names."""
    owner = which.within.owner
    if which.predicate is not None:
        names = spellings(conn, owner, Registry.PREDICATE, which.predicate)
        yield among("f.predicate", map(word_key, names))
    if which.area is not None:
        names = spellings(conn, owner, Registry.AREA, which.area)
        yield among("f.area", map(index_key, names))
    for tag in which.tags:
        found, keys = among("t.tag", map(word_key, spellings(conn, owner, Registry.TAG, tag)))
        yield _TAG.format(found=found), keys


def _related(conn: Connection, which: FactFilter) -> Iterator[Clause]:
    if which.about is not None:
        yield _ABOUT, (find_place(conn, which.about),)
    if which.episode_id is not None:
        yield _RESTS_ON, (find_place(conn, which.episode_id),)
