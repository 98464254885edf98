"""
Conversations: one thread with an entity by one way, kept over restarts.

A message belongs to it for ever. What comes to rest is summarised, and every summary stays as
it was written; a closed conversation takes nothing until somebody resumes it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilth.domain.conversation import (
    Conversation,
    ConversationDraft,
    ConversationStatus,
    DigestDraft,
    Summary,
    is_at_rest,
)
from tilth.domain.episode import Direction, Episode, EpisodeDraft, Role, check_transport
from tilth.domain.events import (
    ConversationBegun,
    ConversationMoved,
    EpisodeRecorded,
    SummaryWritten,
)
from tilth.domain.identity import address_key, parse_address
from tilth.domain.ids import CONVERSATION_PREFIX, ConversationId, EpisodeId, episode_id_of
from tilth.domain.scope import Visibility
from tilth.errors import ConflictError, InvalidInputError
from tilth.ports import Clock, ConversationFilter, Embedder, Reader, Store, Transaction
from tilth.privacy.redaction import scrub
from tilth.retrieval.summarising import Line, pending_in, summarise, tone_of
from tilth.usecases.facts import check_page
from tilth.usecases.remember import Recorder, keep_vectors, prepared

logger = logging.getLogger(__name__)

PAGE_MAX = 1000
SUMMARY_TOKENS = 2000
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


@dataclass(frozen=True, slots=True)
class Rest:
    """Whether a conversation has come to rest."""

    conversation_id: ConversationId
    is_idle: bool


def begin_conversation(store: Store, told: ConversationDraft, recorder: Recorder) -> Begun:
    """
    Begin a conversation, or go on with the one that is not closed.

    Raises:
        NotFoundError: there is no such entity that may be seen.
        InvalidInputError: nobody configured that transport, or the address is none.
    """
    check_transport(told.transport, recorder.transports)
    way = parse_address(told.transport, told.address).address if told.address else ""
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        entity = tx.entities.canonical(told.entity_id, within)
        draft = replace(told, entity_id=entity.id, address=way, topic=scrub(told.topic).text)
        known = tx.conversations.open_like(draft, recorder.owner)
        if known is None:
            event = tx.append(ConversationBegun(draft), by=recorder.by, owner=recorder.owner)
            id_ = ConversationId(CONVERSATION_PREFIX + event.recorded.event_id)
            known, is_new = tx.conversations.get(id_, within), True
        else:
            known, is_new = _moved(tx, known, ConversationStatus.ACTIVE, recorder), False
    logger.info("conversation begun: conversation=%s new=%s", known.id, is_new)
    return Begun(conversation=known, is_new=is_new)


def add_message(
    store: Store,
    embedder: Embedder,
    conversation_id: ConversationId,
    told: EpisodeDraft,
    recorder: Recorder,
) -> EpisodeId:
    """
    Add a message; one at rest becomes active by it.

    Where it came from, with whom and in which scope is the conversation's.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        ConflictError: it is closed.
        IdempotencyConflictError: the key was used before, for something else.
    """
    within = Visibility(recorder.owner)
    with store.read() as view:
        draft = _placed(told, view.conversations.get(conversation_id, within))
    (clean,), vectors = prepared(embedder, [draft], recorder.transports)
    with store.begin() as tx:
        conversation = tx.conversations.get(conversation_id, within)
        if conversation.status is ConversationStatus.CLOSED:
            raise ConflictError(
                f"{conversation_id} is closed", hint=f"tilth conversation resume {conversation_id}"
            )
        _moved(tx, conversation, ConversationStatus.ACTIVE, recorder)
        appended = tx.append(
            EpisodeRecorded(clean),
            by=recorder.by,
            owner=recorder.owner,
            idempotency_key=clean.idempotency_key,
        )
        keep_vectors(tx, embedder.space, [appended], vectors)
    episode_id = episode_id_of(appended.recorded.event_id)
    logger.info("message added: conversation=%s", conversation_id)
    return episode_id


def resume_conversation(
    store: Store, conversation_id: ConversationId, recorder: Recorder
) -> Conversation:
    """
    Go on with a conversation, a closed one too.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        ConflictError: another one with the same entity by the same way is open.
    """
    with store.begin() as tx:
        known = tx.conversations.get(conversation_id, Visibility(recorder.owner))
        other = tx.conversations.open_like(known.draft, recorder.owner)
        if other is not None and other.id != known.id:
            raise ConflictError(f"{other.id} is open by the same way", hint="close that one first")
        resumed = _moved(tx, known, ConversationStatus.ACTIVE, recorder)
    logger.info("conversation resumed: conversation=%s", conversation_id)
    return resumed


def archive_conversation(
    store: Store, conversation_id: ConversationId, recorder: Recorder
) -> Archived:
    """
    Put a conversation to rest, and summarise what is not summarised.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        ConflictError: it is closed.
    """
    with store.begin() as tx:
        known = tx.conversations.get(conversation_id, Visibility(recorder.owner))
        if known.status is ConversationStatus.CLOSED:
            raise ConflictError(f"{conversation_id} is closed")
        summary = _summarised(tx, known, recorder, is_forced=False)
        archived = _moved(tx, known, ConversationStatus.IDLE, recorder)
    logger.info("conversation archived: conversation=%s", conversation_id)
    return Archived(conversation=archived, summary=summary)


def close_conversation(
    store: Store, conversation_id: ConversationId, recorder: Recorder
) -> Conversation:
    """
    End a conversation; the next one with the same entity by the same way is another.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
    """
    with store.begin() as tx:
        known = tx.conversations.get(conversation_id, Visibility(recorder.owner))
        closed = _moved(tx, known, ConversationStatus.CLOSED, recorder)
    logger.info("conversation closed: conversation=%s", conversation_id)
    return closed


def summarise_conversation(
    store: Store, conversation_id: ConversationId, recorder: Recorder, *, is_forced: bool = False
) -> Summary | None:
    """
    Summarise what came since the last summary, or (forced) the last stretch again.

    Returns:
        The new summary, which supersedes the one before; None if there is nothing to summarise.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
    """
    with store.begin() as tx:
        known = tx.conversations.get(conversation_id, Visibility(recorder.owner))
        summary = _summarised(tx, known, recorder, is_forced=is_forced)
    logger.info("conversation summarised: conversation=%s", conversation_id)
    return summary


def list_conversations(
    store: Store, which: ConversationFilter, *, limit: int = 50, offset: int = 0
) -> Sequence[Conversation]:
    """Return conversations, the one that began last first."""
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        return view.conversations.select(which, limit=limit, offset=offset)


def list_summaries(
    store: Store, conversation_id: ConversationId, within: Visibility
) -> Sequence[Summary]:
    """Return every summary of a conversation, the oldest first."""
    with store.read() as view:
        return view.conversations.summaries(conversation_id, within)


def judge_rest(
    store: Store, clock: Clock, within: Visibility, conversation_id: ConversationId | None = None
) -> list[Rest]:
    """Say of one conversation, or of every active one, whether it has come to rest."""
    active = ConversationFilter(within=within, status=ConversationStatus.ACTIVE)
    with store.read() as view:
        if conversation_id is None:
            found = view.conversations.select(active, limit=PAGE_MAX)
        else:
            found = [view.conversations.get(conversation_id, within)]
        return [Rest(one.id, _is_idle(view, one, clock, within)) for one in found]


def _is_idle(view: Reader, one: Conversation, clock: Clock, within: Visibility) -> bool:
    if one.status is not ConversationStatus.ACTIVE:
        return True
    last = view.conversations.recent(one.id, within, limit=1)
    return is_at_rest(one.tally, last[-1].text if last else "", clock.now())


def _moved(
    tx: Transaction, known: Conversation, status: ConversationStatus, recorder: Recorder
) -> Conversation:
    if known.status is status:
        return known
    event = ConversationMoved(conversation_id=known.id, status=status)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return tx.conversations.get(known.id, Visibility(recorder.owner))


def _placed(told: EpisodeDraft, conversation: Conversation) -> EpisodeDraft:
    draft = conversation.draft
    if told.address and address_key(draft.transport, told.address) != draft.address:
        raise InvalidInputError(f"{conversation.id} goes by another address")
    return replace(
        told,
        scope=draft.scope,
        transport=draft.transport,
        address=draft.address,
        entity_id=draft.entity_id,
        conversation_id=conversation.id,
    )


def _summarised(
    tx: Transaction, known: Conversation, recorder: Recorder, *, is_forced: bool
) -> Summary | None:
    within = Visibility(recorder.owner)
    summaries = tx.conversations.summaries(known.id, within)
    before = summaries[-1] if summaries else None
    said = tx.conversations.messages(known.id, within, after=_end(tx, before, within))
    if not said and is_forced and before is not None:
        # The same stretch again, on what the one before it stood on.
        said = _stretch(tx, before, known, within)
        carried = summaries[-2] if len(summaries) > 1 else None
    else:
        carried = before
    if not said:
        return None
    draft = _digest(known, said, carried)
    draft = replace(draft, supersedes=before.id if before else None)
    tx.append(SummaryWritten(draft), by=recorder.by, owner=recorder.owner)
    return tx.conversations.summaries(known.id, within)[-1]


def _end(tx: Transaction, summary: Summary | None, within: Visibility) -> int:
    """Return the place of the last message that is summarised."""
    if summary is None:
        return 0
    return tx.episodes.get(summary.draft.last, within).seq


def _stretch(
    tx: Transaction, summary: Summary, known: Conversation, within: Visibility
) -> list[Episode]:
    first = tx.episodes.get(summary.draft.first, within).seq
    return tx.conversations.messages(known.id, within, after=first - 1)


def _digest(known: Conversation, said: Sequence[Episode], before: Summary | None) -> DigestDraft:
    lines = [Line(one.speaker or one.role.value, one.text) for one in said]
    theirs = [
        line for line, one in zip(lines, said, strict=True) if one.direction is Direction.INBOUND
    ]
    return DigestDraft(
        conversation_id=known.id,
        first=said[0].id,
        last=said[-1].id,
        count=len(said),
        text=summarise(before.draft.text if before else "", lines, SUMMARY_TOKENS),
        tone=tone_of(theirs or lines),
        pending=pending_in(before.draft.pending if before else (), lines),
    )
