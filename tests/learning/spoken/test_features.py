"""What is seen of words that may state something."""

import pytest

from tests.learning.voices import a_turn
from tilth.episodes.episode import Role
from tilth.learning.spoken.features import Run, features
from tilth.learning.spoken.salience import runs_of
from tilth.learning.text.clauses import clauses


def whole(text, **about):
    """Return the run of all clauses of a text of one sentence."""
    said = list(clauses(text))
    return Run(a_turn(text, **about), said, len(said))


def seen(text, **about):
    return set(features(whole(text, **about)))


def test_the_signs_of_a_small_turn():
    told = seen("Mirabel owns 3 goats", after="Who has goats?")
    assert sorted(told) == [
        "answer",
        "around < ^",
        "around < ^ -",
        "around << ",
        "around > $",
        "around >> ",
        "before assistant",
        "before first asks who",
        "before person 0 away",
        "before person asks who",
        "before word goat",
        "before word ha",
        "before word who",
        "claim",
        "claims > 0",
        "clauses: 1",
        "ending ats",
        "ending bel",
        "ending el",
        "ending ns",
        "ending ts",
        "ending wns",
        "first",
        "form -",
        "form - -s",
        "form - -s NUMBER",
        "form -s",
        "form -s $",
        "form -s NUMBER",
        "form -s NUMBER -s",
        "form NUMBER",
        "form NUMBER -s",
        "form NUMBER -s $",
        "form ^ -",
        "form ^ - -s",
        "form after has",
        "form after who",
        "form person -",
        "message",
        "number",
        "number & claim",
        "numbers > 0",
        "person",
        "person & answer",
        "person & claim",
        "person & number",
        "person word #",
        "person word goat",
        "person word mirabel",
        "person word own",
        "question before",
        "sentence",
        "word #",
        "word goat",
        "word mirabel",
        "word own",
        "words # goat",
        "words > 2",
        "words > 3",
        "words ^ mirabel",
        "words mirabel own",
        "words own #",
    ]


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("Mirabel owns 3 goats", "number"),
        ("my goat is Mirabel", "name"),
        ("the goat lives at QX9 farm", "acronym"),
        ("hay costs 40 EUR or $43", "money"),
        ("the vet comes on Thursday", "day"),
        ("the list is in barn/feed.txt", "path"),
        ("she might sell the goat", "doubt"),
        ("she might sell the goat", "leans"),
        ("buy hay for the goat", "words > 4"),
        ("nobody feeds the goat", "not"),
        ("is the goat fed?", "asked"),
        ("if the goat is fed I sleep", "supposed"),
        ("feed the goat, the barn is open", "clauses: 2"),
    ],
)
def test_a_form_is_seen(text, feature):
    assert feature in seen(text)


def test_who_speaks_is_seen():
    text = "The barn has 2 doors."
    assert {"person", "person word barn"} <= seen(text)
    assert {"agent", "agent word barn"} <= seen(text, role=Role.ASSISTANT)


def test_what_was_asked_before_is_seen():
    assert {"answer", "question before", "before person asks who"} <= seen(
        "Mirabel", after="Who feeds the goat?"
    )
    assert not {"answer", "question before"} & seen("Mirabel")


def test_a_part_of_a_sentence_is_seen_to_be_one():
    text = "the barn is red; the goat is white"
    (runs,) = runs_of(clauses(text), a_turn(text))
    told = {run.plain: set(features(run)) for run in runs}
    assert "sentence" not in told["the barn is red"]
    assert {"sentence", "message", "claims > 1"} <= told[text]


def test_signs_of_the_same_words_are_the_same():
    assert seen("Mirabel owns 3 goats") == seen("Mirabel owns 3 goats")
