"""A filter on episodes, as SQL. Every read comes through here: nothing else knows who sees what."""

import json
from bisect import bisect_left
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.ids import ULID_CHARS, EntityId, SessionId, decode_ulid, encode_ulid
from tilth.core.instant import to_micros
from tilth.core.scope import Owner, Visibility
from tilth.core.text.names import index_key
from tilth.episodes.episode import EpisodeKind
from tilth.ledger.engine import EPISODES, Connection, Where
from tilth.ledger.realms import is_every_realm, realm_numbers, visible_realms

_RECORDED_AT = "SELECT recorded_at FROM ledger WHERE seq = ?"
# An entity, and all that was merged into it.
_SAME = """
WITH RECURSIVE same (entity_no) AS (
    SELECT seq FROM ledger WHERE event_id = ? UNION
    SELECT m.entity_no FROM entities m JOIN same ON m.merged_into = same.entity_no
) SELECT same.entity_no, l.event_id FROM same JOIN ledger l ON l.seq = same.entity_no
ORDER BY same.entity_no
"""
# What was told to be with it, what came from an address of its own, what facts about it rest on.
_ABOUT = """e.seq IN (
    SELECT o.episode_no FROM origins o WHERE o.entity_id IN ({marks}) AND o.entity_id <> ''
    UNION
    SELECT o.episode_no FROM identities i
    JOIN origins o ON o.transport = i.transport AND o.address = i.address AND o.entity_id = ''
    WHERE i.owner = ? AND i.entity_no IN {integers}
    UNION
    SELECT v.episode_no FROM anchors a JOIN evidence v ON v.fact_no = a.fact_no
    WHERE a.entity_no IN {integers}
)"""

_AREA = """e.seq IN (
    SELECT v.episode_no FROM facts f JOIN evidence v ON v.fact_no = f.fact_no
    WHERE f.area IN ({marks})
)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFilter:
    """
    Which episodes a read may return. Every bound is half-open: from ≤ x < before.

    `about` keeps what was said with an entity, and what facts about it rest on; it
    follows merges. `areas` keeps what facts rest on that are filed under one of these.
    """

    within: Visibility
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    recorded_before: datetime | None = None
    kinds: frozenset[EpisodeKind] | None = None
    session_id: SessionId | None = None
    about: EntityId | None = None
    areas: tuple[str, ...] | None = None

    def searched(self, conn: Connection, integers: str) -> Where:
        """Return this as a condition on the index of episodes."""
        return where(conn, self, integers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFilter:
    """
    Which sessions a list names.

    Something of the session lies in `active_from` ≤ x < `active_before`; its title, or its ID
    where it has none, holds each word of `words`, whatever the case.
    """

    host: str = ""
    active_from: datetime | None = None
    active_before: datetime | None = None
    words: str = ""

    def names(self, title: str) -> bool:
        """Say whether a title holds the words."""
        folded = title.casefold()
        return all(word in folded for word in self.words.casefold().split())


def where(conn: Connection, which: EpisodeFilter, integers: str) -> Where:
    """Return *which* as a condition on the episodes `e`."""
    realms = realm_numbers(conn, which.within.owner, which.within.scopes)
    clauses: list[str] = [f"e.realm_no IN {integers}"]
    params: list[object] = [visible_realms(conn, which.within)]
    for clause, value in _bounds(conn, which):
        clauses.append(clause)
        params.append(value)
    if which.kinds is not None:
        clauses.append(f"e.kind IN ({', '.join('?' * len(which.kinds)) or 'NULL'})")
        params.extend(sorted(which.kinds))
    if which.session_id is not None:
        # The first half lets the index of episodes in sessions, which is partial, be used.
        clauses.append(
            "e.session_no > 0"
            " AND e.session_no IN (SELECT session_no FROM sessions WHERE session_id = ?)"
        )
        params.append(which.session_id)
    if which.about is not None:
        clause, about = _about(conn, which.about, which.within.owner, integers)
        clauses.append(clause)
        params.extend(about)
    if which.areas is not None:
        clauses.append(_AREA.format(marks=", ".join("?" * len(which.areas)) or "NULL"))
        params.extend(map(index_key, which.areas))
    is_open = len(clauses) == 1
    return Where(
        indexed=EPISODES,
        sql=" AND ".join(clauses),
        params=tuple(params),
        realms=realms,
        is_open=is_open,
        sees_all=is_open and is_every_realm(conn, realms),
    )


def _about(
    conn: Connection, entity_id: EntityId, owner: Owner, integers: str
) -> tuple[str, list[object]]:
    """Return the condition that an episode `e` has to do with an entity."""
    rows = conn.rows(_SAME, (decode_ulid(entity_id[-ULID_CHARS:]),))
    ids = [EntityId.prefix + encode_ulid(bytes(event_id)) for _, event_id in rows]
    places = json.dumps([int(place) for place, _ in rows])
    # An entity that nobody recorded has nothing to do with anything.
    marks = ", ".join("?" * len(ids)) or "NULL"
    return _ABOUT.format(marks=marks, integers=integers), [*ids, owner, places, places]


def _bounds(conn: Connection, which: EpisodeFilter) -> list[tuple[str, int]]:
    bounds = []
    if which.occurred_from is not None:
        bounds.append(("e.occurred_at >= ?", to_micros(which.occurred_from)))
    if which.occurred_before is not None:
        bounds.append(("e.occurred_at < ?", to_micros(which.occurred_before)))
    if which.recorded_before is not None:
        bounds.append(("e.seq <= ?", last_before(conn, to_micros(which.recorded_before))))
    return bounds


def last_before(conn: Connection, recorded_before: int) -> int:
    """Return the last place recorded before the instant; times of recording never go back."""
    last = int(conn.rows("SELECT coalesce(max(seq), 0) FROM ledger")[0][0])

    def recorded_at(place: int) -> int:
        return int(conn.rows(_RECORDED_AT, (place,))[0][0])

    return bisect_left(range(1, last + 1), recorded_before, key=recorded_at)
