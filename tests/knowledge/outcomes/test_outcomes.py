"""What came of putting facts to the test, and what follows from it, on both engines."""

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.knowledge.outcomes.outcome import Maturity, OutcomeKind

SAID = "The retry limit of the worker is three."


@pytest.fixture
def cast(whole_store, place):
    """Make a brain for any actor on a store that is whole in the end."""

    def cast(kind, name="ada"):
        by = name if isinstance(name, Actor) else Actor(name, ActorKind(kind))
        return a_brain(whole_store, place.clock, by=by)

    return cast


@pytest.fixture
def agent(cast):
    return cast("agent", "claude")


@pytest.fixture
def other(cast):
    return cast("agent", "codex")


@pytest.fixture
def human(cast):
    return cast("human")


@pytest.fixture
def fact(agent):
    return agent.facts.add(SAID, about=["worker"]).fact


@pytest.fixture
def shown(cast):
    """The result of a tool, as hooks capture it."""
    return cast("agent", HOOKS).remember(
        "test_retries PASSED", kind="tool_result", role="tool", session_id="s2"
    )


def decide(human, proposal_id, action):
    digest = human.review.show(proposal_id).digest
    return human.review.decide(proposal_id, action, digest=digest)


@pytest.mark.row("EM-064")
@pytest.mark.parametrize("kind", OutcomeKind)
def test_a_verified_outcome_makes_an_observation_a_fact_and_asks_a_human(
    agent, human, fact, shown, kind
):
    assert agent.facts.outcomes(fact.id).maturity is Maturity.OBSERVATION

    tested = agent.facts.outcome(fact.id, kind, evidence=[shown], note="ran it")

    assert tested.maturity is Maturity.FACT
    assert tested.fact.life == fact.life
    seen = human.review.show(tested.proposal_id)
    assert (seen.proposal.draft.kind, [one.id for one in seen.facts]) == ("promotion", [fact.id])
    decide(human, tested.proposal_id, "confirm")
    confirmed = human.facts.get(fact.id)
    assert confirmed.life.review is Review.CONFIRMED
    assert confirmed.life.valid_from == fact.life.valid_from


def claims(cast, agent):
    session = {"session_id": "s1"}
    yield agent.remember("I ran the tests, and they pass.", role="assistant")
    yield agent.remember("test_retries PASSED", kind="tool_result", role="tool")
    hooks = cast("agent", HOOKS)
    yield hooks.remember("All green, trust me.", role="assistant", **session)
    yield hooks.remember("The tests pass, it says.", role="user", **session)
    yield hooks.remember("test_retries FAILED", kind="tool_failure", role="tool", **session)
    yield cast("import", "importer").remember("The tests pass.", role="assistant")


@pytest.mark.row("EM-064")
@pytest.mark.parametrize("number", range(6))
def test_what_its_author_says_of_it_never_qualifies(cast, agent, fact, number):
    claim = list(claims(cast, agent))[number]

    with pytest.raises(InvalidInputError, match="word of whoever claims it"):
        agent.facts.outcome(fact.id, "test_passed", evidence=[claim])

    assert agent.facts.outcomes(fact.id).maturity is Maturity.OBSERVATION


@pytest.mark.row("EM-064")
def test_nor_does_what_whoever_reports_it_wrote(agent, other, fact):
    word = other.remember("It works here as well.")

    with pytest.raises(InvalidInputError, match="reports the outcome"):
        other.facts.outcome(fact.id, "verified_reuse", evidence=[word])

    assert agent.facts.outcome(fact.id, "verified_reuse", evidence=[word]).outcomes


@pytest.mark.row("EM-064")
def test_one_claim_among_proofs_spoils_them(agent, fact, shown):
    claim = agent.remember("They pass.")

    with pytest.raises(InvalidInputError):
        agent.facts.outcome(fact.id, "test_passed", evidence=[shown, claim])

    assert agent.facts.outcomes(fact.id).outcomes == ()


@pytest.mark.row("EM-064")
def test_what_a_fact_rests_on_proves_nothing_more(cast, agent):
    heard = cast("human").remember(SAID)
    fact = agent.facts.add(SAID, about=["worker"], evidence=[heard]).fact

    with pytest.raises(InvalidInputError, match="rests on"):
        agent.facts.outcome(fact.id, "operational_verified", evidence=[heard])


@pytest.mark.row("EM-064")
def test_reuse_is_another_session_s(cast, agent):
    hooks = cast("agent", HOOKS)
    heard = hooks.remember(SAID, session_id="s1")
    fact = agent.facts.add(SAID, about=["worker"], evidence=[heard]).fact
    same, later = (
        hooks.remember("3 retries", kind="tool_result", role="tool", session_id=one)
        for one in ("s1", "s2")
    )

    with pytest.raises(InvalidInputError, match="of the session"):
        agent.facts.outcome(fact.id, "verified_reuse", evidence=[same])

    assert agent.facts.outcome(fact.id, "verified_reuse", evidence=[later]).maturity == "fact"


@pytest.mark.row("EM-064", "I24")
@pytest.mark.parametrize("session", ["s1/agent-7", "fork"])
def test_neither_a_subagent_nor_a_fork_of_the_same_session_reuses_it(cast, agent, session):
    hooks = cast("agent", HOOKS)
    # An older host writes the lines that it copies into a fork as if they were said there.
    begun = {hooks.remember(SAID, session_id=one, at=START) for one in ("s1", "fork")}
    fact = agent.facts.add(SAID, about=["worker"], evidence=[min(begun)]).fact
    result = hooks.remember("3 retries", kind="tool_result", role="tool", session_id=session)

    with pytest.raises(InvalidInputError, match="of the session"):
        agent.facts.outcome(fact.id, "verified_reuse", evidence=[result])

    assert agent.facts.outcomes(fact.id).maturity is Maturity.OBSERVATION


