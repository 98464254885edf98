"""
Find idle conversations, and archive them.

A conversation is idle after a silence (EM-012). Where its length leaves a doubt a model is asked,
if one is set; it can neither end a conversation at once nor keep one active for ever.
"""

import logging
from functools import partial

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.ids import ConversationId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode
from tilth.ledger.snapshot import every
from tilth.llm.answers import IdleJudgement
from tilth.llm.client import ModelClient, Refusal
from tilth.people.conversation import (
    Conversation,
    ConversationFilter,
    ConversationStatus,
    is_at_rest,
    is_doubtful,
    may_rest,
)
from tilth.people.conversation_tables import Conversations
from tilth.people.conversations import Archived, archive_conversation
from tilth.people.summarise import ask

logger = logging.getLogger(__name__)

# How many of the last messages a model judges by.
_HEARD = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Whether a conversation is idle; `model` said so, or the silence if it is empty."""

    conversation_id: ConversationId
    is_idle: bool
    model: str = ""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A conversation as it was read, and its last messages if they may tell that it is idle."""

    known: Conversation
    said: list[Episode]


def judge_rest(
    thinker: ModelClient, within: Visibility, conversation_id: ConversationId | None
) -> list[Rest]:
    """
    Return whether one conversation, or every active one, is idle.

    Raises:
        NotFoundError: no such conversation is visible.
    """
    return [_judge(thinker, one) for one in _candidates(thinker, within, conversation_id)]


def put_to_rest(
    thinker: ModelClient, within: Visibility, ongoing: dict[ConversationId, int]
) -> list[Archived]:
    """
    Archive every idle conversation that has messages.

    *ongoing* is kept from one call to the next: the conversations that a model judged active, each
    with the number of its messages. So a model is not asked the same twice, and silence ends a
    conversation at last.
    """
    done = []
    for one in _candidates(thinker, within, None):
        if one.said and _is_idle(thinker, one, ongoing) and _is_unchanged(thinker, one):
            try:
                done.append(archive_conversation(thinker, one.known.id))
            except ConflictError:
                # Somebody closed it meanwhile.
                logger.info("not put to rest: conversation=%s", one.known.id)
    return done


def _is_idle(thinker: ModelClient, one: _Candidate, ongoing: dict[ConversationId, int]) -> bool:
    known = one.known
    is_asked = ongoing.get(known.id) == known.tally.count
    if is_asked and is_doubtful(known.tally, thinker.clock.now()):
        return False
    rest = _judge(thinker, one)
    if rest.model and not rest.is_idle:
        ongoing[known.id] = known.tally.count
    else:
        ongoing.pop(known.id, None)
    return rest.is_idle


def _is_unchanged(thinker: ModelClient, one: _Candidate) -> bool:
    """Say whether no message was added while a model judged it."""
    with thinker.store.read() as view:
        within = Visibility(thinker.recorder.owner)
        return Conversations(view).get(one.known.id, within).tally == one.known.tally


def _candidates(
    thinker: ModelClient, within: Visibility, conversation_id: ConversationId | None
) -> list[_Candidate]:
    now = thinker.clock.now()
    with thinker.store.read() as view:
        conversations = Conversations(view)
        if conversation_id is None:
            which = ConversationFilter(within=within, status=ConversationStatus.ACTIVE)
            found = [*every(partial(conversations.select, which))]
        else:
            found = [conversations.get(conversation_id, within)]
        return [
            _Candidate(
                one,
                conversations.recent(one.id, within, limit=_HEARD)
                if may_rest(one.tally, now)
                else [],
            )
            for one in found
        ]


def _judge(thinker: ModelClient, one: _Candidate) -> Rest:
    known, now = one.known, thinker.clock.now()
    if known.status is not ConversationStatus.ACTIVE:
        return Rest(conversation_id=known.id, is_idle=True)
    if one.said and is_doubtful(known.tally, now):
        thought = ask(thinker, IdleJudgement, one.said)
        if not isinstance(thought, Refusal):
            is_idle = thought.answer.is_idle
            return Rest(conversation_id=known.id, is_idle=is_idle, model=thought.model)
    last = one.said[-1].text if one.said else ""
    return Rest(conversation_id=known.id, is_idle=is_at_rest(known.tally, last, now))
