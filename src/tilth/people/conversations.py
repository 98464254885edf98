"""
Conversations: one thread with an entity by one way, kept over restarts.

A message belongs to it for ever. What comes to rest is summarised, and every summary stays as
it was written; a closed conversation takes nothing until somebody resumes it.
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
from tilth.people.digesting import digest, plain_digest, stretch_in, tone
from tilth.people.events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.identities import check_theirs
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

# By so many messages a tone is heard.
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
    """A conversation at rest, and the summary that was written; None if all was summarised."""

    conversation: Conversation
    summary: Summary | None


def begin_conversation(store: Store, told: ConversationDraft, recorder: WriteContext) -> Begun:
    """
    Begin a conversation, or go on with the one that is not closed.

    Raises:
        NotFoundError: there is no such entity that may be seen.
        InvalidInputError: nobody configured that transport, or the address is none.
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
            known, is_new = moved(tx, known, ConversationStatus.ACTIVE, recorder), False
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
    Add a message; one at rest becomes active by it.

    Where it came from, with whom and in which scope is the conversation's. What comes in is said
    by the entity, unless somebody else is named.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        ConflictError: it is closed, or its address is somebody else's by now.
        IdempotencyConflictError: the key was used before, for something else.
    """
    within = Visibility(recorder.owner)
    with store.read() as view:
        thread = Conversations(view).thread(conversation_id, within)
        name = Entities(view).get(thread.draft.entity_id, within).name
        draft = _placed(told, thread, name)
    (clean,), vectors = prepared(embedder, [draft], recorder.transports)
    with store.begin() as tx:
        thread = Conversations(tx).thread(conversation_id, within)
        _check_open(thread)
        _check_way(tx, thread, within)
        _move(tx, thread, ConversationStatus.ACTIVE, recorder)
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
    Put a conversation to rest, and summarise what is not summarised.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        ConflictError: it is closed.
    """
    within = Visibility(thinker.recorder.owner)
    with thinker.store.read() as view:
        _check_open(Conversations(view).thread(conversation_id, within))
    summary = summarised(thinker, conversation_id)
    with thinker.store.begin() as tx:
        known = Conversations(tx).get(conversation_id, within)
        _check_open(known)
        late = stretch_in(tx, conversation_id, within, is_forced=False)
        if late is not None:
            # Said while the rest was summed up.
            summary = _appended(tx, plain_digest(late), thinker.recorder)
        archived = moved(tx, known, ConversationStatus.IDLE, thinker.recorder)
    logger.info("conversation archived: conversation=%s", conversation_id)
    return Archived(conversation=archived, summary=summary)


def read_tone(
    thinker: ModelClient, conversation_id: ConversationId, within: Visibility
) -> ToneDraft:
    """
    Return how the other side of a conversation speaks, by its last messages.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        InvalidInputError: nothing was said in it.
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


def _check_way(tx: Transaction, known: Thread, within: Visibility) -> None:
    """Refuse a message by an address that changed hands: whose words it holds, nobody could say."""
    draft = known.draft
    if draft.address:
        entity = Entities(tx).canonical(draft.entity_id, within)
        check_theirs(tx, entity, draft.transport, draft.address, within)


def moved(
    tx: Transaction, known: Conversation, status: ConversationStatus, recorder: WriteContext
) -> Conversation:
    """Return a conversation as it is with a status, which it is given unless it has it."""
    if known.status is status:
        return known
    _move(tx, known, status, recorder)
    return Conversations(tx).get(known.id, Visibility(recorder.owner))


def _move(
    tx: Transaction, known: Thread, status: ConversationStatus, recorder: WriteContext
) -> None:
    if known.status is not status:
        event = ConversationMoved(conversation_id=known.id, status=status)
        tx.append(event, by=recorder.by, owner=recorder.owner)


def _placed(told: EpisodeDraft, conversation: Thread, name: str) -> EpisodeDraft:
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
        # What is said there is looked through for what it states, as in any session.
        session_id=told.session_id or SessionId(conversation.id),
    )


def summarised(
    thinker: ModelClient, conversation_id: ConversationId, *, is_forced: bool = False
) -> Summary | None:
    """Summarise stretch by stretch, each in a transaction of its own; return the last summary."""
    within, summary = Visibility(thinker.recorder.owner), None
    while True:
        with thinker.store.read() as view:
            Conversations(view).thread(conversation_id, within)
            stretch = stretch_in(view, conversation_id, within, is_forced=is_forced)
        if stretch is None:
            return summary
        # Reading and asking a model takes its time, so nobody waits for it.
        draft = digest(thinker, stretch)
        with thinker.store.begin() as tx:
            now = stretch_in(tx, conversation_id, within, is_forced=is_forced)
            if now is not None and stretch.begins(now):
                summary = _appended(tx, draft, thinker.recorder)
            # Else somebody summarised it meanwhile, or erased some of it: look again.
        if stretch.is_all and summary is not None:
            return summary
        is_forced = False


def _appended(tx: Transaction, draft: DigestDraft, recorder: WriteContext) -> Summary:
    tx.append(SummaryWritten(draft), by=recorder.by, owner=recorder.owner)
    within = Visibility(recorder.owner)
    return Conversations(tx).summaries(draft.conversation_id, within)[-1]
