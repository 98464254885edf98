"""Find a conversation by its ID, its topic, its participant, or an address."""

from collections.abc import Iterable, Iterator, Sequence

from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.ids import ConversationId
from tilth.core.instant import written_minute
from tilth.core.scope import Visibility
from tilth.core.text.names import index_key
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.identity import address_key
from tilth.knowledge.entities.resolve_name import CLOSE, entities_at_address, entities_meant
from tilth.ledger.snapshot import Snapshot
from tilth.people.conversation import ConversationFilter, Thread
from tilth.people.conversation_tables import Conversations
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.terminal_text import one_line

# How many are listed where several fit.
_LISTED_MAX = 5
_CHARS = 60
_LIST = "see which there are: tilth conversation list"


def conversation_meant(
    view: Snapshot, word: str, within: Visibility, excluded: Exclusion
) -> ConversationId:
    """
    Return the conversation that *word* means; messages with *excluded* terms are not shown.

    A unique beginning of an ID comes first; then a topic, or the words in which a conversation
    without one is shown, in any case; then the participant, by name, ID or address.

    Raises:
        NotFoundError: none fits; the hint names similar ones.
        ConflictError: several fit; the hint lists each with its last message.
        InvalidInputError: several IDs begin with it, or it is no ID.
    """
    if word.startswith(ConversationId.prefix):
        return ConversationId.parse(view.whole_id(within.owner, word))
    every = Conversations(view).threads(ConversationFilter(within=within))
    found = [one for one in every if _is_titled(view, one, word, within)]
    found = found or _at_or_with(view, every, word, within)
    if len(found) > 1:
        raise ConflictError(
            f"{len(found)} conversations go by {word[:_CHARS]!r}",
            hint=excluded.covered(f"give the ID of one: {'; '.join(_listed(view, found, within))}"),
        )
    return found[0].id


def _is_titled(view: Snapshot, one: Thread, word: str, within: Visibility) -> bool:
    """Say whether *word* is a conversation's topic, or the title of one without a topic."""
    draft = one.draft
    title = draft.topic or f"{Conversations(view).name_in(one, within)} by {draft.transport}"
    return index_key(word) in {index_key(title), index_key(f"{draft.transport} {draft.address}")}


def _at_or_with(
    view: Snapshot, every: Iterable[Thread], word: str, within: Visibility
) -> list[Thread]:
    """Return the conversations at an address or with an entity of that name, at least one."""
    found = [
        one
        for one in every
        if (at := one.draft.address) and at == address_key(one.draft.transport, word)
    ]
    persons = [one.entity for one in entities_at_address(view, word, within)]
    if not (found or persons):
        persons = _entities_named(view, word, within)
    for one in persons:
        found += Conversations(view).threads(ConversationFilter(within=within, entity_id=one.id))
    if not found:
        raise NotFoundError(f"there is no conversation with {persons[0].name}", hint=_LIST)
    return list({one.id: one for one in found}.values())


def _entities_named(view: Snapshot, word: str, within: Visibility) -> list[Entity]:
    try:
        return entities_meant(view, word, within)
    except NotFoundError as error:
        near = f"{error.hint}; " if error.hint.startswith(CLOSE) else ""
        raise NotFoundError(
            f"no conversation goes by {word[:_CHARS]!r}", hint=f"{near}{_LIST}"
        ) from error


def _listed(view: Snapshot, found: Sequence[Thread], within: Visibility) -> Iterator[str]:
    """Yield each conversation's ID, transport, status and last message."""
    for one in found[:_LISTED_MAX]:
        way = f"{one.draft.transport} {one.draft.address}".strip()
        said = Conversations(view).recent(one.id, within, limit=1)
        last = [written_minute(said[0].occurred_at), one_line(said[0].text, _CHARS)] if said else []
        told = (one.draft.topic, way, one.status, " ".join(last) or "no message")
        yield f"{one.id}: {', '.join(filter(None, told))}"
    if len(found) > _LISTED_MAX:
        yield _LIST
