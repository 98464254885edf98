"""What is banned in several wordings opens a session in one of them."""

from datetime import timedelta

import pytest

from tests.context.test_notes import OPENING, WORK, note, noted


def lines(brain):
    return [item.text for block in brain.brief(OPENING, scope=WORK).blocks for item in block.items]


@pytest.fixture
def noted_thrice(brain, place):
    texts = [
        "The user wants db/seeds untouched.",
        "Seeds are off limits: they stay as they are.",
        "The user asked that the seed files are left alone.",
    ]
    for text in texts:
        note(brain, text, always=True)
        place.clock.at += timedelta(days=1)
    return brain


def test_agents_notes_of_one_ban_are_told_in_the_newest(noted_thrice):
    (line,) = noted(noted_thrice)
    assert "seed files are left alone" in line


def test_a_reason_is_told_whatever_is_newer(noted_thrice, place):
    why = "The seeds are off limits, since Mara curates them for the demo."
    note(noted_thrice, why)
    place.clock.at += timedelta(days=1)
    note(noted_thrice, "The seeds must not be edited.", always=True)

    (line,) = noted(noted_thrice)
    assert why in line


def test_the_words_of_a_person_stand_for_those_of_agents(noted_thrice, human):
    human.remember("Don't touch the seeds.", scope=WORK)

    (line,) = noted(noted_thrice)
    assert line.endswith(": “Don't touch the seeds.”")


def test_a_rule_stands_for_the_notes_of_agents(noted_thrice, captured, human):
    captured.remember(
        "From now on, never change the seeds.", session_id="claude-code:one", scope=WORK
    )
    human.distil()

    (line,) = lines(noted_thrice)
    assert "never change the seeds" in line


def test_what_a_person_said_in_session_after_session_stands_for_the_notes(
    noted_thrice, captured, human, place
):
    for ask in ("Invoices lack a number.", "Ferries sink at noon.", "Prices wrap on phones."):
        place.clock.at += timedelta(days=1)
        captured.remember(
            f"{ask} Don't change the seeds.", session_id=f"claude-code:{ask[:3]}", scope=WORK
        )
    human.distil()

    told = [one for one in lines(noted_thrice) if "seed" in one]
    assert told == ["in 3 sessions: “Don't change the seeds.”"]


@pytest.mark.parametrize(
    "text",
    [
        "The user allows changes to the seeds of the demo.",
        "The user wants db/fixtures untouched.",
    ],
)
def test_another_thing_is_told_besides(noted_thrice, text):
    note(noted_thrice, text, always=True)

    told = noted(noted_thrice)
    assert len(told) == 2
    assert any(text in one for one in told)


@pytest.mark.parametrize(
    "text",
    [
        "db/seeds may be changed again: Mara moved the demo data.",
        "The seeds are no longer off limits.",
        "The ban on the seeds is lifted.",
    ],
)
def test_what_lifts_a_ban_ends_it(noted_thrice, human, text):
    note(noted_thrice, text)

    (line,) = noted(noted_thrice)
    assert text in line


def test_no_agent_lifts_the_ban_of_a_person(noted_thrice, human):
    human.remember("Don't touch the seeds.", scope=WORK)
    note(noted_thrice, "The seeds may be changed again.")

    assert sorted(one.rpartition(": ")[2] for one in noted(noted_thrice)) == [
        "“Don't touch the seeds.”",
        "“The seeds may be changed again.”",
    ]
