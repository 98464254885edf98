"""The queue, and every answer a human may give, through Python, on both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.episodes.remember import WriteContext
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind

DAY = timedelta(days=1)
DNS = {"system": "pi-hole", "component": "ip"}
PHASE = {"subject": "Acme", "predicate": "phase"}


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def asked(agent, human):
    """What waits: an agent would put .110 in the place of a human's .100."""
    human.facts.add("DNS answers on .100.", **DNS)
    return agent.facts.add("DNS answers on .110.", **DNS)


def answer(human, proposal_id, action, **answering):
    seen = human.review.show(proposal_id)
    if action in ("confirm", "edit"):
        answering.setdefault("retires", [fact.id for fact in seen.retires])
    return human.review.decide(proposal_id, action, digest=seen.digest, **answering)


def held(brain, **asking):
    return sorted(one.fact.said.text for one in brain.state(**asking).facts)


def life(brain, fact):
    return brain.facts.get(fact.id).life


def sides(proposal):
    return proposal.draft.retires + proposal.draft.facts


class TestQueue:
    @pytest.mark.row("XR-03")
    def test_one_queue_holds_every_kind_and_counts_what_waits(self, agent, human, asked):
        other = human.facts.add(**PHASE, object="pilot").fact
        agent.facts.retire(other.id, reason="Acme left the pilot last week")
        agent.review.question(other.id, reason="the minutes say otherwise")
        queue = human.review.list()

        kinds = [one.draft.kind for one in queue.proposals]
        assert kinds == ["supersession", "removal", "correction"]
        assert (queue.waiting, queue.later, queue.decided) == (3, 0, 0)
        answer(human, asked.proposal_id, "reject")
        queue = human.review.list()
        assert (queue.waiting, queue.decided, queue.count) == (2, 1, 2)

    def test_what_is_put_off_waits_no_longer_until_then(self, human, asked, place):
        human.review.snooze(asked.proposal_id, until=place.clock.at + DAY)

        queue = human.review.list()
        assert (queue.proposals, queue.waiting, queue.later) == ((), 0, 1)
        place.clock.at += 2 * DAY
        assert [one.id for one in human.review.list().proposals] == [asked.proposal_id]

    def test_the_queue_is_narrowed_and_paged(self, agent, human, make, asked):
        other = make("job", "gardener").facts.add(**PHASE, object="pilot").fact
        make("job", "gardener").facts.retire(other.id, reason="nobody mentioned it for long")

        assert len(human.review.list(kinds=["removal"]).proposals) == 1
        assert len(human.review.list(by=["agent"]).proposals) == 1
        assert len(human.review.list(about=other.id).proposals) == 1
        page = human.review.list(limit=1, offset=1)
        assert (len(page.proposals), page.count) == (1, 2)
        assert human.review.list(states=["decided"]).proposals == ()
        with pytest.raises(InvalidInputError, match="nonsense"):
            human.review.list(kinds=["nonsense"])

    def test_a_question_about_a_fact_is_asked_once(self, agent, human):
        fact = agent.facts.add(**PHASE, object="pilot").fact
        first = agent.review.question(fact.id, reason="is that so?")

        assert agent.review.question(fact.id, reason="still so?").id == first.id


