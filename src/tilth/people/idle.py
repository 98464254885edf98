"""
Find conversations that have come to rest, and put them to rest.

Silence says so (EM-012). Where it leaves a doubt a model is asked, if there is one; it can neither
end a conversation that was just going on, nor keep one open for ever.
"""

import logging
from datetime import datetime
from functools import partial

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.ids import ConversationId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode
from tilth.ledger.snapshot import Snapshot, every
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

# By so many messages a model judges.
_HEARD = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Whether a conversation has come to rest; `model` said so, silence did where it is empty."""

    conversation_id: ConversationId
    is_idle: bool
    model: str = ""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A conversation as it was when it was judged, and its last messages."""

    known: Conversation
    said: list[Episode]


def judge_rest(
    thinker: ModelClient, within: Visibility, conversation_id: ConversationId | None
) -> list[Rest]:
    """
    Say of one conversation, or of every active one, whether it has come to rest.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
    """
    return [_rest(thinker, one) for one in _seen(thinker, within, conversation_id)]


def put_to_rest(
    thinker: ModelClient, within: Visibility, going_on: dict[ConversationId, int]
) -> list[Archived]:
    """
    Archive every active conversation that has come to rest; one without a word has not begun.

    *going_on* keeps, from one call to the next, of which conversations a model said that they go
    on, and of how many messages: it is not asked the same twice, and silence ends them at last.
    """
    done = []
    for one in _seen(thinker, within, None):
        if one.said and _has_come_to_rest(thinker, one, going_on) and _is_as_seen(thinker, one):
            try:
                done.append(archive_conversation(thinker, one.known.id))
            except ConflictError:
                # Somebody closed it meanwhile.
                logger.info("not put to rest: conversation=%s", one.known.id)
    return done


def _has_come_to_rest(
    thinker: ModelClient, one: _Judged, going_on: dict[ConversationId, int]
) -> bool:
    known = one.known
    is_asked = going_on.get(known.id) == known.tally.count
    if is_asked and is_doubtful(known.tally, thinker.clock.now()):
        return False
    rest = _rest(thinker, one)
    if rest.model and not rest.is_idle:
        going_on[known.id] = known.tally.count
    else:
        going_on.pop(known.id, None)
    return rest.is_idle


def _is_as_seen(thinker: ModelClient, one: _Judged) -> bool:
    """Say whether nothing was said meanwhile, since a model takes its time."""
    with thinker.store.read() as view:
        within = Visibility(thinker.recorder.owner)
        return Conversations(view).get(one.known.id, within).tally == one.known.tally


def _seen(
    thinker: ModelClient, within: Visibility, conversation_id: ConversationId | None
) -> list[_Judged]:
    now = thinker.clock.now()
    with thinker.store.read() as view:
        if conversation_id is None:
            which = ConversationFilter(within=within, status=ConversationStatus.ACTIVE)
            found = [*every(partial(Conversations(view).select, which))]
        else:
            found = [Conversations(view).get(conversation_id, within)]
        return [_Judged(one, _last(view, one, within, now)) for one in found]


def _last(view: Snapshot, known: Conversation, within: Visibility, now: datetime) -> list[Episode]:
    """Return the last messages, where what they say may tell that it rests."""
    if not may_rest(known.tally, now):
        return []
    return Conversations(view).recent(known.id, within, limit=_HEARD)


def _rest(thinker: ModelClient, one: _Judged) -> Rest:
    known, now = one.known, thinker.clock.now()
    if known.status is not ConversationStatus.ACTIVE:
        return Rest(conversation_id=known.id, is_idle=True)
    if one.said and is_doubtful(known.tally, now):
        thought = ask(thinker, IdleJudgement, one.said, {})
        if not isinstance(thought, Refusal):
            is_idle = thought.answer.is_idle
            return Rest(conversation_id=known.id, is_idle=is_idle, model=thought.model)
    last = one.said[-1].text if one.said else ""
    return Rest(conversation_id=known.id, is_idle=is_at_rest(known.tally, last, now))
