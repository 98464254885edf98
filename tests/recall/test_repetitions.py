"""What answers stands before what asks, repeats, or told of it before it changed."""

from datetime import timedelta

import pytest

import tilth
from tests.conftest import a_draft
from tests.fakes import START
from tilth.episodes.episode import Role
from tilth.runtime.settings import Settings

DAY = timedelta(days=1)
WHICH = "Which database did we choose for the ledger?"


def texts(found):
    return [hit.text for hit in found.hits]


@pytest.fixture
def brain(tmp_path):
    settings = Settings(embedder="none")
    with tilth.connect(tmp_path / "tilth.db", create=True, settings=settings) as brain:
        yield brain


def tell(brain, *said, role=Role.USER):
    return brain.remember_many(
        [
            a_draft(text, session_id=f"s{day} {role}", role=role, occurred_at=START + day * DAY)
            for day, text in enumerate(said)
        ]
    )


def test_after_five_sessions_that_asked_the_answer_comes_first(brain):
    tell(brain, "We chose PostgreSQL for the ledger, after a long talk.", *[WHICH] * 5)

    found = brain.recall(WHICH)

    assert found.hits[0].text == "We chose PostgreSQL for the ledger, after a long talk."
    assert found.hits[1].text == WHICH
    assert found.hits[1].group == found.hits[0].group


def test_a_question_that_nothing_answers_is_found(brain):
    tell(brain, "Rain again in Bergen.", WHICH)

    assert texts(brain.recall(WHICH))[0] == WHICH


def test_repeated_calls_leave_room_for_what_else_there_is(brain):
    tell(brain, *["ran: make kettle"] * 20, role=Role.TOOL)
    tell(brain, "The kettle is made by hand.", "A kettle was made for Ada.")

    found = texts(brain.recall("how is the kettle made?", limit=3))

    assert sorted(found) == [
        "A kettle was made for Ada.", "The kettle is made by hand.", "ran: make kettle",
    ]  # fmt: skip


def test_an_echo_stands_behind_the_person_s_own_words(brain):
    mine, _ = tell(brain, "The kettle is red.", "Tea at four.")
    tell(brain, "The kettle is red.", "Noted.", "Noted.", role=Role.ASSISTANT)

    assert brain.recall("which colour has the kettle?").hits[0].id == mine


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("We use Kong as the gateway.", "Kong is gone, Traefik is the gateway.", "which gateway?"),
        ("Ada lives in Oslo.", "Ada moved to Bergen.", "where does Ada live?"),
        (
            "The billing service runs on port 8080.",
            "The billing service was moved from port 8080 to 9090.",
            "on which port does the billing service run?",
        ),
    ],
)
def test_what_tells_a_change_comes_before_what_it_changed(brain, older, newer, question):
    tell(brain, older, "Tea at four.", newer)

    assert texts(brain.recall(question))[0] == newer


@pytest.mark.parametrize(
    "later",
    [
        "Are we going to move the billing service to port 9090?",
        "We plan to move the billing service to port 9090.",
        "If the billing service ran on port 9090, we would need a proxy.",
        "It is not true that the billing service moved to port 9090.",
        "In 2019 the billing service was on port 9090.",
        "Let's move the billing service to port 9090, what do you think?",
        "TODO: move the billing service to port 9090.",
        "Moved the billing service to port 9090 and rolled it back an hour later.",
        "I read that most billing services run on port 9090 now.",
    ],
)
def test_what_changes_nothing_stays_behind_what_holds(brain, later):
    tell(brain, "The billing service runs on port 8080.", "Tea at four.", later)

    first = texts(brain.recall("on which port does the billing service run?"))[0]

    assert first == "The billing service runs on port 8080."


