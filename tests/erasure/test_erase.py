"""Erasing for privacy, through Python, on both engines."""

import json
from dataclasses import replace

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.fakes import START, CountingIds, Nowhere
from tests.practice.sessions import SHOP, Session
from tests.reads import steps_of
from tilth.agents.hook_record import HookRecord, SpoolBatch
from tilth.context.context import Context
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import (
    ConflictError,
    ErasedError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
)
from tilth.core.ids import EventId, SessionId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Visibility, seen_from
from tilth.episodes.changes import changes
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.episodes.views import changes_as_json
from tilth.erasure import search_mentions
from tilth.erasure.erase import Finished, finish_erasures, plan_in_steps
from tilth.erasure.verbs import eraser_of
from tilth.ledger.search import Search
from tilth.ledger.tables import Tombstones
from tilth.runtime.check import Status
from tilth.runtime.doctor import check_erasures
from tilth.transfer import export
from tilth.transfer.model import Described


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def ada(human):
    return human.entities.add("Ada Lovelace", type="person").entity.id


def erased(brain, **told):
    """Erase what is named, as it is shown."""
    return brain.erase.confirm(brain.erase.plan(**told).digest, **told)


def rows_with(place, word):
    """Return the tables in which a word stands in any row."""
    tables = [
        name
        for (name,) in place.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%terms%'"
            if place.has_backups
            else "SELECT table_name FROM information_schema.tables"
            f" WHERE table_schema = '{place.schema}'"
        )
    ]
    return [one for one in tables if word in str(place.run(f"SELECT * FROM {one}")).casefold()]


def texts_of(brain, question):
    return [hit.text for hit in brain.recall(question, limit=50).hits]


@pytest.mark.row("EM-029")
def test_a_plan_counts_and_changes_nothing(human, store):
    episode = human.remember("the code is 4711")
    before = store.digest()

    plan = human.erase.plan(episodes=[episode])

    assert plan.counts == {"episodes": 1}
    assert plan.ids == (episode,)
    assert store.digest() == before
    assert human.episodes.get(episode).text == "the code is 4711"


@pytest.mark.row("EM-029")
def test_a_session_that_was_described_twice_is_counted_once(human):
    human.remember("the code is 4711", session_id="s1")
    for title in ("Codes", "Codes and keys"):
        human.sessions.describe("s1", SessionInfo(title=title))

    assert human.erase.plan(session="s1").counts == {"episodes": 1, "sessions": 1}


@pytest.mark.row("C-04")
def test_the_payload_goes_and_its_place_stays(human, place, store):
    episode = human.remember("the code is zx4711")
    other = human.remember("the kettle is on")

    certificate = erased(human, episodes=[episode])

    assert (certificate.counts, certificate.ids) == ({"episodes": 1}, (episode,))
    assert certificate.is_purged
    with pytest.raises(ErasedError, match=r"was erased on .* by ada"):
        human.episodes.get(episode)
    assert human.episodes.get(other).text == "the kettle is on"
    assert rows_with(place, "zx4711") == []
    assert not any("zx4711" in text for text in texts_of(human, "what is the code zx4711?"))
    assert list(store.verify()) == []


def test_what_comes_behind_a_long_stretch_that_was_erased_is_read(
    human, store, tmp_path, monkeypatch
):
    monkeypatch.setattr(export, "_PAGE", 2)
    human.remember_many([a_draft(f"code {n}", session_id="s1") for n in range(5)])
    kept = human.remember("the kettle is on")
    erased(human, session="s1")

    file = tmp_path / "all.jsonl"
    told = human.export(str(file))

    assert told.counts["episode"] == 1
    assert kept in file.read_text(encoding="utf-8")
    with store.read() as view:
        assert [one.made for one in view.events(after=1, limit=1)] == [kept]


def test_who_walks_along_changes_looks_for_erasures_where_they_are_noted(human, store):
    """How long the ledger is does not count: it was read from end to end for their kind."""

    def walked():
        with store.read() as view:
            end = view.head().seq
            return steps_of(view, lambda: [list(view.later(end)), view.asides(end)])

    erased(human, episodes=[human.remember("the code is 4711")])
    kept = human.facts.add("It is green.", about=["kettle"]).fact.id
    human.undo(human.facts.add("It is tall.", about=["kettle"]).fact.id)
    before = walked()
    human.remember_many([a_draft(f"pot {number}", session_id="s1") for number in range(500)])

    assert walked() <= before + 2
    assert human.facts.get(kept).id == kept


