"""What every store promises of feedback: it moves what is found first, within bounds."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.fakes import START
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.scope import Owner
from tilth.recall.feedback import (
    HALF_LIFE,
    VOTES_MAX,
    WEIGHTS,
    Verdict,
    Vote,
    Votes,
    feedback_total,
)

TWINS = ("the boiler was serviced by Anna Lang",) * 2
QUESTION = "who serviced the boiler"


@pytest.fixture
def twins(brain):
    """Two that answer equally well."""
    return brain.remember_many([a_draft(text) for text in TWINS])


def ids(brain, question=QUESTION):
    return [hit.id for hit in brain.recall(question, is_grouped=False).hits]


class TestFormula:
    @pytest.mark.row("EM-063")
    @pytest.mark.parametrize(
        ("verdict", "weight"),
        [
            (Verdict.CITED, 1.0),
            (Verdict.LED_TO_NEW, 0.6),
            (Verdict.EDITED, 0.5),
            (Verdict.USEFUL, 0.5),
            (Verdict.REUSED, 0.4),
            (Verdict.DEAD_END, -0.15),
            (Verdict.WRONG, -2.0),
        ],
    )
    def test_a_verdict_weighs_as_the_table_says(self, verdict, weight):
        assert feedback_total([Vote(verdict, START)], START) == pytest.approx(weight / VOTES_MAX)

    @pytest.mark.row("EM-063")
    def test_the_sum_has_a_floor_and_a_ceiling(self):
        assert set(WEIGHTS) == set(Verdict)
        assert feedback_total([Vote(Verdict.WRONG, START)] * 99, START) == -1.0
        assert feedback_total([Vote(Verdict.CITED, START)] * 99, START) == 1.0
        assert feedback_total([], START) == 0.0

    def test_a_vote_fades_by_half_in_its_half_life(self):
        fresh = feedback_total([Vote(Verdict.CITED, START)], START)

        assert feedback_total([Vote(Verdict.CITED, START)], START + HALF_LIFE) == pytest.approx(
            fresh / 2
        )


@pytest.mark.parametrize("verdict", ["cited", "led_to_new", "edited", "useful", "reused"])
@pytest.mark.on_sqlite(but=2)
def test_what_helped_comes_first_of_equals(brain, twins, verdict):
    last = ids(brain)[-1]

    brain.feedback(last, verdict)

    assert ids(brain)[0] == last


@pytest.mark.parametrize("verdict", ["dead_end", "dead-end", "wrong"])
def test_what_did_not_help_comes_after_its_equals(brain, twins, verdict):
    first = ids(brain)[0]

    brain.feedback(first, verdict)

    assert ids(brain)[-1] == first


@pytest.mark.row("EM-063")
def test_no_amount_of_feedback_lifts_what_is_beside_the_point(brain, store, twins, place):
    beside = brain.remember("the heating in the cellar was painted green")

    for number in range(60):
        brain.feedback(beside, "cited", session_id=f"s{number}")
        brain.feedback(twins[0], "wrong", session_id=f"s{number}")

    assert set(ids(brain)[:2]) == set(twins)


@pytest.mark.row("EM-063")
def test_feedback_changes_no_label_and_hides_nothing(brain, twins):
    before = {hit.id: (hit.lifecycle, hit.review) for hit in brain.recall(QUESTION).hits}

    for number in range(20):
        brain.feedback(twins[0], "wrong", session_id=f"s{number}")

    after = {hit.id: (hit.lifecycle, hit.review) for hit in brain.recall(QUESTION).hits}
    assert after == before


def test_one_actor_has_one_vote_a_session_and_the_last_one_counts(brain, store, twins):
    for verdict in ("useful", "useful", "useful", "wrong"):
        brain.feedback(twins[0], verdict, session_id="s1")
    brain.feedback(twins[0], "cited", session_id="s2")

    with store.read() as view:
        votes = Votes(view).on(twins[0])
    assert sorted(vote.verdict for vote in votes) == ["cited", "wrong"]


def test_feedback_fades(brain, place, twins):
    last = ids(brain)[-1]
    brain.feedback(last, "cited")

    (lifted,) = [hit for hit in brain.recall(QUESTION, is_grouped=False).hits if hit.id == last]
    place.clock.at = START + timedelta(days=900)
    (faded,) = [hit for hit in brain.recall(QUESTION, is_grouped=False).hits if hit.id == last]

    assert lifted.parts["feedback"] > 100 * faded.parts["feedback"] > 0


def test_feedback_on_what_may_not_be_seen_is_refused(brain, store, place, twins):
    bobs = a_brain(store, place.clock, owner=Owner("bob"))

    with pytest.raises(NotFoundError):
        bobs.feedback(twins[0], "wrong")
    with pytest.raises(NotFoundError):
        brain.feedback("epi_01JD3ZK9Q2C5T0V8XW7YB4N6HM", "useful")
    with pytest.raises(NotFoundError):
        brain.feedback(twins[0], "useful", receipt_id="rcp_01JD3ZK9Q2C5T0V8XW7YB4N6HM")


@pytest.mark.parametrize(
    ("target", "verdict"), [("prp_01JD3ZK9Q2C5T0V8XW7YB4N6HM", "useful"), ("", "useful")]
)
def test_what_nobody_votes_on_is_refused(brain, target, verdict):
    with pytest.raises(InvalidInputError):
        brain.feedback(target, verdict)


def test_an_unknown_verdict_is_refused_and_the_known_ones_named(brain, twins):
    with pytest.raises(InvalidInputError) as caught:
        brain.feedback(twins[0], "splendid")

    assert all(verdict in caught.value.hint for verdict in Verdict)
