"""
What the integration suite of seed 004 covers, row by row, on both engines.

Rows that have a file of their own are not repeated: identities, profiles and normalisation in
`test_people`, the life of conversations in `test_conversations`, the cascade in `test_erase`, the
X-07 scenario over every surface in `tests/e2e/test_people_everywhere`, eight processes in
`tests/integration/test_conversation_races`.
"""

import json
from contextlib import closing
from importlib import import_module

import pytest

from tests.brains import a_brain
from tilth.core.errors import ConflictError, InvalidInputError, LimitExceededError, NotFoundError
from tilth.core.scope import parse_owner, parse_scope
from tilth.core.verb import VERBS
from tilth.episodes.episode import TRANSPORTS
from tilth.people.reply_context import Wanted
from tilth.runtime.features import verb_modules

for module in verb_modules():
    import_module(module)

KEY = "sk-" + "a1B2c3D4" * 4
PRIVATE = f"Write to bob@example.org. <private>at home</private> The key is {KEY}."


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def ada(human):
    told = human.people.introduce("Ada", transport="matrix", address="@ada:example.org")
    return told.added.entity.id


@pytest.fixture
def talk(agent, ada):
    begun = agent.conversations.create(ada, "matrix", address="@ada:example.org", topic="pumps")
    return begun.conversation.id


@pytest.mark.row("EM-001")
def test_the_layers_meet_in_one_store(human, agent, ada, talk):
    """Layer 0 is what was said, 1 what it comes to, 2 how somebody is; a fact rests on all."""
    said = agent.conversations.add(talk, "We decided on the blue pump. I prefer short answers.")
    summary = agent.conversations.archive(talk).summary
    agent.people.tell(ada, "style", "short answers", evidence=[said])
    agent.facts.add("Ada chose the blue pump.", about=[ada], evidence=[(said, "the blue pump")])

    known = agent.conversations.context(talk)
    assert [one.id for one in known.recent] == [said]
    assert [one.text for one in known.summaries] == [summary.draft.text]
    assert [one.evidence for one in known.profile] == [(said,)]
    (fact,) = human.about("Ada").facts
    assert fact.fact.evidence[0].episode_id == said
    assert said in [hit.id for hit in agent.recall("Which pump?", entity="Ada").hits] + [
        one for hit in agent.recall("Which pump?", entity="Ada").hits for one in hit.episode_ids
    ]


@pytest.mark.row("EM-001")
def test_one_question_joins_a_person_and_a_project(human, agent, ada, talk):
    """`recall --query deployment --entity E --project P` of seed 004."""
    rooms = {"project:shop": "ours", "project:other": "theirs", "global": "everybody's"}
    for scope, whose in rooms.items():
        agent.remember(f"Ada wants the deploy of {whose} on Friday.", entity=ada, scope=scope)
        agent.remember(f"The deploy of {whose} goes to lxc 104.", scope=scope)
        agent.facts.add(f"Ada signs the deploy of {whose}.", about=[ada], scope=scope)
    agent.conversations.add(talk, "When is the deploy?")

    def joined(**how):
        return {one.text for one in agent.recall("deploy", limit=50, **how).hits}

    shop = joined(entity=ada, scope="project:shop")
    assert shop == {
        "Ada wants the deploy of ours on Friday.",
        "Ada signs the deploy of ours.",
        "Ada wants the deploy of everybody's on Friday.",
        "Ada signs the deploy of everybody's.",
        "When is the deploy?",
    }
    assert joined(entity=ada) == shop | {
        "Ada wants the deploy of theirs on Friday.",
        "Ada signs the deploy of theirs.",
    }
    assert "The deploy of ours goes to lxc 104." in joined(scope="project:shop")


@pytest.mark.row("EM-004")
@pytest.mark.parametrize("transport", sorted(TRANSPORTS))
@pytest.mark.on_sqlite(but=2)
def test_every_transport_carries_messages_links_and_conversations(human, ada, transport):
    at = "ada@example.org" if transport == "email" else "ada"
    human.people.link(ada, transport, at)
    talk = human.conversations.create(ada, transport, address=at).conversation.id
    said = [
        human.conversations.add(talk, "In a conversation."),
        human.remember("Beside it.", transport=transport, address=at),
    ]

    assert human.people.resolve(transport, at).entity.id == ada
    passed = human.people.interactions(ada, transport=transport)
    assert [one.id for one in passed.episodes] == said
    assert [one.transport for one in passed.episodes] == [transport] * 2


def test_opening_a_store_again_changes_nothing_of_it(agent, talk, store, place):
    agent.conversations.add(talk, "Hello.")
    before = store.digest()
    for _ in range(3):
        with closing(place.open()) as again:
            assert again.digest() == before