@pytest.mark.row("C-04")
def test_an_erasure_names_ids_and_no_words(human, ada, place):
    human.remember("the code is zx4711", entity_id=ada, scope="project:lab")
    erased(human, entity=ada)

    ((payload,),) = place.run("SELECT payload FROM ledger WHERE kind = 'erased'")
    assert "zx4711" not in payload
    assert "Lovelace" not in payload
    assert "project:lab" in payload


@pytest.mark.row("C-04")
def test_a_tombstone_is_seen_where_the_thing_was(human):
    episode = human.remember("the code is 4711", scope="project:lab")
    erased(human, episodes=[episode])

    with pytest.raises(ErasedError):
        human.episodes.get(episode, scope="project:lab")
    with pytest.raises(NotFoundError, match="no episode"):
        human.episodes.get(episode, scope="project:other")


@pytest.mark.row("C-04")
@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.on_sqlite(but=1)
def test_nobody_but_a_human_erases_or_looks_at_what_would_go(make, human, kind, store):
    episode = human.remember("the code is 4711")
    digest = human.erase.plan(episodes=[episode]).digest
    before = store.digest()

    with pytest.raises(ForbiddenError):
        make(kind).erase.plan(episodes=[episode])
    with pytest.raises(ForbiddenError):
        make(kind).erase.confirm(digest, episodes=[episode])
    assert store.digest() == before


@pytest.mark.row("EM-029")
def test_what_is_confirmed_is_what_was_shown(human, ada):
    human.remember("hello", entity_id=ada)
    plan = human.erase.plan(entity=ada)
    human.remember("and another thing", entity_id=ada)

    with pytest.raises(ConflictError, match="not what was shown"):
        human.erase.confirm(plan.digest, entity=ada)
    assert human.entities.get(ada).entity.name == "Ada Lovelace"


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({}, InvalidInputError),
        ({"entity": "Ada Lovelace", "session": "s1"}, InvalidInputError),
        ({"entity": "Nobody"}, NotFoundError),
        ({"session": "never"}, NotFoundError),
        ({"episodes": ["epi_" + "0" * 26]}, NotFoundError),
        ({"facts": ["fct_" + "0" * 26]}, NotFoundError),
        ({"episodes": ["fct_" + "0" * 26]}, InvalidInputError),
        ({"facts": ["nonsense"]}, InvalidInputError),
    ],
)
def test_what_is_not_there_or_not_said_is_refused(human, ada, told, error):
    with pytest.raises(error):
        human.erase.plan(**told)


def test_an_id_of_another_kind_is_not_taken_for_an_episode(human, ada):
    with pytest.raises(NotFoundError):
        human.erase.plan(episodes=["epi_" + ada.removeprefix("ent_")])


def test_another_owners_things_are_not_there(make, human):
    episode = make("human", owner="other").remember("mine alone")
    with pytest.raises(NotFoundError):
        human.erase.plan(episodes=[episode])


@pytest.mark.row("I33")
def test_erasing_twice_is_erasing_once(human, ada, store):
    episode = human.remember("the code is 4711", entity_id=ada)
    erased(human, entity=ada)
    before = store.digest()

    for told in ({"entity": ada}, {"episodes": [episode]}):
        again = human.erase.plan(**told)
        assert again.is_empty
        assert human.erase.confirm(again.digest, **told).erasure_id is None
    assert store.digest() == before


@pytest.fixture
def life(human, agent, ada):
    """A person with something in every table, and somebody else beside them."""
    bob = human.entities.add("Bob Noyce", type="person").entity.id
    human.entities.alias(ada, "The Countess")
    human.people.link(ada, "matrix", "@ada:example.org", display_name="Ada L.")
    human.people.tell(ada, "likes", "zebra stripes")
    talk = agent.conversations.create(ada, "matrix", address="@ada:example.org", topic="zebras")
    said = [
        agent.conversations.add(talk.conversation.id, f"I would like {count} zebras, please.")
        for count in range(1, 6)
    ]
    agent.conversations.summarise(talk.conversation.id)
    agent.conversations.add(talk.conversation.id, "Do not forget the zebra food.")
    agent.conversations.archive(talk.conversation.id)
    heard = agent.remember("zebras again", transport="matrix", address="@ada:example.org")
    fact = agent.facts.add("Ada Lovelace keeps zebras.", about=[ada], evidence=[said[0]]).fact
    agent.kg.add(
        "relationship", "Ada Lovelace", "knows", "Bob Noyce", rationale="she said so: zebras"
    )
    human.review.question(fact.id, reason="zebras? really?")
    agent.gaps.add("order zebras by post", evidence=[said[1]], kind="missing_feature")
    agent.feedback(fact.id, "useful")
    agent.remember("Bob likes trains", entity_id=bob)
    human.people.tell(bob, "likes", "trains")
    return {"ada": ada, "bob": bob, "talk": talk.conversation.id, "heard": heard, "fact": fact.id}


