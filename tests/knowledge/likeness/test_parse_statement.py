"""What is read in a statement."""

import pytest

from tilth.knowledge.likeness.parse_statement import TokenKind, read_statement


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("We no longer use Redis", {"us", "redi"}),
        ("Caddy, not nginx, is the proxy", {"nginx"}),
        ("The API doesn\u2019t need a key, but it logs", {"need", "kei"}),
        ("Use Podman instead of Docker", {"docker"}),
        ("We use Redis", set()),
    ],
)
def test_what_is_denied_ends_with_the_clause(text, denied):
    assert read_statement(text).whole.denied == denied


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Backups go to nas01", {"nas01"}),
        ("Ana Silva met Ben", {"ana", "silva", "ben"}),
        ("The PostgreSQL server", {"postgresql"}),
        ("Backups fail. Nobody knows Ana", {"ana"}),
    ],
)
def test_a_capital_that_begins_a_sentence_makes_no_name(text, names):
    assert read_statement(text).whole.of(TokenKind.NAME) == names


def test_a_number_tells_the_words_beside_it():
    (port,) = (t for t in read_statement("The port is 8080").whole.tokens if t.parts)

    assert port.parts == {"port"}


def test_a_title_ends_no_sentence():
    said = read_statement("Dr. Ana left, while Ben Jr. stayed. Eve came")

    assert [[t.text for t in clause.tokens if t.is_content] for clause in said.clauses] == [
        ["Dr", "Ana", "left"],
        ["Ben", "Jr", "stayed"],
        ["Eve", "came"],
    ]


@pytest.mark.parametrize("text", ["", " ... ", "\x00", "水", "but"])
def test_there_is_always_a_clause(text):
    assert read_statement(text).clauses
