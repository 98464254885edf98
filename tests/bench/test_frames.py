"""Sentences in their parts, by what many of them share."""

from bench.frames import Frames

TOLD = [
    "Ana was born in the city of Oslo.",
    "Boris was born in the city of New York.",
    "Cleo was born in the city of Rome.",
    "Cleo was born in the city of Paris.",
    "The author of Emma is Ana.",
    "The author of The Age of Reason is Boris.",
    "The author of Dune is Cleo Lane.",
    "It rains.",
]


def parts(sentence):
    framed = Frames(TOLD).framed(sentence)
    return framed and (framed.subject, framed.predicate, framed.value)


def test_what_comes_behind_the_longest_frame_is_the_value():
    assert parts(TOLD[1]) == ("Boris", "was born in the city of", "New York")


def test_a_subject_may_stand_within_its_predicate():
    assert parts(TOLD[6]) == ("Dune", "The author of … is", "Cleo Lane")


def test_words_of_a_title_are_no_frame():
    assert parts(TOLD[5]) == ("The Age of Reason", "The author of … is", "Boris")


def test_a_changed_value_leaves_the_slot():
    assert parts(TOLD[2])[:2] == parts(TOLD[3])[:2]


def test_a_sentence_unlike_all_others_has_no_parts():
    assert parts(TOLD[7]) is None
