"""Collect what the next reply in a conversation needs to know, for any model."""

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
from tilth.people.extractive_summary import drawn_together, sentences_in, unreported
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
    How much of what a context holds.

    `transport` keeps out what came by other ways: summaries, and traits that rest on such alone.
    """

    summary_tokens: int = SUMMARY_TOKENS
    recent: int = RECENT
    transport: str | None = None
    is_private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What a conversation came to, as much of it as there is room for."""

    conversation_id: ConversationId
    transport: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationContext:
    """Profile, tone, summaries and last messages; `text` is all of it for a model to read."""

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
    Return what is to be known for the next reply.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
        InvalidInputError: the conversation goes by another way than the one wanted.
    """
    check_page(wanted.recent, RECENT_MAX)
    with store.read() as view:
        conversation = Conversations(view).get(conversation_id, within)
        if wanted.transport not in {None, conversation.draft.transport}:
            raise InvalidInputError(f"{conversation_id} goes by {conversation.draft.transport}")
        entity = Entities(view).canonical(conversation.draft.entity_id, within)
        own = _kept(view, conversation_id, within)[-1:]
        context = ConversationContext(
            conversation=conversation,
            name=entity.name,
            profile=tuple(_traits(view, entity.id, within, wanted.transport)),
            tone=own[0].draft.tone if own else None,
            pending=_pending(view, own[0], within) if own else (),
            summaries=tuple(_digests(view, conversation, within, wanted)),
            recent=tuple(Conversations(view).recent(conversation_id, within, limit=wanted.recent)),
            text="",
        )
    # Masked first: half an address is not recognised.
    context = _cut(_masked(context) if wanted.is_private else context, wanted)
    return replace(context, text="\n".join(_lines(context)))


def _pending(view: Snapshot, last: Summary, within: Visibility) -> tuple[str, ...]:
    """Return what was owed at a summary, without what was reported as done since."""
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
    """Yield a profile, but for what nothing shows that came by *transport*."""
    for trait in People(view).profile(entity_id, within):
        ways = (_way(view, one, within) for one in trait.evidence)
        if transport is None or not trait.evidence or transport in ways:
            yield trait


def _way(view: Snapshot, episode_id: EpisodeId, within: Visibility) -> str:
    """Return by which way an episode came; an empty text if it was erased, or is not seen."""
    try:
        return Episodes(view).get(episode_id, within).transport
    except NotFoundError:
        return ""


def _digests(
    view: Snapshot, conversation: Conversation, within: Visibility, wanted: Wanted
) -> Iterator[Digest]:
    """Yield what a conversation came to, then what others with the same entity did."""
    entity_id = Entities(view).canonical(conversation.draft.entity_id, within).id
    which = ConversationFilter(within=within, entity_id=entity_id, transport=wanted.transport)
    others = Conversations(view).select(which, limit=_ELSEWHERE_MAX)
    for one in (conversation, *(other for other in others if other.id != conversation.id)):
        if told := [summary.draft.text for summary in _kept(view, one.id, within)]:
            last = Conversations(view).recent(one.id, within, limit=1)
            text = drawn_together(told, last[0] if last else None, wanted.summary_tokens)
            yield Digest(conversation_id=one.id, transport=one.draft.transport, text=text)


def _kept(view: Snapshot, conversation_id: ConversationId, within: Visibility) -> list[Summary]:
    """Return the summaries of a conversation, of each stretch the last."""
    found = Conversations(view).summaries(conversation_id, within)
    return list({one.first_seq: one for one in found}.values())


def _cut(context: ConversationContext, wanted: Wanted) -> ConversationContext:
    """Return the context with as much of summaries and messages as there is room for."""
    room, digests = wanted.summary_tokens, []
    for digest in context.summaries:
        if text := beginning(digest.text, room):
            digests.append(replace(digest, text=text))
            room -= token_estimate(text)
    recent = tuple(replace(one, text=one.text[:MESSAGE_CHARS]) for one in context.recent)
    return replace(context, summaries=tuple(digests), recent=recent)


def _masked(context: ConversationContext) -> ConversationContext:
    """Return the context without personal data in its words; IDs stay what they were."""
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
        yield _indented(f"Topic: {draft.topic}")
    yield from _listed(
        "Profile", (f"{one.key}: {one.value} ({one.confidence})" for one in context.profile)
    )
    if context.tone:
        tone = context.tone
        yield f"Tone: {tone.sentiment}, {tone.pace}, formality {tone.formality:.1f}"
    yield from _listed("Still to do", context.pending)
    for digest in context.summaries:
        yield _indented(f"Summary ({digest.transport}):\n{digest.text}")
    yield from _listed(
        "Last messages", (f"{one.author or one.role}: {one.text}" for one in context.recent)
    )


def _listed(heading: str, parts: Iterable[str]) -> Iterator[str]:
    lines = [_indented(f"- {part}") for part in parts]
    if lines:
        yield f"{heading}:"
        yield from lines


def _indented(part: str) -> str:
    """Return a part whose every line but the first is set in, so that none passes for another."""
    return "\n  ".join(line for line in part.splitlines() if line.strip())
