import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.errors import InvalidInputError
from tilth.core.ids import (
    EpisodeId,
    EventId,
    decode_ulid,
    encode_ulid,
    event_id_of,
    is_identifier,
    parse_session_id,
)


@given(st.binary(min_size=16, max_size=16))
def test_a_ulid_comes_back_whole(raw):
    assert decode_ulid(encode_ulid(raw)) == raw


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_ulids_sort_as_their_bytes_do(one, other):
    assert (encode_ulid(one) < encode_ulid(other)) == (one < other)


def test_an_episode_is_named_after_the_event_that_recorded_it():
    event = EventId("01JD3ZK9Q2C5T0V8XW7YB4N6HM")

    assert event_id_of(EpisodeId.of(event)) == event


@pytest.mark.parametrize(
    "text",
    [
        "",
        "epi_",
        "epi_01JD",
        "01JD3ZK9Q2C5T0V8XW7YB4N6HM",
        "epi_81JD3ZK9Q2C5T0V8XW7YB4N6HM",
        "epi_" + "U" * 26,
    ],
)
def test_what_is_no_identifier_is_refused(text):
    with pytest.raises(InvalidInputError):
        event_id_of(text)


@pytest.mark.row("EM-066")
@pytest.mark.parametrize(
    "text", ["", " ", "undefined", "NULL", "None", "x" * 201, "a\nb", "\x1b[2J"]
)
def test_a_word_for_nothing_cannot_name_a_session(text):
    with pytest.raises(InvalidInputError):
        parse_session_id(text)


@pytest.mark.row("EM-061")
@pytest.mark.parametrize("prefix", ["epi_", "fct_", "ent_", "edg_", "prp_", "rcp_"])
def test_an_identifier_is_known_as_one(prefix):
    assert is_identifier(f" {prefix}01JD3ZK9Q2C5T0V8XW7YB4N6HM\n")
    assert is_identifier(f"{prefix}01jd3zk9q2c5t0v8xw7yb4n6hm")


@pytest.mark.row("EM-061")
@pytest.mark.parametrize(
    "text",
    ["", "epi_", "01JD3ZK9Q2C5T0V8XW7YB4N6HM", "episode_01JD3ZK9Q2C5T0V8XW7YB4N6HM",
     "epi_01JD3ZK9Q2C5T0V8XW7YB4N6HU", "what does epi_01JD3ZK9Q2C5T0V8XW7YB4N6HM say"],
)  # fmt: skip
def test_words_are_no_identifier(text):
    assert not is_identifier(text)
