"""What capture promises on every store: it is at once, durable, without a model, and for ever."""

import os
from contextlib import closing, suppress
from itertools import count
from signal import SIGKILL

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft, append, texts
from tests.fakes import HashingEmbedder
from tests.processes import fresh_processes
from tilth.core.errors import IdempotencyConflictError, UnavailableError
from tilth.core.scope import Visibility
from tilth.episodes.filters import EpisodeFilter
from tilth.ledger.search import Search
from tilth.maintenance.embed import embed_backlog
from tilth.runtime.system import SystemIds

ANYTHING = EpisodeFilter(within=Visibility())


class Silent:
    """A model that does not answer."""

    space = "silent"
    dimensions = 4

    def embed(self, texts):
        raise UnavailableError("the model does not answer")


def capture_and_die(place) -> None:
    store = place.open(ids=SystemIds())
    append(store, a_draft("my last words"))
    os._exit(9)


@pytest.mark.row("DU-018")
def test_capture_asks_no_model_that_may_be_away(store, place):
    brain = a_brain(store, place.clock, second=Silent())

    episode_id = brain.remember("the kettle is on", session_id="s", role="tool", kind="tool_call")

    assert brain.episodes.get(episode_id).text == "the kettle is on"
    with store.read() as view:
        assert len(Search(view).lexical(["kettl"], ANYTHING, limit=9)) == 1
        assert [one.space for one in Search(view).spaces()] == ["hashing-64"]


@pytest.mark.row("DU-025")
def test_what_was_captured_outlives_a_process_that_ends_at_once(place):
    process = fresh_processes().Process(target=capture_and_die, args=(place,))
    process.start()
    process.join(60)

    assert process.exitcode == 9
    store = place.open()
    assert texts(store) == ["my last words"]
    assert list(store.verify()) == []
    store.close()


@pytest.mark.row("EM-006")
def test_what_keeps_house_never_touches_what_was_said(store, brain, human):
    brain.remember_many([a_draft(f"number {n}", session_id="s") for n in range(5)])
    with store.read() as view:
        before = view.events(), view.head()

    with store.begin() as tx:
        tx.drop_space("hashing-64")
    human.rebuild()

    with store.read() as view:
        assert (view.events(), view.head()) == before
    assert brain.verify().is_whole


def state_for_ever(place, name, pipe) -> None:
    with closing(place.open(ids=SystemIds())) as store:
        brain = a_brain(store, place.clock)
        for number in count():
            said = brain.remember(f"{name} uses tool {number}", session_id=name)
            told = brain.kg.add("entity", f"urn:client:{name}", "uses", f"tool {number}")
            pipe.send((said, told.fact.id))


def acknowledged(pipe, at_least):
    """Yield what is acknowledged: so many, or all until the other end is gone."""
    with suppress(EOFError):
        for _ in range(at_least) if at_least else count():
            yield pipe.recv()


@pytest.mark.row("DU-025")
def test_every_triple_that_was_acknowledged_outlives_the_kill_of_two_processes(place):
    """`python -m prove.kill` kills at random, 200 times, triples among what is written."""
    processes, running, kept = fresh_processes(), [], []
    for name in ("first", "second"):
        ours, theirs = processes.Pipe(duplex=False)
        child = processes.Process(target=state_for_ever, args=(place, name, theirs))
        child.start()
        theirs.close()
        running.append((child, ours))
    for _, pipe in running:
        kept += acknowledged(pipe, 9)
    for child, pipe in running:
        child.kill()
        kept += acknowledged(pipe, 0)
        child.join(60)
        assert child.exitcode == -SIGKILL

    store = place.open(ids=SystemIds())
    brain = a_brain(store, place.clock)
    assert len(kept) >= 2 * 9
    for said, fact_id in kept:
        assert brain.episodes.get(said).id == said
        assert brain.facts.get(fact_id).said.triple.predicate == "uses"
    assert list(store.verify()) == []
    store.close()


@pytest.mark.row("KB-124")
def test_a_new_embedder_catches_up_in_the_background_while_the_old_one_serves(store, brain):
    brain.remember_many([a_draft(f"number {n} kettle") for n in range(9)])
    old, new = HashingEmbedder(64), HashingEmbedder(32)

    assert embed_backlog(store, [new], limit=4) == 4

    with store.read() as view:
        for embedder, count in ((old, 9), (new, 4)):
            asked = embedder.embed(["kettle"])[0]
            found = Search(view).nearest(embedder.space, asked, ANYTHING, limit=99)
            assert len(found) == count
    brain.remember("one more kettle")
    assert embed_backlog(store, [new]) == 6
    assert embed_backlog(store, [new]) == 0
    with store.read() as view:
        assert {one.space: one.vector_count for one in Search(view).spaces()} == {
            "hashing-64": 10,
            "hashing-32": 10,
        }


def test_vectors_of_the_first_tier_come_back_with_a_rebuild(store, brain, human):
    brain.remember_many([a_draft("the kettle is on"), a_draft("rain in the garden")])
    asked = HashingEmbedder().embed(["kettle"])[0]

    def nearest():
        with store.read() as view:
            return Search(view).nearest("hashing-64", asked, ANYTHING, limit=9)

    before = nearest()
    human.rebuild()

    assert nearest() == before
    assert len(before) == 2


@pytest.mark.row("I8")
def test_a_draft_that_is_refused_leaves_the_others_out_too(store, brain):
    append(store, a_draft("first", idempotency_key="k"))

    with pytest.raises(IdempotencyConflictError):
        brain.remember_many([a_draft("new"), a_draft("other", idempotency_key="k")])

    assert texts(store) == ["first"]


def test_the_backlog_brings_back_a_first_tier_that_a_rebuild_left_unfinished(store, brain):
    brain.remember_many([a_draft("the kettle is on"), a_draft("rain in the garden")])
    store.rebuild()  # Whoever rebuilds embeds next, unless it is killed in between.

    assert brain.embed_backlog() == 2
    assert brain.embed_backlog() == 0