@pytest.mark.row("EM-030")
def test_a_person_goes_with_everything_of_theirs(human, life, place):
    certificate = erased(human, entity=life["ada"])

    assert certificate.counts["episodes"] == 8
    assert certificate.counts["summaries"] == 2
    for noun in ("entities", "aliases", "identities", "traits", "conversations", "facts", "gaps"):
        assert certificate.counts[noun] >= 1, noun
    for word in ("zebra", "lovelace", "countess", "@ada"):
        assert rows_with(place, word) == []
        assert not any(word in text.casefold() for text in texts_of(human, word))
    for read in (
        lambda: human.entities.get(life["ada"]),
        lambda: human.conversations.get(life["talk"]),
        lambda: human.facts.get(life["fact"]),
        lambda: human.episodes.get(life["heard"]),
    ):
        with pytest.raises(ErasedError):
            read()
    assert human.people.resolve("matrix", "@ada:example.org") is None


@pytest.mark.row("I33")
def test_reads_of_somebody_else_are_what_they_were(human, life):
    bob = life["bob"]

    def read():
        return (
            human.people.profile(bob),
            human.people.interactions(bob).episodes,
            human.entities.get(bob).entity,
            texts_of(human, "who likes trains?")[:1],
        )

    before = read()
    erased(human, entity=life["ada"])
    assert read() == before


@pytest.mark.row("EM-055")
def test_what_is_counted_is_what_is_left(human, agent, ada):
    talk = agent.conversations.create(ada, "irc").conversation.id
    said = [agent.conversations.add(talk, f"message {count}") for count in range(5)]

    erased(human, episodes=said[:2])

    tally = human.conversations.get(talk).tally
    assert tally.count == 3
    assert tally.first_at == human.episodes.get(said[2]).occurred_at
    assert tally.last_at == human.episodes.get(said[4]).occurred_at


@pytest.mark.row("EM-030")
def test_a_summary_of_what_was_erased_is_written_again_without_it(human, agent, ada):
    talk = agent.conversations.create(ada, "irc").conversation.id
    first = agent.conversations.add(talk, "The password is zx4711, do not tell.")
    agent.conversations.add(talk, "The meeting is on Friday in the hall.")
    old = agent.conversations.summarise(talk)
    agent.conversations.add(talk, "We need more tea for the meeting.")
    agent.conversations.summarise(talk)

    certificate = erased(human, episodes=[first])

    assert certificate.counts == {"summaries": 2, "episodes": 1}
    (new,) = human.conversations.summaries(talk)
    assert new.id != old.id
    assert "zx4711" not in new.draft.text
    assert "Friday" in new.draft.text


@pytest.mark.row("KB-015")
def test_a_fact_goes_with_the_only_words_that_it_rests_on(human, agent):
    said = agent.remember("the NAS has the address 10.0.0.9")
    fact = agent.facts.add("The NAS answers on 10.0.0.9.", about=["NAS"], evidence=[said]).fact

    assert human.erase.plan(episodes=[said]).counts == {"entities": 1, "episodes": 1, "facts": 1}
    erased(human, episodes=[said])

    with pytest.raises(ErasedError):
        human.facts.get(fact.id)


@pytest.mark.row("KB-015")
def test_a_fact_with_other_evidence_stands_with_a_tombstone(human, agent):
    said = [agent.remember(f"the NAS is full, I see it again ({count})") for count in range(2)]
    fact = agent.facts.add("The NAS is full.", about=["NAS"], evidence=said).fact

    erased(human, episodes=said[:1])

    assert [one.episode_id for one in human.facts.get(fact.id).evidence] == said
    gone, kept = human.facts.why(fact.id).supports
    assert (gone.episode, gone.quote) == (None, "")
    assert gone.tombstone is not None
    assert gone.tombstone.id == said[0]
    assert kept.episode.id == said[1]
    assert kept.tombstone is None


