"""Say in words what an ID stands for: its kind, and the beginning of its text."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tilth.context.context import ContextReceipt
from tilth.context.tables import Contexts
from tilth.core.errors import TilthError
from tilth.core.ids import (
    ConversationId,
    EdgeId,
    EntityId,
    EpisodeId,
    FactId,
    Id,
    ProposalId,
    ReceiptId,
)
from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.episodes.changes import words_of
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.record_edge import with_names
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.privacy.terminal_text import one_line
from tilth.runtime.brain import Brain

_WORDS_CHARS = 160


def question_of(shown: Shown) -> str:
    """Return the question of a proposal in a line."""
    draft = shown.proposal.draft
    new = [one for one in shown.facts if one.id not in {old.id for old in shown.retires}]
    if draft.kind is ProposalKind.SUPERSESSION and new and shown.retires:
        old = shown.retires[0]
        slot = old.said.triple
        if slot is not None and new[0].said.triple is not None:
            changed = f"{slot.object} → {new[0].said.triple.object}"
            return f"{slot.subject} {slot.predicate}: {changed}"
    texts = [one.said.text for one in (*new, *shown.retires)]
    return texts[0] if texts else draft.reason


def describe(brain: Brain, ids: Sequence[str]) -> Sequence[Mapping[str, str]]:
    """
    Return the `id`, `kind` and `words` of each of *ids*.

    The words are empty where the thing has none, or is gone.
    """
    within, known = brain.parts.within(None), dict[str, tuple[str, str]]()
    with brain.parts.store.read() as view:
        for prefix, read in _BATCH_READERS.items():
            known |= read(view, [one for one in ids if one.startswith(prefix)], within)
        rest = [one for one in ids if one not in known and _prefix_of(one) not in _READERS]
        said = words_of(view, rest, within)
    known |= {id_: (_noun_of(id_), words) for id_, words in said.items()}
    return [_describe_one(brain, id_, known.get(id_)) for id_ in ids]


def _describe_one(brain: Brain, id_: str, known: tuple[str, str] | None) -> Mapping[str, str]:
    prefix = _prefix_of(id_)
    kind, words = known or (_noun_of(id_), "")
    if known is None and prefix in _READERS:
        try:
            kind, words = _READERS[prefix](brain, id_)
        except TilthError:  # It went meanwhile.
            words = ""
    return {"id": id_, "kind": kind, "words": one_line(words[:2000], _WORDS_CHARS)}


def _prefix_of(id_: str) -> str:
    return id_.partition("_")[0] + "_"


def _noun_of(id_: str) -> str:
    return Id.by_prefix[_prefix_of(id_)].noun.partition(" ")[2]


_Known: TypeAlias = Mapping[str, tuple[str, str]]


def _episodes_words(view: Snapshot, ids: Sequence[str], within: Visibility) -> _Known:
    found = Episodes(view).all_of([EpisodeId(one) for one in ids], within)
    return {one.id: (_episode_kind(one), one.text) for one in found}


def _episode_kind(episode: Episode) -> str:
    kind, who = episode.kind.replace("_", " "), episode.author or episode.role
    return f"{kind} by {who}, {written_day(episode.occurred_at)}"


def _facts_words(view: Snapshot, ids: Sequence[str], within: Visibility) -> _Known:
    places = sorted(find_places(view.conn, ids).values())
    return {one.id: ("fact", one.said.text) for one in Facts(view).at(places, within)}


def _receipt_words(brain: Brain, id_: str) -> tuple[str, str]:
    given = _receipt(brain, ReceiptId(id_))
    where = given.context.scope.partition(":")[2] or "no project"
    return "receipt", f"What an agent was shown on {written_day(given.at)} in {where}"


def _entities_words(view: Snapshot, ids: Sequence[str], within: Visibility) -> _Known:
    """Return entities as they are called, and what those lead to that were merged away."""
    found = Entities(view).at(sorted(find_places(view.conn, ids).values()), within)
    return {one.id: (one.type, _entity_words(view, one, within)) for one in found}


def _entity_words(view: Snapshot, entity: Entity, within: Visibility) -> str:
    if entity.merged_into is None:
        return entity.name
    return f"{entity.name}, merged into {Entities(view).canonical(entity.id, within).name}"


def _conversation_words(brain: Brain, id_: str) -> tuple[str, str]:
    talk = brain.conversations.get(id_)
    return "conversation", talk.draft.topic or f"with {talk.entity_name} by {talk.draft.transport}"


def _edges_words(view: Snapshot, ids: Sequence[str], within: Visibility) -> _Known:
    """Return links as they read: what, how, to what."""
    found = with_names(view, Edges(view).all_of([EdgeId(one) for one in ids], within), within)
    return {one.id: ("link", _edge_words(one)) for one in found}


def _edge_words(edge: Edge) -> str:
    source, target = (name or "what it names" for name in (edge.source_name, edge.target_name))
    return f"{source} {edge.kind.replace('_', ' ')} {target}"


def _receipt(brain: Brain, receipt_id: ReceiptId) -> ContextReceipt:
    """Return a receipt alone: what came of it takes reading its session."""
    with brain.parts.store.read() as view:
        return Contexts(view).receipt(receipt_id, brain.parts.within(None))


# What there may be many of: what each is, and its words.
_BATCH_READERS: Mapping[str, Callable[[Snapshot, Sequence[str], Visibility], _Known]] = {
    EpisodeId.prefix: _episodes_words,
    EntityId.prefix: _entities_words,
    FactId.prefix: _facts_words,
    EdgeId.prefix: _edges_words,
}
# What else a person knows by an ID.
_READERS: Mapping[str, Callable[[Brain, str], tuple[str, str]]] = {
    ConversationId.prefix: _conversation_words,
    ProposalId.prefix: lambda brain, id_: (
        "question in the inbox", question_of(brain.review.show(id_)),
    ),
    ReceiptId.prefix: _receipt_words,
}  # fmt: skip
