"""A store of LangGraph over a brain, beside LangGraph's own."""

import asyncio

import pytest

pytest.importorskip("langgraph.store.base", reason="make test-adapters installs it")

from langgraph.store.base import GetOp, MatchCondition, PutOp
from langgraph.store.memory import InMemoryStore

from tests.brains import a_brain
from tilth.adapters.langgraph import TilthStore
from tilth.core.actor import IMPORTER

ANA, BOB = ("users", "ana"), ("users", "bob")


def filled(store):
    store.put(ANA, "food", {"likes": "pizza with olives", "stars": 4, "in": {"city": "Leeds"}})
    store.put(ANA, "work", {"likes": "tests", "stars": 5})
    store.put(BOB, "food", {"likes": "soup", "stars": 2})
    store.put((*BOB, "old", "v1"), "job", {"likes": "ships"}, index=False)
    store.put(ANA, "gone", {"likes": "rain"})
    store.delete(ANA, "gone")
    store.put(BOB, "food", {"likes": "ramen", "stars": 3})
    return store


READS = (
    lambda store: store.get(ANA, "food").value,
    lambda store: store.get(ANA, "gone"),
    lambda store: store.get(("nobody",), "food"),
    lambda store: store.get(BOB, "food").value,
    lambda store: sorted(one.key for one in store.search(ANA)),
    lambda store: len(store.search(("users",), limit=2)),
    lambda store: len(store.search((), limit=10, offset=3)),
    lambda store: [one.key for one in store.search(("users",), filter={"stars": 5})],
    lambda store: [one.key for one in store.search(ANA, filter={"stars": {"$lt": 5}})],
    lambda store: [one.key for one in store.search((), filter={"in": {"city": "Leeds"}})],
    lambda store: sorted(store.list_namespaces()),
    lambda store: sorted(store.list_namespaces(max_depth=2)),
    lambda store: sorted(store.list_namespaces(prefix=("users", "*"), suffix=("v1",))),
    lambda store: store.list_namespaces(prefix=("nobody",)),
)


@pytest.mark.parametrize("read", READS)
def test_it_answers_as_langgraphs_own_store_does(brain, read):
    assert read(filled(TilthStore(brain))) == read(filled(InMemoryStore()))


def test_words_find_an_item_and_what_is_told_not_to_be_found_is_not(brain):
    store = filled(TilthStore(brain))

    (best, *_) = store.search(("users",), query="who likes olives on a pizza?")
    assert (best.namespace, best.key, best.value["stars"]) == (ANA, "food", 4)
    assert best.score is not None
    assert "job" not in {one.key for one in store.search((), query="likes ships")}
    assert "gone" not in {one.key for one in store.search((), query="likes rain")}


def test_another_process_sees_it_and_a_restart_loses_nothing(brain, place):
    mine = filled(TilthStore(brain))
    other = TilthStore(a_brain(place.open(), place.clock))
    other.put(ANA, "food", {"likes": "salad"})

    assert mine.get(ANA, "food").value == {"likes": "salad"}
    assert mine.get(ANA, "food").created_at < mine.get(ANA, "food").updated_at
    assert TilthStore(brain, name="other").get(ANA, "food") is None
    assert {one.came_by for one in brain.episodes.list()} == {"passed"}


def test_one_batch_reads_what_was_and_the_last_put_of_a_key_holds(brain):
    store = TilthStore(brain)
    ops = [PutOp(ANA, "n", {"n": 1}), GetOp(ANA, "n"), PutOp(ANA, "n", {"n": 2})]

    assert asyncio.run(store.abatch(ops)) == InMemoryStore().batch(ops)
    assert store.get(ANA, "n").value == {"n": 2}


def test_conditions_match_as_langgraphs_do(brain):
    store = filled(TilthStore(brain))
    for kind, path in (("prefix", ("users",)), ("suffix", ("*", "v1")), ("suffix", ("old",))):
        wanted = MatchCondition(kind, path)
        own = filled(InMemoryStore())
        told = {f"{kind}": path}
        assert sorted(store.list_namespaces(**told)) == sorted(own.list_namespaces(**told)), wanted


def test_secrets_are_removed_from_items_too(brain):
    store = TilthStore(brain)
    store.put(ANA, "key", {"token": "ghp_" + "a1B2" * 9})

    assert "a1B2" not in str(store.get(ANA, "key").value)


def test_what_a_file_brings_into_its_session_changes_nothing(brain, place):
    store = TilthStore(brain)
    store.put(ANA, "food", {"likes": "pizza"})
    (note,) = brain.episodes.list()
    store.delete(ANA, "food")
    imported = a_brain(place.open(), place.clock, by=IMPORTER)
    how = {"kind": note.kind, "scope": note.scope, "session_id": note.session_id}
    imported.remember("users/ana/food", metadata=note.metadata, **how)

    assert store.get(ANA, "food") is None
    assert TilthStore(brain).get(ANA, "food") is None