@pytest.mark.row("KB-015")
def test_a_fact_that_was_reinforced_later_stands(human, agent):
    first = agent.remember("the fan runs, I hear it")
    fact = agent.facts.add("The fan runs.", about=["fan"], evidence=[first]).fact
    second = agent.remember("the fan runs still")
    agent.facts.add("The fan runs.", about=["fan"], evidence=[second])

    erased(human, episodes=[first])

    assert human.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT


@pytest.mark.row("KB-015")
def test_a_fact_in_the_words_of_what_was_erased_goes_though_it_has_other_roots(human, agent):
    first = agent.remember("Note: the code of the shed is 4711.")
    second = agent.remember("yes, that is the code")
    fact = agent.facts.add(
        "the code of the shed is 4711.", about=["shed"], evidence=[first, second]
    ).fact

    erased(human, episodes=[first])

    with pytest.raises(ErasedError):
        human.facts.get(fact.id)


def test_what_an_erased_fact_ended_stays_ended(human, agent):
    old = agent.facts.add(subject="Beta", predicate="phase", object="pilot").fact
    said = agent.remember("Beta is in rollout now")
    new = agent.facts.add(subject="Beta", predicate="phase", object="rollout", evidence=[said]).fact
    ended_at = human.facts.get(old.id).life.valid_to

    erased(human, facts=[new.id])

    life = human.facts.get(old.id).life
    assert (life.lifecycle, life.valid_to) == (Lifecycle.HISTORICAL, ended_at)
    assert human.state(subject="Beta").facts == ()
    assert human.episodes.get(said).text == "Beta is in rollout now"


def test_what_came_after_an_erased_fact_goes_on(human, agent):
    agent.facts.add(subject="Beta", predicate="phase", object="pilot")
    middle = agent.facts.add(subject="Beta", predicate="phase", object="rollout").fact
    last = agent.facts.add(subject="Beta", predicate="phase", object="over").fact

    erased(human, facts=[middle.id])

    assert human.facts.get(last.id).life.lifecycle is Lifecycle.CURRENT
    assert [one.fact.id for one in human.state(subject="Beta").facts] == [last.id]


def test_a_decision_keeps_what_it_did_to_others_and_loses_its_note(human, agent, place):
    human.facts.add("DNS answers on .100.", system="pi-hole", component="ip")
    asked = agent.facts.add("DNS answers on .110.", system="pi-hole", component="ip").proposal_id
    seen = human.review.show(asked)
    (old,) = seen.retires
    (new,) = seen.facts
    human.review.decide(
        asked, "confirm", digest=seen.digest, retires=[old.id], note="zx4711 said so"
    )

    erased(human, facts=[new.id])

    assert human.facts.get(old.id).life.lifecycle is Lifecycle.HISTORICAL
    assert rows_with(place, "zx4711") == []


def test_a_session_goes_with_its_title(human, agent, place):
    agent.remember("about zx4711", session_id="s1")
    human.sessions.describe("s1", SessionInfo(title="All about zx4711"))
    agent.remember("about tea", session_id="s2")

    erased(human, session="s1")

    assert rows_with(place, "zx4711") == []
    with pytest.raises(NotFoundError):
        human.sessions.get("s1")
    assert human.sessions.get("s2").episode_count == 1


def test_a_title_goes_with_the_last_that_was_said_under_it(human, agent, place):
    said = [agent.remember(f"number {count}", session_id="s1") for count in range(2)]
    human.sessions.describe("s1", SessionInfo(title="On zx4711"))

    erased(human, episodes=said[:1])
    assert human.sessions.get("s1").info.title == "On zx4711"

    erased(human, episodes=said[1:])
    assert rows_with(place, "zx4711") == []


class OneBatch:
    """A spool with one record."""

    def __init__(self):
        record = HookRecord(host="x", event="y", at=START, payload=b"", is_cut=False)
        self.waiting = [SpoolBatch(records=(record,), broken=(), segment="1", end=1)]

    def batches(self):
        yield from self.waiting

    def settle(self, batch):
        self.waiting.remove(batch)


def test_a_host_that_tells_the_title_again_does_not_bring_it_back(human, place):
    info = SessionInfo(title="All about zx4711", host="codex", folder="/w")
    told = Described(session_id=SessionId("s1"), info=info, scope=GLOBAL)
    human.remember("about zx4711", session_id="s1")
    human.ingest(OneBatch(), lambda _: [told])
    assert human.sessions.get("s1").info.title == "All about zx4711"

    erased(human, session="s1")
    human.remember("about tea", session_id="s1")
    human.ingest(OneBatch(), lambda _: [told])

    assert human.sessions.get("s1").info == SessionInfo(host="codex", folder="/w")
    assert rows_with(place, "zx4711") == []


