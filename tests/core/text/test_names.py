"""Names: their keys, what they look like, and what may be one."""

import pytest

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.text.confusables import LOOKS
from tilth.core.text.names import (
    NAME_CHARS_MAX,
    is_confusable,
    is_plain,
    name_key,
    parse_name,
    skeleton,
)


@pytest.mark.row("KB-027")
@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("PostgreSQL", "postgresql"),
        ("PostgreSQL (Dev)", "postgresql dev"),
        ("  “Postgres”. ", "Postgres"),
        ("ＰｏｓｔｇｒｅＳＱＬ", "postgresql"),  # noqa: RUF001
        ("svc-postgres_dev", "svc postgres dev"),
        ("Straße 5", "STRASSE 5"),
        ("O\u2019Reilly", "O'Reilly"),
        ("N.A.S.A.", "NASA"),
        ("Rock & Roll", "rock and roll"),
        ("2011\u201312", "2011-12"),
        ("The Raven: a journal", "The Raven, a Journal"),
        ("caf\u00e9", "cafe\u0301"),
        ("a\u00a0b", "a b"),
    ],
)
def test_names_that_differ_in_form_alone_share_a_key(name, same):
    assert name_key(name) == name_key(same)
    assert is_plain(name)
    assert not is_confusable(name, same)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("NET", ".NET"),
        ("db-1", "db-2"),
        ("db-1", "db1"),
        ("1.12", "1.1.2"),
        ("1.12", "112"),
        ("\ue000", "\ue001"),
        ("1-2", "1 2"),
        ("1-2", "12"),
        ("rc -1", "rc 1"),
        ("10.0.0.1", "10-0-0-1"),
        ("10.0.0.1:80", "10.0.0.1 80"),
        ("PostgreSQL 15", "PostgreSQL 16"),
        ("db.prod", "db-prod"),
        ("a/b", "a b"),
        ("AT&T", "ATT"),
        ("Müller", "Muller"),
        ("!!!", "???"),
        ("Pоstgres", "Postgres"),  # noqa: RUF001
    ],
)
def test_names_of_different_things_have_different_keys(name, other):
    assert name_key(name) != name_key(other)


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200d", "\ufe0f", "\u3164", "\0"])
def test_what_cannot_be_seen_has_no_key(name):
    assert not name_key(name)


@pytest.mark.row("T19")
@pytest.mark.parametrize(
    "imitation",
    [
        "P\u043estgres",  # Cyrillic
        "Po\u0455tgre\u0455",
        "\u03a1ostgres",  # Greek
        "\u2119ostgres",
        "P\u0585stgres",  # Armenian
        "Post\u0261res",
        "P0stgres",
        "Post\u200bgres",
        "Post\u00adgres",
        "Postgres\u202c",
        "\U0001d40fostgres",
        "\u24c5ostgres",
        "Po\u017ftgres",
        "Postgr\u00e9s",
    ],
)
def test_an_imitation_is_flagged_and_is_not_the_plain_name(imitation):
    assert is_confusable(imitation, "Postgres")
    assert is_confusable("Postgres", imitation)
    assert name_key(imitation) != name_key("Postgres") or not is_plain(imitation)


@pytest.mark.row("S19")
def test_every_look_alike_is_flagged_and_none_shares_the_key_of_what_it_imitates():
    letters = [(chr(code), seen) for code, seen in LOOKS.items()]

    assert len(letters) >= 300
    for letter, seen in letters:
        assert is_confusable(f"x{letter}y", f"x{seen}y"), f"U+{ord(letter):04X}"
        assert name_key(f"x{letter}y") != name_key(f"x{seen}y"), f"U+{ord(letter):04X}"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("modern", "modem"),
        ("vvorld", "world"),
        ("Type I", "Type 1"),
        ("l0", "1O"),
        ("\u0397\u039d\u03a5", "HNY"),  # Greek capitals, whose small letters look otherwise
        ("\U0001d6ae\u03bf", "Ho"),
        ("\u03f2at", "cat"),
        ("fi|e", "file"),
    ],
)
def test_letters_that_run_together_look_alike(name, other):
    assert is_confusable(name, other)


def test_different_names_do_not_look_alike():
    assert not is_confusable("Postgres", "MySQL")
    assert not is_confusable("m\u00b2 map", "m3 map")


def test_a_power_is_no_digit():
    assert name_key("m\u00b2") == name_key("m2")
    assert not is_plain("m\u00b2")


def test_letters_of_one_script_keep_their_marks():
    assert skeleton("กา") != skeleton("ก")
    assert name_key("كَتَب") != name_key("كتب")


def test_a_name_is_kept_as_written_but_for_its_spaces():
    assert parse_name("  PostgreSQL\t (Dev)\n") == "PostgreSQL (Dev)"
    assert parse_name("cafe\u0301") == "caf\u00e9"
    assert parse_name("\u0645\u06cc\u200c\u062e") == "\u0645\u06cc\u200c\u062e"


@pytest.mark.parametrize(
    "text", ["", " \n", "\u200b", "a\x00b", "a\x1b[31m", "\ud800", "\u202esergtsop"]
)
def test_what_no_name_can_be_is_refused_with_what_to_do(text):
    with pytest.raises(InvalidInputError) as refused:
        parse_name(text)

    assert refused.value.hint


def test_a_name_that_is_a_text_is_refused_with_what_to_do():
    with pytest.raises(LimitExceededError) as refused:
        parse_name("x" * (NAME_CHARS_MAX + 1))

    assert refused.value.hint
    assert parse_name("x" * NAME_CHARS_MAX)
