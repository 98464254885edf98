"""The verbs on conversations."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Protocol, TypeAlias, Unpack

from tilth.core.actor import Actor, ActorKind
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.errors import ConflictError
from tilth.core.ids import ConversationId, EpisodeId
from tilth.core.scope import GLOBAL, Visibility
from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.embedding.embedder import Embedder
from tilth.episodes.context import Context, Narrowed, Place
from tilth.episodes.episode import EpisodeFields, parse_draft
from tilth.knowledge.entities.verbs import Limit, One, Transport, known_transport, one_meant
from tilth.ledger.store import Transaction
from tilth.llm.answers import ToneDraft
from tilth.llm.client import ModelClient
from tilth.people import conversations, views
from tilth.people import idle as resting
from tilth.people import reply_context as replies
from tilth.people.conversation import (
    Conversation,
    ConversationDraft,
    ConversationFilter,
    ConversationStatus,
    Summary,
    parse_status,
)
from tilth.people.conversation_tables import Conversations
from tilth.people.conversations import (
    ROLES,
    Archived,
    Begun,
    summarise_conversation,
    with_status,
)
from tilth.people.find_conversation import conversation_meant
from tilth.people.idle import Rest
from tilth.people.reply_context import RECENT, ConversationContext, Wanted
from tilth.people.summarise import SUMMARY_TOKENS
from tilth.people.verbs.identity_verbs import At, Way

logger = logging.getLogger(__name__)

noun(
    "conversation",
    "threads with persons, agents and services",
    section=Section.TELL,
    bare="list",
)

# The actor that archives idle conversations.
RESTER = Actor("conversations", ActorKind.JOB)

Which: TypeAlias = Annotated[
    str,
    Arg(
        "its ID, its topic, or whom it is with: a name or an address",
        metavar="NAME",
        id=ConversationId.prefix,
    ),
]


def conversation_id_of(brain: Context, word: str, scope: str | None = None) -> ConversationId:
    """
    Return the conversation that a caller means; see `conversation_meant`.

    Raises:
        NotFoundError: no such conversation is visible.
        ConflictError: several are meant.
    """
    with brain.store.read() as view:
        return conversation_meant(view, word, brain.within(scope), brain.excluded)


def _known(tx: Transaction, word: str, brain: Context) -> Conversation:
    within = Visibility(brain.recorder.owner)
    return Conversations(tx).get(conversation_meant(tx, word, within, brain.excluded), within)


class Needs(Context, Protocol):
    """What conversations need of a brain besides what every verb needs."""

    @property
    def first(self) -> Embedder:
        """The embedder that is in step with every write."""

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""

    @property
    def ongoing_conversations(self) -> dict[ConversationId, int]:
        """The conversations that a model judged to go on, each up to which message."""


@verb(
    "conversation create",
    roles=ANYONE,
    view=views.begun,
    examples=("tilth conversation create Marina email --topic 'the lease'",),
)
def create(
    brain: Needs,
    entity: Annotated[One, Arg("with whom: a name, or an ID", metavar="NAME")],
    transport: Way,
    *,
    address: Annotated[At, Arg("at which address there")] = "",
    topic: Annotated[str, Arg("what it is about", metavar="TEXT")] = "",
    scope: Place = GLOBAL,
) -> Begun:
    """
    Begin a conversation, or continue the one that is open by the same way.

    Returns:
        The conversation, and whether it is new.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: several entities have the name, or the address is another's.
        InvalidInputError: the transport is not configured.
    """
    draft = ConversationDraft(
        entity_id=one_meant(brain, entity),
        transport=transport,
        address=address,
        topic=topic,
        scope=scope,
    )
    return conversations.begin_conversation(brain.store, draft, brain.recorder)


@verb(
    "conversation add",
    roles=ANYONE,
    view=views.message,
    key="episode_id",
    examples=("tilth conversation add cnv_01KAR 'The lease is signed.' --direction outbound",),
)
def add(
    brain: Needs,
    conversation: Which,
    text: Annotated[str, Arg("what was said", metavar="TEXT")],
    **saying: Unpack[EpisodeFields],
) -> EpisodeId:
    """
    Add a message to a conversation.

    Returns:
        The ID of the episode that holds it.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: several are meant, it is closed, or its address now belongs to another
            entity.
    """
    draft = parse_draft(text, saying)
    if "role" not in saying:
        draft = replace(draft, role=ROLES[draft.travels])
    which = conversation_id_of(brain, conversation)
    return conversations.add_message(brain.store, brain.first, which, draft, brain.recorder)


@verb(
    "conversation resume",
    roles=ANYONE,
    view=views.one_conversation,
    key="conversation",
    examples=("tilth conversation resume cnv_01KAR",),
)
def resume(brain: Needs, conversation: Which) -> Conversation:
    """
    Resume a conversation that was archived or closed.

    Returns:
        The conversation as it is now.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    with brain.store.begin() as tx:
        known = _known(tx, conversation, brain)
        other = Conversations(tx).open_like(known.draft, brain.recorder.owner)
        if other is not None and other.id != known.id:
            raise ConflictError(f"{other.id} is open by the same way", hint="close that one first")
        resumed = with_status(tx, known, ConversationStatus.ACTIVE, brain.recorder)
    logger.info("conversation resumed: conversation=%s", resumed.id)
    return resumed