@pytest.mark.row("EM-064")
def test_how_often_it_is_found_cited_or_said_counts_for_nothing(agent, other, fact):
    for brain in (agent, other):
        for number in range(20):
            brain.recall("what is the retry limit")
            brain.feedback(fact.id, "cited", session_id=f"s{number}")
            brain.facts.add(SAID, about=["worker"], evidence=[brain.remember(f"{SAID} {number}")])

    assert agent.facts.outcomes(fact.id).maturity is Maturity.OBSERVATION
    with pytest.raises(ConflictError, match="current, not historical"):
        agent.facts.promote(fact.id)


@pytest.mark.row("EM-064")
def test_told_again_it_is_the_same_outcome_and_the_same_question(agent, other, fact, shown):
    first = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])

    again = other.facts.outcome(fact.id, "test_passed", evidence=[shown, shown])

    assert again == first


@pytest.mark.row("EM-064")
def test_revoking_takes_back_exactly_what_it_added(agent, human, fact, shown):
    before = human.facts.get(fact.id)
    tested = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])
    decide(human, tested.proposal_id, "confirm")
    (outcome,) = tested.outcomes
    with pytest.raises(ForbiddenError, match="decided"):
        agent.facts.revoke(outcome.id, reason="the test was wrong")

    revoked = human.facts.revoke(outcome.id, reason="the test was wrong")

    assert revoked.maturity is Maturity.OBSERVATION
    assert human.facts.get(fact.id).life == before.life
    assert [one.is_revoked for one in revoked.outcomes] == [True]
    assert human.review.list().waiting == 0
    with pytest.raises(ConflictError, match="revoked already"):
        human.facts.revoke(outcome.id)


@pytest.mark.row("EM-064")
def test_revoking_before_anybody_decided_leaves_nothing_to_decide(agent, human, fact, shown):
    tested = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])

    agent.facts.revoke(tested.outcomes[0].id)

    assert human.review.list().waiting == 0
    with pytest.raises(ConflictError, match="nothing speaks for this"):
        decide(human, tested.proposal_id, "confirm")


@pytest.mark.row("EM-064")
def test_another_outcome_that_stands_is_asked_about_instead(cast, agent, human, fact, shown):
    first = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])
    merged = human.remember("Merged: the retry limit.")
    second = agent.facts.outcome(fact.id, "pr_merged", evidence=[merged])
    assert second.proposal_id == first.proposal_id

    left = agent.facts.revoke(first.outcomes[0].id)

    assert left.maturity is Maturity.FACT
    assert left.proposal_id not in {None, first.proposal_id}
    assert human.review.list().waiting == 1


@pytest.mark.row("EM-064")
def test_only_its_reporter_or_a_human_revokes(agent, other, human, fact, shown):
    tested = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])

    with pytest.raises(ForbiddenError):
        other.facts.revoke(tested.outcomes[0].id)

    assert human.facts.revoke(tested.outcomes[0].id).maturity is Maturity.OBSERVATION


@pytest.mark.row("EM-064")
def test_declining_to_promote_says_nothing_against_the_fact(agent, human, fact, shown):
    tested = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])

    decide(human, tested.proposal_id, "reject")

    assert human.facts.get(fact.id).life == fact.life
    assert agent.facts.outcome(fact.id, "test_passed", evidence=[shown]).proposal_id is None


@pytest.mark.row("EM-064")
def test_what_an_import_brought_becomes_current_by_it(cast, agent, human, shown):
    told = cast("import").facts.add(SAID, about=["worker"]).fact

    tested = agent.facts.outcome(told.id, "operational_verified", evidence=[shown])
    decide(human, tested.proposal_id, "confirm")

    assert human.facts.get(told.id).life.lifecycle is Lifecycle.CURRENT


@pytest.mark.row("EM-064")
@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({"kind": "felt_good"}, InvalidInputError),
        ({"evidence": []}, InvalidInputError),
        ({"evidence": ["epi_00000000000000000000000000"]}, NotFoundError),
        ({"fact_id": "fct_00000000000000000000000000"}, NotFoundError),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_recorded(
    agent, fact, shown, told, error, whole_store
):
    before = whole_store.digest()

    with pytest.raises(error):
        agent.facts.outcome(
            **({"fact_id": fact.id, "kind": "test_passed", "evidence": [shown]} | told)
        )

    assert whole_store.digest() == before


@pytest.mark.row("EM-064")
def test_what_was_put_away_or_rejected_is_not_tested(agent, human, fact, shown):
    agent.facts.archive(fact.id)

    with pytest.raises(ConflictError, match="archived"):
        agent.facts.outcome(fact.id, "test_passed", evidence=[shown])


@pytest.mark.row("EM-064")
def test_changes_tell_of_it(agent, human, fact, shown):
    cursor = agent.changes().cursor
    tested = agent.facts.outcome(fact.id, "test_passed", evidence=[shown])
    human.facts.revoke(tested.outcomes[0].id)

    told = [type(one.event).__name__ for one in agent.changes(cursor).items]

    assert told == ["OutcomeObserved", "ProposalOpened", "OutcomeRevoked"]


@pytest.mark.row("EM-064")
def test_nor_does_what_its_author_wrote_whoever_reports_it_and_whatever_it_rests_on(
    cast, agent, other
):
    heard = cast("human").remember(SAID)
    fact = agent.facts.add(SAID, about=["worker"], evidence=[heard]).fact
    word = agent.remember("I tried it, and it is three.")

    with pytest.raises(InvalidInputError, match="whoever claims it"):
        other.facts.outcome(fact.id, "operational_verified", evidence=[word])