def test_mentions_are_counted_and_go_only_when_they_are_asked_for(human, agent, ada, place):
    kept = agent.remember("Please ask Ada Lovelace about the loom.")
    agent.remember("the looming adage is about nobody")

    plan = human.erase.plan(entity=ada)
    assert (plan.mentioned, plan.mention_ids) == ({"episodes": 1}, (kept,))
    unlooked = human.erase.plan(entity=ada, besides=False)
    assert (unlooked.ids, unlooked.digest) == (plan.ids, plan.digest)
    assert (unlooked.mentioned, unlooked.mention_ids) == ({}, ())
    taken = human.erase.plan(entity=ada, mentions=True)
    assert kept in taken.ids
    erased(human, entity=ada, mentions=True)

    assert rows_with(place, "lovelace") == []
    assert texts_of(human, "looming adage")


@pytest.mark.parametrize("mentions", [False, True])
def test_files_are_scanned_for_the_names_only_where_all_mentions_go(
    human, ada, monkeypatch, mentions
):
    human.entities.alias(ada, "Countess")
    sought = []
    monkeypatch.setattr(Nowhere, "scan", lambda _, words: (sought.extend(words), (0, {}))[1])

    erased(human, entity=ada, mentions=mentions)

    # An alias is too short a piece of text to be sought otherwise.
    assert ("Countess" in sought) is mentions


def test_looking_by_stretches_finds_what_looking_at_once_does(human, agent, ada, monkeypatch):
    monkeypatch.setattr(search_mentions, "STRETCH", 3)
    for number in range(7):
        agent.remember(f"Ada Lovelace wrote {number}." if number % 2 else f"rain {number}")
    told, eraser = {"entity": ada, "mentions": True}, eraser_of(human.parts)
    looked, plan, rounds = None, None, 0
    while plan is None:
        looked, plan = plan_in_steps(eraser, told, looked, lambda: True)
        rounds += 1

    assert rounds > 2
    assert plan == human.erase.plan(**told)
    assert plan_in_steps(eraser, told, None, lambda: False)[1] == plan
    with pytest.raises(ForbiddenError):
        plan_in_steps(eraser_of(agent.parts), told, None, lambda: False)


def test_words_about_somebody_without_a_name_are_mentions_too(human, agent, ada):
    said = agent.remember("her number is five five five")
    agent.facts.add("Ada Lovelace has the number 555.", about=[ada], evidence=[said])

    assert human.erase.plan(entity=ada).mention_ids == (said,)
    assert said in human.erase.plan(entity=ada, mentions=True).ids


def test_while_somebody_reads_an_older_state_the_erase_is_not_done(place, ada, human):
    episode = human.remember("the code is zx4711")
    busy, other = (place.open(busy_timeout_s=0.2) for _ in range(2))
    eraser = a_brain(busy, place.clock, by=Actor("ada", ActorKind.HUMAN))
    with other.read() as view:
        Episodes(view).count(Visibility())
        assert not erased(eraser, episodes=[episode]).is_purged
        assert not eraser.erase.finish().is_clean

    assert eraser.erase.finish().is_clean
    busy.close()
    other.close()


def test_a_person_who_was_merged_goes_with_all_their_names(human, ada, place):
    other = human.entities.add("A. A. Lovelace", type="person").entity.id
    human.entities.merge(ada, other)

    erased(human, entity=other)

    assert rows_with(place, "lovelace") == []


def test_what_nothing_else_tells_of_goes_too(human, agent):
    said = agent.remember("the unicorn sleeps in the barn")
    agent.facts.add("The unicorn sleeps.", about=["Unicorn", "Barn"], evidence=[said])
    agent.facts.add("The barn is red.", about=["Barn"])

    erased(human, episodes=[said])

    assert [one.name for one in human.entities.list()] == ["Barn"]


def test_a_person_who_was_only_read_of_goes_and_one_who_was_recorded_stays(human, agent):
    lines = (("Maria", "I joined a gym last week!"), ("John", "I just joined Acme."))
    human.entities.add("John", type="person")
    for who, text in lines:
        agent.remember(text, role="user", speaker=who, session_id="chat")
    agent.distil()
    assert {"Maria", "John"} <= {one.name for one in human.entities.list()}

    erased(human, session="chat")

    assert [one.name for one in human.entities.list()] == ["John"]


