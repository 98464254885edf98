"""Episodes and sessions: their tables, how events show in them, and reading them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from tilth.core.actor import ActorKind, came_by
from tilth.core.errors import CorruptionError, InvalidInputError, NotFoundError
from tilth.core.event import Recorded, kinds_without_headline
from tilth.core.ids import (
    ConversationId,
    EpisodeId,
    EventId,
    SessionId,
    decode_ulid,
    encode_ulid,
    event_id_of,
)
from tilth.core.instant import from_micros, to_micros
from tilth.core.lifecycle import Lifecycle, lifecycle_of
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import (
    ALWAYS,
    Episode,
    EpisodeKind,
    LaterNote,
    Passage,
    Place,
    Role,
    Stamp,
    instant_of,
)
from tilth.episodes.events import (
    EpisodeRecorded,
    ImportFinished,
    NotesEnded,
    SessionDescribed,
)
from tilth.episodes.filters import EpisodeFilter, SessionFilter, last_before, where
from tilth.episodes.session import Session, SessionInfo
from tilth.ledger.engine import EPISODES as INDEXED_EPISODES
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, indexes_terms, projects, storable
from tilth.ledger.realms import count_in_realm, is_visible
from tilth.ledger.records import RECORD, actor_of, find_places, read_as, read_record
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.ledger.sql_list import one_of
from tilth.ledger.tables import not_there

SESSIONS = Table(
    "sessions",
    no=2,
    since=1,
    is_record=True,
    columns="""
    -- The place of the first event that named it.
    session_no    $integer PRIMARY KEY,
    realm_no      $integer NOT NULL,
    session_id    TEXT NOT NULL,
    title         TEXT NOT NULL,
    host          TEXT NOT NULL,
    folder        TEXT NOT NULL,
    uri           TEXT NOT NULL,
    tags          TEXT NOT NULL,
    started_at    $integer NOT NULL,
    last_at       $integer NOT NULL,
    episode_count $integer NOT NULL,
    UNIQUE (realm_no, session_id)
""",
    indexes="""
CREATE INDEX sessions_in_time ON sessions (realm_no, last_at);
""",
)
EPISODES = Table(
    "episodes",
    no=3,
    since=1,
    is_record=True,
    columns=f"""
    seq         $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    -- 0 where there is no session; the position counts from 1 within one.
    session_no  $integer NOT NULL,
    position    $integer NOT NULL,
    occurred_at $integer NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(EpisodeKind)})),
    role        TEXT NOT NULL CHECK (role IN ({one_of(Role)}))
""",
    indexes="""
CREATE UNIQUE INDEX episodes_in_session ON episodes (session_no, position) WHERE session_no > 0;
CREATE INDEX episodes_in_time ON episodes (occurred_at);
""",
    later={
        2: """
CREATE INDEX documents ON episodes (realm_no, session_no)
    WHERE position = 1 AND kind = 'document';
""",
        6: """
CREATE INDEX episodes_apart ON episodes (realm_no, seq) WHERE session_no = 0;
""",
    },
)
READINGS = Table(
    "readings",
    no=59,
    since=3,
    is_record=True,
    columns="""
    -- The event that told last what a document holds.
    reading_no $integer PRIMARY KEY,
    owner      TEXT NOT NULL,
    session_id TEXT NOT NULL,
    -- Whether its file was there no more.
    is_gone    $integer NOT NULL,
    UNIQUE (owner, session_id)
""",
)
CONTENTS = Table(
    "contents",
    no=60,
    since=3,
    keyed=5,
    is_record=True,
    columns="""
    reading_no $integer NOT NULL,
    place      $integer NOT NULL,
    seq        $integer NOT NULL,
    line       $integer NOT NULL,
    PRIMARY KEY (reading_no, place)
""",
)
REPLACED_NOTES = Table(
    "replaced_notes",
    no=66,
    since=7,
    is_record=True,
    columns="""
    -- A note, and the last one that came in its place.
    note_no  $integer PRIMARY KEY,
    later_no $integer NOT NULL
