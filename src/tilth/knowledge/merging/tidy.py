"""
Tidy names that came in through facts, edges and other scopes.

Tidying is optional: what nobody tidied stays separate. If a model is set, it is asked whether two
things with similar names are one, before a human is. It merges nothing. If it is sure that they are
two, nobody is asked; in all other cases the question goes to a human.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId
from tilth.core.scope import Visibility, seen_from
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.ask_merge import (
    PROPOSED_MAX,
    PROPOSED_MIN,
    is_open,
    ordered,
    propose_merges,
)
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.resolve_name import (
    Suggestion,
    match_visible,
    named_bearer,
    suggestions,
)
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.merging.merge import is_untouched, merge_in
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.answers import Adjudication, Sameness
from tilth.llm.client import ModelClient, Question, Refusal, Thought, think

logger = logging.getLogger(__name__)

# The confidence from which a model spares a human the question.
SURE_FROM = 0.8
_FACTS_SHOWN = 5


def weighed(
    thinker: ModelClient, entity: Entity, near: Sequence[Suggestion]
) -> tuple[Suggestion, ...]:
    """Return those of *near* about which a human is to be asked, with a model's remarks."""
    kept = (_weighed(thinker, entity, one) for one in near)
    return tuple(one for one in kept if one is not None)


def _weighed(thinker: ModelClient, entity: Entity, suggestion: Suggestion) -> Suggestion | None:
    """Return *suggestion*, or None if a model is sure that these are two."""
    if suggestion.score == 1:
        return suggestion
    thought = _asked(thinker, entity, suggestion.entity)
    if isinstance(thought, Refusal):
        return suggestion
    answer = thought.answer
    if answer.verdict is Sameness.DIFFERENT and answer.confidence >= SURE_FROM:
        logger.info("told apart by a model: entities=%s,%s", entity.id, suggestion.entity.id)
        return None
    if answer.verdict is Sameness.SAME:
        return replace(suggestion, reason=f"{suggestion.reason}; {thought.model} says they are one")
    return suggestion


def _asked(thinker: ModelClient, one: Entity, other: Entity) -> Thought[Adjudication] | Refusal:
    with thinker.store.read() as view:
        things = {str(each.id): _described(view, each) for each in (one, other)}
    return think(thinker, Adjudication, Question(things=things, scope=one.scope))


def _described(view: Snapshot, entity: Entity) -> str:
    within = Visibility(entity.owner, frozenset({entity.scope}))
    facts = Facts(view).select(FactFilter(within=within, about=entity.id), limit=_FACTS_SHOWN)
    return "\n".join([f"{entity.name}, {entity.type.value}", *(one.said.text for one in facts)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """What a round looked at, merged and asked; the next one continues after `cursor`."""

    seen_count: int
    merged_count: int
    proposed_count: int
    cursor: int


def tidy_entity(
    store: Store, entity_id: EntityId, recorder: WriteContext, thinker: ModelClient | None
) -> tuple[bool, int]:
    """Tidy one entity; return whether it was merged, and the number of questions."""
    with store.read() as view:
        # Most entities have nothing near; that is found outside of a write transaction.
        seen = _near(view, entity_id, recorder)
        if not seen:
            return False, 0
        entity = Entities(view).get(entity_id, Visibility(recorder.owner))
    kept = seen if thinker is None else weighed(thinker, entity, seen[:PROPOSED_MAX])
    told_apart = {one.entity.id for one in seen} - {one.entity.id for one in kept}
    reasons = {one.entity.id: one.reason for one in kept}
    with store.begin() as tx:
        near = tuple(
            replace(one, reason=reasons.get(one.entity.id, one.reason))
            for one in _near(tx, entity_id, recorder)
            if one.entity.id not in told_apart
        )
        if not near:
            return False, 0
        entity = Entities(tx).get(entity_id, Visibility(recorder.owner))
        winner, loser = ordered(entity, near[0].entity)
        if near[0].score == 1 and is_untouched(tx, winner, loser):
            merge_in(tx, winner, loser, recorder, reason=near[0].reason)
            return True, 0
        return False, len(propose_merges(tx, entity, near, recorder))


def _near(reader: Snapshot, entity_id: EntityId, recorder: WriteContext) -> tuple[Suggestion, ...]:
    """Return what an entity may be the same as; with score 1 where that is sure."""
    entity = Entities(reader).get(entity_id, Visibility(recorder.owner))
    if entity.merged_into is not None:
        return ()
    within = seen_from(recorder.owner, entity.scope)
    decision = match_visible(
        reader, named_bearer(Entities(reader).bearer(entity.id, within)), within
    )
    if decision.same is None:
        near = suggestions(reader, decision, within)
    else:
        other = Entities(reader).get(EntityId(decision.same.id), within)
        near = (Suggestion(other, 1.0, decision.same.reason),)
    return tuple(
        one for one in near if one.score >= PROPOSED_MIN and is_open(reader, entity, one.entity)
    )
