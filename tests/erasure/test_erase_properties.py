"""Whatever two people left behind, one of them can be erased, and the other reads as before."""

import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brains import a_brain
from tests.effort import tried
from tests.places import SqlitePlace
from tilth.core.actor import Actor, ActorKind
from tilth.core.json import canonical
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.session import SessionInfo
from tilth.erasure.closure import Growth, closure
from tilth.erasure.erase import finish_erasures
from tilth.erasure.erase_request import read_request
from tilth.erasure.search_mentions import hint_of, like_any, mentioning
from tilth.ledger.sqlite.store import open_store, restore_store

PERSON = Actor("grace", ActorKind.HUMAN)
PEOPLE = ("ada", "bob")
VERBS = (
    "message", "note", "trait", "fact", "reinforce", "triple", "gap", "summary", "alias",
    "question", "archive", "reachable",
)  # fmt: skip
STEPS = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(VERBS)), max_size=14)
# What is folded to something else, and what JSON or a pattern writes otherwise.
FOLDING = "abfiklstyz .-'\"\\_%ßﬀﬁﬃﬅﬆéÉ雷한\u017f\u212a\u0130\u0131\u01f0\u0149\u1e96\u03c3\u03c2"
# What is not of one person alone, or no longer holds.
TANGLED = (*VERBS, "stated", "restated", "shared", "described", "merged", "taken_back")
TANGLES = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(TANGLED)), max_size=24)


class Life:
    """What one person leaves behind; every word of theirs holds their mark."""

    def __init__(self, brain, name):
        self.brain, self.name, self.count = brain, name, 0
        self.id = brain.entities.add(f"{name}mark person", type="person").entity.id
        self.talk = brain.conversations.create(self.id, "irc").conversation.id
        self.said = [self.brain.conversations.add(self.talk, self.word())]
        self.facts = []

    def word(self):
        self.count += 1
        return f"{self.name}mark{self.count} rests in the garden by the old wall."

    def step(self, verb):
        getattr(self, verb)()

    def message(self):
        self.said.append(self.brain.conversations.add(self.talk, self.word()))

    def note(self):
        said = self.brain.remember(self.word(), entity_id=self.id, session_id=self.name)
        self.said.append(said)

    def trait(self):
        self.brain.people.tell(self.id, "likes", self.word(), evidence=self.said[-1:])

    def fact(self):
        told = self.brain.facts.add(self.word(), about=[self.id], evidence=self.said[-1:])
        self.facts.append(told.fact)

    def reinforce(self):
        for fact in self.facts[-1:]:
            self.brain.facts.add(fact.said.text, about=[self.id], evidence=self.said[:1])

    def triple(self):
        self.brain.facts.add(
            subject=f"{self.name}mark", predicate="phase", object=self.word()[:12],
            channel="entity", about=[self.id],
        )  # fmt: skip

    def gap(self):
        self.brain.gaps.add(self.word(), evidence=self.said[-1:], kind="missing_feature")

    def summary(self):
        self.brain.conversations.summarise(self.talk)

    def alias(self):
        self.brain.entities.alias(self.id, f"{self.name}mark{self.count} alias")

    def question(self):
        for fact in self.facts[-1:]:
            self.brain.review.question(fact.id, reason=self.word())

    def archive(self):
        if self.facts:
            self.brain.facts.archive(self.facts.pop().id)

    def reachable(self):
        self.brain.people.link(self.id, "email", f"{self.name}mark{self.count}@example.org")

    def stated(self):
        about = f"{self.name}mark topic"
        told = self.brain.facts.add(
            self.word(), subject=about, predicate="notes", object=self.word(), channel="entity"
        )
        self.facts.append(told.fact)

    def restated(self):
        for fact in self.facts[-1:]:
            about = list(fact.about)
            self.brain.facts.add(fact.said.text, about=about, evidence=self.said[-1:])

    def shared(self):
        others = [one.id for one in self.brain.episodes.list(limit=3)]
        evidence = [*others, *self.said[-1:]]
        told = self.brain.facts.add(self.word(), about=[self.id], evidence=evidence)
        self.facts.append(told.fact)

    def described(self):
        title = f"About {self.brain.episodes.list(limit=1)[0].text}"
        self.brain.sessions.describe(self.name, SessionInfo(title=title[6 * (self.count % 2) :]))

    def merged(self):
        self.count += 1
        other = self.brain.entities.add(f"{self.name}mark{self.count} tool", type="tool").entity.id
        again = self.brain.entities.add(f"{self.name}mark{self.count} host", type="tool").entity.id
        self.brain.entities.merge(other, again)

    def taken_back(self):
        if self.facts:
            fact = self.facts.pop()
            self.brain.undo(fact.id, with_dependants=True)

    def reads(self):
        brain = self.brain
        return (
            brain.entities.get(self.id).entity,
            brain.people.profile(self.id),
            brain.people.history(self.id),
            brain.people.interactions(self.id).episodes,
            brain.people.identities(self.id),
            brain.conversations.get(self.talk),
            brain.conversations.summaries(self.talk),
            [brain.facts.why(fact.id) for fact in self.facts],
            brain.about(self.id),
        )


