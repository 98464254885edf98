"""Who may do what to facts: every verb for every kind of actor, on both engines."""

from datetime import timedelta
from functools import partial

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.core.lifecycle import Lifecycle
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.proposals.proposal import Proposal, ProposalState
from tilth.transfer.model import Told

KINDS = ("agent", "human", "job", "import", "anonymous")
REASON = "it was switched off last week"
PHASE = {"subject": "Acme", "predicate": "phase"}
DNS = {"system": "pi-hole", "component": "ip"}


def begin(store, clock):
    """Record something of an agent's and something of a human's."""
    human, agent, import_ = (
        a_brain(store, clock, by=Actor("ada", ActorKind(kind)))
        for kind in ("human", "agent", "import")
    )
    written = human.facts.add(**PHASE, object="pilot").fact
    agent.facts.add("DNS answers on .100.", **DNS)
    asked = agent.facts.add("DNS answers on .110.", **DNS).proposal_id
    agent.facts.add(subject="Beta", predicate="phase", object="pilot")
    told = import_.facts.add("The NAS is full.", about=["NAS"]).fact
    sides = [
        agent.facts.add(f"The fan {what} run.", system="fan").fact for what in ("does", "does not")
    ]
    (doubt,) = agent.review.scan().asked
    return written, asked, told, sides, doubt


class Scene:
    """A store with something of an agent's and something of a human's in it."""

    def __init__(self, make, clock, begun):
        self.make, self.clock, self.human = make, clock, make("human")
        self.written, self.asked, self.told, self.sides, self.doubt = begun

    def decide(self, brain, action, **told):
        seen = self.human.review.show(self.asked)
        retires = [fact.id for fact in seen.retires]
        return brain.review.decide(self.asked, action, digest=seen.digest, retires=retires, **told)

    def choose(self, brain, action, **told):
        """Answer the question which of two sides is so."""
        seen = self.human.review.show(self.doubt)
        return brain.review.decide(self.doubt, action, digest=seen.digest, **told)

    def keep_one(self, brain, action):
        kept, other = self.sides
        return self.choose(brain, action, keeps=kept.id, retires=[other.id])

    def undo_decision(self, brain):
        self.decide(self.human, "confirm")
        return brain.review.undo(self.asked)

    def test(self, brain):
        shown = self.human.remember("The fan was heard to run.")
        return brain.facts.outcome(self.sides[0].id, "operational_verified", evidence=[shown])

    def outcome(self):
        return self.test(self.human).outcomes[-1].id

    def unarchive(self, brain):
        self.make("agent").facts.add("The bin is full.", about=["bin"])
        self.clock.at += timedelta(days=300)
        assert self.human.archive().facts
        return brain.unarchive()


