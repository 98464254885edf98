from tilth.interfaces.suggestions import Suggestion, Talk, suggest

PAYMENTS = Talk(
    "payments",
    [
        "Two passengers paid once and received duplicate boarding cards from the webhook.",
        "Decision: idempotency by a unique delivery identifier, duplicates answered with 200.",
    ],
)
CLOCKS = Talk("clocks", ["The timetable shifts every sailing by one hour after midsummer."])


def questions(*talks):
    return [suggestion.question for suggestion in suggest(talks)]


def test_what_was_decided_is_asked_about_in_its_own_telling_words():
    first = next(suggest([PAYMENTS, CLOCKS]))

    assert first == Suggestion(
        "What did we decide about idempotency, identifier and duplicates?",
        "payments",
        ("idempotency", "identifier", "duplicates"),
    )


def test_what_was_found_out_is_asked_about():
    talk = Talk("s", ["hello", "The root cause was a frozen clock between random tests."])

    assert questions(talk)[0] == "What was wrong with frozen, between and random?"


def test_a_session_is_asked_about_by_its_beginning_too():
    assert "What was said about timetable, sailing and midsummer?" in questions(PAYMENTS, CLOCKS)


def test_words_that_other_sessions_say_too_are_not_telling():
    other = Talk("other", ["Timetable, sailing, midsummer."])

    assert questions(CLOCKS, other)[0] == "What was said about shifts, hour and midsummer?"


def test_what_was_pasted_is_not_asked_about():
    report = Talk("s", ["We decided to archive continuous segments nightly. " * 50])

    assert not [question for question in questions(report) if "decide" in question]


def test_too_few_words_are_no_question():
    assert questions(Talk("short", ["yes please"]), Talk("empty", [])) == []