""",
)

# The bounds of a session widen with each episode; its own words come from outside.
_CONTINUE_SESSION = """
UPDATE sessions SET
    started_at = CASE WHEN episode_count = 0 OR started_at > ? THEN ? ELSE started_at END,
    last_at = CASE WHEN episode_count = 0 OR last_at < ? THEN ? ELSE last_at END,
    episode_count = episode_count + 1
WHERE realm_no = ? AND session_id = ? RETURNING session_no, episode_count
"""
_NEW_SESSION = """
INSERT INTO sessions (session_no, realm_no, session_id, title, host, folder, uri, tags,
                      started_at, last_at, episode_count)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_DESCRIBE_SESSION = """
UPDATE sessions SET title = ?, host = ?, folder = ?, uri = ?, tags = ?
WHERE realm_no = ? AND session_id = ? RETURNING session_no
"""
_NEW_EPISODE = """
INSERT INTO episodes (seq, realm_no, session_no, position, occurred_at, kind, role)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
# No agent ends what a person noted, and nobody what is noted elsewhere.
_REPLACES = """
INSERT INTO replaced_notes (note_no, later_no)
SELECT e.seq, ? FROM episodes e JOIN ledger l ON l.seq = e.seq
WHERE e.seq = ? AND e.session_no = 0 AND e.realm_no = ? AND (l.actor_kind <> 'human' OR ? = 'human')
ON CONFLICT (note_no) DO UPDATE SET later_no = excluded.later_no
"""
_READING = "SELECT reading_no FROM readings WHERE owner = ? AND session_id = ?"
_READ_ANEW = "DELETE FROM contents WHERE reading_no = ?"
_READ = """
INSERT INTO readings (reading_no, owner, session_id, is_gone) VALUES (?, ?, ?, ?)
ON CONFLICT (owner, session_id) DO UPDATE SET
    reading_no = excluded.reading_no, is_gone = excluded.is_gone
"""
_CONTENT = "INSERT INTO contents (reading_no, place, seq, line) VALUES (?, ?, ?, ?)"

_EPISODE = f"SELECT {RECORD} FROM episodes e JOIN ledger l ON l.seq = e.seq"  # noqa: S608 - ours
_STAMP = """
SELECT e.seq, l.event_id, l.recorded_at, l.actor, l.actor_kind, e.occurred_at
FROM episodes e JOIN ledger l ON l.seq = e.seq
WHERE e.seq IN {integers} AND e.realm_no IN {integers} AND l.payload IS NOT NULL
"""
_EPISODE_ID = "SELECT l.event_id FROM episodes e JOIN ledger l ON l.seq = e.seq"
_CHANGES = f"""
SELECT {RECORD} FROM ledger l LEFT JOIN episodes e ON e.seq = l.seq
WHERE l.seq > ? AND l.owner = ? AND l.payload IS NOT NULL
AND (l.kind NOT IN ({{apart}}) OR e.realm_no IN {{integers}}) ORDER BY l.seq LIMIT ?
"""  # noqa: S608 - names of ours
_SESSION = """
SELECT s.session_id, r.owner, r.scope, s.title, s.host, s.folder, s.uri, s.tags,
       s.started_at, s.last_at, s.episode_count