@pytest.mark.row("EM-002", "EM-009", "EM-028")
@pytest.mark.parametrize("kind", ["episode_recorded", "summary_written", "trait_told"])
def test_no_sql_changes_a_message_a_summary_or_a_trait(agent, ada, talk, place, kind):
    agent.conversations.add(talk, "We decided on the blue pump.")
    agent.conversations.archive(talk)
    agent.people.tell(ada, "language", "French")
    before = place.run("SELECT * FROM ledger ORDER BY seq")
    assert place.run(f"SELECT count(*) FROM ledger WHERE kind = '{kind}'")[0][0] > 0
    for sql in (
        f"UPDATE ledger SET payload = '{{}}' WHERE kind = '{kind}'",
        f"UPDATE ledger SET payload = NULL, salt = NULL WHERE kind = '{kind}'",
        f"DELETE FROM ledger WHERE kind = '{kind}'",
    ):
        with pytest.raises(place.refusals):
            place.run(sql)
    assert place.run("SELECT * FROM ledger ORDER BY seq") == before


@pytest.mark.row("EM-002")
def test_no_verb_changes_or_removes_what_was_said_summarised_or_told():
    nouns = {"episodes", "sessions", "conversations", "people"}
    declared = [name.split(".") for name in VERBS]
    verbs = {verb for noun, *rest in declared if noun in nouns for verb in rest}
    assert not [one for one in verbs if one.startswith(("update", "edit", "delete", "remove"))]
    # Each of them adds: a message, a status, a summary, a version, a link, its end.
    assert verbs & {"add", "tell", "link", "unlink", "summarise"}


@pytest.mark.row("EM-040", "EM-041", "EM-042")
def test_privacy_holds_on_the_way_in_and_out(agent, ada, talk):
    agent.conversations.add(talk, PRIVATE, speaker="Ada", metadata={"note": PRIVATE})
    agent.conversations.archive(talk)
    inside = [
        repr(agent.conversations.context(talk)),
        repr(agent.conversations.summaries(talk)),
        repr(agent.people.interactions("Ada")),
        repr(agent.recall("key").hits),
    ]
    for shown in inside:
        assert KEY not in shown
        assert "at home" not in shown
    assert "bob@example.org" in inside[0]
    masked = agent.conversations.context(talk, Wanted(is_private=True))
    assert "bob@example.org" not in repr(masked)
    assert "[email]" in masked.text
    assert "bob@example.org" not in repr(agent.people.interactions("Ada", is_private=True))


def test_old_memory_is_not_touched_by_people_and_conversations(human, agent, place):
    human.facts.add("DNS answers on .100.", system="pi-hole", component="ip")
    agent.remember("The deploy of the shop goes to lxc 104.", session_id="s1")
    questions = ("Where does DNS answer?", "Where does the deploy go?")

    def answers():
        hits = [[(one.id, one.text) for one in agent.recall(asked).hits] for asked in questions]
        facts = [one.fact.id for one in agent.state().facts]
        sessions = [(one.id, one.episode_count) for one in agent.sessions.list()]
        return json.dumps([hits, facts, sessions])

    before = answers()
    ada = human.people.introduce("Ada", transport="irc", address="ada").added.entity.id
    human.people.tell(ada, "language", "French")
    agent.conversations.create(ada, "irc")
    assert answers() == before


@pytest.mark.row("EM-005")
def test_every_message_is_in_the_index_and_no_word_of_a_question_breaks_it(agent, talk):
    odd = ('O\'Brien said "OR"', "re-index the NEAR/2 pumps", "col:umn AND NOT (x)", "100% *")
    ids = [agent.conversations.add(talk, f"{text} pump") for text in odd]

    found = [hit.id for hit in agent.recall("pump", limit=50).hits]
    assert set(found) == set(ids)
    for text, id_ in zip(odd, ids, strict=True):
        assert id_ in [hit.id for hit in agent.recall(text, limit=50).hits]


@pytest.mark.row("EM-031", "EM-055")
def test_the_counts_are_a_recount(human, agent, ada, talk):
    bob = human.people.introduce("Bob", transport="email", address="bob@example.org")
    other = agent.conversations.create(bob.added.entity.id, "email").conversation.id
    for number in range(7):
        agent.conversations.add([talk, other][number % 2], f"We decided on {number}.")
        if number % 3 == 0:
            agent.conversations.summarise([talk, other][number % 2])
    agent.conversations.close(other)
    human.people.tell(ada, "language", "French")
    human.people.tell(ada, "language", "German")

    listed = agent.conversations.list()
    stats = agent.conversations.stats()
    assert sum(stats["messages"].values()) == sum(one.tally.count for one in listed) == 7
    assert stats["conversations"] == {"active": 1, "closed": 1}
    summaries = [one for talk_ in listed for one in agent.conversations.summaries(talk_.id)]
    assert sum(stats["summaries"].values()) == len(summaries)
    assert stats["summaries"]["current"] == sum(one.is_current for one in summaries)
    people = agent.people.stats()
    assert people["identities"] == {"email": 1, "matrix": 1}
    assert people["traits"] == {"current": 1, "past": 1}
    assert sum(people["entities"].values()) == len(agent.entities.list())


