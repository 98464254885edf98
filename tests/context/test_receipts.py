"""What every store's receipts promise: one for each context, by reference, evidence of nothing."""

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tilth.context.events import ContextGiven
from tilth.context.model import BriefRequest
from tilth.context.tables import Contexts
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import NotFoundError
from tilth.core.ids import SessionId
from tilth.core.scope import Owner, Scope, Visibility

WORK, HOME = Scope("project:acme/api"), Scope("project:acme/home")
SESSION = SessionId("claude-code:two")
OPENING = BriefRequest(session_id=SESSION, via="claude-code/SessionStart")
SECRET_WORDS = "We decided to keep the job queue in Postgres."


@pytest.fixture
def told(brain, captured):
    """The ID of a fact that a brief shows."""
    draft = a_draft(SECRET_WORDS, scope=WORK, session_id=SessionId("claude-code:one"))
    captured.remember_many([draft])
    brain.distil()
    return brain.facts.list(scope=WORK)[0].id


def give(brain, request=OPENING, scope=WORK):
    return brain.receipts.keep(brain.brief(request, scope=scope).context)


def test_every_context_that_is_given_has_a_receipt(brain, told):
    given = [give(brain), give(brain)]

    receipts = brain.receipts.list(SESSION)
    assert [receipt.id for receipt in receipts] == given[::-1]
    context = receipts[0].context
    assert (context.via, context.session_id, context.scope) == (OPENING.via, SESSION, WORK)
    assert {source for _, source in context.items} == {told}
    assert context.tokens == brain.brief(OPENING, scope=WORK).tokens


def test_what_shows_nothing_leaves_no_receipt(brain, store):
    assert give(brain) is None
    assert brain.receipts.list() == []
    with store.read() as view:
        assert view.head().seq == 1


def test_a_receipt_repeats_no_word_of_what_was_shown_or_asked(brain, store, told):
    give(brain, BriefRequest(question="where is the job queue kept", session_id=SESSION))

    with store.read() as view:
        (event,) = [one.event for one in view.events() if isinstance(one.event, ContextGiven)]
    assert "queue" not in repr(event)
    assert event.context.items == (("recalled", told),)


def test_receipts_are_of_one_session_and_one_owner(brain, store, told):
    give(brain)
    give(brain, BriefRequest(session_id=SessionId("other"), via="x"))

    assert len(brain.receipts.list()) == 2
    assert len(brain.receipts.list("other")) == 1
    assert brain.receipts.list(scope=HOME) == []
    with store.read() as view:
        assert Contexts(view).receipts(Visibility(Owner("bob")), limit=9) == []


@pytest.mark.row("XR-02")
def test_a_trace_shows_what_was_given_and_what_came_of_it(brain, told):
    receipt_id = give(brain)
    brain.feedback(told, "cited", session_id=SESSION, receipt_id=receipt_id)

    trace = brain.receipts.trace(receipt_id)

    assert trace.receipt.id == receipt_id
    assert trace.asked is None
    assert {one.source for one in trace.shown} == {told}
    assert trace.shown[0].text == SECRET_WORDS
    assert [vote.verdict for vote in trace.shown[0].votes] == ["cited"]
    assert not trace.shown[0].is_ignored


@pytest.mark.row("XR-02")
def test_a_trace_replays_a_turn_what_was_asked_used_and_ignored(brain, store, place, told):
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    human.facts.add("The job queue is kept in table jobs.", about=["api"], scope=WORK)
    question = "where is the job queue kept"
    asked = brain.remember(question, session_id=SESSION, scope=WORK)
    receipt_id = give(brain, BriefRequest(question=question, session_id=SESSION, via="hook"))
    answer = brain.remember(
        f"In Postgres [{told}].", session_id=SESSION, scope=WORK, role="assistant"
    )

    trace = brain.receipts.trace(receipt_id)

    assert trace.asked.id == asked
    shown = {one.text: one for one in trace.shown}
    assert shown[SECRET_WORDS].named_by == (answer,)
    assert not shown[SECRET_WORDS].is_ignored
    ignored = shown["The job queue is kept in table jobs."]
    assert ignored.is_ignored
    assert ignored.ignored_because == "nothing that was said afterwards names it"
    human.facts.archive(ignored.source)
    now = {one.source: one for one in brain.receipts.trace(receipt_id).shown}
    assert now[ignored.source].ignored_because == "it is archived by now"
    assert now[told].ignored_because == ""


@pytest.mark.row("XR-02")
def test_what_was_said_before_a_context_uses_nothing_of_it(brain, told):
    brain.remember(f"See {told}.", session_id=SESSION, scope=WORK)

    (one, *_) = brain.receipts.trace(give(brain)).shown

    assert one.is_ignored
    assert one.ignored_because == "nothing was said in the session afterwards"


@pytest.mark.parametrize("receipt_id", ["rcp_01JD3ZK9Q2C5T0V8XW7YB4N6HM", "nonsense"])
def test_a_receipt_that_is_not_there_is_named(brain, receipt_id):
    with pytest.raises(Exception, match=receipt_id):
        brain.receipts.trace(receipt_id)


def test_an_episode_is_no_receipt(brain, told):
    with pytest.raises(NotFoundError):
        brain.receipts.trace(told)


@pytest.mark.row("I25")
def test_a_receipt_is_evidence_of_nothing_and_no_change(brain, told):
    before = brain.changes()
    found = brain.recall("where is the job queue kept")

    for _ in range(50):
        give(brain)

    assert brain.changes(before.cursor).items == ()
    again = brain.recall("where is the job queue kept")
    assert [(hit.id, hit.score) for hit in again.hits] == [
        (hit.id, hit.score) for hit in found.hits
    ]


@pytest.mark.row("I10")
def test_receipts_and_votes_come_back_from_the_ledger(brain, store, told):
    receipt_id = give(brain)
    brain.feedback(told, "useful", receipt_id=receipt_id)
    before = store.digest()

    store.rebuild()

    assert store.digest() == before
    assert [receipt.id for receipt in brain.receipts.list()] == [receipt_id]
    assert not list(store.verify())
