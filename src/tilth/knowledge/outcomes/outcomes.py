"""
Record that a fact was tested and held, and revoke that (EM-064).

An outcome makes an observation a fact, and proposes that a human confirm it. Episodes must prove it
that are by others than the author of the fact, its sources and the reporter. An agent's report on
its own work proves nothing, nor does how often a fact was found or cited. Revoking an outcome takes
back exactly what followed from it.
"""

from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId, ProposalId
from tilth.core.lifecycle import Review
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeKind
from tilth.episodes.lineage import root_of
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.fact_lifecycle import promotion_in
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.outcomes.outcome import (
    Maturity,
    Outcome,
    OutcomeDraft,
    OutcomeKind,
    maturity_of,
)
from tilth.knowledge.outcomes.tables import Outcomes
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """A fact with its outcomes, its maturity, and the waiting promotion."""

    fact: Fact
    maturity: Maturity
    outcomes: tuple[Outcome, ...]
    proposal_id: ProposalId | None = None


def tested_in(view: Snapshot, fact_id: FactId, within: Visibility) -> Tested:
    """Return the outcomes and maturity of a fact, in one snapshot."""
    fact = Facts(view).get(fact_id, within)
    outcomes = Outcomes(view).of(fact_id, within)
    standing = {one.proposal_id for one in outcomes if not one.is_revoked}
    waiting = [one.id for one in Proposals(view).touching(fact_id, within) if one.id in standing]
    return Tested(
        fact=fact,
        maturity=maturity_of(fact, outcomes),
        outcomes=tuple(outcomes),
        proposal_id=waiting[0] if waiting else None,
    )


def propose_promotion(
    tx: Transaction, fact: Fact, outcome: Outcome, recorder: WriteContext
) -> None:
    """Propose that a fact be confirmed, unless that was asked before."""
    if fact.life.review is not Review.UNREVIEWED or outcome.proposal_id is not None:
        return
    standing = {
        one.proposal_id
        for one in Outcomes(tx).of(fact.id, Visibility(recorder.owner))
        if not one.is_revoked
    }
    touching = Proposals(tx).touching(fact.id, Visibility(recorder.owner))
    if any(one.draft.kind is ProposalKind.PROMOTION and one.id in standing for one in touching):
        return
    words = outcome.draft.kind.replace("_", " ")
    promotion_in(tx, fact, recorder, reason=f"{words}: {outcome.id}", outcome_id=outcome.id)


def check_independent(
    view: Snapshot, fact: Fact, draft: OutcomeDraft, recorder: WriteContext
) -> None:
    """
    Check that the evidence of an outcome is independent of its author and the fact.

    Raises:
        NotFoundError: an episode is not visible.
        InvalidInputError: the evidence is the author's own word, or the fact's own evidence.
    """
    own = {one.episode_id for one in fact.evidence}
    if resting := [one for one in draft.evidence if one in own]:
        raise InvalidInputError(
            f"the fact rests on {', '.join(resting)}, so that proves nothing more",
            hint="name what shows that it held when it was put to the test",
        )
    within = Visibility(recorder.owner)
    # Erased evidence claims nothing.
    places = FactPlaces(view).evidence([fact.seq]).get(fact.seq, ())
    sources = Episodes(view).at(places, within)
    claimants = {fact.by, recorder.by, *(_author(view, one) for one in sources)}
    sessions = {root_of(view, one.session_id, within) for one in sources if one.session_id}
    for episode in (Episodes(view).get(one, within) for one in draft.evidence):
        if not _proves(episode, _author(view, episode), claimants):
            raise InvalidInputError(
                f"{episode.id} is the word of whoever claims it, or reports the outcome",
                hint="name what others wrote: the result of a tool, another agent, a person",
            )
        is_reuse = draft.kind is OutcomeKind.VERIFIED_REUSE and episode.session_id is not None
        if is_reuse and root_of(view, episode.session_id, within) in sessions:
            raise InvalidInputError(
                f"{episode.id} is of the session that the fact comes from",
                hint="it is reused where another session needed it",
            )


def _author(view: Snapshot, episode: Episode) -> Actor:
    """Return who recorded an episode."""
    return view.events(after=episode.seq - 1, limit=1)[0].by


def _proves(episode: Episode, by: Actor, claimants: set[Actor]) -> bool:
    if episode.kind is EpisodeKind.TOOL_FAILURE:
        return False
    if by.is_human:
        return True
    # Hooks and imports record everybody in a session; of these only a tool did not make the claim.
    if by == HOOKS or by.kind is ActorKind.IMPORT:
        return episode.kind is EpisodeKind.TOOL_RESULT
    return by not in claimants
