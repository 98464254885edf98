"""Whatever an agent does, in whatever order: what a human stands behind is as it was."""

from types import SimpleNamespace

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given

from tests.brains import a_brain
from tests.effort import tried
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import TilthError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.transfer.model import Told

ACTIONS = ("confirm", "edit", "evidence_only", "restrict_scope", "mark_stale", "merge", "reject",
           "dispute", "supersede")  # fmt: skip
PLACES = (
    {"system": "pi-hole", "component": "ip"},
    {"subject": "Acme", "predicate": "phase", "object": "pilot"},
    {"subject": "Acme", "predicate": "phase", "object": "rollout"},
    {"about": ["NAS"]},
)
TEXTS = ("DNS answers on .100.", "DNS answers on .110.", "DNS does not answer on .100.", "")


def decide(brain, pick):
    """Decide with the truest digest and names that there are."""
    seen = brain.review.show(pick.asked.id)
    retires = [one.id for one in seen.retires]
    brain.review.decide(
        pick.asked.id, pick.action, digest=seen.digest, retires=retires, keeps=pick.fact.id,
        scope="project:lab", text=pick.text or "so",
    )  # fmt: skip


VERBS = {
    "add": lambda brain, pick: brain.facts.add(pick.text, **pick.place),
    "instruct": lambda brain, pick: brain.facts.add(
        pick.text, **pick.place, authority="instruction"
    ),
    "propose": lambda brain, pick: brain.facts.propose(
        pick.text, supersedes=pick.fact.id, **pick.place
    ),
    "reword": lambda brain, pick: brain.facts.reword(pick.fact.id, pick.text, value="other"),
    "retire": lambda brain, pick: brain.facts.retire(
        pick.fact.id, reason="it was switched off last week"
    ),
    "archive": lambda brain, pick: brain.facts.archive(pick.fact.id),
    "restore": lambda brain, pick: brain.facts.restore(pick.fact.id),
    "undo": lambda brain, pick: brain.facts.undo(pick.fact.id),
    "promote": lambda brain, pick: brain.facts.promote(pick.fact.id),
    "promote many": lambda brain, pick: brain.facts.promote_many([pick.fact.id]),
    "question": lambda brain, pick: brain.review.question(pick.fact.id, reason="is it?"),
    "decide": decide,
    "snooze": lambda brain, pick: brain.review.snooze(pick.asked.id, until=pick.fact.recorded_at),
    "undo a decision": lambda brain, pick: brain.review.undo(pick.asked.id),
    "scan": lambda brain, _: brain.review.scan(),
    "import": lambda brain, pick: brain.facts.import_rows(
        [Told("1", {"text": pick.text, **pick.place})], is_dry_run=False
    ),
    "merge": lambda brain, pick: brain.entities.merge(pick.thing.id, pick.other.id),
    "split": lambda brain, pick: brain.entities.split(pick.thing.id),
    "alias": lambda brain, pick: brain.entities.alias(pick.thing.id, pick.text or "so"),
}
STEPS = st.tuples(
    st.sampled_from(list(VERBS)),
    st.integers(0, 7),
    st.sampled_from(TEXTS),
    st.sampled_from(PLACES),
    st.sampled_from(ACTIONS),
)
KINDS = st.sampled_from([kind for kind in ActorKind if kind is not ActorKind.HUMAN])


def take(brain, step):
    """Try one thing on whatever there is."""
    verb, number, text, place, action = step
    facts = brain.facts.list(lifecycles=list(Lifecycle))
    proposals = brain.review.list(states=["open", "decided"]).proposals
    things = brain.entities.list()
    pick = SimpleNamespace(
        text=text,
        place=place,
        action=action,
        fact=facts[number % len(facts)],
        asked=proposals[number % len(proposals)],
        thing=things[number % len(things)],
        other=things[-1 - number % len(things)],
    )
    VERBS[verb](brain, pick)


def behind(brain):
    """Return what humans stand behind: what it says and what it is."""
    facts = brain.facts.list(lifecycles=list(Lifecycle))
    return {fact.id: (fact.said, fact.life) for fact in facts if fact.is_vouched}


def begun(store, clock):
    """What a human and an agent stated before anybody else did anything."""
    human = a_brain(store, clock, by=Actor("ada", ActorKind.HUMAN))
    agent = a_brain(store, clock)
    human.facts.add("DNS answers on .100.", **PLACES[0])
    human.facts.add(**PLACES[1])
    agent.facts.add("DNS answers on .110.", **PLACES[0])
    agent.facts.add("The NAS is full.", about=["NAS"])


@pytest.mark.row("I20", "I21", "I23")
@tried(100, HealthCheck.function_scoped_fixture)
@given(steps=st.lists(st.tuples(KINDS, STEPS), min_size=1, max_size=15))
def test_no_sequence_of_others_confirms_or_replaces(make_place_on, steps):
    place = make_place_on("sqlite", begun)
    store = place.open()
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    before = behind(human)
    assert len(before) == 2
    for kind, step in steps:
        try:
            take(a_brain(store, place.clock, by=Actor("someone", kind)), step)
        except TilthError:
            # Refused, which is as good as done: what counts is what came of it.
            continue

    assert behind(human) == before
    confirmed = human.facts.list(lifecycles=list(Lifecycle), reviews=[Review.CONFIRMED])
    assert {fact.id for fact in confirmed} == set(before)
    assert human.review.list(states=["decided"]).proposals == ()
    assert list(store.verify()) == []
    store.close()
