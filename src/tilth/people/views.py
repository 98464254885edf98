"""People and conversations as lines for a person."""

from collections.abc import Iterator, Mapping, Sequence

from tilth.core.ids import EpisodeId
from tilth.core.instant import written_day, written_minute
from tilth.core.view import Bold, Dim, Line, Note, number_of, page_end
from tilth.episodes.episode import Episode
from tilth.knowledge.entities.identity import Identity
from tilth.knowledge.entities.views import notes_on, one_entity
from tilth.knowledge.facts.views import waiting
from tilth.llm.answers import ToneDraft
from tilth.people.conversation import Conversation, Summary
from tilth.people.conversations import Archived, Begun
from tilth.people.identities import Interactions, Known, Linked
from tilth.people.idle import Rest
from tilth.people.introduce import Introduced
from tilth.people.profile import Trait
from tilth.people.reply_context import ConversationContext
from tilth.privacy.terminal_text import one_line

_TEXT_CHARS, _NAME_CHARS = 200, 60


def introduced(answer: Introduced) -> Iterator[Line]:
    """Yield somebody who was recorded, with addresses and traits."""
    yield from one_entity(answer.added.entity)
    every = [one for one in (answer.linked, *answer.further) if one is not None]
    yield from (identity_line(one.identity) for one in every if one.identity is not None)
    yield from trait_lines(answer.profile)
    yield from notes_on(answer.added)
    for one in every:
        yield from _notes_on_link(one)


def linked(answer: Linked) -> Iterator[Line]:
    """Yield an address that was linked, or the proposal to link it."""
    if answer.identity is not None:
        yield identity_line(answer.identity)
    yield from _notes_on_link(answer)


def _notes_on_link(answer: Linked) -> Iterator[Line]:
    if answer.identity is not None and not answer.is_new:
        yield Note("it was linked already")
    for proposal_id in (answer.proposal_id, *answer.merges):
        yield from waiting(proposal_id)


def unlinked(answer: Identity) -> Iterator[Line]:
    """Yield an address that was unlinked."""
    yield identity_line(answer)
    yield Note("unlinked")


def verified(answer: Identity) -> Iterator[Line]:
    """Yield an address that was confirmed."""
    yield identity_line(answer)
    yield Note("verified")


def reached(known: Known) -> Iterator[Line]:
    """Yield who is reached at an address."""
    entity, identity = known
    yield (Bold(entity.name), Dim(f"  {entity.type}  {entity.id}"))
    yield identity_line(identity)


def identity_list(found: Sequence[Identity]) -> Iterator[Line]:
    """Yield addresses, a line each."""
    yield from map(identity_line, found)
    if not found:
        yield Note("it has no address yet; link one: tilth entity link NAME TRANSPORT ADDRESS")


def identity_line(identity: Identity) -> Line:
    """Return an address with whose it is."""
    return (
        f"{identity.address.transport} ",
        Bold(identity.address.address),
        Dim(f"  {identity.confidence}  {identity.display_name}  {identity.entity_id}"),
    )


def interactions(answer: Interactions) -> Iterator[Line]:
    """Yield messages with an entity, a line each."""
    yield from map(episode_line, answer.episodes)
    yield Note(f"{answer.tally.count} in all")


def episode_line(episode: Episode) -> Line:
    """Return one episode as a line."""
    return (
        Dim(f"{written_minute(episode.occurred_at)}  {episode.transport}  "),
        f"{episode.author or episode.role}: {one_line(episode.text, _TEXT_CHARS)}",
        Dim(f"  {episode.id}"),
    )


def counts(counts: Mapping[str, Mapping[str, int]]) -> Iterator[Line]:
    """Yield how many there are of each noun, word by word."""
    for noun, of in counts.items():
        yield f"{noun}: {', '.join(f'{word} {count:,}' for word, count in of.items()) or 'none'}"


def traits(found: Sequence[Trait]) -> Iterator[Line]:
    """Yield a profile."""
    yield from trait_lines(found)
    if not found:
        yield Note("nothing of that is recorded yet; record it with: --key KEY --value TEXT")


def trait_lines(traits: Sequence[Trait]) -> Iterator[Line]:
    """Yield traits, a line each."""
    for one in traits:
        mark = "  CURRENT" if one.is_current else ""
        rests = f"  {number_of(len(one.evidence), 'episode')}" if one.evidence else ""
        yield (
            Bold(one.key),
            f"  {one.value}",
            Dim(f"  {one.confidence}{rests}  {written_day(one.recorded_at)}{mark}"),
        )


def begun(answer: Begun) -> Iterator[Line]:
    """Yield a conversation that began, or was open already."""
    yield _conversation_line(answer.conversation)
    if not answer.is_new:
        yield Note("it was open already")


def message(answer: EpisodeId) -> Iterator[Line]:
    """Yield the ID of a message."""
    yield answer


def one_conversation(answer: Conversation) -> Iterator[Line]:
    """Yield one conversation on one line."""
    yield _conversation_line(answer)


def archived(answer: Archived) -> Iterator[Line]:
    """Yield a conversation that was archived, and its new summary."""
    yield _conversation_line(answer.conversation)
    if answer.summary is not None:
        summarised = number_of(answer.summary.draft.count, "message")
        yield Note(f"summarised {summarised}: {answer.summary.id}")


def conversation_list(found: Sequence[Conversation], *, limit: int, offset: int) -> Iterator[Line]:
    """Yield conversations, a line each, and how to go on."""
    yield from map(_conversation_line, found)
    none = "there are none of those; begin one: tilth conversation create NAME TRANSPORT"
    yield from page_end(found, none, limit=limit, offset=offset, flag="--skip")


def _conversation_line(one: Conversation) -> Line:
    draft = one.draft
    way = f"{draft.transport} {draft.address}".strip()
    who = one_line(one.entity_name, _NAME_CHARS) or draft.entity_id
    return (
        Bold(one.id),
        f"  {who}  {one.status}  {way}  {draft.topic}",
        Dim(f"  {number_of(one.tally.count, 'message')}"),
    )


def summary(answer: Summary | None) -> Iterator[Line]:
    """Yield a new summary, if there was anything to summarise."""
    if answer is None:
        yield Note("there is nothing to summarise")
    else:
        yield from _summary_lines(answer)


def summaries(found: Sequence[Summary]) -> Iterator[Line]:
    """Yield every summary of a conversation."""
    for one in found:
        yield from _summary_lines(one)
    if not found:
        yield Note("nothing was summarised")


def _summary_lines(one: Summary) -> Iterator[Line]:
    draft, mark = one.draft, "  CURRENT" if one.is_current else ""
    span = f"{number_of(draft.count, 'message')}, {draft.first} to {draft.last}"
    by = f"  by {draft.model}" if draft.model else ""
    yield (Bold(one.id), Dim(f"  {span}{by}{mark}"))
    yield from draft.text.splitlines()
    yield from (f"still to do: {pending}" for pending in draft.pending)


def tone(heard: ToneDraft) -> Iterator[Line]:
    """Yield how the other side speaks."""
    yield f"formality {heard.formality:.1f}, technical level {heard.technical_level:.1f}"
    yield f"sentiment {heard.sentiment}, pace {heard.pace}"


def idle(found: Sequence[Rest]) -> Iterator[Line]:
    """Yield which conversations are idle."""
    for one in found:
        yield f"{one.conversation_id}  {'idle' if one.is_idle else 'active'}"
    if not found:
        yield Note("no conversation is active")


def reply_context(known: ConversationContext) -> Iterator[Line]:
    """Yield what the next reply needs to know."""
    yield from known.text.splitlines()
