"""The verbs on changes, plans, relations and provenance."""

import logging
from collections.abc import Sequence
from typing import Annotated, Unpack

from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import EpisodeId, FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Visibility
from tilth.core.verb import ANYONE, Arg, Section, verb
from tilth.episodes.changes import LIMIT_MAX, Changes
from tilth.episodes.context import Context, Narrowed
from tilth.episodes.tables import Episodes
from tilth.episodes.views import changes_as_json, changes_page
from tilth.knowledge.changes import plan as plans
from tilth.knowledge.changes import views
from tilth.knowledge.changes.effects import changes_with_effects
from tilth.knowledge.changes.plan import Choice, Plan
from tilth.knowledge.changes.provenance import Resting, Why, resting_on, supports_of
from tilth.knowledge.changes.relations import Related, Relation, parse_relation
from tilth.knowledge.facts.fact import Fact, FactFields, contradiction_key, parse_stated
from tilth.knowledge.facts.facts import check_stated
from tilth.knowledge.facts.filters import Moment
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.verbs import FactArg, KnownAt, Needs, Reason, Text
from tilth.knowledge.facts.views import stated
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.graph.record_edge import add_edge
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind

logger = logging.getLogger(__name__)


@verb(
    "changes",
    roles=ANYONE,
    view=changes_page,
    as_json=changes_as_json,
    section=Section.ASK,
    examples=("tilth changes --since 2026-11-01", "tilth changes --since 'last monday'"),
)
def changes(
    brain: Context,
    since: Annotated[
        str, Arg("a cursor, a date, or an instant; the beginning, if empty", flags=("--since",))
    ] = "",
    *,
    limit: Annotated[int, Arg("the most to return", metavar="N", least=1, most=LIMIT_MAX)] = 100,
    scope: Narrowed = None,
) -> Changes:
    """
    List what was recorded since a date or a cursor.

    Changes come oldest first, each once. Every page ends with the cursor for the next. Imports,
    receipts and feedback change nothing that is known, and are left out.

    Returns:
        A page of events with its cursor, and for each event what it ended, what replaced that, and
        what holds again.

    Raises:
        InvalidInputError: *since* is neither a cursor nor an instant.
        ConflictError: the cursor belongs to another store, or to a replaced history.
    """
    return changes_with_effects(brain.store, since, brain.within(scope), limit=limit)


@verb(
    "fact plan",
    roles=ANYONE,
    view=views.planned,
    examples=("tilth fact plan --system lab --component router 'It is at 192.0.2.9.'",),
)
def plan(brain: Needs, text: Text = "", **telling: Unpack[FactFields]) -> Plan:
    """
    Show what stating a fact would do, and change nothing.

    `tilth fact apply` does it, with the token of the plan.

    Returns:
        What would become of it, similar facts, and a token that is valid for ten minutes.

    Raises:
        InvalidInputError: there is nothing to state, or a word is unknown.
    """
    draft = parse_stated(text, telling)
    check_stated([draft], brain.excluded)
    return plans.plan_fact(brain.store, draft, brain.writing)


@verb(
    "fact apply",
    roles=ANYONE,
    view=stated,
    examples=(
        "tilth fact apply --token pln_… --system lab --component router 'It is at 192.0.2.9.'",
    ),
)
def apply(
    brain: Needs,
    text: Text = "",
    *,
    token: Annotated[str, Arg("the token of the plan", metavar="TOKEN")],
    updates: Annotated[
        FactId | None,
        Arg(
            "the fact that it supersedes",
            flags=("--update",),
            id=FactId.prefix,
            parse=FactId.parse,
        ),
    ] = None,
    declines: Annotated[
        Sequence[FactId],
        Arg(
            "each fact of the plan that it is not; may be repeated",
            flags=("--decline",),
            id=FactId.prefix,
            parse=FactId.parse,
        ),
    ] = (),
    reason: Annotated[Reason, Arg("why it matches none of them")] = "",
    **telling: Unpack[FactFields],
) -> Stated:
    """
    State a fact that was planned.

    Returns:
        The fact, and what was done with it.

    Raises:
        ConflictError: the plan is too old, or the facts that it rests on have changed.
        InvalidInputError: a fact of the plan is neither updated nor declined.
    """
    draft = parse_stated(text, telling)
    check_stated([draft], brain.excluded)
    choice = Choice(token=token, updates=updates, declines=tuple(declines), reason=reason)
    return plans.apply_plan(brain.store, draft, choice, brain.writing)