@verb(
    "conversation archive",
    roles=ANYONE,
    view=views.archived,
    examples=("tilth conversation archive cnv_01KAR",),
)
def archive(brain: Needs, conversation: Which) -> Archived:
    """
    Archive a conversation, and summarise its remaining messages.

    Returns:
        The conversation as it is now, and the new summary, if there is one.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    return conversations.archive_conversation(
        brain.thinker, conversation_id_of(brain, conversation)
    )


@verb(
    "conversation close",
    roles=ANYONE,
    view=views.one_conversation,
    key="conversation",
    examples=("tilth conversation close cnv_01KAR",),
)
def close(brain: Needs, conversation: Which) -> Conversation:
    """
    Close a conversation: it takes no more messages.

    Returns:
        The conversation as it is now.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    with brain.store.begin() as tx:
        known = _known(tx, conversation, brain)
        closed = with_status(tx, known, ConversationStatus.CLOSED, brain.recorder)
    logger.info("conversation closed: conversation=%s", closed.id)
    return closed


@verb(
    "conversation summarise",
    roles=ANYONE,
    view=views.summary,
    key="summary",
    examples=("tilth conversation summarise cnv_01KAR",),
)
def summarise(
    brain: Needs,
    conversation: Which,
    *,
    is_forced: Annotated[
        bool, Arg("summarise the last stretch again if nothing is new", flags=("--force",))
    ] = False,
) -> Summary | None:
    """
    Summarise the messages since the last summary.

    Returns:
        The new summary; None if there is nothing to summarise.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    which = conversation_id_of(brain, conversation)
    summary = summarise_conversation(brain.thinker, which, is_forced=is_forced)
    logger.info("conversation summarised: conversation=%s", which)
    return summary


@verb(
    "conversation summaries",
    roles=ANYONE,
    view=views.summaries,
    key="summaries",
    examples=("tilth conversation summaries cnv_01KAR",),
)
def summaries(brain: Needs, conversation: Which, *, scope: Narrowed = None) -> Sequence[Summary]:
    """
    List the summaries of a conversation, the oldest first.

    Returns:
        Each summary with the messages that it covers.

    Raises:
        NotFoundError: there is no such conversation, or it cannot be seen from the scope.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        which = conversation_meant(view, conversation, within, brain.excluded)
        return Conversations(view).summaries(which, within)


@verb(
    "conversation list",
    roles=ANYONE,
    view=views.conversation_list,
    key="conversations",
    examples=("tilth conversation list --entity Marina",),
)
def list_(
    brain: Needs,
    *,
    entity_id: Annotated[
        One | None, Arg("only with this entity", metavar="NAME", flags=("--entity",))
    ] = None,
    transport: Transport = None,
    status: Annotated[
        ConversationStatus | None, Arg("only in this status", parse=parse_status)
    ] = None,
    limit: Limit = 50,
    offset: Annotated[int, Arg("how many to skip", metavar="N", least=0, flags=("--skip",))] = 0,
    scope: Narrowed = None,
) -> Sequence[Conversation]:
    """
    List conversations, the one that began last first.

    Returns:
        The visible conversations.

    Raises:
        NotFoundError: no entity has that name or ID.
        InvalidInputError: the transport is not configured.
    """
    which = ConversationFilter(
        within=brain.within(scope),
        entity_id=None if entity_id is None else one_meant(brain, entity_id),
        transport=known_transport(brain, transport),
        status=status,
    )
    check_page(limit, PAGE_MAX)
    with brain.store.read() as view:
        return Conversations(view).select(which, limit=limit, offset=offset)