@pytest.mark.parametrize(
    ("told", "elsewhere", "question"),
    [
        (
            "The Utrecht shop opens at nine.",
            "The Arnhem shop has changed its hours, it opens at ten.",
            "when does the Utrecht shop open?",
        ),
        (
            "The website is hosted in Frankfurt.",
            "The mail server was moved from Frankfurt to Paris.",
            "where is the website hosted?",
        ),
        (
            "The ledger runs on Postgres.",
            "The analytics store moved from Postgres to ClickHouse.",
            "what does the ledger run on?",
        ),
        ("My doctor is Dr. Salas.", "My mother has a new doctor, Dr. Weiss.", "Who is my doctor?"),
        (
            "The production queue has three nodes.",
            "The staging queue was scaled down to one node.",
            "how many nodes has the production queue?",
        ),
        (
            "Team Falcon estimates in points.",
            "Team Heron has gone from points to hours.",
            "what does team Falcon estimate in?",
        ),
        (
            "We chose PostgreSQL for the ledger: row-level security settles it.",
            "The staging cluster moved from Kong to Traefik last week.",
            "Which database did we choose?",
        ),
        ("The gym costs 39 euros.", "The gym moved to the first floor.", "How much is the gym?"),
        (
            "The boat lies in Kiel.",
            "The boat's engine was replaced by a smaller one.",
            "where does the boat lie?",
        ),
    ],
)
def test_what_changed_elsewhere_leaves_what_was_told(brain, told, elsewhere, question):
    tell(brain, told, "Tea at four.", elsewhere)

    assert texts(brain.recall(question))[0] == told


def test_of_several_newer_ones_the_surest_comes_first(brain):
    tell(
        brain,
        "my cousin Timo is a junior dev at a bank in Essen",
        "Timo's wedding photos are in the shared album.",
        "Bank account in Essen was closed.",
        "Timo called, all proud: they promoted him to team lead, same bank",
    )

    first = texts(brain.recall("What position does my cousin hold at his employer?"))[0]

    assert first == "Timo called, all proud: they promoted him to team lead, same bank"


@pytest.mark.parametrize(
    ("nearer", "told", "later", "question"),
    [
        (
            (
                "Pat lives alone.",
                "The cat lives alone in the barn.",
                "Grandma lived alone for years.",
            ),
            "I live alone.",
            "Docs live next to the code, in /docs. The wiki is read-only until they switch it off.",
            "Who do I live with?",
        ),
        (
            (
                "The hall is painted grey.",
                "The bath is painted green.",
                "The loft is painted white.",
            ),
            "The spare room is painted white.",
            "My mother-in-law sleeps in the spare room for good.",
            "What colour is the spare room?",
        ),
    ],
)
def test_what_is_less_near_than_others_is_no_news(brain, nearer, told, later, question):
    tell(brain, *nearer, told, later)

    assert texts(brain.recall(question))[0] == told


def test_when_something_happened_is_not_outdated(brain):
    tell(brain, "Ada visited Oslo on Friday.", "Ada has now moved on from Oslo to Bergen.")

    assert texts(brain.recall("when did Ada visit Oslo?"))[0] == "Ada visited Oslo on Friday."


def test_a_question_of_two_parts_is_answered_in_turn(brain):
    tell(
        brain,
        "We chose PostgreSQL as the database of the ledger.",
        "Marina leads the migration of the mail server.",
        "The ledger has a table for each database user.",
    )

    found = brain.recall(
        "Which database did we choose for the ledger, and who leads the migration?"
    )

    assert sorted(texts(found)[:2]) == [
        "Marina leads the migration of the mail server.",
        "We chose PostgreSQL as the database of the ledger.",
    ]
    assert len(set(texts(found))) == len(found.hits) == 3


def test_of_two_parts_the_one_that_nothing_answers_is_told(brain):
    tell(brain, "We chose PostgreSQL as the database of the ledger.", "Tea at four.")

    found = brain.recall("Which database did we choose for the ledger? Who feeds the zebras?")

    assert found.answerable
    assert "nothing here answers: Who feeds the zebras?" in found.notes


def test_what_points_back_is_asked_together(brain):
    tell(brain, "We dropped Kong since it was slow.", "Tea at four.")

    found = brain.recall("Which gateway did we drop, and why was it dropped?")

    assert found.hits[0].text == "We dropped Kong since it was slow."
    assert found.notes == ()