def test_the_note_that_a_fact_was_told_by_goes_with_it(human, agent, place):
    told = agent.facts.add("The code is zx4711.", about=["Shed"]).fact
    other = agent.facts.add("The shed is green.", about=["Shed"]).fact

    assert human.erase.plan(facts=[told.id]).counts == {"episodes": 1, "facts": 1}
    erased(human, facts=[told.id])

    assert rows_with(place, "zx4711") == []
    assert human.facts.get(other.id).said.text == "The shed is green."


def test_a_note_stays_over_whose_successor_is_erased(human, agent, place):
    first = human.remember("The shed opens with 17.", kind="note")
    second = human.notes.edit(first, "The shed opens with 42.")
    third = human.notes.edit(second, "The shed opens with zx4711.")
    ended = human.remember("The gate is green.", kind="note")
    end = human.notes.end(ended, "It is zx4711 now.")

    erased(human, episodes=[third, end])

    assert rows_with(place, "zx4711") == []
    assert human.notes.list() == []
    over = {one.id for one in human.notes.list(is_all=True) if one.over}
    assert over == {first, second, ended}
    (hit, *_) = human.recall("what opens the shed?").hits
    assert hit.lifecycle is Lifecycle.SUPERSEDED

    # What came before an erased note between two others was over by the last, too.
    erased(human, episodes=[second])
    assert human.notes.list() == []


def test_what_was_erased_may_be_told_anew(human, agent):
    told = agent.facts.add("The code is zx4711.", about=["Shed"]).fact
    erased(human, facts=[told.id])

    again = agent.facts.add("The code is zx4711.", about=["Shed"]).fact

    (support,) = human.facts.why(again.id).supports
    assert support.quote == "The code is zx4711."


@pytest.mark.row("I6")
def test_what_was_erased_does_not_come_back_by_its_key(human, agent):
    episode = agent.remember("the code is 4711", idempotency_key="import:1")
    erased(human, episodes=[episode])

    assert agent.remember("the code is 4711", idempotency_key="import:1") == episode
    with pytest.raises(ErasedError):
        human.episodes.get(episode)


@pytest.mark.row("EM-002")
def test_the_guard_lets_an_erasure_through_and_nothing_else(human, place):
    human.remember("the code is 4711")
    for change in (
        "UPDATE ledger SET payload = NULL, salt = NULL WHERE seq = 2",
        "UPDATE ledger SET payload = '{}' WHERE seq = 2",
    ):
        with pytest.raises(place.refusals):
            place.run(change)
    erased(human, episodes=[human.remember("another")])
    for change in (
        "UPDATE ledger SET payload = '{}' WHERE seq = 2",
        "UPDATE ledger SET owner = 'mallory', payload = NULL, salt = NULL WHERE seq = 2",
        "UPDATE ledger SET payload = NULL, salt = NULL WHERE kind = 'erased'",
        "UPDATE ledger SET payload = NULL, salt = NULL WHERE kind = 'store_created'",
    ):
        with pytest.raises(place.refusals):
            place.run(change)


@pytest.mark.row("I4")
def test_an_erased_payload_that_is_there_again_is_found(human, place, store):
    episode = human.remember("the code is 4711")
    ((payload, salt),) = place.run("SELECT payload, salt FROM ledger WHERE seq = 2")
    erased(human, episodes=[episode])
    salted = f"decode('{salt.hex()}', 'hex')" if not place.has_backups else f"x'{salt.hex()}'"
    place.tamper(f"UPDATE ledger SET payload = '{payload}', salt = {salted} WHERE seq = 2")

    assert any("erased" in one.problem for one in store.verify())
    place.tamper("UPDATE ledger SET payload = NULL, salt = NULL WHERE seq = 2")


def test_vectors_of_what_stays_stay_and_the_others_go(human, place, store):
    human.remember("the kettle is on")
    episode = human.remember("the code is 4711")
    with store.read() as view:
        before = {one.space: one.vector_count for one in Search(view).spaces()}
    reader = a_brain(place.open(ids=CountingIds()), place.clock)
    assert reader.recall("the code is 4711").hits

    erased(human, episodes=[episode])

    with store.read() as view:
        after = {one.space: one.vector_count for one in Search(view).spaces()}
    assert after == {space: count - 1 for space, count in before.items()}
    assert not any("4711" in text for text in texts_of(reader, "the code is 4711"))
    assert texts_of(reader, "is the kettle on?") == ["the kettle is on"]
    reader.close()