FROM sessions s JOIN realms r ON r.realm_no = s.realm_no
"""
_IDS = "SELECT DISTINCT s.session_id FROM sessions s"
# A beginning that is shorter names nobody.
_BEGINNING_CHARS_MIN = 4
_SHOWN_MAX = 5
_COUNT_IN = """
SELECT coalesce(sum(episode_count), 0) FROM sessions WHERE session_id = ?
AND realm_no IN (SELECT realm_no FROM realms WHERE owner = ?)
"""
# What is said in a conversation is found there (`tilth.people.conversations`).
_IS_WORK = f"substr(s.session_id, 1, {len(ConversationId.prefix)}) <> '{ConversationId.prefix}'"

_PLACE = "SELECT e.seq, e.session_no, e.position, e.occurred_at, e.kind, e.role FROM episodes e"
_NEAR = """
SELECT e.seq, e.session_no, e.position, e.occurred_at, e.kind, e.role
FROM episodes c JOIN episodes e
ON e.session_no = c.session_no AND e.session_no > 0 AND c.session_no > 0
AND e.position BETWEEN c.position - ? AND c.position + ?
WHERE c.seq IN {integers} AND {seen}
"""
# A look-up takes a quarter of an enum's own call, and a question makes thousands.
_KINDS = {str(kind): kind for kind in EpisodeKind}
_ROLES = {str(role): role for role in Role}
_PAGE = 1000
# So many of what was said outside of any session are looked through for notes.
_APART_READ = 2000


@projects(EpisodeRecorded)
def recorded_episode(rows: Rows, recorded: Recorded, event: EpisodeRecorded) -> None:
    """Show an episode, its place in its session, and the terms by which it is found."""
    draft = event.draft
    terms = terms_of(draft.speaker, draft.text)
    at = to_micros(draft.occurred_at or recorded.recorded_at)
    realm = count_in_realm(
        rows.conn, recorded.seq, recorded.owner, draft.scope, episodes=1, terms=len(terms)
    )
    session_no, position = 0, 0
    if draft.session_id is not None:
        session_no, position = _continue_session(rows, recorded, realm, draft.session_id, at)
    row = (recorded.seq, realm, session_no, position, at, draft.kind.value, draft.role.value)
    rows.run(_NEW_EPISODE, row)
    rows.texts.episodes.add(rows.conn, recorded.seq, realm, terms)
    _end_notes(rows, recorded, draft.replaces, realm)


@projects(NotesEnded)
def ended_notes(rows: Rows, recorded: Recorded, event: NotesEnded) -> None:
    """Show that notes are over whose successor was erased."""
    _end_notes(rows, recorded, event.notes, rows.realm_of(recorded, event.scope))


def _end_notes(rows: Rows, recorded: Recorded, notes: Sequence[EpisodeId], realm: int) -> None:
    if notes and recorded.by.kind is not ActorKind.IMPORT:
        for place in find_places(rows.conn, notes).values():
            rows.run(_REPLACES, (recorded.seq, place, realm, recorded.by.kind.value))


@projects(SessionDescribed)
def described_session(rows: Rows, recorded: Recorded, event: SessionDescribed) -> None:
    """Show what is said about a session as a whole."""
    realm = rows.realm_of(recorded, event.scope)
    described = (*_info_row(event.info), realm, event.session_id)
    if not rows.run(_DESCRIBE_SESSION, described):
        at = to_micros(recorded.recorded_at)
        session = (recorded.seq, realm, event.session_id, *_info_row(event.info), at, at, 0)
        rows.run(_NEW_SESSION, session)


@projects(ImportFinished)
def read_document(rows: Rows, recorded: Recorded, event: ImportFinished) -> None:
    """Show of what a document is made now, in the place of what it was made of."""
    if not event.document:
        return
    for (before,) in rows.run(_READING, (recorded.owner, event.document)):
        rows.run(_READ_ANEW, (before,))
    rows.run(_READ, (recorded.seq, recorded.owner, event.document, int(event.is_gone)))
    for place, one in enumerate(event.contents):
        rows.run(_CONTENT, (recorded.seq, place, rows.place_of(one.episode_id), one.line))


@indexes_terms(INDEXED_EPISODES)
def _episode_terms(payload: str) -> list[str]:
    """
    Return what the full-text index holds of the episode with this *payload*.

    Raises:
        CorruptionError: it is not that of an episode.
    """
    try:
        said = json.loads(payload)
        return terms_of(said.get("speaker", ""), said["text"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CorruptionError(f"an episode cannot be read: {error}") from error


def terms_of(speaker: str, text: str) -> list[str]:
    """Return what the full-text index holds of an episode."""
    return index_terms(f"{speaker}: {text}" if speaker else text)


def _continue_session(
    rows: Rows, recorded: Recorded, realm: int, session_id: SessionId, at: int
) -> tuple[int, int]:
    known = rows.run(_CONTINUE_SESSION, (at, at, at, at, realm, session_id))
    if known:
        session_no, position = known[0]
        return int(session_no), int(position)
    session = (recorded.seq, realm, session_id, *_info_row(SessionInfo()), at, at, 1)
    rows.run(_NEW_SESSION, session)
    return recorded.seq, 1


def _info_row(info: SessionInfo) -> tuple[str, str, str, str, str]:
    tags = json.dumps(list(info.tags), ensure_ascii=False)
    title, host, folder, uri = map(storable, (info.title, info.host, info.folder, info.uri))
    return title, host, folder, uri, tags


class Episodes(SnapshotReader):
    """The episodes and sessions of one snapshot."""

    def get(self, episode_id: EpisodeId, within: Visibility) -> Episode:
        """
        Return one episode.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        event_id = decode_ulid(event_id_of(episode_id))
        sql = f"{_EPISODE} WHERE l.event_id = ? AND e.realm_no IN {self._integers}"
        found = self._rows(sql, event_id, within)
        if not found or found[0][-1] is None:
            raise not_there(self._conn, "episode", episode_id, within)
        return _episode(found[0])

    def at(self, seqs: Sequence[int], within: Visibility) -> list[Episode]:
        """Return the episodes at these places in ledger order, without what may not be seen."""
        found = "e.seq IN {integers} AND e.realm_no IN {integers}"
        rows = self._rows(f"{_EPISODE} WHERE {found} ORDER BY e.seq", seqs, within)
        return [_episode(row) for row in rows if row[-1] is not None]

    def stamps(self, seqs: Sequence[int], within: Visibility) -> Mapping[int, Stamp]:
        """Return when the episodes at these places came, which `at` would return; reads no word."""
        return {int(row[0]): _stamp(row) for row in self._rows(_STAMP, seqs, within)}

    def all_of(self, ids: Sequence[EpisodeId], within: Visibility) -> list[Episode]:
        """Return episodes in ledger order, without what may not be seen or was erased."""
        return self.at([*find_places(self._conn, ids).values()], within)

    def places(self, seqs: Sequence[int], which: EpisodeFilter, *, reach: int = 0) -> list[Place]:
        """Return where *seqs* stand, and up to *reach* neighbours each way in their sessions."""
        return self.around([(seqs, reach)], which)

    def around(
        self, seeds: Iterable[tuple[Sequence[int], int]], which: EpisodeFilter
    ) -> list[Place]:
        """Return where *seeds* stand, and the neighbours of each, as far each way as it says."""
        seen = where(self._conn, which, self._integers)
        near = _NEAR.format(integers=self._integers, seen=seen.sql)
        every: list[int] = []
        parts = [f"{_PLACE} WHERE e.seq IN {self._integers} AND {seen.sql}"]
        params: list[object] = []
        for seqs, reach in seeds:
            every += seqs
            if reach and seqs:
                parts.append(near)
                params += (reach, reach, seqs, *seen.params)
        if not every:
            return []
        found = self._rows(" UNION ALL ".join(parts), every, *seen.params, *params)
        rows = {row[0]: row for row in found}
        return _places([rows[seq] for seq in sorted(rows)])

    def between(self, which: EpisodeFilter, *, limit: int) -> list[Place]:
        """Return where the episodes of a time stand, the first first; *which* says what time."""
        seen = where(self._conn, which, self._integers)
        rows = self._conn.rows(
            f"{_PLACE} WHERE {seen.sql} ORDER BY e.occurred_at, e.seq LIMIT ?",
            (*seen.params, limit),
        )
        return _places(rows)

    def first(self, which: EpisodeFilter) -> Place | None:
        """Return where the first episode stands that a filter lets through."""
        seen = where(self._conn, which, self._integers)
        rows = self._conn.rows(f"{_PLACE} WHERE {seen.sql} ORDER BY e.seq LIMIT 1", seen.params)
        return _places(rows)[0] if rows else None

    def passages(self, seqs: Sequence[int], which: EpisodeFilter) -> list[Passage]:
        """Return what the episodes at *seqs* say, in ledger order."""
        seen = where(self._conn, which, self._integers)
        sql = f"""
            SELECT e.seq, l.payload FROM episodes e JOIN ledger l ON l.seq = e.seq
            WHERE e.seq IN {self._integers} AND l.payload IS NOT NULL AND {seen.sql} ORDER BY e.seq
        """  # noqa: S608 - the parts are ours, the values are bound
        found = self._rows(sql, seqs, *seen.params)
        # One call parses hundreds in half the time of one call for each.
        said = json.loads(f"[{','.join(payload for _, payload in found)}]")
        return [
            Passage(seq, one.get("speaker", ""), one["text"])
            for (seq, _), one in zip(found, said, strict=True)
        ]

    def select(
        self,
        which: EpisodeFilter,
        *,
        limit: int,
        after: int = 0,
        until: int | None = None,
        newest_first: bool = False,
    ) -> list[Episode]:
        """Return episodes in ledger order, behind the place *after*, and through *until*."""
        seen = where(self._conn, which, self._integers)
        order = "DESC" if newest_first else "ASC"
        end, places = ("", (after,)) if until is None else ("AND e.seq <= ?", (after, until))
        # Places are put in order before their texts are read: a session may be long.
        chosen = f"""SELECT e.seq FROM episodes e
            WHERE {seen.sql} AND e.seq > ? {end} ORDER BY e.seq {order} LIMIT ?"""  # noqa: S608 - bound
        sql = f"{_EPISODE} WHERE e.seq IN ({chosen}) ORDER BY e.seq {order}"
        rows = self._conn.rows(sql, (*seen.params, *places, limit))
        return [_episode(row) for row in rows if row[-1] is not None]

    def apart(
        self,
        within: Visibility,
        *,
        limit: int,
        among: Sequence[int] | None = None,
        is_standing: bool = True,
        is_lasting: bool = False,
    ) -> list[Episode]:
        """
        Return what was noted or told by a person outside of any session, the newest first.

        Not what stands for a fact or a gap that was stated by hand: it is told as that. *among*
        keeps what stands at these places. Where *is_standing*, without what a later one replaces;
        where *is_lasting*, no more than what may hold in all work, as its payload tells.
        """
        own = "" if among is None else f"AND seq IN {self._integers}"
        places = () if among is None else (among,)
        standing = "AND NOT EXISTS (SELECT 1 FROM replaced_notes n WHERE n.note_no = e.seq)"
        standing = standing if is_standing else ""
        lasting = f"""AND r.payload LIKE '%"{ALWAYS}":true%'""" if is_lasting else ""
        # A program may record all that it hears without a session.
        last = f"""SELECT seq FROM episodes
            WHERE session_no = 0 AND realm_no IN {self._integers} {own}
            ORDER BY seq DESC LIMIT ?"""  # noqa: S608 - bound
        chosen = f"""SELECT e.seq FROM ({last}) a JOIN episodes e ON e.seq = a.seq
            JOIN ledger r ON r.seq = e.seq
            WHERE (e.kind = '{EpisodeKind.NOTE}'
                OR e.kind = '{EpisodeKind.MESSAGE}' AND r.actor_kind = '{ActorKind.HUMAN}')
            AND NOT EXISTS (SELECT 1 FROM evidence v WHERE v.episode_no = e.seq)
            AND NOT EXISTS (SELECT 1 FROM gap_evidence v WHERE v.episode_no = e.seq)
            {standing} {lasting} ORDER BY e.seq DESC LIMIT ?"""  # noqa: S608 - bound
        rows = self._rows(
            f"{_EPISODE} WHERE e.seq IN ({chosen}) ORDER BY e.seq DESC",
            within,
            *places,
            _APART_READ,
            limit,
        )
        return [_episode(row) for row in rows if row[-1] is not None]

    def later_notes(self, seqs: Sequence[int]) -> Mapping[int, LaterNote]:
        """Return the last note in the place of each of those at *seqs* that one replaces."""
        sql = """SELECT n.note_no, n.later_no, l.event_id FROM replaced_notes n
            JOIN ledger l ON l.seq = n.later_no WHERE n.note_no IN {integers}"""
        rows = self._rows(sql, seqs)
        return {int(seq): LaterNote(int(later), EpisodeId.stored(id_)) for seq, later, id_ in rows}

    def texts(self, which: EpisodeFilter, *, limit: int) -> list[str]:
        """Return what the newest episodes say, the last one first, and nothing else of them."""
        seen = where(self._conn, which, self._integers)
        sql = f"""SELECT l.payload FROM episodes e JOIN ledger l ON l.seq = e.seq
            WHERE {seen.sql} AND l.payload IS NOT NULL ORDER BY e.seq DESC LIMIT ?"""  # noqa: S608 - bound
        rows = self._conn.rows(sql, (*seen.params, limit))
        return [json.loads(payload)["text"] for (payload,) in rows]

    def ids(self, which: EpisodeFilter) -> list[EpisodeId]:
        """Return what the episodes that a filter lets through are called, in ledger order."""
        seen = where(self._conn, which, self._integers)
        rows = self._conn.rows(f"{_EPISODE_ID} WHERE {seen.sql} ORDER BY e.seq", seen.params)
        return [EpisodeId.stored(row[0]) for row in rows]

    def contents(
        self, session_id: SessionId, within: Visibility, *, limit: int
    ) -> list[tuple[Episode, int]] | None:
        """
        Return the pieces of which a document is made now, each with the line where it begins.

        None if it was read before that was noted.
        """
        reading = self._conn.rows(_READING, (within.owner, session_id))
        if not reading:
            return None
        sql = f"""SELECT c.line, {RECORD} FROM contents c
            JOIN episodes e ON e.seq = c.seq JOIN ledger l ON l.seq = e.seq
            WHERE c.reading_no = ? AND e.realm_no IN {self._integers} ORDER BY c.place LIMIT ?"""  # noqa: S608 - ours
        rows = self._rows(sql, reading[0][0], within, limit)
        return [(_episode(row[1:]), int(row[0])) for row in rows if row[-1] is not None]

    def left_documents(self, seqs: Sequence[int], owner: Owner) -> frozenset[int]:
        """Return which of these places are pieces that their documents hold no more."""
        sql = f"""SELECT e.seq FROM episodes e JOIN sessions s ON s.session_no = e.session_no
            JOIN readings g ON g.session_id = s.session_id AND g.owner = ?
            WHERE e.seq IN {self._integers} AND e.kind = '{EpisodeKind.DOCUMENT}' AND NOT EXISTS (
                SELECT 1 FROM contents c WHERE c.reading_no = g.reading_no AND c.seq = e.seq)"""  # noqa: S608 - ours
        return frozenset(int(seq) for (seq,) in self._rows(sql, owner, seqs))

    def session(self, session_id: SessionId, within: Visibility) -> Session:
        """
        Return one session.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        sql = f"{_SESSION} WHERE s.session_id = ? AND s.realm_no IN {self._integers}"
        found = self._rows(f"{sql} ORDER BY s.session_no", session_id, within)
        if not found:
            raise NotFoundError(f"no session {session_id!r}", hint="see: tilth session list")
        return _session(found[0])

    def session_id_of(self, word: SessionId, within: Visibility) -> SessionId:
        """
        Return which session *word* means; *word* itself, if it means none that may be seen.

        It is an ID, or what stands in one behind the name of the program, as that tells it; or
        the beginning of either.

        Raises:
            InvalidInputError: it begins the IDs of several.
        """
        ids = f"{_IDS} WHERE s.realm_no IN {self._integers}"
        if self._rows(f"{ids} AND s.session_id = ?", within, word):
            return word
        names = {
            SessionId(one): (one, one.partition(":")[2])
            for (one,) in self._rows(f"{ids} ORDER BY 1", within)
        }
        found = [one for one, told in names.items() if word in told]
        if not found and len(word) >= _BEGINNING_CHARS_MIN:
            found = [one for one, told in names.items() if any(n.startswith(word) for n in told)]
        if len(found) > 1:
            shown = ", ".join(found[:_SHOWN_MAX]) + (", …" if len(found) > _SHOWN_MAX else "")
            raise InvalidInputError(
                f"{word!r} begins the IDs of several sessions", hint=f"one of {shown}"
            )
        return found[0] if found else word

    def count_in(self, session_id: SessionId, owner: Owner) -> int:
        """Return how many episodes an owner has under this session's ID, in all scopes."""
        rows = self._conn.rows(_COUNT_IN, (session_id, owner))
        return int(rows[0][0])

    def sessions(
        self,
        within: Visibility,
        *,
        limit: int,
        offset: int = 0,
        which: SessionFilter = SessionFilter(),  # noqa: B008 - frozen
    ) -> list[Session]:
        """Return sessions, the one that was active last first."""
        clauses, params = [f"s.realm_no IN {self._integers}", _IS_WORK], list[object]([within])
        if which.host:
            clauses.append("s.host = ?")
            params.append(which.host)
        if which.active_from is not None:
            clauses.append("s.last_at >= ?")
            params.append(to_micros(which.active_from))
        if which.active_before is not None:
            clauses.append("s.started_at < ?")
            params.append(to_micros(which.active_before))
        sql = f"""{_SESSION} WHERE {" AND ".join(clauses)}
            ORDER BY s.last_at DESC, s.session_no DESC"""
        if not which.words:
            rows = self._rows(f"{sql} LIMIT ? OFFSET ?", *params, limit, offset)
            return [_session(row) for row in rows]
        # Engines fold case each in its own way, so words are looked for here.
        found = (_session(row) for row in self._rows(sql, *params))
        named = (one for one in found if which.names(one.info.title or one.id))
        return list(islice(named, offset, offset + limit))

    def hosts(self, within: Visibility) -> list[str]:
        """Return the hosts of sessions, by name."""
        sql = f"""SELECT DISTINCT s.host FROM sessions s
            WHERE s.realm_no IN {self._integers} AND {_IS_WORK} AND s.host <> ''"""  # noqa: S608 - bound
        return sorted(str(host) for (host,) in self._rows(sql, within))

    def scopes(self, within: Visibility, *, limit: int, offset: int = 0) -> list[tuple[Scope, int]]:
        """Return scopes with how many sessions each has, the one that was active last first."""
        sql = f"""SELECT r.scope, count(*) FROM sessions s JOIN realms r ON r.realm_no = s.realm_no
            WHERE s.realm_no IN {self._integers} AND {_IS_WORK}
            GROUP BY r.scope ORDER BY max(s.last_at) DESC, r.scope LIMIT ? OFFSET ?"""  # noqa: S608 - bound
        rows = self._rows(sql, within, limit, offset)
        return [(Scope(scope), int(count)) for scope, count in rows]

    def documents(self, within: Visibility, *, limit: int, offset: int = 0) -> list[Session]:
        """
        Return the sessions that hold a document, the one that was recorded last first.

        One whose file was there no more when it was looked for is left out.
        """
        sql = f"""{_SESSION} WHERE s.session_no IN (
                SELECT e.session_no FROM episodes e
                WHERE e.position = 1 AND e.kind = 'document' AND e.realm_no IN {self._integers})
            AND s.session_id NOT IN (
                SELECT g.session_id FROM readings g WHERE g.owner = ? AND g.is_gone = 1)
            ORDER BY s.session_no DESC LIMIT ? OFFSET ?"""  # noqa: S608 - bound
        rows = self._rows(sql, within, within.owner, limit, offset)
        return [_session(row) for row in rows]

    def document_counts(self, within: Visibility) -> Mapping[Scope, int]:
        """Return how many sessions of each scope hold a document; scopes without are left out."""
        sql = """SELECT r.scope, count(*) FROM episodes e JOIN realms r ON r.realm_no = e.realm_no
            WHERE e.position = 1 AND e.kind = 'document' AND e.session_no IS NOT NULL
                AND e.realm_no IN {integers}
            GROUP BY r.scope ORDER BY count(*) DESC, r.scope"""
        return {Scope(scope): int(count) for scope, count in self._rows(sql, within)}

    def session_ids(self, session_nos: Sequence[int], within: Visibility) -> list[SessionId]:
        """Return the IDs of the sessions with these numbers, in this order."""
        sql = """SELECT session_no, session_id FROM sessions
            WHERE realm_no IN {integers} AND session_no IN {integers}"""
        rows = self._rows(sql, within, session_nos)
        known: dict[int, str] = dict(rows)
        return [SessionId(known[number]) for number in session_nos if number in known]

    def sessions_of(self, session_nos: Sequence[int]) -> Mapping[int, SessionInfo]:
        """Return what is said about the sessions with these numbers."""
        sql = """SELECT session_no, title, host, folder, uri, tags FROM sessions
            WHERE session_no IN {integers}"""
        rows = self._rows(sql, session_nos)
        return {int(row[0]): _info(row[1:]) for row in rows}

    def project_folders(self, owner: Owner) -> list[tuple[Scope, str]]:
        """Return the folders in which sessions of projects were, each with its scope then."""
        sql = """SELECT DISTINCT r.scope, s.folder
            FROM sessions s JOIN realms r ON r.realm_no = s.realm_no
            WHERE r.owner = ? AND r.scope LIKE 'project:%' AND s.folder <> ''"""
        return [(Scope(scope), folder) for scope, folder in self._conn.rows(sql, (owner,))]

    def count(self, within: Visibility) -> int:
        """Return how many episodes may be seen."""
        sql = """SELECT coalesce(sum(episode_count), 0) FROM realms
            WHERE realm_no IN {integers}"""
        return int(self._rows(sql, within)[0][0])

    def changes(self, within: Visibility, *, since: int | datetime, limit: int) -> list[Recorded]:
        """Return what changed after a place or from an instant on; see `tilth.episodes.changes`."""
        after = since if isinstance(since, int) else last_before(self._conn, to_micros(since))
        apart = ", ".join(f"'{kind}'" for kind in ("episode_recorded", *kinds_without_headline()))
        sql = _CHANGES.format(integers=self._integers, apart=apart)
        shown: list[Recorded] = []
        while len(shown) < limit:
            rows = self._rows(sql, after, within.owner, within, limit)
            # The scope of all but episodes stands in or behind the payload, so it is read first.
            shown += [one for one in map(read_record, rows) if is_visible(self._conn, one, within)]
            if len(rows) < limit:
                break
            after = rows[-1][0]
        return shown[:limit]


