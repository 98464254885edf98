"""
How each event shows in the tables.

`tx.append`, `rebuild` and `verify` all come through `project`, so what is
stored, what is rebuilt and what is checked cannot drift apart.
"""

import json

from tilth.context.events import ContextGiven, FeedbackGiven
from tilth.context.tables import project_context, project_feedback
from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded, decode
from tilth.core.ids import SessionId
from tilth.core.instant import to_micros
from tilth.core.tokens import index_terms
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.session import SessionInfo
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
from tilth.gaps.tables import GapEvent, project_gap
from tilth.knowledge.facts.events import FactRecorded
from tilth.learning.events import DistillationReopened, SessionRead, SessionsDistilled
from tilth.learning.tables import project_distillation
from tilth.ledger.engine import Connection, Texts, TextSink
from tilth.ledger.events import Erased, StoreCreated
from tilth.ledger.knowledge_projection import KnowledgeEvent, project_knowledge
from tilth.ledger.places import place_of
from tilth.ledger.realms import counted_realm, realm_of
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.llm.tables import project_budget
from tilth.maintenance.events import SweepBegun
from tilth.maintenance.tables import project_sweep
from tilth.people.conversation_tables import project_conversation
from tilth.people.events import (
    ConversationBegun,
    ConversationMoved,
    IdentityLinked,
    IdentityUnlinked,
    IdentityVerified,
    SummaryWritten,
    TraitTold,
)
from tilth.people.tables import project_origin, project_people

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
_IMPORTED = """
INSERT INTO imports (seq, owner, uri, sha256) VALUES (?, ?, ?, ?)
ON CONFLICT (owner, uri) DO UPDATE SET seq = excluded.seq, sha256 = excluded.sha256
"""

# An event is erased once; in a store that came back, maybe by an erasure that was applied again.
_TOMBSTONE = """
INSERT INTO tombstones (erased_no, erasure_no, scope) VALUES (?, ?, ?)
ON CONFLICT (erased_no) DO NOTHING
"""


def project(conn: Connection, recorded: Recorded, texts: Texts[TextSink]) -> None:
    """Show *recorded* in the tables, and tell *texts* what it says."""
    match recorded.event:
        case EpisodeRecorded():
            _project_episode(conn, recorded, recorded.event, texts.episodes)
        case SessionDescribed():
            _project_description(conn, recorded, recorded.event)
        case ImportFinished(uri=uri, sha256=sha256):
            conn.rows(_IMPORTED, (recorded.seq, recorded.owner, storable(uri), sha256))
        case (
            ContextGiven()
            | FeedbackGiven()
            | BudgetReserved()
            | BudgetSettled()
            | SessionsDistilled()
            | SessionRead()
            | DistillationReopened()
            | SweepBegun()
        ):
            _project_dealing(conn, recorded, recorded.event)
        case IdentityLinked() | IdentityVerified() | IdentityUnlinked() | TraitTold():
            project_people(conn, recorded, recorded.event)
        case StoreCreated():
            pass
        case FactRecorded(said=said, scope=scope):
            project_knowledge(conn, recorded, recorded.event)
            realm = realm_of(conn, recorded.seq, recorded.owner, scope)
            texts.facts.add(conn, recorded.seq, realm, index_terms(said.words))
        case event:
            _project_rest(conn, recorded, event)  # type: ignore[arg-type] # one of the rest


def _project_rest(
    conn: Connection,
    recorded: Recorded,
    event: KnowledgeEvent
    | GapEvent
    | ConversationBegun
    | ConversationMoved
    | SummaryWritten
    | Erased,
) -> None:
    match event:
        case Erased():
            _project_erasure(conn, recorded, event)
        case ConversationBegun() | ConversationMoved() | SummaryWritten():
            project_conversation(conn, recorded, event)
        case (
            GapDetected()
            | GapEvidenced()
            | GapMoved()
            | GapFiled()
            | GapsMerged()
            | GapsParted()
            | GapsPulsed()
            | FilingChosen()
            | FilingEnded()
        ):
            project_gap(conn, recorded, event)
        case _:
            project_knowledge(conn, recorded, event)