def test_everything_known_may_go_at_once(human, agent, store):
    episodes = [agent.remember(f"number {count}", session_id="s") for count in range(20)]
    erased(human, session="s")
    assert human.episodes.list() == []
    assert len(episodes) == 20
    with store.read() as view:
        assert Search(view).spaces() == []
        assert len(Tombstones(view).erasures()[0].event_ids) == 20
    assert agent.remember("number 21", session_id="s")


def test_an_erasure_that_was_cut_off_is_finished(human, store, monkeypatch):
    episode = human.remember("the code is 4711")
    with monkeypatch.context() as cut:
        cut.setattr(type(store), "purge", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            erased(human, episodes=[episode])

    assert store.erasures.unpurged()
    assert finish_erasures(store) == Finished(due_count=1, is_clean=True)
    assert store.erasures.unpurged() == []
    assert human.erase.finish() == Finished(due_count=0, is_clean=True)


def test_goes_with_names_what_there_is(human, life, store):
    with store.read() as view:
        for recorded in view.events(limit=1000):
            assert all(len(one) >= 26 for one in recorded.event.goes_with)


def test_a_line_that_nobody_here_signed_erases_nothing(human, place, store):
    episode = human.remember("the kettle is on")
    other = human.remember("the code is 4711")
    erased(human, episodes=[other])
    (noted,) = place.state.glob("*.erased")
    line = json.loads(noted.read_text().split("\n")[1])
    forged = {**line, "erasure": "0" * 26, "gone": [episode.removeprefix("epi_")]}
    noted.write_text(noted.read_text() + json.dumps(forged) + "\nnot json\n[]\n")

    assert len(store.erasures.known()) == 1
    assert finish_erasures(store).is_clean
    assert human.episodes.get(episode).text == "the kettle is on"


def test_an_erasure_holds_no_word_outside_the_store_either(human, ada, place):
    human.remember("the code is zx4711", entity_id=ada)
    erased(human, entity=ada)
    for path in place.state.rglob("*"):
        if path.is_file():
            assert b"zx4711" not in path.read_bytes()
            assert b"Lovelace" not in path.read_bytes()


@pytest.mark.row("EM-005")
def test_the_index_holds_what_is_left_and_searching_never_fails(human, store):
    episodes = [human.remember(f'it\'s a "quoted" OR hyphen-ated text {n}') for n in range(4)]
    erased(human, episodes=episodes[:2])

    for question in ("it's", '"quoted', "OR", "hyphen-ated", "text 0 NOT text 3"):
        found = {hit.id for hit in human.recall(question, limit=10).hits}
        assert found <= set(episodes[2:])
    assert {hit.id for hit in human.recall("quoted text", limit=10).hits} == set(episodes[2:])
    assert list(store.verify()) == []


@pytest.mark.row("EM-048")
def test_a_gap_shows_a_tombstone_where_its_evidence_was(human, agent):
    said = [agent.remember(f"I wish it could export PDF, says {who}.") for who in ("Al", "Cy")]
    gap = agent.gaps.add("PDF export", evidence=said, kind="missing_feature").gap

    erased(human, episodes=said[:1])

    trail = human.gaps.get(gap.id).trail
    assert [one.evidence.episode_id for one in trail] == said
    assert [one.is_erased for one in trail] == [True, False]


@pytest.mark.row("C-04")
def test_where_somebody_said_that_a_todo_is_goes_with_its_gap(human, agent, place):
    said = agent.remember("I wish it could export PDF.")
    gap = agent.gaps.add("PDF export", evidence=[said], kind="missing_feature").gap
    agent.gaps.move(gap.id, status="todo_created", todo_ref="ask zx4711 about it")
    agent.gaps.move(gap.id, todo_ref="zx4711 has it on the list")

    erased(human, episodes=[said])

    assert rows_with(place, "zx4711") == []


@pytest.mark.row("EM-049")
def test_where_we_put_a_todo_is_known_when_words_of_its_gap_went(human, agent, place):
    said = [agent.remember(f"I wish it could export PDF, says {who}.") for who in ("Al", "Cy")]
    gap = agent.gaps.add("I wish it could export PDF, says Al.", evidence=said[:1]).gap
    agent.gaps.add("I wish it could export PDF, says Al.", evidence=said[1:])
    drafted = agent.gaps.todo(gap.id)

    erased(human, episodes=said[:1])

    left = human.gaps.get(gap.id).gap
    assert (left.status, left.todo_ref) == ("todo_created", drafted.todo_ref)
    assert "says Al" not in left.description


def test_the_doctor_tells_of_an_erase_that_is_not_finished(human, store):
    episode = human.remember("the code is 4711")
    assert check_erasures(store).status is Status.OK
    store.erasures.note(replace(_erasure_of(store, human, episode), event_id=EventId("1" * 26)))
    assert check_erasures(store).status is Status.FAIL
    assert finish_erasures(store).is_clean
    assert check_erasures(store).status is Status.OK


def _erasure_of(store, brain, episode):
    erased(brain, episodes=[episode])
    with store.read() as view:
        return Tombstones(view).erasures()[0]


def test_a_context_that_shows_something_by_a_name_goes_with_what_else_it_shows(human, agent):
    episode = human.remember("the code is 4711")
    shown = (("pages", "monitoring-c78c"), ("episodes", episode))
    agent.receipts.keep(
        Context(via="recall", session_id=None, tokens=1, shown="0a" * 32, items=shown)
    )

    assert human.erase.plan(episodes=[episode]).counts == {"episodes": 1, "receipts": 1}


def test_no_read_fails_or_tells_after_an_erase(human, agent, life, tmp_path):
    shown = [("facts", life["fact"]), ("episodes", life["heard"])]
    agent.receipts.keep(
        Context(via="recall", session_id=None, tokens=1, shown="0a" * 32, items=tuple(shown))
    )
    erased(human, entity=life["ada"], mentions=True)

    answers = [
        human.changes(),
        human.receipts.list(),
        human.review.list(states=["open", "decided"]),
        human.facts.list(),
        human.kg.stats(),
        human.kg.explore("Bob Noyce"),
        human.entities.list(),
        human.entities.search("Ada"),
        human.people.stats(),
        human.conversations.list(),
        human.conversations.stats(),
        human.gaps.stats(),
        human.sessions.list(),
        human.episodes.list(),
        human.documents.list(),
        human.words.queue(),
        human.brief(BriefRequest()),
        human.state(),
        human.about("Bob Noyce"),
        human.review.scan(),
        human.entities.tidy(),
        human.dedup(),
        human.distil(),
        human.embed_backlog(),
    ]
    human.export(str(tmp_path / "all.jsonl"))
    told = f"{answers} {(tmp_path / 'all.jsonl').read_text()}".casefold()
    for word in ("zebra", "lovelace", "countess", "@ada"):
        assert word not in told, word
    for gap in human.gaps.list():
        human.gaps.get(gap.id)
    for one in human.entities.list():
        human.entities.around(one.id)
        human.entities.impact(one.id)


def test_what_sessions_name_goes_with_the_last_that_names_it(human, place, store):
    for day in range(2):
        session = Session(human, f"s{day}", day=day)
        session.ran("docker compose restart zx4711 && git status")
    Session(human, "s2").ran("git status")
    human.distil()
    named = [human.entities.get(name, scope=SHOP).entity.id for name in ("zx4711", "git")]

    erased(human, session="claude-code:s0")
    assert human.entities.get(named[0]).entity.named.session_count == 1
    certificate = erased(human, session="claude-code:s1")

    assert named[0] in certificate.ids
    assert named[1] not in certificate.ids
    assert rows_with(place, "zx4711") == []
    assert [one.name for one in human.about("git", scope=SHOP).graph.nodes] == ["git", "work/shop"]


def test_what_a_fact_is_about_stays_though_no_session_names_it(human):
    for day in range(2):
        Session(human, f"s{day}", day=day).ran("docker compose restart payments")
    human.distil()
    human.facts.add("Payments is paged on Sundays.", about=["payments"], scope=SHOP)

    for day in range(2):
        erased(human, session=f"claude-code:s{day}")

    assert human.entities.get("payments", scope=SHOP).entity.named is None


def test_changes_tell_who_erased_how_much_and_when_and_no_word(human, store):
    said = [human.remember(f"the code is zx{n}", scope="project:lab") for n in range(3)]
    certificate = erased(human, episodes=said)

    def told(scope):
        page = changes_as_json(changes(store, "", seen_from(DEFAULT_OWNER, scope), limit=100))
        return [one for one in page["items"] if one["kind"] == "erased"]

    (line,) = told("project:lab")
    assert line["text"] == "3 records of episodes"
    assert (line["by"].name, line["recorded_at"]) == ("ada", certificate.at)
    assert told(None) == [line]
    assert told("project:shop") == []
    assert "zx" not in str(told(None))