class TestNineActions:
    @pytest.mark.row("XR-03")
    def test_confirm_says_that_it_is_so(self, human, asked):
        answer(human, asked.proposal_id, "confirm")

        assert held(human) == ["DNS answers on .110."]
        assert life(human, asked.fact).review is Review.CONFIRMED

    @pytest.mark.row("XR-03")
    def test_confirming_what_holds_leaves_when_it_began(self, agent, human, place):
        fact = agent.facts.add(**PHASE, object="pilot").fact
        place.clock.at += 100 * DAY
        question = agent.review.question(fact.id, reason="is that still so?")
        answer(human, question.id, "confirm")

        assert life(human, fact).valid_from == fact.life.valid_from
        assert human.state().facts[0].freshness == "fresh"

    @pytest.mark.row("XR-03")
    def test_edit_confirms_other_words_and_remembers_the_wrong_ones(self, agent, human, asked):
        decided = answer(human, asked.proposal_id, "edit", text="DNS answers on .120.")

        assert held(human) == ["DNS answers on .120."]
        fact = human.facts.get(decided.ruling.edited)
        assert (fact.by.kind, fact.life.review) == (ActorKind.HUMAN, Review.CONFIRMED)
        assert set(asked.fact.evidence) < set(fact.evidence)
        with pytest.raises(ForbiddenError, match="rejected this statement"):
            agent.facts.add("DNS answers on .110.", **DNS)

    def test_an_edit_changes_the_value_of_a_triple(self, agent, human):
        human.facts.add(**PHASE, object="pilot")
        asked = agent.facts.add(**PHASE, object="rolout")
        answer(human, asked.proposal_id, "edit", value="rollout")

        assert held(human) == ["Acme phase rollout"]

    def test_an_edit_is_about_one_fact_and_brings_other_words(self, human, asked):
        with pytest.raises(InvalidInputError, match="other words"):
            answer(human, asked.proposal_id, "edit")
        with pytest.raises(ConflictError, match="says the same"):
            answer(human, asked.proposal_id, "edit", text="DNS answers on .110.")
        with pytest.raises(InvalidInputError, match="does not say so"):
            answer(human, asked.proposal_id, "edit", text="DNS is off.", retires=())
        assert held(human) == ["DNS answers on .100."]

    def test_an_edit_of_what_holds_comes_in_its_place(self, agent, human):
        fact = agent.facts.add("The NAS is full.", about=["NAS"]).fact
        question = agent.review.question(fact.id, reason="it was cleaned up")
        answer(human, question.id, "edit", text="The NAS is half empty.")

        assert held(human) == ["The NAS is half empty."]
        assert life(human, fact).lifecycle is Lifecycle.SUPERSEDED

    @pytest.mark.row("XR-03")
    def test_evidence_only_keeps_that_it_was_said(self, human, asked):
        answer(human, asked.proposal_id, "evidence_only")

        assert held(human) == ["DNS answers on .100."]
        assert life(human, asked.fact).lifecycle is Lifecycle.HISTORICAL

    @pytest.mark.row("XR-03")
    def test_restrict_scope_lets_both_be_so(self, human, asked):
        with pytest.raises(InvalidInputError, match="needs the scope"):
            answer(human, asked.proposal_id, "restrict_scope")
        answer(human, asked.proposal_id, "restrict_scope", scope="project:lab")

        assert held(human) == ["DNS answers on .100.", "DNS answers on .110."]
        assert life(human, asked.fact).scope == Scope("project:lab")
        assert held(human, scope="project:home") == ["DNS answers on .100."]

    def test_a_restricted_fact_takes_no_place_that_is_taken(self, human, asked):
        human.facts.add("DNS answers on .130.", scope="project:lab", **DNS)
        with pytest.raises(ConflictError, match="holds this place"):
            answer(human, asked.proposal_id, "restrict_scope", scope="project:lab")

    @pytest.mark.row("XR-03")
    def test_mark_stale_takes_back_that_it_was_checked(self, human, asked, place):
        place.clock.at += 100 * DAY
        answer(human, asked.proposal_id, "mark_stale")

        (state,) = human.state().facts
        assert (state.fact.said.text, state.freshness) == ("DNS answers on .100.", "verify")
        assert life(human, asked.fact).lifecycle is Lifecycle.HISTORICAL

    @pytest.mark.row("XR-03")
    def test_merge_lets_one_rest_on_what_both_did(self, agent, human, store):
        one = agent.facts.add("The NAS is full.", about=["NAS"]).fact
        other = agent.facts.add("No room is left on the NAS.", about=["NAS"]).fact
        question = a_contradiction(agent, store, one, other)
        seen = human.review.show(question)
        human.review.decide(question, "merge", digest=seen.digest, keeps=one.id, retires=[other.id])

        assert held(human) == ["The NAS is full."]
        kept = human.facts.get(one.id)
        assert set(kept.evidence) == {*one.evidence, *other.evidence}

    @pytest.mark.row("XR-03")
    def test_reject_is_remembered(self, agent, human, asked):
        answer(human, asked.proposal_id, "reject", note="never moved")

        assert held(human) == ["DNS answers on .100."]
        with pytest.raises(ForbiddenError, match="rejected this statement"):
            agent.facts.add("dns answers on .110.", **DNS)

    def test_rejecting_a_removal_keeps_the_fact(self, agent, human):
        fact = human.facts.add(**PHASE, object="pilot").fact
        ended = agent.facts.retire(fact.id, reason="Acme left the pilot last week")
        answer(human, ended.proposal_id, "reject")

        assert life(human, fact) == fact.life
        with pytest.raises(ForbiddenError, match="decided about that before"):
            agent.facts.retire(fact.id, reason="Acme left the pilot, once more")

    @pytest.mark.row("XR-03")
    def test_dispute_flags_both_sides_and_picks_none(self, human, asked):
        decided = answer(human, asked.proposal_id, "dispute")

        assert held(human) == ["DNS answers on .100."]
        reviews = {human.facts.get(one).life.review for one in sides(decided)}
        assert reviews == {Review.DISPUTED}

    @pytest.mark.row("XR-03")
    def test_supersede_says_which_came_after(self, agent, human, store):
        one = agent.facts.add("The NAS is full.", about=["NAS"], valid_from=START - 9 * DAY).fact
        other = agent.facts.add("The NAS is empty.", about=["NAS"]).fact
        question = a_contradiction(agent, store, one, other)
        answer(human, question, "supersede", keeps=other.id, retires=[one.id],
               since=START - 2 * DAY)  # fmt: skip

        assert held(human) == ["The NAS is empty."]
        assert life(human, one).valid_to == life(human, other).valid_from == START - 2 * DAY
        assert held(human, as_of=START - 3 * DAY) == ["The NAS is full."]


