"""Every kind of proposal has one that says what its answers do."""

from datetime import UTC, datetime

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import DEFAULT_OWNER, GLOBAL
from tilth.episodes.remember import WriteContext
from tilth.knowledge.proposals import decisions
from tilth.knowledge.proposals.decisions import decider_of, rules_on
from tilth.knowledge.proposals.proposal import (
    Action,
    Answer,
    Proposal,
    ProposalDraft,
    ProposalKind,
    ProposalState,
)
from tilth.runtime import features  # noqa: F401 - what a brain is made of

SOMEBODY = WriteContext(Actor("ana", ActorKind.HUMAN), DEFAULT_OWNER)
ABOUT_NO_FACTS = [
    ProposalKind.MERGE,
    ProposalKind.SPLIT,
    ProposalKind.GAP_MERGE,
    ProposalKind.IDENTITY_LINK,
    ProposalKind.SUGGESTION,
]
DISMISSING = {Action.REJECT, Action.DISPUTE, Action.MARK_STALE, Action.EVIDENCE_ONLY}


@pytest.mark.parametrize("kind", ProposalKind)
def test_every_kind_of_proposal_is_decided_by_somebody(kind):
    assert decider_of(kind)


def test_nobody_decides_what_another_decides_already():
    decider_of(ProposalKind.MERGE)
    with pytest.raises(ValueError, match="two decide"):
        rules_on(ProposalKind.MERGE)(decisions.decider_of(ProposalKind.MERGE).rule)


@pytest.mark.parametrize("kind", ABOUT_NO_FACTS)
@pytest.mark.parametrize("action", Action)
def test_what_is_about_no_facts_takes_the_answers_that_make_sense(kind, action):
    decider = decider_of(kind)
    answer = Answer(action=action, digest="")
    if action in DISMISSING | decider.acting.when:
        ruling = decider.rule(None, a_proposal(kind), answer, SOMEBODY)
        assert (ruling.facts, ruling.retires, ruling.rejects) == ((), (), ())
    else:
        with pytest.raises(InvalidInputError, match=action.replace("_", " ")) as refused:
            decider.rule(None, a_proposal(kind), answer, SOMEBODY)
        assert "reject" in refused.value.hint
    assert (decider.acting_on(action) is not None) is (action in decider.acting.when)


def test_what_is_about_no_facts_is_not_narrowed_to_some():
    answer = Answer(action=Action.REJECT, digest="", facts=(FactId("fct_x"),))
    decider = decider_of(ProposalKind.MERGE)
    with pytest.raises(InvalidInputError, match="not about fct_x"):
        decider.rule(None, a_proposal(ProposalKind.MERGE), answer, SOMEBODY)


def a_proposal(kind: ProposalKind) -> Proposal:
    return Proposal(
        id=ProposalId("prp_x"),
        seq=1,
        owner=SOMEBODY.owner,
        by=SOMEBODY.by,
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        draft=ProposalDraft(kind=kind, reason="they look alike", scope=GLOBAL, detail={"a": 1}),
        state=ProposalState.OPEN,
    )
