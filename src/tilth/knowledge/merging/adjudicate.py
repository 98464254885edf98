"""
Whether two things that are called alike are one: a model's opinion, before a human is asked.

It links nothing. Where it is sure that they are two, nobody is asked; in every
other case, and whenever it gives no answer, the question goes to a human as ever.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.scope import Visibility
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.naming import Suggestion
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.llm.answers import Adjudication, Sameness
from tilth.llm.client import Question, Refusal, Thinker, Thought, think

logger = logging.getLogger(__name__)

# So sure a model must be to spare a human the question.
SURE_FROM = 0.8
_FACTS_SHOWN = 5


def weighed(thinker: Thinker, entity: Entity, near: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return those of *near* about which a human is to be asked, with what a model says to them."""
    kept = (_weighed(thinker, entity, one) for one in near)
    return tuple(one for one in kept if one is not None)


def _weighed(thinker: Thinker, entity: Entity, suggestion: Suggestion) -> Suggestion | None:
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


def _asked(thinker: Thinker, one: Entity, other: Entity) -> Thought[Adjudication] | Refusal:
    with thinker.store.read() as view:
        things = {str(each.id): _described(view, each) for each in (one, other)}
    return think(thinker, Adjudication, Question(things=things, scope=one.scope))


def _described(view: Snapshot, entity: Entity) -> str:
    within = Visibility(entity.owner, frozenset({entity.scope}))
    facts = Facts(view).select(FactFilter(within=within, about=entity.id), limit=_FACTS_SHOWN)
    return "\n".join([f"{entity.name}, {entity.type.value}", *(one.said.text for one in facts)])
