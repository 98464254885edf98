"""Who people are to whom: what is told as a relation, of whom, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most, tried
from tests.learning.turns import a_turn, triples
from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.vocabulary.registries import Channel, words
from tilth.learning.candidate import StatementKind
from tilth.learning.values.relations import relations

TOLD = [
    ("Acme is a client", ("Acme", "is_a", "client")),
    ("Globex is our new supplier.", ("Globex", "is_a", "supplier")),
    ("Marina is CTO at Acme", ("Marina", "role_at", "CTO at Acme")),
    ("The head of sales is Miguel Santos", ("Miguel Santos", "role_at", "The head of sales")),
    ("our accountant is Bob Miller", ("Bob Miller", "role_at", "user's accountant")),
    ("we have a new conductor, Ilka Farkas", ("Ilka Farkas", "role_at", "a new conductor")),
    ("I'm a nurse at Mercy", ("user", "role_at", "a nurse at Mercy")),
    ("Jonas reports to Ida", ("Jonas", "reports_to", "Ida")),
    ("Priya leads the platform team", ("Priya", "responsible_for", "the platform team")),
    ("Tomasz owns the billing service now", ("billing service", "owned_by", "Tomasz")),
    ("Greta joined Acme as a designer", ("Greta", "works_for", "Acme")),
    ("Ewa from legal has the contract", ("Ewa", "works_for", "legal")),
    ("Carlos moved to Berlin last month", ("Carlos", "lives_in", "Berlin")),
    ("I moved to Lisbon", ("user", "lives_in", "Lisbon")),
    ("The user moved to Lisbon.", ("user", "lives_in", "Lisbon")),
    ("the user lives in São Paulo", ("user", "lives_in", "São Paulo")),
    ("Jules is my nephew", ("user", "nephew", "Jules")),
    ("our cat is called Mons", ("user", "cat", "Mons")),
    ("Lena's email is lena@acme.io", ("Lena", "email_address", "lena@acme.io")),
    ("Tom's birthday is May 4", ("Tom", "birthday", "May 4")),
    ("Theo is allergic to peanuts", ("Theo", "trait", "allergic to peanuts")),
    ("Mr Oyela has left", ("Mr Oyela", "status", "left")),
    ("Priti went on maternity leave", ("Priti", "status", "went on maternity leave")),
]
UNTOLD = [
    "Who is our accountant?",
    "Maybe Jonas reports to Ida",
    "If Jonas reports to Ida, ask her",
    "Docker is the problem",
    "The user moved to the next page",
    "The user is in Settings",
    "Jellyfin is a media server",
    "Compression works on repetition",
    "Graphviz covers four of the five diagrams",
    "Waiting at the post office is dull",
    "> Jonas reports to Ida",
    "`Jonas reports to Ida`",
    "thanks, that helps",
]


@pytest.mark.row("DU-054")
@pytest.mark.parametrize(("text", "triple"), TOLD)
def test_a_relation_is_told_of_somebody(text, triple):
    assert triples(relations, text) == [triple]


@pytest.mark.row("DU-054")
@pytest.mark.parametrize("text", UNTOLD)
def test_what_asks_guesses_or_tells_of_no_person_is_no_relation(text):
    assert list(relations(a_turn(text))) == []


def test_a_sister_with_a_home_is_two_relations():
    assert triples(relations, "my sister Lea lives in Porto") == [
        ("user", "sister", "Lea"),
        ("Lea", "lives_in", "Porto"),
    ]


@pytest.mark.row("DU-050")
def test_kin_are_registered_words():
    known = words()

    assert {known.predicate(word).name for word in ("sister", "father-in-law", "aunt")} == {
        "relative"
    }
    assert known.predicate("wife").name == "partner"


def test_who_is_meant_by_a_pronoun_is_the_one_person_named_before():
    text = "Leopold does the pictures, he is our intern"

    assert triples(relations, text)[1] == ("Leopold", "role_at", "user's intern")
    (found,) = relations(a_turn("he is our intern"))
    assert found.said.triple is None


def test_what_is_told_of_a_speaker_says_who_that_is():
    (found,) = relations(a_turn("I'm a nurse at Mercy"))

    assert found.said.text == "The user is a nurse at Mercy"
    assert found.said.channel is Channel.RELATIONSHIP
    assert found.kind is StatementKind.RELATIONSHIP


def test_what_a_tool_prints_relates_nobody():
    said = a_turn("Jonas reports to Ida", role=Role.TOOL, kind=EpisodeKind.TOOL_RESULT)

    assert list(relations(said)) == []


WORDS = ["my", "sister", "Ana", "is", "CTO", "at", "Acme", "'s", "lives", "in", ",", "who", "he",
         "our", "boss", "\u2019s", "`x`", '"y"', "reports", "to", "Dr.", "from", "legal", "\n",
         "?", "email", "owns", "the", "Zo\u00eb", "\u200b", "''"]  # fmt: skip


@tried(200)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join) | st.text(max_size=200))
def test_no_text_is_too_strange_and_every_quote_is_verbatim(text):
    text = f"so: {text}"
    for found in relations(a_turn(text)):
        assert found.quote in text


@pytest.mark.parametrize(
    "text",
    ["Ab " * 30_000, "my sister " * 9_000, "A" * 100_000, "Ana is " * 14_000, "my " * 33_000],
)
def test_hostile_texts_take_linear_time(text):
    with at_most(seconds=2):
        list(relations(a_turn(text)))


@pytest.mark.parametrize(
    "text",
    [
        "The last take of Marlow is the keeper",
        "My Finnish is at B1",
        "Nora is a member",
        "Nora is plainly the best singer",
        "Nora is pleased about the new manager",
        "The hut is at 900 m",
    ],
)
def test_what_is_no_role_and_no_place_of_a_person_is_no_triple(text):
    assert triples(relations, text) == []


def test_where_somebody_lives_ends_where_with_whom_begins():
    assert triples(relations, "Nora lives in Turku with her aunt") == [
        ("Nora", "lives_in", "Turku")
    ]
    assert triples(relations, "Recipes live in the old shed") == [
        ("Recipes", "located_in", "the old shed")
    ]