def bytes_of(folder):
    return b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())


class Reading(Growth):
    """Weighs everything that the ledger holds, again and again, instead of looking anything up."""

    def touched(self, fresh):
        return self._ours(self._view.events(limit=10_000))


def subjects(brain):
    """Yield everything that may be asked for, by each of the four ways."""
    for fact in brain.facts.list(limit=100):
        yield {"facts": [fact.id]}
    for episode in brain.episodes.list(limit=100):
        yield {"episodes": [episode.id]}
    for session in brain.sessions.list():
        yield {"session": session.id}
    for one in brain.entities.list(limit=100):
        yield {"entity": one.id}
        yield {"entity": one.id, "mentions": True}


@pytest.mark.row("I33")
@given(TANGLES)
@tried(30)
def test_what_is_looked_up_is_what_reading_everything_finds(steps):
    with tempfile.TemporaryDirectory() as name:
        place = SqlitePlace(Path(name) / "live")
        place.create()
        brain = a_brain(place.open(), place.clock, by=PERSON)
        lives = {who: Life(brain, who) for who in PEOPLE}
        for who, verb in steps:
            lives[who].step(verb)

        with brain.parts.store.read() as view:
            for told in subjects(brain):
                seeds = read_request(view, told, DEFAULT_OWNER).seeds
                whole = closure(view, seeds, looks_besides=True)
                mentions = mentioning(view, seeds.terms, seeds.owner)
                assert whole == Reading(view, seeds).grown(mentions, looks_besides=True)
                # What goes hangs on nothing that stays.
                assert closure(view, seeds) == replace(whole, mentions=())
        brain.close()


@given(st.text(FOLDING, min_size=1, max_size=6))
@tried(200)
def test_a_pattern_lets_through_whatever_is_folded_to_what_is_looked_for(word):
    term = word.casefold()
    ligatures = (
        term.replace("ffi", "ﬃ").replace("st", "ﬆ").replace("ss", "ß").replace("s", "\u017f")
    )
    (pattern,), hint = like_any([term]), hint_of([term])
    with closing(apsw.Connection(":memory:")) as conn:
        for said in (word, word.upper(), word.swapcase(), term, ligatures):
            payload = canonical({"text": f"to {said}."})
            is_like = conn.execute("SELECT ? LIKE ?", (payload, pattern)).fetchall()[0][0]
            is_told = term in said.casefold()
            assert is_like or not is_told
            assert hint.search(payload.encode()) or not is_told


@pytest.mark.row("I33")
@given(STEPS)
@tried(50)
def test_whatever_is_erased_the_rest_reads_as_if_it_had_never_been(steps):
    with tempfile.TemporaryDirectory() as name:
        place = SqlitePlace(Path(name) / "live")
        place.create()
        store = place.open()
        brain = a_brain(store, place.clock, by=PERSON)
        lives = {who: Life(brain, who) for who in PEOPLE}
        for who, verb in steps:
            lives[who].step(verb)
        old = Path(name) / "old.db"
        store.backup(str(old))
        before = lives["bob"].reads()

        digest = brain.erase.plan(entity=lives["ada"].id).digest
        assert brain.erase.confirm(digest, entity=lives["ada"].id).is_purged

        assert lives["bob"].reads() == before
        assert list(store.verify()) == []
        assert b"adamark" not in bytes_of(place.path.parent)
        replayed = store.digest()
        store.rebuild()
        assert store.digest() == replayed
        assert brain.erase.plan(entity=lives["ada"].id).is_empty
        brain.close()

        again = Path(name) / "again" / "tilth.db"
        restore_store(old, again, place.around(), before_served=finish_erasures)
        assert b"adamark" not in bytes_of(again.parent)
        restored = open_store(again, place.around())
        assert restored.digest() == replayed
        restored.close()
        assert b"adamark" in old.read_bytes()
