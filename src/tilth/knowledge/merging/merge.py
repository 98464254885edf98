"""
Merge and split entities.

A merge is a redirect, and a split removes it exactly. A human may merge anything; others may only
merge things that share a name exactly, and none that a human recorded, separated or decided about.
For all else a proposal waits.
"""

import logging

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, ForbiddenError, NotFoundError
from tilth.core.ids import EdgeId, EntityId, FactId, ProposalId
from tilth.core.scope import GLOBAL, Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.ask_merge import asked_about, is_open
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.events import EntitiesMerged, EntitySplit
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact, contradiction_key
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.merged_values import (
    OF_MERGE,
    held_values,
    is_same_value,
    slot_place,
)
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.proposals.ask import answer_by_act, ask, open_proposal
from tilth.knowledge.proposals.proposal import (
    Action,
    ProposalDraft,
    ProposalKind,
    ProposalState,
)
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

_SHOWN_CHARS = 60
_NAMED_EDGES_MAX = 1000
_FACTS_MAX = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The result of a merge: one entity, or a waiting proposal."""

    entity: Entity
    loser: EntityId
    is_merged: bool
    proposal_id: ProposalId | None = None
    contradictions: tuple[ProposalId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """
    The result of a split: two entities, or a waiting proposal.

    What was said about `winner` since the merge stays there; it is listed, for a person to sort.
    """

    entity: Entity
    winner: Entity
    is_split: bool
    proposal_id: ProposalId | None = None
    kept_edges: tuple[EdgeId, ...] = ()
    kept_facts: tuple[FactId, ...] = ()


def merged_away(tx: Transaction, word: str, within: Visibility) -> Entity:
    """Return the entity that was merged away, by its ID or former name."""
    if word.startswith(EntityId.prefix):
        return Entities(tx).get(EntityId.parse(word), within)
    found = [one for one in Entities(tx).named(word, within) if one.merged_into is not None]
    if not found:
        raise NotFoundError(
            f"nothing that was merged away was called {word[:_SHOWN_CHARS]!r}",
            hint="see what was merged into what: tilth entity list",
        )
    if len(found) > 1:
        told = ", ".join(f"{one.id} into {one.merged_into}" for one in found)
        raise ConflictError(
            f"{len(found)} that were merged away were called {word!r}", hint=f"give an ID: {told}"
        )
    return found[0]


def merge_in(
    tx: Transaction, winner: Entity, loser: Entity, recorder: WriteContext, *, reason: str
) -> Merged:
    """Merge two entities in *tx*, and answer a waiting question about them."""
    contradictions = _contradictions(tx, winner, loser, recorder)
    edges = Edges(tx).around(loser.id, Visibility(recorder.owner), limit=_NAMED_EDGES_MAX)
    event = EntitiesMerged(
        winner=winner.id,
        loser=loser.id,
        edges=tuple(edge.id for edge in edges),
        reason=scrub(reason).text,
    )
    if recorder.by.is_human:
        _answer(tx, winner, loser, recorder)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    asked = [_ask(tx, draft, recorder) for draft in contradictions]
    entity = Entities(tx).canonical(winner.id, Visibility(recorder.owner))
    return Merged(entity=entity, loser=loser.id, is_merged=True, contradictions=tuple(asked))


def split_in(
    tx: Transaction, loser: Entity, winner: Entity, recorder: WriteContext, *, reason: str
) -> Split:
    """Take a merge back in *tx*."""
    within = Visibility(recorder.owner)
    merged_at = next(
        recorded.seq
        for recorded in Entities(tx).merges(winner.id, within)
        if isinstance(recorded.event, EntitiesMerged) and recorded.event.loser == loser.id
    )
    asked = Proposals(tx).asked(split_key(loser, winner), loser.owner, loser.scope)
    if asked is not None and asked.state is ProposalState.OPEN:
        answer_by_act(tx, asked, Action.CONFIRM, recorder)
    event = EntitySplit(loser=loser.id, reason=scrub(reason).text)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    _dismiss(tx, loser, recorder)
    edges = Edges(tx).around(winner.id, within, limit=_NAMED_EDGES_MAX)
    facts = Facts(tx).select(FactFilter(within=within, about=winner.id), limit=_FACTS_MAX)
    return Split(
        entity=Entities(tx).get(loser.id, within),
        winner=Entities(tx).get(winner.id, within),
        is_split=True,
        kept_edges=tuple(edge.id for edge in edges if edge.seq > merged_at),
        kept_facts=tuple(fact.id for fact in facts if fact.seq > merged_at),
    )


def check_mergeable(winner: Entity, loser: Entity) -> None:
    """
    Check that two entities can be merged.

    Raises:
        ConflictError: they are one already, or the loser was merged into something else.
        ForbiddenError: some who see the loser would not see the winner.
    """
    if winner.id in {loser.id, loser.merged_into}:
        raise ConflictError(f"{loser.id} is {winner.id} already")
    if loser.merged_into is not None:
        raise ConflictError(
            f"{loser.id} was merged into {loser.merged_into}",
            hint=f"split it first: tilth entity split {loser.id}",
        )
    if winner.scope not in {GLOBAL, loser.scope}:
        raise ForbiddenError(
            f"{winner.id} is seen from {winner.scope} alone, and {loser.id} from {loser.scope}",
            hint="merge into an entity in global, or the other way round",
        )


def is_untouched(reader: Snapshot, winner: Entity, loser: Entity) -> bool:
    """Say whether no human decision prevents merging the two automatically."""
    return not loser.by.is_human and is_open(reader, winner, loser)


def _answer(tx: Transaction, winner: Entity, loser: Entity, recorder: WriteContext) -> None:
    """Record a human's merge as the answer to the question whether the two are one."""
    for asked in asked_about(tx, winner, loser):
        if asked.state is ProposalState.OPEN:
            answer_by_act(tx, asked, Action.MERGE, recorder)


