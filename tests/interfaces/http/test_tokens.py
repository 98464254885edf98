"""Tokens: shown once, kept as a digest, ended at once; links that sign in once."""

from datetime import timedelta

import pytest

from tests.fakes import FixedClock
from tilth.core.errors import ConflictError, CorruptionError, InvalidInputError, NotFoundError
from tilth.interfaces.http.tokens import Role, Tokens, parse_role


@pytest.fixture
def clock():
    return FixedClock()


@pytest.fixture
def tokens(tmp_path, clock):
    return Tokens(tmp_path / "state" / "tokens.json", clock)


def test_the_file_holds_no_token_and_is_the_owners_alone(tokens, tmp_path):
    bits = tokens.add("bot", Role.AGENT)
    file = tmp_path / "state" / "tokens.json"
    assert bits not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    found = tokens.find(bits)
    assert (found.name, found.role) == ("bot", Role.AGENT)
    assert not found.actor.is_human


def test_another_process_sees_a_new_token_and_a_revoked_one(tokens, tmp_path, clock):
    other = Tokens(tmp_path / "state" / "tokens.json", clock)
    bits = tokens.add("bot", Role.REVIEWER)
    assert other.find(bits).actor.is_human
    other.revoke("bot")
    assert tokens.find(bits) is None
    with pytest.raises(NotFoundError, match="bot"):
        tokens.revoke("bot")


def test_a_name_is_one_tokens_alone(tokens):
    tokens.add("bot", Role.AGENT)
    with pytest.raises(ConflictError, match="bot"):
        tokens.add("bot", Role.ADMIN)
    with pytest.raises(InvalidInputError):
        tokens.add("", Role.AGENT)


def test_a_link_signs_in_once_and_for_ten_minutes(tokens, clock):
    link = tokens.add_link("ana")
    assert tokens.find(link) is None
    assert tokens.sign_in(link).actor.is_human
    assert tokens.sign_in(link) is None
    late = tokens.add_link("ana")
    clock.at += timedelta(minutes=11)
    assert tokens.sign_in(late) is None


def test_a_token_is_no_link(tokens):
    bits = tokens.add("bot", Role.ADMIN)
    assert tokens.sign_in(bits) is None
    assert tokens.find(bits) is not None


def test_a_damaged_file_is_said(tokens, tmp_path):
    tokens.add("bot", Role.AGENT)
    (tmp_path / "state" / "tokens.json").write_text("[{]")
    with pytest.raises(CorruptionError, match="cannot be read"):
        tokens.list()


def test_nobody_is_given_the_role_of_a_link():
    with pytest.raises(InvalidInputError, match="no role"):
        parse_role("link")
