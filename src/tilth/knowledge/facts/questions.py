"""Questions about facts: their keys, and what a human sees of the facts they are about."""

from dataclasses import dataclass

from tilth.core.ids import ProposalId
from tilth.core.instant import to_micros
from tilth.core.json import Json
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import NOW, Moment
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.proposal import Proposal, digest_of
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A proposal as a human sees it, with the facts that it is about; `digest` binds all of it."""

    proposal: Proposal
    facts: tuple[Fact, ...]
    retires: tuple[Fact, ...]
    digest: str


def contradiction_key(one: Fact, other: Fact) -> str:
    """Return the key of the question which of two statements is so, whoever says them when."""
    return ":".join(("contradiction", *sorted((one.key, other.key))))


def duplicate_key(one: Fact, other: Fact) -> str:
    """Return the key of the question whether two statements are one, whoever says them when."""
    return ":".join(("duplicate", *sorted((one.key, other.key))))


def shown_in(
    reader: Snapshot, proposal_id: ProposalId, within: Visibility, moment: Moment = NOW
) -> Shown:
    """Return a proposal as *reader* shows it, with its facts as they were known at *moment*."""
    proposal = Proposals(reader).get(proposal_id, within)
    facts, retires = (
        tuple(Facts(reader).get(fact_id, within, moment) for fact_id in named)
        for named in (proposal.draft.facts, proposal.draft.retires)
    )
    digest = digest_of(proposal, list(map(_face, facts)), list(map(_face, retires)))
    return Shown(proposal=proposal, facts=facts, retires=retires, digest=digest)


def _face(fact: Fact) -> Json:
    """Return what may not change between looking at a fact and deciding about it."""
    life = fact.life
    return [
        fact.id,
        fact.said.text,
        fact.key,
        fact.slot,
        life.scope,
        life.lifecycle,
        life.review,
        life.authority,
        to_micros(life.valid_from),
        None if life.valid_to is None else to_micros(life.valid_to),
        [[one.episode_id, one.start, one.end] for one in fact.evidence],
    ]
