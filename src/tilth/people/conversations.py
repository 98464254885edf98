"""
Conversations: threads with an entity over one transport, which outlive restarts.

A message belongs to its conversation for ever. A conversation is summarised when it is archived,
and no summary changes; a closed conversation takes no message until somebody resumes it.
"""

import logging
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import ConversationId, EpisodeId, SessionId
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Embedder
from tilth.episodes.episode import Direction, EpisodeDraft, Role, check_transport
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.remember import WriteContext, keep_vectors, prepared
from tilth.knowledge.entities.identity import address_key, parse_address
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.store import Store, Transaction
from tilth.llm.answers import ToneDraft
from tilth.llm.client import ModelClient
from tilth.people.conversation import (
    Conversation,
    ConversationDraft,
    ConversationStatus,
    DigestDraft,
    Summary,
    Thread,
)
from tilth.people.conversation_tables import Conversations
from tilth.people.events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.identities import check_theirs
from tilth.people.summarise import digest, plain_digest, stretch_in, tone
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

# How many of the last messages are read for the tone.
_HEARD = 100
ROLES = {
    Direction.INBOUND: Role.USER,
    Direction.OUTBOUND: Role.ASSISTANT,
    Direction.SYSTEM: Role.SYSTEM,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A conversation, and whether it is a new one."""

    conversation: Conversation
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """An archived conversation, and the new summary; None if there was nothing to summarise."""

    conversation: Conversation
    summary: Summary | None


def begin_conversation(store: Store, told: ConversationDraft, recorder: WriteContext) -> Begun:
    """
    Begin a conversation, or continue the open one.

    Raises:
        NotFoundError: no such entity is visible.
        InvalidInputError: the transport is not configured, or the address is not valid.
        ConflictError: the address is somebody else's.
    """
    check_transport(told.transport, recorder.transports)
    way = parse_address(told.transport, told.address).address if told.address else ""
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        entity = Entities(tx).canonical(told.entity_id, within)
        if way:
            check_theirs(tx, entity, told.transport, way, within)
        draft = replace(told, entity_id=entity.id, address=way, topic=scrub(told.topic).text)
        known = Conversations(tx).open_like(draft, recorder.owner)
        if known is None:
            event = tx.append(ConversationBegun(draft), by=recorder.by, owner=recorder.owner)
            id_ = ConversationId.of(event.recorded.event_id)
            known, is_new = Conversations(tx).get(id_, within), True
        else:
            known, is_new = with_status(tx, known, ConversationStatus.ACTIVE, recorder), False
    logger.info("conversation begun: conversation=%s new=%s", known.id, is_new)
    return Begun(conversation=known, is_new=is_new)


def add_message(
    store: Store,
    embedder: Embedder,
    conversation_id: ConversationId,
    told: EpisodeDraft,
    recorder: WriteContext,
) -> EpisodeId:
    """
    Add a message; an archived conversation becomes active.

    Origin, participant and scope are the conversation's. An incoming message is by the entity,
    unless another author is named.

    Raises:
        NotFoundError: no such conversation is visible.
        ConflictError: it is closed, or its address is now somebody else's.
        IdempotencyConflictError: the key was used before, for something else.
    """
    within = Visibility(recorder.owner)
    with store.read() as view:
        thread = Conversations(view).thread(conversation_id, within)
        name = Entities(view).get(thread.draft.entity_id, within).name
        draft = _with_origin(told, thread, name)
    (clean,), vectors = prepared(embedder, [draft], recorder.transports)
    with store.begin() as tx:
        thread = Conversations(tx).thread(conversation_id, within)
        _check_open(thread)
        _check_address(tx, thread, within)
        _record_status(tx, thread, ConversationStatus.ACTIVE, recorder)
        appended = tx.append(
            EpisodeRecorded(clean),
            by=recorder.by,
            owner=recorder.owner,
            idempotency_key=clean.idempotency_key,
        )
        keep_vectors(tx, embedder.space, [appended], vectors)
    episode_id = EpisodeId.of(appended.recorded.event_id)
    logger.info("message added: conversation=%s", conversation_id)
    return episode_id


def archive_conversation(thinker: ModelClient, conversation_id: ConversationId) -> Archived:
    """
    Archive a conversation, and summarise its remaining messages.

    Raises:
        NotFoundError: no such conversation is visible.
        ConflictError: it is closed.
    """
    within = Visibility(thinker.recorder.owner)
    with thinker.store.read() as view:
        _check_open(Conversations(view).thread(conversation_id, within))
    summary = summarise_conversation(thinker, conversation_id)
    with thinker.store.begin() as tx:
        known = Conversations(tx).get(conversation_id, within)
        _check_open(known)
        # Messages that came while the others were summarised.
        rest = stretch_in(tx, conversation_id, within, is_forced=False)
        if rest is not None:
            summary = _append_summary(tx, plain_digest(rest), thinker.recorder)
        archived = with_status(tx, known, ConversationStatus.IDLE, thinker.recorder)
    logger.info("conversation archived: conversation=%s", conversation_id)
    return Archived(conversation=archived, summary=summary)


def read_tone(
    thinker: ModelClient, conversation_id: ConversationId, within: Visibility
) -> ToneDraft:
    """
    Return how the other side of a conversation speaks, from its last messages.

    Raises:
        NotFoundError: no such conversation is visible.
        InvalidInputError: it has no messages.
    """
    with thinker.store.read() as view:
        Conversations(view).thread(conversation_id, within)
        said = Conversations(view).recent(conversation_id, within, limit=_HEARD)
    if not said:
        raise InvalidInputError(f"nothing was said in {conversation_id}")
    return tone(thinker, said)


def _check_open(known: Thread) -> None:
    if known.status is ConversationStatus.CLOSED:
        raise ConflictError(f"{known.id} is closed", hint=f"tilth conversation resume {known.id}")


def _check_address(tx: Transaction, known: Thread, within: Visibility) -> None:
    """Refuse a message from an address that changed hands, since its author would be unclear."""
    draft = known.draft
    if draft.address:
        entity = Entities(tx).canonical(draft.entity_id, within)
        check_theirs(tx, entity, draft.transport, draft.address, within)


def with_status(
    tx: Transaction, known: Conversation, status: ConversationStatus, recorder: WriteContext
) -> Conversation:
    """Return a conversation with a status, which is recorded if it is new."""
    if known.status is status:
        return known
    _record_status(tx, known, status, recorder)
    return Conversations(tx).get(known.id, Visibility(recorder.owner))


def _record_status(
    tx: Transaction, known: Thread, status: ConversationStatus, recorder: WriteContext
) -> None:
    if known.status is not status:
        event = ConversationMoved(conversation_id=known.id, status=status)
        tx.append(event, by=recorder.by, owner=recorder.owner)


def _with_origin(told: EpisodeDraft, conversation: Thread, name: str) -> EpisodeDraft:
    """Return a message with the transport, address and participant of its conversation."""
    draft = conversation.draft
    if told.address and address_key(draft.transport, told.address) != draft.address:
        raise InvalidInputError(f"{conversation.id} goes by another address")
    is_theirs = told.travels is Direction.INBOUND and not told.speaker
    return replace(
        told,
        speaker=name if is_theirs else told.speaker,
        scope=draft.scope,
        transport=draft.transport,
        address=draft.address,
        entity_id=draft.entity_id,
        conversation_id=conversation.id,
        # Its messages are distilled like those of any session.
        session_id=told.session_id or SessionId(conversation.id),
    )


def summarise_conversation(
    thinker: ModelClient, conversation_id: ConversationId, *, is_forced: bool = False
) -> Summary | None:
    """Summarise stretch by stretch, each in its own transaction; return the last summary."""
    within, summary = Visibility(thinker.recorder.owner), None
    while True:
        with thinker.store.read() as view:
            Conversations(view).thread(conversation_id, within)
            stretch = stretch_in(view, conversation_id, within, is_forced=is_forced)
        if stretch is None:
            return summary
        # Done outside of the transaction, since reading and asking a model take time.
        draft = digest(thinker, stretch)
        with thinker.store.begin() as tx:
            now = stretch_in(tx, conversation_id, within, is_forced=is_forced)
            if now is not None and stretch.begins(now):
                summary = _append_summary(tx, draft, thinker.recorder)
            # Otherwise somebody summarised or erased some of it meanwhile; read it again.
        if stretch.is_all and summary is not None:
            return summary
        is_forced = False


def _append_summary(tx: Transaction, draft: DigestDraft, recorder: WriteContext) -> Summary:
    tx.append(SummaryWritten(draft), by=recorder.by, owner=recorder.owner)
    within = Visibility(recorder.owner)
    return Conversations(tx).summaries(draft.conversation_id, within)[-1]