@pytest.mark.row("EM-055")
def test_the_counts_are_a_recount_after_an_erasure_too(human, agent, ada, talk):
    gone = agent.conversations.add(talk, "My number is 0664 1234567.")
    agent.conversations.add(talk, "We decided on the blue pump.")
    agent.conversations.archive(talk)
    asked = {"episodes": [gone]}
    human.erase.confirm(human.erase.plan(**asked).digest, **asked)

    (one,) = agent.conversations.list()
    assert one.tally.count == 1 == sum(agent.conversations.stats()["messages"].values())
    assert agent.people.interactions("Ada").tally.count == 1
    current = [one for one in agent.conversations.summaries(talk) if one.is_current]
    assert agent.conversations.stats()["summaries"].get("current", 0) == len(current)
    assert "0664" not in repr(agent.conversations.context(talk))


@pytest.mark.row("EM-007")
def test_somebody_has_a_conversation_for_each_way_and_place(agent, ada, talk):
    ways = [("matrix", "@ada:elsewhere.org", "global"), ("email", "ada@example.org", "global"),
            ("matrix", "@ada:example.org", "project:shop"), ("slack", "", "global")]  # fmt: skip
    talks = [
        agent.conversations.create(ada, way, address=at, scope=scope).conversation.id
        for way, at, scope in ways
    ]
    assert len({talk, *talks}) == 5
    for number, one in enumerate([talk, *talks]):
        agent.conversations.add(one, f"Message {number}.")
    for number, one in enumerate([talk, *talks]):
        texts = [said.text for said in agent.conversations.context(one).recent]
        assert texts == [f"Message {number}."]
    again = agent.conversations.create(ada, "matrix", address="@ada:example.org")
    assert (again.conversation.id, again.is_new) == (talk, False)


UNKNOWN = "cnv_" + "0" * 26
REFUSED = {
    "an unknown id": lambda brain, _: brain.conversations.add(UNKNOWN, "hello"),
    "the id of something else": lambda brain, _: brain.conversations.add(
        "fct_" + "0" * 26, "hello"
    ),
    "no id": lambda brain, _: brain.conversations.archive("the one with Ada"),
    "an empty message": lambda brain, ids: brain.conversations.add(ids["talk"], " "),
    "a word for nothing": lambda brain, ids: brain.conversations.add(ids["talk"], "undefined"),
    "an unknown transport": lambda brain, ids: brain.conversations.create(ids["ada"], "pigeon"),
    "an unknown direction": lambda brain, ids: brain.conversations.add(
        ids["talk"], "hello", direction="sideways"
    ),
    "metadata that is no JSON": lambda brain, ids: brain.conversations.add(
        ids["talk"], "hello", metadata={"n": float("nan")}
    ),
    "a topic too long": lambda brain, ids: brain.conversations.create(
        ids["ada"], "irc", topic="x" * 201
    ),
    "an unknown status": lambda brain, _: brain.conversations.list(status="asleep"),
    "too many at once": lambda brain, _: brain.conversations.list(limit=100_000),
    "mail without its host": lambda brain, ids: brain.people.link(ids["ada"], "email", "ada"),
    "an unknown confidence": lambda brain, ids: brain.people.link(
        ids["ada"], "irc", "ada", confidence="surely"
    ),
    "a trait without a value": lambda brain, ids: brain.people.tell(ids["ada"], "mood", ""),
    "a trait on an unknown message": lambda brain, ids: brain.people.tell(
        ids["ada"], "mood", "calm", evidence=["epi_" + "0" * 26]
    ),
    "an unknown type": lambda brain, _: brain.people.introduce("Eve", type="ghost"),
    "no name": lambda brain, _: brain.people.introduce(" "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused_and_nothing_of_it_is_kept(human, ada, talk, store, name):
    before = store.digest()

    with pytest.raises((InvalidInputError, NotFoundError, LimitExceededError, ConflictError)) as no:
        REFUSED[name](human, {"ada": ada, "talk": talk})
    assert str(no.value)
    assert store.digest() == before


@pytest.mark.row("EM-068")
@pytest.mark.parametrize(
    "word", ["../etc", "a/../b", "project:../x", "project:a/../../b", "..", "", "\x00", "a" * 300]
)
@pytest.mark.on_sqlite(but=2)
def test_no_scope_and_no_owner_leads_out_of_its_place(human, word):
    with pytest.raises(InvalidInputError):
        parse_scope(word)
    with pytest.raises(InvalidInputError):
        parse_owner(word)
    with pytest.raises(InvalidInputError):
        human.people.introduce("Eve", scope=word)


@pytest.mark.row("EM-015")
def test_a_restart_in_the_midst_loses_nothing(agent, ada, talk, place):
    said = agent.conversations.add(talk, "We decided on the blue pump.")
    agent.conversations.summarise(talk)
    half = agent.conversations.add(talk, "And please call the shop.")
    with closing(place.open()) as store:
        again = a_brain(store, place.clock).conversations
        assert [one.id for one in again.context(talk).recent] == [said, half]
        summary = again.archive(talk).summary
        assert (summary.draft.first, summary.draft.count) == (half, 1)
        assert again.create(ada, "matrix", address="@ada:example.org").conversation.id == talk
