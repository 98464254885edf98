"""
The queue of proposals.

Anybody may open a proposal. What needs a decision now is counted separately from what was postponed
or decided.
"""

import logging
from collections.abc import Iterable

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.decisions import Shown, shown_in
from tilth.knowledge.facts.filters import Moment
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.ask import ask
from tilth.knowledge.proposals.proposal import Proposal, ProposalDraft, ProposalKind, ProposalState
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.terminal_text import one_line

logger = logging.getLogger(__name__)

# In characters, how much of a changed fact is quoted.
_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """
    A page of proposals; `count` is the number of all that fit the filter.

    `waiting` need a decision now, `later` are open and do not, `decided` are answered.
    """

    proposals: tuple[Proposal, ...]
    count: int
    waiting: int
    later: int
    decided: int


def question_fact(
    store: Store, fact_id: FactId, recorder: WriteContext, *, reason: str
) -> Proposal:
    """
    Ask a human about a fact in any state, with every answer possible.

    Raises:
        NotFoundError: no such fact is visible.
        ConflictError: a human rejected it already.
        InvalidInputError: there is no reason.
    """
    with store.begin() as tx:
        fact = Facts(tx).get(fact_id, Visibility(recorder.owner))
        draft = ProposalDraft(
            kind=ProposalKind.CORRECTION, reason=reason, scope=fact.life.scope, facts=(fact_id,)
        )
        waiting = [
            one
            for one in Proposals(tx).touching(fact_id, Visibility(recorder.owner))
            if one.draft.kind is ProposalKind.CORRECTION
        ]
        proposal = waiting[0] if waiting else ask(tx, draft, recorder)
    logger.info("fact questioned: fact=%s proposal=%s", fact_id, proposal.id)
    return proposal


def count_waiting(store: Store, clock: Clock, within: Visibility) -> int:
    """Return how many proposals need a decision now."""
    with store.read() as view:
        return waiting_in(view, clock, within)


def waiting_in(view: Snapshot, clock: Clock, within: Visibility) -> int:
    """Return how many proposals wait for a human now."""
    return Proposals(view).count(ProposalFilter(within=within, waiting_at=clock.now()))


def show_proposal(store: Store, proposal_id: ProposalId, within: Visibility) -> Shown:
    """Return a proposal with everything that a decision needs."""
    with store.read() as view:
        return shown_in(view, proposal_id, within)


def check_open(reader: Snapshot, seen: Shown, digest: str) -> None:
    """
    Check that a proposal is open, and unchanged since it was shown.

    Raises:
        ConflictError: it is decided, or has changed; the error says how.
    """
    proposal = seen.proposal
    if proposal.state is not ProposalState.OPEN:
        raise decided_already(proposal)
    if digest != seen.digest:
        raise ConflictError(
            f"{proposal.id} is not what was shown: {_changed(reader, seen, digest)}",
            hint=f"look at it as it is now: tilth review show {proposal.id}",
        )


def decided_already(proposal: Proposal) -> ConflictError:
    """Return the error that a proposal is decided already, how and by whom."""
    told = f"{proposal.id} is decided already"
    if proposal.ruling is not None and proposal.decided_by is not None:
        told += f": {proposal.ruling.action.replace('_', ' ')}, by {proposal.decided_by.name}"
    hint = f"to answer otherwise, take that back first: tilth review undo {proposal.id}"
    return ConflictError(told, hint=hint)


def check_seen(retires: Iterable[FactId], digest: str) -> None:
    """
    Check that an answer has the digest of what was shown.

    Raises:
        InvalidInputError: it has none.
    """
    if not digest:
        named = " ".join(f"--retires {one}" for one in retires)
        raise InvalidInputError(
            "an answer says what was seen", hint=f"--digest as review show tells it {named}".strip()
        )


def _changed(reader: Snapshot, seen: Shown, digest: str) -> str:
    """Return how the facts of a proposal changed since it had *digest*."""
    within = Visibility(seen.proposal.owner)
    # The facts that were named at first explain why it would now retire another.
    named = Proposals(reader).get(seen.proposal.id, within)
    steps = sorted(
        (
            past
            for fact_id in (*named.draft.facts, *named.draft.retires)
            for past in Facts(reader).lives(fact_id, within)
            if past.since > seen.proposal.seq
        ),
        key=lambda past: past.since,
        reverse=True,
    )
    for number, past in enumerate(steps):
        before = Moment(known_seq=past.since - 1)
        if shown_in(reader, seen.proposal.id, within, before).digest == digest:
            return "; ".join(_step(reader, one, within) for one in reversed(steps[: number + 1]))
    return "what it rests on has grown, or it was never shown so"


def _step(reader: Snapshot, past: PastLife, within: Visibility) -> str:
    life, text = past.life, Facts(reader).get(past.fact_id, within).said.text
    told = f"“{one_line(text, _CHARS)}” ({past.fact_id}) is {life.lifecycle} and {life.review}"
    return f"{told} since {past.by.name} did that"