def split_key(loser: Entity, winner: Entity) -> str:
    """Return the key under which a split is asked about once."""
    return f"split:{loser.id}:{winner.id}"


def _contradictions(
    tx: Transaction, winner: Entity, loser: Entity, recorder: WriteContext
) -> list[ProposalDraft]:
    """Return the contradictions between the two where only one value can hold (ADR 11)."""
    ours, theirs = (_held(tx, entity, recorder) for entity in (winner, loser))
    return [
        ProposalDraft(
            kind=ProposalKind.CONTRADICTION,
            reason=f"{loser.name} was merged into {winner.name}, and they differ",
            scope=one.life.scope,
            facts=(one.id, other.id),
            detail={OF_MERGE: loser.id},
            key=contradiction_key(one, other),
        )
        for place, one in ours.items()
        if (other := theirs.get(place)) is not None and not is_same_value(one, other)
    ]


def _ask(tx: Transaction, draft: ProposalDraft, recorder: WriteContext) -> ProposalId:
    """Ask a human; a question of an earlier merge, settled by its split, is asked again."""
    known = Proposals(tx).asked(draft.key, recorder.owner, draft.scope)
    is_over = known is not None and known.state is not ProposalState.OPEN
    is_of_merge = known is not None and OF_MERGE in known.draft.detail
    return (ask if is_over and is_of_merge else open_proposal)(tx, draft, recorder).id


def _dismiss(tx: Transaction, loser: Entity, recorder: WriteContext) -> None:
    """Dismiss the questions of the merge, since different things may hold of two entities."""
    within = Visibility(recorder.owner)
    theirs = {loser.id, *(one.id for one in Entities(tx).merged(loser.id, within))}
    facts = Facts(tx).select(FactFilter(within=within, about=loser.id), limit=_FACTS_MAX)
    touching = (asked for fact in facts for asked in Proposals(tx).touching(fact.id, within))
    for asked in {one.id: one for one in touching if OF_MERGE in one.draft.detail}.values():
        about = [Facts(tx).get(one, within).about[0] for one in asked.draft.facts]
        if len({one in theirs for one in about}) > 1:
            answer_by_act(tx, asked, Action.REJECT, recorder)


def _held(tx: Transaction, entity: Entity, recorder: WriteContext) -> dict[tuple[str, ...], Fact]:
    """Return an entity's current facts in slots, by the key of the slot if merged."""
    return {slot_place(fact): fact for fact in held_values(tx, entity, recorder)}
