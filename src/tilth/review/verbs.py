"""The verbs on the review queue."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, TypeAlias, Unpack

from tilth.core.actor import require_human
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.errors import TilthError
from tilth.core.ids import ProposalId
from tilth.core.scope import Visibility
from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.decisions import Shown, take_back
from tilth.knowledge.facts.verbs import FactArg, Needs
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.knowledge.proposals.events import ProposalSnoozed
from tilth.knowledge.proposals.proposal import Action, Answer, Proposal, ProposalState, parse_action
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.store import Store
from tilth.review import decide as decisions
from tilth.review import queue as proposals
from tilth.review.decide import Decided, decide_proposal
from tilth.review.parse_answer import Answering, Sorting, parse_answer, parse_sorting
from tilth.review.queue import Queue, decided_already, waiting_in

logger = logging.getLogger(__name__)

noun("review", "proposals that wait for a human", section=Section.DECIDE, bare="walk|list")

Which: TypeAlias = Annotated[
    ProposalId,
    Arg("the proposal's ID, as listed", metavar="ID", id=ProposalId.prefix, parse=ProposalId.parse),
]
Digest: TypeAlias = Annotated[str, Arg("the digest of what was shown", metavar="DIGEST")]
Note: TypeAlias = Annotated[str, Arg("why", metavar="TEXT")]


@verb("", python="review.list", roles=ANYONE)
def list_(
    brain: Context,
    *,
    limit: Annotated[int, Arg("the most to return", least=1)] = 100,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
    **sorting: Unpack[Sorting],
) -> Queue:
    """
    List proposals, oldest first; unless a state is given, those that wait now.

    Returns:
        A page of proposals, and how many are waiting, put off and decided.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    which = parse_sorting(sorting, brain.within(scope), brain.clock.now())
    check_page(limit, PAGE_MAX)
    everything = ProposalFilter(within=which.within)
    opened = replace(everything, states=frozenset({ProposalState.OPEN}))
    with brain.store.read() as view:
        waiting = waiting_in(view, brain.clock, which.within)
        still_open = Proposals(view).count(opened)
        return Queue(
            proposals=tuple(Proposals(view).select(which, limit=limit, offset=offset)),
            count=Proposals(view).count(which),
            waiting=waiting,
            later=still_open - waiting,
            decided=Proposals(view).count(everything) - still_open,
        )


@verb("", python="review.show", roles=ANYONE)
def show(brain: Context, proposal_id: Which, *, scope: Narrowed = None) -> Shown:
    """
    Show a proposal with everything that a decision rests on.

    Returns:
        The proposal, the facts of its sides, those that would end, and the digest that ties a
        decision to what is shown.

    Raises:
        NotFoundError: there is no such proposal, or it cannot be seen from the scope.
    """
    return proposals.show_proposal(brain.store, proposal_id, brain.within(scope))


@verb("", python="review.question", roles=ANYONE)
def question(
    brain: Context,
    fact_id: FactArg,
    *,
    reason: Annotated[str, Arg("what is doubtful about it", metavar="TEXT")],
) -> Proposal:
    """
    Ask a human about a fact.

    Returns:
        The waiting proposal.

    Raises:
        NotFoundError: there is no such fact.
    """
    return proposals.question_fact(brain.store, fact_id, brain.recorder, reason=reason)


@verb("", python="review.decide", roles=ANYONE)
def decide(
    brain: Needs,
    proposal_id: Which,
    action: Annotated[Action, Arg("the answer", parse=parse_action)],
    **answering: Unpack[Answering],
) -> Proposal:
    """
    Decide a proposal.

    Returns:
        The proposal with the ruling.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: it is decided already, or differs from what was shown.
        InvalidInputError: the action needs another argument, or does not fit this kind of proposal.
    """
    answer = parse_answer(action, answering)
    return decisions.decide_proposal(brain.store, proposal_id, answer, brain.writing)


@verb("", python="review.confirm", roles=ANYONE)
def confirm(
    brain: Needs,
    proposal_id: Which,
    *,
    digest: Digest,
    retires: Annotated[Sequence[str], Arg("each fact that ends")] = (),
    note: Note = "",
) -> Proposal:
    """
    Accept a proposal, naming the facts that end.

    Returns:
        The proposal with the ruling.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: it is decided already, or differs from what was shown.
    """
    told = Answering(digest=digest, retires=retires, note=note)
    return decide(brain, proposal_id, Action.CONFIRM, **told)


@verb("", python="review.reject", roles=ANYONE)
def reject(brain: Needs, proposal_id: Which, *, digest: Digest, note: Note = "") -> Proposal:
    """
    Reject a proposal; an agent cannot make it again.

    Returns:
        The proposal with the ruling.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: it is decided already, or differs from what was shown.
    """
    return decide(brain, proposal_id, Action.REJECT, digest=digest, note=note)


@verb("", python="review.decide_many", roles=ANYONE)
def decide_many(
    brain: Needs,
    answers: Annotated[
        Collection[Mapping[str, Any]],
        Arg("mappings with the arguments of `decide`", rows="review.decide"),
    ],
) -> Sequence[Decided]:
    """
    Decide many proposals, each independently.

    Returns:
        What became of each, in the order given.

    Raises:
        InvalidInputError: an answer cannot be read; then none is carried out.
    """
    parsed = [_parse_decision(**told) for told in answers]
    require_human(brain.writing.recorder.by, "decide proposals")
    return [
        _decide_or_refuse(brain.store, proposal_id, answer, brain.writing)
        for proposal_id, answer in parsed
    ]


def _decide_or_refuse(
    store: Store, proposal_id: ProposalId, answer: Answer, writing: Writing
) -> Decided:
    try:
        proposal = decide_proposal(store, proposal_id, answer, writing)
    except TilthError as error:
        return Decided(proposal_id=proposal_id, code=error.code, message=str(error))
    return Decided(proposal_id=proposal_id, proposal=proposal)


@verb("", python="review.snooze", roles=ANYONE)
def snooze(
    brain: Context, proposal_id: Which, *, until: Annotated[datetime, Arg("until this instant")]
) -> Proposal:
    """
    Put a proposal off.

    Returns:
        The proposal as it waits now.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: it is decided.
    """
    require_human(brain.recorder.by, "put a proposal off")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        proposal = Proposals(tx).get(proposal_id, within)
        if proposal.state is not ProposalState.OPEN:
            raise decided_already(proposal)
        event = ProposalSnoozed(proposal_id=proposal_id, until=until)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
        snoozed = Proposals(tx).get(proposal_id, within)
    logger.info("proposal put off: proposal=%s", proposal_id)
    return snoozed


@verb("", python="review.undo", roles=ANYONE)
def undo(brain: Context, proposal_id: Which, *, reason: Note = "") -> Proposal:
    """
    Undo a decision.

    Returns:
        The proposal as it waits again.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: it is not decided, or something rests on the decision.
    """
    require_human(brain.recorder.by, "take a decision back")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        reopened = take_back(
            tx, Proposals(tx).get(proposal_id, within), brain.recorder, reason=reason
        )
    logger.info("decision taken back: proposal=%s", proposal_id)
    return reopened


def _parse_decision(
    proposal_id: ProposalId, action: Action, **answering: Unpack[Answering]
) -> tuple[ProposalId, Answer]:
    return proposal_id, parse_answer(action, answering)
