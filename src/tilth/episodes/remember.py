"""
Recording what was said and done.

Everything passes the one choke point first: private spans and secrets are
gone before the ledger, an index or a log sees the text.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.actor import Actor, CameBy
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.ids import SESSION_ID_CHARS_MAX, EpisodeId, SessionId
from tilth.core.scope import Owner, Scope, Visibility
from tilth.embedding.embedder import Embedder, Vector
from tilth.episodes.episode import (
    OUTCOMES,
    TRANSPORTS,
    Episode,
    EpisodeDraft,
    EpisodeKind,
    check_transport,
)
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.tables import Episodes
from tilth.ledger.log import Appended
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub, scrub_label, scrub_name, scrub_object, scrub_scope
from tilth.privacy.terminal_text import without_ansi_codes

logger = logging.getLogger(__name__)
_PLAIN_CHARS_MAX = SESSION_ID_CHARS_MAX - 9


@dataclass(frozen=True, slots=True)
class WriteContext:
    """Who records, for whom, and by which ways episodes may come."""

    by: Actor
    owner: Owner
    transports: frozenset[str] = TRANSPORTS


def remember(
    store: Store, embedder: Embedder, drafts: Sequence[EpisodeDraft], *, recorder: WriteContext
) -> list[EpisodeId]:
    """
    Record episodes, all of them or none.

    When this returns they are durable, and the next recall finds them.

    Args:
        store: Where they go.
        embedder: The first tier, in step with every write.
        drafts: What was said and done, in order.
        recorder: Who records, and for whom.

    Returns:
        The ID of each, in the same order. A repeated idempotency key gives the
        ID that it gave before.

    Raises:
        InvalidInputError: a draft names an unknown transport.
        IdempotencyConflictError: a key was used before, for something else.
    """
    clean, vectors = prepared(embedder, drafts, recorder.transports)
    with store.begin() as tx:
        appended = [
            tx.append(
                EpisodeRecorded(draft),
                by=recorder.by,
                owner=recorder.owner,
                idempotency_key=draft.idempotency_key,
            )
            for draft in clean
        ]
        keep_vectors(tx, embedder.space, appended, vectors)
    logger.info("episodes recorded: new=%d", sum(one.is_new for one in appended))
    return [EpisodeId.of(one.recorded.event_id) for one in appended]


def prepared(
    embedder: Embedder, drafts: Sequence[EpisodeDraft], transports: frozenset[str]
) -> tuple[list[EpisodeDraft], Vector]:
    """
    Return the drafts as they may be kept, and their vectors.

    Raises:
        InvalidInputError: a draft names an unknown transport.
    """
    for draft in drafts:
        check_transport(draft.transport, transports)
    clean = [scrubbed(draft) for draft in drafts]
    return clean, embedder.embed([embedded_text(draft) for draft in clean])


def scrubbed(draft: EpisodeDraft) -> EpisodeDraft:
    """
    Return *draft* without private spans and secrets, in its text, labels and metadata.

    What a tool told a terminal loses its colours: no word of it is found with them.
    """
    plain = without_ansi_codes(draft.text) if draft.kind in OUTCOMES else draft.text
    return replace(
        draft,
        text=scrub(plain if plain.strip() else draft.text).text,
        session_id=scrubbed_id(draft.session_id),
        scope=scrub_scope(draft.scope),
        speaker=scrub_label(draft.speaker),
        address=scrub_label(draft.address),
        entity_id=draft.entity_id and scrub_label(draft.entity_id),
        conversation_id=draft.conversation_id and scrub_label(draft.conversation_id),
        metadata=scrub_object(draft.metadata),
    )


def scrubbed_id(session_id: SessionId | None) -> SessionId | None:
    """Return *session_id*, or where a secret stands in it, one that stays apart from others."""
    if session_id is None or (plain := scrub_name(session_id)) == session_id:
        return session_id
    words, _, apart = plain.rpartition(" ")
    return SessionId(f"{words[:_PLAIN_CHARS_MAX]} {apart}")


def embedded_text(said: EpisodeDraft | Episode) -> str:
    """Return what stands for an episode in vector space: under its heading, with its speaker."""
    heading = said.metadata.get("heading") if said.kind is EpisodeKind.DOCUMENT else None
    if isinstance(heading, str):
        return f"{heading}\n{said.text}"
    return f"{said.speaker}: {said.text}" if said.speaker else said.text


def keep_vectors(
    tx: Transaction, space: str, appended: Sequence[Appended], vectors: Vector
) -> None:
    """Keep the vectors of those episodes that are new."""
    new = [
        (one.recorded.seq, vector)
        for one, vector in zip(appended, vectors, strict=True)
        if one.is_new
    ]
    tx.put_vectors(space, new)


def replaced_notes(
    view: Snapshot, ids: Sequence[EpisodeId], within: Visibility, scope: Scope, by: Actor
) -> list[Episode]:
    """
    Return the notes that one in *scope* comes in the place of.

    Raises:
        NotFoundError: there is none with one of *ids* that may be seen.
        InvalidInputError: one is no note, or belongs to another scope.
        ForbiddenError: a person noted one, and who records is none.
    """
    found = [Episodes(view).get(id_, within) for id_ in dict.fromkeys(ids)]
    for one in found:
        if not one.is_note:
            raise InvalidInputError(
                f"{one.id} is no note", hint="leave it; what holds now, a note may say"
            )
        if one.scope != scope:
            raise InvalidInputError(
                f"{one.id} was noted in {one.scope}, not in {scope}",
                hint=f"note it there, with --scope {one.scope}",
            )
        if one.came_by is CameBy.TOLD and not by.is_human:
            raise ForbiddenError(
                f"a person noted {one.id}, and no agent ends that",
                hint="note what is so without ending it: that is told beside it, and as yours",
            )
    return found