def _project_erasure(conn: Connection, recorded: Recorded, event: Erased) -> None:
    for one in event.gone:
        conn.rows(_TOMBSTONE, (place_of(conn, one.event_id), recorded.seq, one.scope or ""))


def _project_dealing(
    conn: Connection,
    recorded: Recorded,
    event: ContextGiven
    | FeedbackGiven
    | BudgetReserved
    | BudgetSettled
    | SessionsDistilled
    | SessionRead
    | DistillationReopened
    | SweepBegun,
) -> None:
    """Show what was given, spent and looked through; nothing that is known follows."""
    match event:
        case ContextGiven():
            project_context(conn, recorded, event)
        case FeedbackGiven():
            project_feedback(conn, recorded, event)
        case BudgetReserved() | BudgetSettled():
            project_budget(conn, recorded, event)
        case SessionsDistilled() | SessionRead() | DistillationReopened():
            project_distillation(conn, recorded, event)
        case SweepBegun():
            project_sweep(conn, recorded, event)


def terms_of(speaker: str, text: str) -> list[str]:
    """Return what the full-text index holds of an episode."""
    return index_terms(f"{speaker}: {text}" if speaker else text)


def episode_terms_in(payload: str) -> list[str]:
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


def fact_terms_in(payload: str) -> list[str]:
    """
    Return what the full-text index holds of the fact with this *payload*.

    Raises:
        CorruptionError: it is not that of a fact.
    """
    event = decode("fact_recorded", payload, None)
    if not isinstance(event, FactRecorded):
        raise CorruptionError("a fact cannot be read")
    return index_terms(event.said.words)


def _project_episode(
    conn: Connection, recorded: Recorded, event: EpisodeRecorded, text: TextSink
) -> None:
    draft = event.draft
    terms = terms_of(draft.speaker, draft.text)
    at = to_micros(draft.occurred_at or recorded.recorded_at)
    realm = counted_realm(
        conn, recorded.seq, recorded.owner, draft.scope, episodes=1, terms=len(terms)
    )
    session_no, position = 0, 0
    if draft.session_id is not None:
        session_no, position = _continue_session(conn, recorded, realm, draft.session_id, at)
    row = (recorded.seq, realm, session_no, position, at, draft.kind.value, draft.role.value)
    conn.rows(_NEW_EPISODE, row)
    project_origin(conn, recorded.seq, draft)
    text.add(conn, recorded.seq, realm, terms)


def _project_description(conn: Connection, recorded: Recorded, event: SessionDescribed) -> None:
    realm = realm_of(conn, recorded.seq, recorded.owner, event.scope)
    described = (*_info_row(event.info), realm, event.session_id)
    if not conn.rows(_DESCRIBE_SESSION, described):
        at = to_micros(recorded.recorded_at)
        session = (recorded.seq, realm, event.session_id, *_info_row(event.info), at, at, 0)
        conn.rows(_NEW_SESSION, session)


def _continue_session(
    conn: Connection, recorded: Recorded, realm: int, session_id: SessionId, at: int
) -> tuple[int, int]:
    known = conn.rows(_CONTINUE_SESSION, (at, at, at, at, realm, session_id))
    if known:
        session_no, position = known[0]
        return int(session_no), int(position)
    session = (recorded.seq, realm, session_id, *_info_row(SessionInfo()), at, at, 1)
    conn.rows(_NEW_SESSION, session)
    return recorded.seq, 1


def _info_row(info: SessionInfo) -> tuple[str, str, str, str, str]:
    tags = json.dumps(list(info.tags), ensure_ascii=False)
    title, host, folder, uri = map(storable, (info.title, info.host, info.folder, info.uri))
    return title, host, folder, uri, tags


def storable(text: str) -> str:
    """Return *text* without NULs, which PostgreSQL cannot hold; the ledger keeps what was said."""
    return text.replace("\0", "\ufffd")