class TestBinding:
    @pytest.mark.row("OB-061")
    def test_what_changed_meanwhile_is_told(self, agent, human, asked):
        seen = human.review.show(asked.proposal_id)
        (old,) = seen.retires
        human.facts.retire(old.id, reason="switched off")
        with pytest.raises(
            ConflictError, match=rf"\({old.id}\) is historical and confirmed since ada"
        ):
            human.review.confirm(asked.proposal_id, digest=seen.digest, retires=[old.id])

    @pytest.mark.row("OB-061")
    def test_growing_evidence_is_told_too(self, agent, human, asked):
        seen = human.review.show(asked.proposal_id)
        episode = agent.remember("somebody said DNS answers on .110.")
        agent.facts.add("DNS answers on .110.", evidence=[episode], **DNS)
        with pytest.raises(ConflictError, match="rests on has grown"):
            human.review.reject(asked.proposal_id, digest=seen.digest)

    @pytest.mark.row("OB-061")
    def test_an_answer_without_a_look_is_refused(self, human, asked):
        with pytest.raises(InvalidInputError, match="what was seen"):
            human.review.decide(asked.proposal_id, "reject")
        with pytest.raises(ConflictError, match="never shown so"):
            human.review.reject(asked.proposal_id, digest="0" * 64)

    @pytest.mark.row("OB-061")
    def test_what_is_not_there_and_what_is_not_yours_look_alike(self, human, asked, store, place):
        other = a_brain(store, place.clock, owner="eve", by=Actor("eve", ActorKind.HUMAN))
        nowhere = "prp_" + "0" * 26
        with pytest.raises(NotFoundError) as not_mine:
            other.review.show(asked.proposal_id)
        with pytest.raises(NotFoundError) as nothing:
            other.review.show(nowhere)
        told = str(not_mine.value).replace(asked.proposal_id, nowhere)
        assert told == str(nothing.value)

    def test_a_fact_that_the_proposal_is_not_about_cannot_be_named(self, agent, human, asked):
        stranger = agent.facts.add("The NAS is full.", about=["NAS"]).fact
        with pytest.raises(InvalidInputError, match="is not about"):
            answer(human, asked.proposal_id, "reject", facts=[stranger.id])


class TestRemoval:
    WHY = "it was switched off last week"

    @pytest.mark.row("OB-060")
    def test_one_question_is_open_for_one_fact(self, agent, human, asked):
        old = human.review.show(asked.proposal_id).retires[0]
        first = agent.facts.retire(old.id, reason=self.WHY).proposal_id

        assert agent.facts.retire(old.id, reason=f"{self.WHY}, again").proposal_id == first
        assert len(human.review.list(kinds=["removal"]).proposals) == 1

    @pytest.mark.row("OB-060")
    def test_what_drifted_since_it_was_asked_is_not_removed(self, agent, human):
        fact = human.facts.add(**PHASE, object="pilot").fact
        asked = agent.facts.retire(fact.id, reason=self.WHY).proposal_id
        seen = human.review.show(asked)
        human.facts.add(**PHASE, object="rollout")
        with pytest.raises(ConflictError, match="not what was shown"):
            human.review.confirm(asked, digest=seen.digest, retires=[fact.id])
        again = human.review.show(asked)
        with pytest.raises(ConflictError, match="superseded by now"):
            human.review.confirm(asked, digest=again.digest, retires=[fact.id])
        assert held(human) == ["Acme phase rollout"]

    @pytest.mark.row("OB-060")
    def test_what_is_confirmed_ends_and_is_not_deleted(self, agent, human):
        fact = human.facts.add(**PHASE, object="pilot").fact
        asked = agent.facts.retire(fact.id, reason=self.WHY).proposal_id
        answer(human, asked, "confirm")

        assert life(human, fact).lifecycle is Lifecycle.HISTORICAL
        assert life(human, fact).successor is None


