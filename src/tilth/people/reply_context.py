"""Collect the context of the next reply in a conversation, for any model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tilth.core.calls.paging import check_page
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import ConversationId, EntityId, EpisodeId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.answers import ToneDraft
from tilth.people.conversation import Conversation, ConversationFilter, Summary
from tilth.people.conversation_tables import Conversations
from tilth.people.extractive_summary import merge_summaries, sentences_in, unreported
from tilth.people.identities import masked
from tilth.people.profile import Trait
from tilth.people.summarise import SUMMARY_TOKENS
from tilth.people.tables import People
from tilth.privacy.personal import mask_personal
from tilth.recall.packing import beginning, token_estimate

RECENT = 10
RECENT_MAX = 1000
MESSAGE_CHARS = 200
_ELSEWHERE_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """
    The bounds of a context.

    With `transport`, summaries of other transports are left out, and traits whose evidence came by
    others alone.
    """

    summary_tokens: int = SUMMARY_TOKENS
    recent: int = RECENT
    transport: str | None = None
    is_private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """The summary of a conversation, cut to the budget."""

    conversation_id: ConversationId
    transport: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationContext:
    """The profile, tone, summaries and last messages; `text` has all of it for a model."""

    conversation: Conversation
    name: str
    profile: tuple[Trait, ...]
    tone: ToneDraft | None
    pending: tuple[str, ...]
    summaries: tuple[Digest, ...]
    recent: tuple[Episode, ...]
    text: str


def conversation_context(
    store: Store, conversation_id: ConversationId, within: Visibility, wanted: Wanted
) -> ConversationContext:
    """
    Return the context of the next reply.

    Raises:
        NotFoundError: no such conversation is visible.
        InvalidInputError: the conversation has another transport than the one wanted.
    """
    check_page(wanted.recent, RECENT_MAX)
    with store.read() as view:
        conversation = Conversations(view).get(conversation_id, within)
        if wanted.transport not in {None, conversation.draft.transport}:
            raise InvalidInputError(f"{conversation_id} goes by {conversation.draft.transport}")
        entity = Entities(view).canonical(conversation.draft.entity_id, within)
        own = _latest_summaries(view, conversation_id, within)[-1:]
        context = ConversationContext(
            conversation=conversation,
            name=entity.name,
            profile=tuple(_traits(view, entity.id, within, wanted.transport)),
            tone=own[0].draft.tone if own else None,
            pending=_pending(view, own[0], within) if own else (),
            summaries=tuple(_summaries_of(view, conversation, within, wanted)),
            recent=tuple(Conversations(view).recent(conversation_id, within, limit=wanted.recent)),
            text="",
        )
    # Masked first: half an address is not recognised.
    context = _within_budget(_masked(context) if wanted.is_private else context, wanted)
    return replace(context, text="\n".join(_lines(context)))


def _pending(view: Snapshot, last: Summary, within: Visibility) -> tuple[str, ...]:
    """Return the open points of a summary that no later message reports as done."""
    said = Conversations(view).messages(
        last.draft.conversation_id, within, after=last.last_seq, limit=RECENT_MAX
    )
    owed: Sequence[str] = last.draft.pending
    for sentence in (text for one in said if owed for text in sentences_in(one.text)):
        owed = unreported(owed, sentence)
    return tuple(owed)


def _traits(
    view: Snapshot, entity_id: EntityId, within: Visibility, transport: str | None
) -> Iterator[Trait]:
    """Yield a profile without traits whose evidence all came by other transports."""
    for trait in People(view).profile(entity_id, within):
        ways = (_transport_of(view, one, within) for one in trait.evidence)
        if transport is None or not trait.evidence or transport in ways:
            yield trait


def _transport_of(view: Snapshot, episode_id: EpisodeId, within: Visibility) -> str:
    """Return the transport of an episode; an empty text if it was erased or is not visible."""
    try:
        return Episodes(view).get(episode_id, within).transport
    except NotFoundError:
        return ""


def _summaries_of(
    view: Snapshot, conversation: Conversation, within: Visibility, wanted: Wanted
) -> Iterator[Digest]:
    """Yield the summary of a conversation, then those of others with the same entity."""
    entity_id = Entities(view).canonical(conversation.draft.entity_id, within).id
    which = ConversationFilter(within=within, entity_id=entity_id, transport=wanted.transport)
    others = Conversations(view).select(which, limit=_ELSEWHERE_MAX)
    for one in (conversation, *(other for other in others if other.id != conversation.id)):
        if told := [summary.draft.text for summary in _latest_summaries(view, one.id, within)]:
            last = Conversations(view).recent(one.id, within, limit=1)
            text = merge_summaries(told, last[0] if last else None, wanted.summary_tokens)
            yield Digest(conversation_id=one.id, transport=one.draft.transport, text=text)


def _latest_summaries(
    view: Snapshot, conversation_id: ConversationId, within: Visibility
) -> list[Summary]:
    """Return the summaries of a conversation, of each stretch the last."""
    found = Conversations(view).summaries(conversation_id, within)
    return list({one.first_seq: one for one in found}.values())


def _within_budget(context: ConversationContext, wanted: Wanted) -> ConversationContext:
    """Return the context with its summaries and messages cut to the budget."""
    room, digests = wanted.summary_tokens, []
    for digest in context.summaries:
        if text := beginning(digest.text, room):
            digests.append(replace(digest, text=text))
            room -= token_estimate(text)
    recent = tuple(replace(one, text=one.text[:MESSAGE_CHARS]) for one in context.recent)
    return replace(context, summaries=tuple(digests), recent=recent)


def _masked(context: ConversationContext) -> ConversationContext:
    """Return the context with personal data masked; IDs stay as they are."""
    draft = context.conversation.draft
    hidden = replace(draft, address=mask_personal(draft.address), topic=mask_personal(draft.topic))
    return replace(
        context,
        conversation=replace(context.conversation, draft=hidden),
        name=mask_personal(context.name),
        profile=tuple(
            replace(one, key=mask_personal(one.key), value=mask_personal(one.value))
            for one in context.profile
        ),
        pending=tuple(map(mask_personal, context.pending)),
        summaries=tuple(replace(one, text=mask_personal(one.text)) for one in context.summaries),
        recent=tuple(map(masked, context.recent)),
    )


def _lines(context: ConversationContext) -> Iterator[str]:
    draft = context.conversation.draft
    yield f"Conversation with {context.name} by {draft.transport}"
    if draft.topic:
        yield _indent(f"Topic: {draft.topic}")
    yield from _listed(
        "Profile", (f"{one.key}: {one.value} ({one.confidence})" for one in context.profile)
    )
    if context.tone:
        tone = context.tone
        yield f"Tone: {tone.sentiment}, {tone.pace}, formality {tone.formality:.1f}"
    yield from _listed("Still to do", context.pending)
    for digest in context.summaries:
        yield _indent(f"Summary ({digest.transport}):\n{digest.text}")
    yield from _listed(
        "Last messages", (f"{one.author or one.role}: {one.text}" for one in context.recent)
    )


def _listed(heading: str, parts: Iterable[str]) -> Iterator[str]:
    lines = [_indent(f"- {part}") for part in parts]
    if lines:
        yield f"{heading}:"
        yield from lines


def _indent(part: str) -> str:
    """Return a part with every line but the first indented, so that none looks like a new part."""
    return "\n  ".join(line for line in part.splitlines() if line.strip())