VERBS = {
    "fill an empty slot": lambda _, brain: brain.facts.add(
        subject="New", predicate="phase", object="pilot"
    ),
    "replace what an agent wrote": lambda _, brain: brain.facts.add(
        subject="Beta", predicate="phase", object="rollout"
    ),
    "replace what a human wrote": lambda _, brain: brain.facts.add(**PHASE, object="rollout"),
    "replace operational state": lambda _, brain: brain.facts.add("DNS is off.", **DNS),
    "state an instruction": lambda _, brain: brain.facts.add(
        "Ask first.", about=["x"], authority="instruction"
    ),
    "retire": lambda scene, brain: brain.facts.retire(scene.written.id, reason=REASON),
    "archive": lambda scene, brain: brain.facts.archive(scene.written.id),
    "undo": lambda scene, brain: brain.facts.undo(scene.written.id),
    "confirm": lambda scene, brain: scene.decide(brain, "confirm"),
    "reject": lambda scene, brain: scene.decide(brain, "reject"),
    "dispute": lambda scene, brain: scene.decide(brain, "dispute"),
    "mark stale": lambda scene, brain: scene.decide(brain, "mark_stale"),
    "keep as evidence": lambda scene, brain: scene.decide(brain, "evidence_only"),
    "edit": lambda scene, brain: scene.decide(brain, "edit", text="DNS answers on .120."),
    "restrict scope": lambda scene, brain: scene.decide(
        brain, "restrict_scope", scope="project:lab"
    ),
    "pick a side": lambda scene, brain: scene.keep_one(brain, "confirm"),
    "supersede": lambda scene, brain: scene.keep_one(brain, "supersede"),
    "merge": lambda scene, brain: scene.keep_one(brain, "merge"),
    "pick neither": lambda scene, brain: scene.choose(
        brain, "reject", facts=[side.id for side in scene.sides]
    ),
    "dismiss": lambda scene, brain: scene.choose(brain, "reject"),
    "decide many": lambda scene, brain: brain.review.decide_many([]),
    "promote many": lambda scene, brain: brain.facts.promote_many([scene.told.id]),
    "promote": lambda scene, brain: brain.facts.promote(scene.told.id),
    "propose other words": lambda scene, brain: brain.facts.reword(
        scene.written.id, value="rollout", reason="they said so"
    ),
    "ask about a fact": lambda scene, brain: brain.review.question(
        scene.written.id, reason="is it?"
    ),
    "look for contradictions": lambda _, brain: brain.review.scan(),
    "import": lambda _, brain: brain.facts.import_rows(
        [Told("1", {"text": "It rains.", "about": ["rain"]})], is_dry_run=False
    ),
    "snooze": lambda scene, brain: brain.review.snooze(
        scene.asked, until=START + timedelta(days=1)
    ),
    "undo a decision": lambda scene, brain: scene.undo_decision(brain),
    "look at what would be erased": lambda scene, brain: brain.erase.plan(facts=[scene.written.id]),
    "erase": lambda scene, brain: brain.erase.confirm(
        scene.human.erase.plan(facts=[scene.written.id]).digest, facts=[scene.written.id]
    ),
    "put away by rule": lambda _, brain: brain.archive(),
    "look through sessions again": lambda _, brain: brain.reopen_sessions(),
    "look through sessions": lambda _, brain: brain.distil(),
    "let a model read sessions": lambda _, brain: brain.read_by_model(),
    "ask about what says the same": lambda _, brain: brain.dedup(),
    "draw together": lambda _, brain: brain.consolidate(),
    "archive a work item": lambda scene, brain: brain.kg.archive("Beta"),
    "check a text": lambda _, brain: brain.facts.check("Acme is in its pilot phase."),
    "say what came of a fact": lambda scene, brain: scene.test(brain),
    "revoke an outcome": lambda scene, brain: brain.facts.revoke(scene.outcome()),
    "bring back what was put away by rule": lambda scene, brain: scene.unarchive(brain),
}
NOT_FOR_OTHERS = ("refused", "done", "refused", "refused", "refused")
# For agent, human, job, import and anonymous: done, told as past, waits for a human, refused.
MATRIX = dict.fromkeys(VERBS, NOT_FOR_OTHERS) | {
    "fill an empty slot": ("done", "done", "done", "past", "waits"),
    "replace what an agent wrote": ("done", "done", "done", "past", "waits"),
    "replace what a human wrote": ("waits", "done", "waits", "past", "waits"),
    "replace operational state": ("waits", "done", "waits", "past", "waits"),
    "retire": ("waits", "done", "waits", "waits", "waits"),
    "undo a decision": ("refused", "waits", "refused", "refused", "refused"),
    "promote": ("waits", "waits", "waits", "waits", "waits"),
    "propose other words": ("waits", "waits", "waits", "waits", "waits"),
    "ask about a fact": ("waits", "waits", "waits", "waits", "waits"),
    "look for contradictions": ("done", "done", "done", "done", "done"),
    "import": ("done", "done", "done", "done", "done"),
    "put away by rule": ("done", "done", "done", "done", "refused"),
    "look through sessions": ("done", "done", "done", "done", "done"),
    "let a model read sessions": ("done", "done", "done", "done", "done"),
    "ask about what says the same": ("done", "done", "done", "done", "refused"),
    "draw together": ("done", "done", "done", "done", "refused"),
    "archive a work item": ("done", "done", "done", "done", "refused"),
    "check a text": ("done", "done", "done", "done", "done"),
    "say what came of a fact": ("waits", "waits", "waits", "waits", "refused"),
}


def outcome(act):
    try:
        came_of_it = act()
    except ForbiddenError:
        return "refused"
    if isinstance(came_of_it, Proposal) and came_of_it.state is ProposalState.OPEN:
        return "waits" if came_of_it.snoozed_until is None else "done"
    if getattr(came_of_it, "proposal_id", None) is not None:
        return "waits"
    if isinstance(came_of_it, Stated) and came_of_it.fact.life.lifecycle is Lifecycle.HISTORICAL:
        return "past"
    return "done"


@pytest.fixture
def scene(make_place):
    place = make_place(begin)
    store = place.open()
    yield Scene(
        lambda kind, name="ada": a_brain(store, place.clock, by=Actor(name, ActorKind(kind))),
        place.clock,
        place.told,
    )
    assert list(store.verify()) == []
    store.close()


@pytest.mark.row("I20", "I21", "I22")
@pytest.mark.parametrize(
    ("verb", "kind", "what"),
    [
        (verb, kind, what)
        for verb, row in MATRIX.items()
        for kind, what in zip(KINDS, row, strict=True)
        if what != "refused"
    ],
)
@pytest.mark.on_sqlite(but=5)
def test_each_verb_is_for_whom_it_is(scene, verb, kind, what):
    brain = scene.make(kind, "someone")

    assert outcome(lambda: VERBS[verb](scene, brain)) == what


@pytest.mark.row("I20", "I21", "I22")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
@pytest.mark.on_sqlite(but=2)
def test_no_verb_is_for_others(scene, kind):
    brain = scene.make(kind, "someone")
    theirs = [verb for verb, row in MATRIX.items() if row[KINDS.index(kind)] == "refused"]

    came_of_it = {verb: outcome(partial(VERBS[verb], scene, brain)) for verb in theirs}

    assert came_of_it == dict.fromkeys(theirs, "refused")


@pytest.mark.row("I23", "I21")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
@pytest.mark.on_sqlite(but=2)
def test_nothing_that_others_do_changes_what_a_human_wrote(scene, kind):
    brain = scene.make(kind, "someone")
    before = scene.human.facts.get(scene.written.id)
    for verb, act in VERBS.items():
        if verb != "undo a decision":
            outcome(lambda act=act: act(scene, brain))

    after = scene.human.facts.get(scene.written.id)
    assert (after.life, after.said) == (before.life, before.said)
