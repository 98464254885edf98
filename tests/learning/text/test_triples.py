"""Words before a verb are a name, or they are none."""

import pytest

from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.text.triples import named, read_sentence, valued, with_names


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("The indexing core", "indexing core"),
        ("the user", "user"),
        ("`restore.db`", "restore.db"),
        ("— each row", "row"),
        ("our API", "API"),
        ("Marina", "Marina"),
        ("node.js", "node.js"),
        ("urn:client:acme", "urn:client:acme"),
        ("pool `tank` (mirror)", "pool `tank` (mirror)"),
    ],
)
def test_a_thing_is_called_by_its_name_alone(words, name):
    assert named(words) == name


@pytest.mark.parametrize(
    "words",
    [
        "the",
        "t",
        "new",
        "it",
        "— git_id`; the other",
        "Added `slog.Debug` when the array branch",
        "Measured timings on your corpus",
        "Unused consts (the SQL uses",
        "repo root's",
        "almost all of the projects I researched",
        "42",
        "as per contract",
        "with the present growth",
        "runs",
        "test_gate fails once in twenty",
        "severity=page",
        "ours",
        "",
    ],
)
def test_a_part_of_a_sentence_is_no_name(words):
    assert named(words) is None


def test_a_statement_about_nothing_with_a_name_is_kept_in_words():
    said = Statement(
        text="Unused consts (the SQL uses ports) are 4",
        triple=Triple("Unused consts (the SQL uses", "set_to", "4"),
        channel=Channel.ENTITY,
    )

    kept = with_names(said)

    assert kept.triple is None
    assert (kept.text, kept.channel) == (said.text, Channel.ENTITY)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("oats, lol", "oats"),
        ("the attic, btw it is damp", "the attic"),
        ("30 s", "30 s"),
        ("it to keep the sessions apart", None),
        ("she is useless in spring", None),
        ("that's a part of stage B... but not now", None),
        ("a house that somebody built before anybody else was there", None),
    ],
)
def test_a_value_is_no_clause_and_has_nothing_said_along_with_it(words, value):
    assert valued(words) == value
    said = Statement(text="x", triple=Triple("Nora", "likes", words), channel=Channel.RELATIONSHIP)
    kept = with_names(said).triple
    assert (None if kept is None else kept.object) == value


@pytest.mark.parametrize(
    "text",
    [
        "Ada no longer works at Acme.",
        "The API never listens on port 80.",
        "The worker hardly depends on NumPy",
        "Nobody uses Redis.",
        "No service uses Redis.",
        "Not every service uses Redis.",
        "If the API uses Redis",
    ],
)
def test_what_is_denied_or_supposed_is_no_triple(text):
    assert read_sentence(text) is None


@pytest.mark.parametrize("adverbs", ["still", "now", "also", "now only"])
def test_an_adverb_is_no_part_of_a_name(adverbs):
    assert read_sentence(f"Ada {adverbs} works at Acme").triple == Triple(
        "Ada", "works_for", "Acme"
    )
