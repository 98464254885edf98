"""Whatever is merged, splitting it again gives back every read as it was."""

import contextlib

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.brains import a_brain
from tests.effort import tried
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import TilthError
from tilth.knowledge.vocabulary.registries import EdgeKind

HUMAN = Actor("ada", ActorKind.HUMAN)
NAMES = ("Postgres", "pg", "main database", "db-1", "db-2", "Grafana", "proxmox")
SCOPES = ("global", "project:a", "project:b")

names = st.sampled_from(NAMES)
scopes = st.sampled_from(SCOPES)
steps = st.one_of(
    st.tuples(st.just("add"), names, scopes, st.lists(names, max_size=2)),
    st.tuples(st.just("edge"), names, st.sampled_from(EdgeKind), names, scopes),
    st.tuples(st.just("fact"), names, st.sampled_from(["is slow", "is full"]), scopes),
    st.tuples(st.just("merge"), st.integers(0, 20), st.integers(0, 20)),
)


def act(brain, step):
    """Do one thing; what is refused changes nothing."""
    with contextlib.suppress(TilthError):
        match step:
            case ("add", name, scope, aliases):
                brain.entities.add(name, type="service", scope=scope, aliases=aliases)
            case ("edge", source, kind, target, scope):
                brain.edges.add(source, kind, target, scope=scope)
            case ("fact", name, said, scope):
                brain.facts.add(f"{name} {said}.", about=[name], scope=scope)
            case ("merge", one, other):
                merge(brain, one, other)


def merge(brain, one, other):
    """Merge two of the entities that there are, and return the ID of the loser."""
    known = brain.entities.list()
    winner, loser = (
        (known[number % len(known)].id for number in (one, other)) if known else ("", "")
    )
    return brain.entities.merge(winner, loser).loser


def reads(brain):
    """Return everything that can be read about entities and edges, from everywhere."""
    known = brain.entities.list()
    return [
        (
            [brain.entities.get(one.id, scope=scope) for one in brain.entities.list(scope=scope)],
            brain.edges.list(scope=scope),
            [
                (
                    brain.entities.around(one.id, depth=2, scope=scope),
                    brain.entities.impact(one.id, scope=scope),
                    brain.about(one.id, scope=scope),
                )
                for one in brain.entities.list(scope=scope)
            ],
            [brain.entities.search(name, scope=scope) for name in NAMES],
        )
        for scope in (None, *SCOPES)
        if known
    ]


def head(brain):
    with brain.parts.store.read() as view:
        return view.head()


@pytest.fixture
def make_brain(make_place_on):
    """Make a human's brain on a new store of an engine."""

    def make(engine):
        place = make_place_on(engine)
        return a_brain(place.open(), place.clock, by=HUMAN)

    return make


@pytest.mark.row("I17")
@given(
    before=st.lists(steps, min_size=2, max_size=12),
    pair=st.tuples(st.integers(0, 20), st.integers(0, 20)),
)
@tried(60, HealthCheck.function_scoped_fixture)
def test_a_merge_and_its_split_are_the_identity_on_every_read(make_brain, before, pair):
    brain = make_brain("sqlite")
    for step in before:
        act(brain, step)
    was, begun = reads(brain), head(brain)
    with contextlib.suppress(TilthError):
        loser = merge(brain, *pair)
        brain.entities.split(loser)
    # What is refused has written nothing that could be read.
    assert head(brain) == begun or reads(brain) == was
    brain.close()


@pytest.mark.row("I18")
@given(done=st.lists(steps, max_size=15))
@tried(60, HealthCheck.function_scoped_fixture)
def test_nothing_is_an_orphan_and_nothing_leads_nowhere(make_brain, done):
    brain = make_brain("sqlite")
    for step in done:
        act(brain, step)

    for scope in (None, *SCOPES):
        seen = {one.id for one in brain.entities.list(scope=scope)}
        for fact in brain.facts.list(scope=scope):
            assert fact.about
            assert seen.issuperset(fact.about)
        for edge in brain.edges.list(scope=scope):
            assert {edge.source, edge.target} <= seen
            assert edge.source != edge.target
    brain.close()
