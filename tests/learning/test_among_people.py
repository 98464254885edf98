"""What of the talk of people with each other is stated."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.fakes import START
from tests.practice.sessions import SHOP
from tilth.core.actor import Actor, ActorKind
from tilth.episodes.episode import Role
from tilth.knowledge.facts.statement import Triple
from tilth.learning.text.social_talk import is_of_people, tells_of_people

PEOPLE = {"Maria", "John"}


@pytest.mark.parametrize(
    "said",
    [
        "Let's keep spreading the love and making a difference.",
        "Never give up!",
        "Don't forget to take breaks and dance it out!",
        "Just remember to pause, reflect, and take care of yourself.",
        "Keep on being positive and making a difference.",
        "You're doing a great thing - we need more people like you!",
        "We need folks in the community, doing good for the ones who need it.",
        "John, let's keep working together.",
        "I'm really passionate about veterans, so let's make it happen!",
        "Always here to cheer you on.",
    ],
)
def test_cheers_tell_nothing(said):
    assert not tells_of_people(said, said, PEOPLE)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("We usually watch movies, hike, and have game nights at my place.", ""),
        ("Last week, I decided to run for office again.", ""),
        ("Yeah, I've always had a great respect for our military.", ""),
        ("Went on a road trip to Oregon.", "Maria went on a road trip to Oregon."),
        ("My old prius broke down, decided to get it repaired and sell it.", ""),
    ],
)
def test_what_people_tell_of_themselves_stands(said, text):
    assert tells_of_people(said, text or said, PEOPLE)


def test_a_triple_is_of_somebody_who_talks():
    def triple(subject, object_="a gym"):
        return Triple(subject=subject, predicate="member_of", object=object_)

    assert is_of_people(triple("Maria"), "I joined a gym.", PEOPLE)
    assert not is_of_people(triple("Keep"), "Keep at it.", PEOPLE)
    assert not is_of_people(triple("Maria", "Last Friday"), "Last Friday, my partner", PEOPLE)


@pytest.fixture
def chat(brain):
    lines = (
        ("Maria", "Hey John, I joined a gym last week!"),
        ("John", "Wow, great. Never give up! We always go hiking on Sundays."),
        ("Maria", "Let's keep going after our goals and making them happen."),
    )
    brain.remember_many(
        [a_draft(text, speaker=who, session_id="chat", role=Role.USER) for who, text in lines]
    )
    brain.distil()
    return brain


def test_a_chat_states_what_people_tell_and_not_how_they_cheer(chat):
    texts = " ".join(fact.said.text for fact in chat.facts.list())

    assert "Never give up" not in texts
    assert "Let's keep" not in texts


@pytest.mark.parametrize(
    ("quote", "is_told"),
    [
        ("I've always had a strong bond with them.", False),
        ("I've always loved caring for my pups, and washing them is fun.", True),
        ("We usually hit the beach, and he loves playing in the water.", False),
        ("My sister called, and I told her and him nothing.", True),
        ("That's my favourite place.", False),
        ("I named him Buddy.", False),
    ],
)
def test_whoever_they_are_is_said_before_or_it_is_not_told(quote, is_told):
    assert tells_of_people(quote, quote, PEOPLE) is is_told


def test_what_a_picture_shows_is_nobody(captured):
    lines = [("Maria", "That's my sister and my dogs."), ("John", "It's my family's recipe.")]
    captured.remember_many([a_draft(text, speaker=who, session_id="c") for who, text in lines])
    captured.distil()

    assert captured.facts.list() == []


def test_friends_who_thank_each_other_in_every_session_have_no_habit_of_it(captured):
    for day in range(5):
        lines = [("Maria", "Thanks John!"), ("John", "Sounds great, talk to you soon!")]
        captured.remember_many(
            [
                a_draft(
                    text,
                    speaker=who,
                    session_id=f"c{day}",
                    scope=SHOP,
                    occurred_at=START + timedelta(day),
                )
                for who, text in lines
            ]
        )
        captured.distil()

    assert captured.facts.list(scope=SHOP) == []


def test_who_joins_a_gym_is_no_employee(captured):
    lines = [("Maria", "I joined a gym last week!"), ("John", "I just joined Acme.")]
    captured.remember_many([a_draft(text, speaker=who, session_id="c") for who, text in lines])
    captured.distil()

    triples = [one.said.triple for one in captured.facts.list()]
    said = {(one.subject, one.predicate, one.object) for one in triples if one}
    assert said == {("Maria", "member_of", "a gym"), ("John", "works_for", "Acme")}


def test_who_talks_is_a_person(captured):
    captured.remember_many(
        [
            a_draft("Hey John, I joined a gym last week!", speaker="Maria", session_id="c"),
            a_draft("We always go hiking on Sundays.", speaker="John", session_id="c"),
        ]
    )
    captured.distil()

    facts, entities = captured.facts.list(), captured.entities.list()
    assert facts
    assert {one.type for one in entities if one.name in PEOPLE} == {"person"}
    assert "user" not in {one.name for one in entities}


@pytest.mark.parametrize("others", [(), (("", Role.SYSTEM, "Deployed."),)])
def test_whom_an_import_names_is_not_the_user_though_nobody_answers(store, place, others):
    importer = a_brain(store, place.clock, by=Actor("import", ActorKind.IMPORT))
    decided = ("Marina", Role.USER, "I decided to move the warehouse to Snowflake.")
    importer.remember_many(
        [
            a_draft(text, speaker=who, role=role, session_id="slack:C1/2026-01-26")
            for who, role, text in (decided, *others)
        ]
    )
    importer.distil()

    (fact,) = importer.facts.list()
    assert [importer.entities.get(one).entity.name for one in fact.about] == ["Marina"]
    assert "user" not in {one.name for one in importer.entities.list()}
