"""What weighs for the next reply."""

from tests.learning.turns import an_episode
from tilth.episodes.episode import Role
from tilth.people.extractive_summary import (
    Line,
    lines_of,
    pending_in,
    reweigh,
    summarise,
    weigh_sentences,
)

TALK = "The fog lay in the valley like milk, and only the church and two cranes looked out of it."


def said(text, role=Role.USER):
    return an_episode(text, role=role)


def weights(*episodes):
    return {one.line.text: one.weight for one in weigh_sentences(episodes)}


def test_what_binds_weighs_more_than_what_is_so_and_that_more_than_talk():
    promise, state = "I'll send the report by Friday.", "The database listens on port 5433."

    found = weights(said(promise), said(state), said(TALK))

    assert found[promise] > found[state] > found[TALK]


def test_a_short_answer_is_kept_with_its_question():
    found = weights(said("Which version do you want?", Role.ASSISTANT), said("1.82"))

    assert "(asked “Which version do you want?”) 1.82" in found


def test_a_question_stands_in_the_mouth_of_whoever_asked_it():
    asked = [said("Which version do you want?", Role.ASSISTANT), said("1.82")]
    old = Line("user", "Which version do you want? 1.82")

    kept = summarise(weigh_sentences(asked), budget=100).splitlines()
    again = summarise(reweigh([old], like=asked[0]), budget=100)

    assert kept == [
        "assistant: Which version do you want?",
        "user: (asked “Which version do you want?”) 1.82",
    ]
    assert again == kept[1]


def test_a_sentence_that_only_begins_with_a_question_keeps_its_words():
    line = Line("user", "Really? I'll send the report by Friday.")

    assert [one.line for one in reweigh([line], like=said("x"))] == [line]


def test_an_offer_that_is_taken_owes_nothing_by_the_word_please():
    assert pending_in((), [Line("Marina", "Yes, please!"), Line("Marina", "Yes please")]) == ()


def test_what_was_kept_weighs_the_same_when_it_is_weighed_again():
    asked = [said("Which version do you want?", Role.ASSISTANT), said("1.82")]
    first = [
        one
        for one in weigh_sentences([*asked, said("We decided to use Redis.")])
        if one.weight > 10
    ]

    again = list(reweigh([one.line for one in first], like=asked[0]))

    assert first
    assert again == first


def test_of_two_that_weigh_the_same_the_shorter_one_has_room():
    long, short = "We decided to use Redis for " + "very " * 20 + "many queues.", "We use Redis 7."

    kept = summarise([*weigh_sentences([said(long), said(short)])], budget=10)

    assert kept.endswith(short)


def test_a_line_of_a_summary_is_read_as_it_was_written():
    lines = [Line("Ines", "the port is: 5433"), Line("", "in a model's own words")]

    assert list(lines_of("\n".join(line.words for line in lines))) == lines


def test_a_message_of_dots_weighs_like_any_other():
    found = list(weigh_sentences([said("I am tired. ..."), said("...")]))

    assert [one.line.text for one in found] == ["I am tired.", "...", "..."]