@verb(
    "fact relate",
    roles=ANYONE,
    view=views.related,
    examples=("tilth fact relate fct_01KAR debunks fct_01KAQ --reason 'measured again'",),
)
def relate(
    brain: Needs,
    fact_id: Annotated[FactArg, Arg("the later one")],
    relation: Annotated[
        Relation, Arg("what it does to the earlier one", metavar="RELATION", parse=parse_relation)
    ],
    other_id: Annotated[FactArg, Arg("the earlier one")],
    *,
    reason: Reason = "",
) -> Related:
    """
    Record how a fact relates to an earlier one.

    A fact that updates or debunks another waits for a human; the other relations are edges.

    Returns:
        The edge, and the waiting proposal.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
        ConflictError: one of the facts does not hold.
        InvalidInputError: both are the same fact.
    """
    within = Visibility(brain.recorder.owner)
    with brain.store.read() as view:
        one, other = (Facts(view).get(end, within) for end in (fact_id, other_id))
    if one.id == other.id:
        raise InvalidInputError("a fact relates to another, not to itself")
    scope = one.life.scope if one.life.scope != GLOBAL else other.life.scope
    if relation.is_asked:
        _check_hold(one, other)
    edge = None
    if relation.edge is not None:
        ends = (one.id, other.id)
        edge = add_edge(brain.store, ends, relation.edge, brain.recorder, scope=scope).edge
    proposal = None
    if relation.is_asked:
        draft = ProposalDraft(
            kind=ProposalKind.CONTRADICTION,
            reason=reason or f"{one.id} {relation} {other.id}",
            scope=scope,
            facts=(other.id, one.id),
            detail={"relation": relation.value},
            key=contradiction_key(one, other),
        )
        with brain.store.begin() as tx:
            proposal = open_proposal(tx, draft, brain.recorder)
    logger.info("facts related: relation=%s from=%s to=%s", relation, one.id, other.id)
    return Related(relation=relation, edge=edge, proposal=proposal)


def _check_hold(*facts: Fact) -> None:
    for fact in facts:
        if fact.life.lifecycle is not Lifecycle.CURRENT:
            raise ConflictError(
                f"{fact.id} is {fact.life.lifecycle}, so there is nothing to choose",
                hint="see what came of it: tilth fact history ID",
            )


@verb(
    "fact why",
    roles=ANYONE,
    view=views.reasons,
    examples=("tilth fact why fct_01KAR",),
)
def why(brain: Needs, fact_id: FactArg, *, known_at: KnownAt = None, scope: Narrowed = None) -> Why:
    """
    Show why a fact is believed, and in whose words.

    Returns:
        Its evidence word for word, its lives, and its chain of supersession.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
    """
    moment = Moment(known_at=known_at)
    within = brain.within(scope)
    with brain.store.read() as view:
        known = Facts(view).get(fact_id, within, moment)
        (fact,) = Facts(view).with_beside([known], within, moment)
        return Why(
            fact=fact,
            supports=supports_of(view, [fact], within)[fact.id],
            lives=tuple(
                one for one in Facts(view).told_lives(fact_id, within) if one.since <= fact.since
            ),
            history=tuple(Facts(view).history(fact_id, within)),
        )


@verb(
    "episode facts",
    roles=ANYONE,
    view=views.resting_facts,
    key="facts",
    examples=("tilth episode facts epi_01KAR",),
)
def facts_on(
    brain: Context,
    episode_id: Annotated[EpisodeId, Arg("the episode's ID", metavar="ID", id=EpisodeId.prefix)],
    *,
    limit: Annotated[int, Arg("the most to return", metavar="N", least=1)] = 100,
    scope: Narrowed = None,
) -> Sequence[Resting]:
    """
    List the facts that rest on an episode.

    Returns:
        Each fact with the words that it rests on, and what it superseded, oldest first.

    Raises:
        NotFoundError: there is no such episode, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    check_page(limit, PAGE_MAX)
    with brain.store.read() as view:
        return resting_on(view, Episodes(view).get(episode_id, within), within, limit)
