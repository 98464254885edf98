import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilth
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.json import canonical, check_depth

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
)  # fmt: skip


@pytest.mark.row("I9")
@given(values)
def test_a_value_comes_back_and_encodes_the_same_again(value):
    text = canonical(value)

    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


@pytest.mark.row("I9")
@given(st.dictionaries(st.text(st.characters(codec="utf-8")), st.integers()))
def test_the_order_of_keys_does_not_matter(value):
    assert canonical(dict(reversed(value.items()))) == canonical(value)


@pytest.mark.row("I9")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": "ü\n\0"}, '{"a":"ü\\n\\u0000","b":1}'),
        ([1.0, 0.1, 1e300, True, None], "[1.0,0.1,1e+300,true,null]"),
        ("\u2028 and 𝄞", '"\u2028 and 𝄞"'),
    ],
)
def test_the_encoding_is_the_one_that_was_written_before(value, text):
    assert canonical(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x", "\ud800"])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(InvalidInputError):
        canonical({"x": value})


def _nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_bounded():
    check_depth(_nested(63))

    with pytest.raises(LimitExceededError):
        check_depth(_nested(64))


def test_half_a_character_is_told_without_words_of_the_codec():
    with pytest.raises(InvalidInputError, match=r"^\\ud83d is half of a character"):
        canonical({"text": "a \ud83d"})


@pytest.mark.row("EM-003")
@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ([1], "metadata is a mapping"),
        (5, "metadata is a mapping"),
        ({1: 2}, "1 is no key of an object in JSON"),
        ({"a": [{"b": {3: 4}}]}, "3 is no key of an object in JSON"),
    ],
)
def test_metadata_of_a_program_that_is_no_object_of_json_is_refused(metadata, told, tmp_path):
    with tilth.connect(tmp_path / "t.db", create=True) as brain:
        for state in (
            lambda: brain.remember("tea", metadata=metadata),
            lambda: brain.facts.add("tea", about=["pot"], metadata=metadata),
            lambda: brain.entities.add("pot", metadata=metadata),
        ):
            with pytest.raises(InvalidInputError, match=told):
                state()
