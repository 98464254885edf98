"""An erase, an undo, a rollback and a rebuild replay everything, and nobody waits for that."""

from contextlib import closing

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ErasedError, UnavailableError
from tilth.core.ids import ulid_of
from tilth.core.scope import DEFAULT_OWNER, GLOBAL
from tilth.episodes.events import EpisodeRecorded
from tilth.ledger import store as ledger_store
from tilth.ledger.events import Basis, Erased, Gone
from tilth.ledger.replay import prepared_replay

ANA = Actor("ana", ActorKind.HUMAN)


@pytest.fixture
def store(whole_store):
    """The end of each test compares it with a replay."""
    return whole_store


@pytest.fixture
def other(place):
    """What another process has open, which waits for nobody; a person acts through it."""
    with closing(place.open(busy_timeout_s=0.05)) as opened:
        yield a_brain(opened, place.clock, by=ANA)


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something happen after a replay was made, and before it is taken over: once, or each."""

    def arrange(act, times=1):
        left, show = [times], prepared_replay.show

        def shown(rows, lines, remains):
            show(rows, lines, remains)
            # What is caught up with comes without any remains.
            if rows.conn.is_writing or not left[0]:
                return
            left[0] -= 1
            act()

        monkeypatch.setattr(prepared_replay, "show", shown)
        return left

    return arrange


def erased(brain, **told):
    return brain.erase.confirm(brain.erase.plan(**told).digest, **told)


def is_equal_to_a_replay(store):
    before = store.digest()
    store.rebuild()
    return store.digest() == before and not list(store.verify())


def test_others_write_while_an_erase_replays(human, store, other, meanwhile):
    going = human.remember("the code is zx4711", session_id="s1")
    human.remember("the kettle is on", session_id="s1")
    said = []

    def write():
        said.append(other.remember("the pump hums", session_id="s2"))
        other.facts.add("It is green.", about=["kettle"])

    left = meanwhile(write)
    erased(human, episodes=[going])

    assert not left[0]
    assert human.episodes.get(said[0]).text == "the pump hums"
    assert [hit.id for hit in human.recall("what hums?").hits][:1] == said
    assert "It is green." in {hit.text for hit in human.recall("which one is green?").hits}
    with pytest.raises(ErasedError):
        human.episodes.get(going)
    assert is_equal_to_a_replay(store)


def test_others_write_while_an_undo_replays(human, store, other, meanwhile):
    first = human.facts.add("It is green.", about=["kettle"]).fact.id
    said = []
    meanwhile(lambda: said.append(other.remember("the pump hums")))

    human.undo(first)

    assert human.facts.list() == []
    assert [hit.id for hit in human.recall("what hums?").hits][:1] == said
    assert is_equal_to_a_replay(store)


def test_others_write_while_a_rollback_replays(human, store, other, meanwhile):
    human.facts.add("It is green.", about=["kettle"])
    day = human.snapshots.take().day
    human.facts.add("It is tall.", about=["kettle"])
    said = []
    meanwhile(lambda: said.append(other.remember("the pump hums")))

    done = human.snapshots.restore(day, confirm=human.snapshots.restore(day).confirm)

    assert done.is_equal
    assert human.episodes.get(said[0]).text == "the pump hums"
    assert is_equal_to_a_replay(store)


def test_others_write_while_a_rebuild_replays(human, store, other, meanwhile):
    human.facts.add("It is green.", about=["kettle"])
    said = []
    left = meanwhile(lambda: said.append(other.remember("the pump hums", session_id="s2")))

    store.rebuild()

    assert not left[0]
    assert [hit.id for hit in human.recall("what hums?").hits][:1] == said
    assert is_equal_to_a_replay(store)


def test_an_erase_while_a_rebuild_replays_is_heeded(human, store, other, meanwhile):
    going = human.remember("the code is zx4711")
    human.remember("the kettle is on")
    meanwhile(lambda: erased(other, episodes=[going]))

    store.rebuild()

    with pytest.raises(ErasedError):
        human.episodes.get(going)
    assert human.recall("kettle").hits
    assert is_equal_to_a_replay(store)


@pytest.mark.parametrize("times", [1, 9])
def test_whoever_erases_meanwhile_is_heeded(human, store, other, meanwhile, times):
    """As often as that happens: in the end it is done while others wait."""
    going, *others = [human.remember(f"the code is zx{number}") for number in range(11)]
    human.remember("the kettle is on")
    meanwhile(lambda: erased(other, episodes=[others.pop()]), times)

    erased(human, episodes=[going])

    with pytest.raises(ErasedError):
        human.episodes.get(going)
    assert human.recall("what is on?").hits
    assert is_equal_to_a_replay(store)


def test_what_takes_the_place_meanwhile_of_what_comes_back_is_said(human, store, other, meanwhile):
    where = {"system": "pump", "component": "port"}
    first = human.facts.add("The pump listens on 80.", **where).fact.id
    aside = human.undo(first).id
    meanwhile(lambda: other.facts.add("The pump listens on 81.", **where))

    with pytest.raises(ConflictError):
        human.snapshots.reapply(aside)

    assert [one.said.text for one in human.facts.list()] == ["The pump listens on 81."]


def test_what_was_appended_before_it_in_one_transaction_stays(human, store):
    """A decision is taken back by events of its own, before the rest is set aside."""
    going = human.remember("the code is zx4711")
    event = Erased(basis=Basis.EPISODES, gone=(Gone(ulid_of(going), GLOBAL),))

    def act(tx):
        own = EpisodeRecorded(a_draft("the pump hums"))
        appended = tx.append(own, by=ANA, owner=DEFAULT_OWNER).recorded
        tx.erase(event, by=ANA, owner=DEFAULT_OWNER)
        return appended

    kept = store.change(act)

    assert human.episodes.get(kept.made).text == "the pump hums"
    assert is_equal_to_a_replay(store)


def test_under_the_lock_nothing_is_made_from_the_beginning(human, store, monkeypatch):
    def refuse(*_):
        raise AssertionError

    going = human.remember("the code is zx4711")
    monkeypatch.setattr(ledger_store, "remake", refuse)
    erased(human, episodes=[going])
    human.undo(human.facts.add("It is green.", about=["kettle"]).fact.id)
    store.rebuild()


def test_a_writer_that_waits_too_long_for_another_is_told_so(store, other):
    """The control: whoever holds the lock is noticed by these tests."""
    with store.begin(), pytest.raises(UnavailableError, match="busy"):
        other.remember("the pump hums")