def _places(rows: Sequence[Row]) -> list[Place]:
    # By columns: a question makes hundreds, and each by itself takes twice as long.
    if not rows:
        return []
    *numbers, kinds, roles = zip(*rows, strict=True)
    parts = (*numbers, map(_KINDS.__getitem__, kinds), map(_ROLES.__getitem__, roles))
    return [*map(Place, *parts)]


def _episode(row: Row) -> Episode:
    recorded, event = read_as(EpisodeRecorded, row)
    return Episode.recorded(
        event.draft,
        id=EpisodeId.of(recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        recorded_at=recorded.recorded_at,
        by=recorded.by,
    )


def _stamp(row: Row) -> Stamp:
    seq, event_id, recorded_at, actor, kind, occurred_at = row
    by, id_ = actor_of(actor, kind), EpisodeId.of(EventId(encode_ulid(bytes(event_id))))
    came, times = came_by(by), (from_micros(occurred_at), from_micros(recorded_at))
    is_imported = lifecycle_of(by.kind) is Lifecycle.HISTORICAL
    return Stamp(instant_of(came, id_, seq, *times), is_imported)


def _session(row: Row) -> Session:
    session_id, owner, scope = row[:3]
    started_at, last_at, episode_count = row[8:]
    return Session(
        id=SessionId(session_id),
        owner=Owner(owner),
        scope=Scope(scope),
        info=_info(row[3:8]),
        started_at=from_micros(started_at),
        last_at=from_micros(last_at),
        episode_count=episode_count,
    )


def _info(row: Row) -> SessionInfo:
    title, host, folder, uri, tags = row
    return SessionInfo(title=title, host=host, folder=folder, uri=uri, tags=tuple(json.loads(tags)))


def every_episode(view: Snapshot, which: EpisodeFilter) -> Iterator[Episode]:
    """Yield all episodes that a filter lets through, in the order of the ledger."""
    after = 0
    while page := Episodes(view).select(which, limit=_PAGE, after=after):
        yield from page
        after = page[-1].seq
