"""What is said and done: its tables, and how events show in them."""

import json

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded
from tilth.core.ids import SessionId
from tilth.core.instant import to_micros
from tilth.core.table import Table
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.session import SessionInfo
from tilth.ledger.engine import EPISODES as INDEXED_EPISODES
from tilth.ledger.projection import Rows, indexes_terms, projects, storable
from tilth.ledger.realms import counted_realm
from tilth.ledger.sql_list import one_of

SESSIONS = Table(
    "sessions",
    no=2,
    since=1,
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
"""
    },
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


@projects(EpisodeRecorded)
def recorded_episode(rows: Rows, recorded: Recorded, event: EpisodeRecorded) -> None:
    """Show an episode, its place in its session, and the terms by which it is found."""
    draft = event.draft
    terms = _terms_of(draft.speaker, draft.text)
    at = to_micros(draft.occurred_at or recorded.recorded_at)
    realm = counted_realm(
        rows.conn, recorded.seq, recorded.owner, draft.scope, episodes=1, terms=len(terms)
    )
    session_no, position = 0, 0
    if draft.session_id is not None:
        session_no, position = _continue_session(rows, recorded, realm, draft.session_id, at)
    row = (recorded.seq, realm, session_no, position, at, draft.kind.value, draft.role.value)
    rows.run(_NEW_EPISODE, row)
    rows.texts.episodes.add(rows.conn, recorded.seq, realm, terms)


@projects(SessionDescribed)
def described_session(rows: Rows, recorded: Recorded, event: SessionDescribed) -> None:
    """Show what is said about a session as a whole."""
    realm = rows.realm_of(recorded, event.scope)
    described = (*_info_row(event.info), realm, event.session_id)
    if not rows.run(_DESCRIBE_SESSION, described):
        at = to_micros(recorded.recorded_at)
        session = (recorded.seq, realm, event.session_id, *_info_row(event.info), at, at, 0)
        rows.run(_NEW_SESSION, session)


@indexes_terms(INDEXED_EPISODES)
def _episode_terms(payload: str) -> list[str]:
    """
    Return what the full-text index holds of the episode with this *payload*.

    Raises:
        CorruptionError: it is not that of an episode.
    """
    try:
        said = json.loads(payload)
        return _terms_of(said.get("speaker", ""), said["text"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CorruptionError(f"an episode cannot be read: {error}") from error


def _terms_of(speaker: str, text: str) -> list[str]:
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
