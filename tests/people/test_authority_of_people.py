"""Who may do what with people and conversations: every verb for every kind of actor."""

from functools import partial

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError, TilthError

KINDS = ("agent", "human", "job", "import", "anonymous")
NOBODY = "ent_" + "0" * 26


def begin(store, clock):
    """Record somebody as a human, and a service and a conversation as an agent."""
    human, agent = (
        a_brain(store, clock, by=Actor("ada", ActorKind(kind))) for kind in ("human", "agent")
    )
    ada = human.people.introduce(
        "Ada", transport="email", address="ada@example.org", confidence="confirmed"
    ).added.entity.id
    human.people.tell(ada, "language", "French")
    wiki = agent.entities.add("wiki", type="service").entity.id
    agent.people.link(wiki, "web", "wiki.example.org")
    agent.people.tell(wiki, "mood", "slow")
    talk = agent.conversations.create(ada, "irc").conversation.id
    agent.conversations.add(talk, "We decided on pumps.")
    return {"ada": ada, "wiki": wiki, "talk": talk}


class Scene:
    """Somebody whom a human knows, a service, and a conversation of an agent's."""

    def __init__(self, human, *, ada, wiki, talk):
        self.human, self.ada, self.wiki, self.talk = human, ada, wiki, talk

    def owned(self):
        """What a human said."""
        people = self.human.people
        return people.identities(self.ada), people.history(self.ada)


VERBS = {
    "introduce a person": lambda _, brain: brain.people.introduce("Bob"),
    "introduce a person with an address": lambda _, brain: brain.people.introduce(
        "Bea", transport="irc", address="bea"
    ),
    "introduce and confirm": lambda _, brain: brain.people.introduce(
        "Ben", transport="irc", address="ben", confidence="confirmed"
    ),
    "link a person": lambda scene, brain: brain.people.link(scene.ada, "matrix", "@ada:x"),
    "link a service": lambda scene, brain: brain.people.link(scene.wiki, "irc", "wiki"),
    "confirm": lambda _, brain: brain.people.verify("web", "wiki.example.org"),
    "part what a human confirmed": lambda _, brain: brain.people.unlink("email", "ada@example.org"),
    "part what an agent linked": lambda _, brain: brain.people.unlink("web", "wiki.example.org"),
    "tell what nobody told": lambda scene, brain: brain.people.tell(scene.ada, "pace", "slow"),
    "tell otherwise than an agent": lambda scene, brain: brain.people.tell(
        scene.wiki, "mood", "fast"
    ),
    "tell otherwise than a human": lambda scene, brain: brain.people.tell(
        scene.ada, "language", "Dutch"
    ),
    "begin a conversation": lambda scene, brain: brain.conversations.create(scene.ada, "slack"),
    "add a message": lambda scene, brain: brain.conversations.add(scene.talk, "Hello."),
    "summarise": lambda scene, brain: brain.conversations.summarise(scene.talk),
    "archive": lambda scene, brain: brain.conversations.archive(scene.talk),
    "close": lambda scene, brain: brain.conversations.close(scene.talk),
    "resume": lambda scene, brain: brain.conversations.resume(scene.talk),
    "put to rest": lambda _, brain: brain.conversations.rest(),
}
ANYBODY = ("done",) * 5
WHO_IS_KNOWN = ("done", "done", "done", "done", "refused")
A_HUMAN = ("refused", "done", "refused", "refused", "refused")
# For agent, human, job, import and anonymous: done, waits for a human, refused.
MATRIX = dict.fromkeys(VERBS, ANYBODY) | {
    "introduce a person with an address": ("waits", "done", "waits", "waits", "refused"),
    "introduce and confirm": A_HUMAN,
    "link a person": ("waits", "done", "waits", "waits", "refused"),
    "link a service": WHO_IS_KNOWN,
    "confirm": A_HUMAN,
    "part what a human confirmed": A_HUMAN,
    "part what an agent linked": WHO_IS_KNOWN,
    "tell what nobody told": WHO_IS_KNOWN,
    "tell otherwise than an agent": WHO_IS_KNOWN,
    "tell otherwise than a human": A_HUMAN,
}


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def place(make_place):
    return make_place(begin)


@pytest.fixture
def scene(make, place):
    return Scene(make("human"), **place.told)


def outcome(act):
    try:
        done = act()
    except ForbiddenError:
        return "refused"
    linked = getattr(done, "linked", None) or done
    return "waits" if getattr(linked, "proposal_id", None) else "done"


@pytest.mark.row("I20", "EM-024")
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
def test_each_verb_with_people_is_for_whom_it_is(make, scene, verb, kind, what):
    brain = make(kind, "someone")

    assert outcome(lambda: VERBS[verb](scene, brain)) == what


@pytest.mark.row("I20", "EM-024")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
@pytest.mark.on_sqlite(but=2)
def test_no_verb_with_people_is_for_others(make, scene, kind):
    brain = make(kind, "someone")
    theirs = [verb for verb, row in MATRIX.items() if row[KINDS.index(kind)] == "refused"]

    came_of_it = {verb: outcome(partial(VERBS[verb], scene, brain)) for verb in theirs}

    assert came_of_it == dict.fromkeys(theirs, "refused")


@pytest.mark.row("I23")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
@pytest.mark.on_sqlite(but=2)
def test_nothing_that_others_do_changes_what_a_human_said_of_people(make, scene, kind):
    brain = make(kind, "someone")
    before = scene.owned()
    for act in VERBS.values():
        outcome(lambda act=act: act(scene, brain))
    links, traits = scene.owned()

    assert links == before[0]
    assert [one for one in traits if one.key == "language"] == list(before[1])


@pytest.mark.row("EM-029")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.on_sqlite(but=2)
def test_what_is_refused_or_unknown_leaves_nothing_half_written(make, scene, store, kind):
    brain = make(kind, "someone")
    before = store.digest()
    for act in (
        lambda: brain.people.introduce("Bob", transport="email", address="ada@example.org"),
        lambda: brain.people.introduce("Bob", transport="pigeon", address="bob"),
        lambda: brain.people.introduce("Bob", transport="irc"),
        lambda: brain.people.introduce("Ada", transport="irc", address="ada"),
        lambda: brain.people.link(NOBODY, "irc", "nobody"),
        lambda: brain.people.tell(NOBODY, "mood", "calm"),
        lambda: brain.conversations.create(NOBODY, "irc"),
    ):
        with pytest.raises(TilthError):
            act()
    assert store.digest() == before