@verb(
    "conversation show",
    python="conversations.get",
    roles=ANYONE,
    view=views.one_conversation,
    key="conversation",
    examples=("tilth conversation show cnv_01KAR",),
    old=("conversation get",),
)
def show(brain: Needs, conversation: Which, *, scope: Narrowed = None) -> Conversation:
    """
    Show a conversation.

    Returns:
        The conversation, and how many messages it has.

    Raises:
        NotFoundError: there is no such conversation, or it cannot be seen from the scope.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        which = conversation_meant(view, conversation, within, brain.excluded)
        return Conversations(view).get(which, within)


@verb(
    "conversation tone",
    roles=ANYONE,
    view=views.tone,
    key="tone",
    examples=("tilth conversation tone cnv_01KAR",),
)
def tone(brain: Needs, conversation: Which, *, scope: Narrowed = None) -> ToneDraft:
    """
    Describe how the other side speaks.

    Returns:
        Formality and technical level from 0 to 1, sentiment, and pace.

    Raises:
        NotFoundError: there is no such conversation, or it cannot be seen from the scope.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    which = conversation_id_of(brain, conversation, scope)
    return conversations.read_tone(brain.thinker, which, brain.within(scope))


@verb(
    "conversation stats",
    roles=ANYONE,
    view=views.counts,
    examples=("tilth conversation stats",),
)
def stats(brain: Needs, *, scope: Narrowed = None) -> Mapping[str, Mapping[str, int]]:
    """
    Count conversations, messages and summaries.

    Returns:
        For each of the three, how many there are of which kind.
    """
    with brain.store.read() as view:
        return Conversations(view).counts(brain.within(scope))


@verb("", python="conversations.idle", roles=ANYONE)
def idle(
    brain: Needs,
    conversation: Annotated[Which | None, Arg("only this conversation")] = None,
    *,
    scope: Narrowed = None,
) -> Sequence[Rest]:
    """
    Say which active conversations are idle.

    Returns:
        Each active conversation, and whether it is idle.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    which = None if conversation is None else conversation_id_of(brain, conversation, scope)
    return resting.judge_rest(brain.thinker, brain.within(scope), which)


@verb("", python="conversations.rest", roles=ANYONE)
def rest(brain: Needs) -> Sequence[Archived]:
    """
    Archive the conversations that are idle.

    Returns:
        The conversations that were archived, with their new summaries.
    """
    recorder = replace(brain.recorder, by=RESTER)
    thinker = replace(brain.thinker, recorder=recorder)
    return resting.put_to_rest(thinker, brain.within(None), brain.ongoing_conversations)


@verb("", python="conversations.context", roles=ANYONE)
def context(
    brain: Needs,
    conversation: Which,
    wanted: Annotated[Wanted | None, Arg("which parts, and how much of each")] = None,
    *,
    scope: Narrowed = None,
) -> ConversationContext:
    """
    Return what the next reply needs to know.

    Returns:
        Summaries, the last messages, the profile and what is open, as text and in parts.

    Raises:
        NotFoundError: there is no such conversation, or it cannot be seen from the scope.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    seen = brain.within(scope)
    which = conversation_id_of(brain, conversation, scope)
    told = replies.conversation_context(brain.store, which, seen, wanted or Wanted())
    return brain.excluded.shown(told)


@verb(
    "conversation context",
    python="conversations.reply_context",
    roles=ANYONE,
    view=views.reply_context,
    examples=("tilth conversation context cnv_01KAR --recent 5",),
)
def reply_context(
    brain: Needs,
    conversation: Which,
    *,
    summary_tokens: Annotated[int, Arg("about this many tokens of summaries", least=1)] = (
        SUMMARY_TOKENS
    ),
    recent: Annotated[int, Arg("how many of the last messages", least=1)] = RECENT,
    transport: Annotated[
        str | None, Arg("leave out summaries of other transports", metavar="T")
    ] = None,
    is_private: Annotated[
        bool, Arg("mask mail, addresses, numbers and secrets", flags=("--privacy-filter",))
    ] = False,
    scope: Narrowed = None,
) -> ConversationContext:
    """
    Show what the next reply needs to know.

    Returns:
        Summaries, the last messages, the profile and what is open, as text and in parts.

    Raises:
        NotFoundError: there is no such conversation, or it cannot be seen from the scope.
        ConflictError: several are meant; the hint lists each with its last message.
    """
    wanted = Wanted(
        summary_tokens=summary_tokens, recent=recent, transport=transport, is_private=is_private
    )
    return context(brain, conversation, wanted, scope=scope)