class TestScopes:
    @pytest.mark.row("I28")
    def test_what_waits_elsewhere_changes_nothing_here(self, agent, human):
        here = {"scope": "project:home"}
        fact = agent.facts.add("The NAS is full.", about=["NAS"], **here).fact
        agent.review.question(fact.id, reason="is it?")
        before = human.review.list(**here)
        other = agent.facts.add("The fan is loud.", about=["fan"], scope="project:lab").fact
        asked = agent.review.question(other.id, reason="is it?").id

        assert human.review.list(**here) == before
        assert human.review.list(scope="project:lab").waiting == 1
        with pytest.raises(NotFoundError):
            human.review.show(asked, **here)

    @pytest.mark.row("I28")
    def test_the_other_side_of_a_contradiction_is_shown_where_it_may_be_seen(self, agent, human):
        agent.facts.add("The NAS backs up every night.", system="NAS")
        agent.facts.add("The NAS does not back up every night.", system="NAS", scope="project:lab")
        assert len(agent.review.scan().asked) == 1

        (home,) = human.state(scope="project:home").facts
        assert home.against == ()
        assert human.review.list(scope="project:home").waiting == 0
        assert all(one.against for one in human.state(scope="project:lab").facts)


class TestUndo:
    @pytest.mark.parametrize(
        ("action", "more"),
        [
            ("confirm", {}),
            ("edit", {"text": "DNS answers on .120."}),
            ("evidence_only", {}),
            ("restrict_scope", {"scope": "project:lab"}),
            ("mark_stale", {}),
            ("reject", {}),
            ("dispute", {}),
        ],
    )
    def test_every_decision_can_be_taken_back_and_made_again(self, human, asked, action, more):
        named = sides(human.review.show(asked.proposal_id).proposal)
        before = [human.facts.get(one).life for one in named]
        answer(human, asked.proposal_id, action, **more)
        reopened = human.review.undo(asked.proposal_id)

        assert reopened.state == "open"
        assert held(human) == ["DNS answers on .100."]
        assert [human.facts.get(one).life for one in named] == before
        assert answer(human, asked.proposal_id, action, **more).state == "decided"

    def test_a_merge_of_facts_can_be_taken_back(self, agent, human, store):
        one = agent.facts.add("The NAS is full.", about=["NAS"]).fact
        other = agent.facts.add("No room is left on the NAS.", about=["NAS"]).fact
        question = a_contradiction(agent, store, one, other)
        answer(human, question, "merge", keeps=one.id, retires=[other.id])
        human.review.undo(question)

        assert (life(human, one), life(human, other)) == (one.life, other.life)

    def test_what_has_changed_since_cannot_be_taken_back(self, human, asked):
        answer(human, asked.proposal_id, "edit", text="DNS answers on .120.")
        human.facts.add("DNS answers on .130.", **DNS)
        with pytest.raises(ConflictError, match="changed since"):
            human.review.undo(asked.proposal_id)

    def test_what_is_not_decided_cannot_be_taken_back(self, human, asked):
        with pytest.raises(ConflictError, match="not decided"):
            human.review.undo(asked.proposal_id)


class TestManyAtOnce:
    def test_each_of_many_is_decided_for_itself_and_told_so(self, agent, human, asked):
        fact = human.facts.add(**PHASE, object="pilot").fact
        removal = agent.facts.retire(fact.id, reason="Acme left the pilot last week").proposal_id
        shown = {one: human.review.show(one).digest for one in (asked.proposal_id, removal)}
        told = human.review.decide_many(
            [
                {"proposal_id": asked.proposal_id, "action": "confirm",
                 "digest": shown[asked.proposal_id]},
                {"proposal_id": removal, "action": "confirm", "digest": shown[removal],
                 "retires": [fact.id]},
                {"proposal_id": removal, "action": "reject", "digest": shown[removal]},
            ]
        )  # fmt: skip

        assert [one.code for one in told] == ["invalid_input", "", "conflict"]
        assert [one.proposal is None for one in told] == [True, False, True]
        assert held(human) == ["DNS answers on .100."]
        human.review.undo(removal)
        assert held(human) == ["Acme phase pilot", "DNS answers on .100."]

    def test_many_are_no_way_around_the_human(self, agent, asked):
        with pytest.raises(ForbiddenError):
            agent.review.decide_many([])


def a_contradiction(agent, store, one, other):
    """Ask about two facts that stand beside each other."""
    draft = ProposalDraft(
        kind=ProposalKind.CONTRADICTION,
        reason="full, or not",
        scope=one.life.scope,
        facts=(one.id, other.id),
    )
    with store.begin() as tx:
        return open_proposal(
            tx, draft, WriteContext(by=Actor("scan", ActorKind.JOB), owner=one.owner)
        ).id
