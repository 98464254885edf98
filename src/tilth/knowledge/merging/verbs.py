"""The verbs that merge, split and tidy entities."""

import logging
from dataclasses import replace
from typing import Annotated

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError
from tilth.core.ids import EntityId
from tilth.core.scope import Visibility, seen_from
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.ask_merge import propose_merge
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.resolve_name import Suggestion, match_visible, named_bearer
from tilth.knowledge.entities.tables import Entities, EntityFilter
from tilth.knowledge.entities.verbs import One, one_meant
from tilth.knowledge.facts.verbs import Reason
from tilth.knowledge.merging import views
from tilth.knowledge.merging.merge import (
    Merged,
    Split,
    check_mergeable,
    is_untouched,
    merge_in,
    merged_away,
    split_in,
    split_key,
)
from tilth.knowledge.merging.tidy import Tidied, tidy_entity
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind
from tilth.ledger.store import Transaction
from tilth.llm.client import why_unavailable
from tilth.llm.task import Task
from tilth.llm.verbs import Needs

logger = logging.getLogger(__name__)

# The actor of automatic merges, whoever starts tidying.
TIDIER = Actor("tidier", ActorKind.JOB)


@verb(
    "entity merge",
    roles=ANYONE,
    view=views.merged,
    examples=("tilth entity merge PostgreSQL pg --reason 'the same database'",),
)
def merge(
    brain: Context,
    winner: Annotated[One, Arg("the entity that stays: a name, or its ID", metavar="WINNER")],
    loser: Annotated[
        One, Arg("the entity that redirects to it: a name, or its ID", metavar="LOSER")
    ],
    *,
    reason: Reason = "",
) -> Merged:
    """
    Merge two entities: the first stays, and the second redirects to it.

    Nothing moves, and a split restores both exactly. An agent only proposes a merge.

    Returns:
        The entity that stays, or the proposal that waits for a human, and the
        contradictions between the two.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: several entities have its name, or it is merged already.
    """
    winner_id, loser_id = one_meant(brain, winner), one_meant(brain, loser)
    recorder, within = brain.recorder, Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        stays = Entities(tx).canonical(winner_id, within)
        goes = Entities(tx).get(loser_id, within)
        check_mergeable(stays, goes)
        is_known = recorder.by.kind is not ActorKind.ANONYMOUS
        if recorder.by.is_human or (is_known and _is_automatic(tx, stays, goes)):
            merged = merge_in(tx, stays, goes, recorder, reason=reason)
        else:
            why = reason or f"{recorder.by.name} takes them for one"
            asked = propose_merge(tx, stays, Suggestion(goes, 1.0, why), recorder)
            merged = Merged(entity=stays, loser=goes.id, is_merged=False, proposal_id=asked)
    logger.info("entities merged: winner=%s loser=%s done=%s", stays.id, goes.id, merged.is_merged)
    return merged


def _is_automatic(tx: Transaction, winner: Entity, loser: Entity) -> bool:
    within = seen_from(loser.owner, loser.scope)
    decision = match_visible(tx, named_bearer(Entities(tx).bearer(loser.id, within)), within)
    is_same = decision.same is not None and decision.same.id == winner.id
    return is_same and is_untouched(tx, winner, loser)


@verb(
    "entity split",
    roles=ANYONE,
    view=views.split,
    examples=("tilth entity split 'Marina Costa' --reason 'two people'",),
)
def split(
    brain: Context,
    entity: Annotated[
        str,
        Arg(
            "what was merged away: the name that it had, or its ID",
            metavar="NAME",
            id=EntityId.prefix,
        ),
    ],
    *,
    reason: Reason = "",
) -> Split:
    """
    Undo a merge of entities.

    An agent only proposes a split. What was said since the merge stays with the other entity.

    Returns:
        Both entities, and what stays with the other one.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: it is not merged, or several merged entities had the name.
    """
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        loser = merged_away(tx, entity, within)
        if loser.merged_into is None:
            raise ConflictError(f"{loser.id} was not merged into anything")
        winner = Entities(tx).get(loser.merged_into, within)
        if brain.recorder.by.is_human:
            split = split_in(tx, loser, winner, brain.recorder, reason=reason)
        else:
            split = _propose_split(tx, loser, winner, brain.recorder, reason=reason)
    logger.info("entity split: loser=%s done=%s", loser.id, split.is_split)
    return split


def _propose_split(
    tx: Transaction, loser: Entity, winner: Entity, recorder: WriteContext, *, reason: str
) -> Split:
    draft = ProposalDraft(
        kind=ProposalKind.SPLIT,
        reason=reason or f"{recorder.by.name} takes {loser.name} and {winner.name} for two",
        scope=loser.scope,
        entities=(loser.id, winner.id),
        detail={"winner": winner.id, "loser": loser.id},
        key=split_key(loser, winner),
    )
    asked = open_proposal(tx, draft, recorder).id
    return Split(entity=loser, winner=winner, is_split=False, proposal_id=asked)


@verb(
    "entity tidy",
    roles=ANYONE,
    view=views.tidied,
    examples=("tilth entity tidy --limit 200",),
)
def tidy(
    brain: Needs,
    *,
    after: Annotated[int, Arg("continue after this place in the ledger", metavar="N", least=0)] = 0,
    limit: Annotated[int, Arg("the most to return", metavar="N", least=1)] = 1000,
) -> Tidied:
    """
    Merge entities that are certainly the same, and ask about similar ones.

    Returns:
        How many were checked, merged and asked about, and the place to continue from.
    """
    recorder = replace(brain.recorder, by=TIDIER)
    thinker = None if why_unavailable(brain.model_pool, Task.ADJUDICATE) else brain.thinker
    merged = proposed = 0
    which = EntityFilter(within=Visibility(recorder.owner))
    with brain.store.read() as view:
        found = Entities(view).select(which, limit=limit, after=after)
    for entity in found:
        is_merged, questions = tidy_entity(brain.store, entity.id, recorder, thinker)
        merged += is_merged
        proposed += questions
    # A worker with nothing to do comes by every few seconds, and says nothing of it.
    level = logging.INFO if found else logging.DEBUG
    counts = (len(found), merged, proposed)
    logger.log(level, "entities tidied: seen=%d merged=%d proposed=%d", *counts)
    return Tidied(
        seen_count=len(found),
        merged_count=merged,
        proposed_count=proposed,
        cursor=found[-1].seq if found else after,
    )
