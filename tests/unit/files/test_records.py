"""JSON records out of a stream."""

import io
import json

import pytest

from tilth.errors import InvalidInputError, LimitExceededError
from tilth.files.limits import JSON_DEPTH_MAX, JSON_NODES_MAX, RECORD_BYTES_MAX
from tilth.files.records import Record, json_items, json_lines, load
from tilth.ports import Skipped


def of_lines(raw):
    return list(json_lines(io.BytesIO(raw), "f"))


def of_items(raw):
    return list(json_items(io.BytesIO(raw), "f"))


def values(parsed):
    return [item.value for item in parsed if isinstance(item, Record)]


def reasons(parsed):
    return [item.reason for item in parsed if isinstance(item, Skipped)]


def test_each_line_is_a_record_with_its_place():
    assert of_lines(b'{"a":1}\n\n{"b":2}') == [Record("f:1", {"a": 1}), Record("f:3", {"b": 2})]


def test_two_objects_on_one_line_are_two_records():
    assert values(of_lines(b'{"a":1}{"b":2} {"c":3}\n')) == [{"a": 1}, {"b": 2}, {"c": 3}]


@pytest.mark.parametrize("line", [b"{", b"nope", b'{"a":', b'"text"', b"[1]", b"9" * 5_000, b"1 2"])
def test_a_broken_line_is_skipped_and_the_next_is_read(line):
    parsed = of_lines(line + b'\n{"b":2}\n')
    assert values(parsed) == [{"b": 2}]
    assert reasons(parsed)
    assert all(item.where == "f:1" for item in parsed if isinstance(item, Skipped))


def test_i40_a_line_that_is_too_long_is_skipped_and_the_next_is_read():
    parsed = of_lines(b'{"a":"' + b"x" * RECORD_BYTES_MAX + b'"}\n{"b":2}\n')
    assert values(parsed) == [{"b": 2}]
    assert reasons(parsed) == ["longer than 64 MiB"]


@pytest.mark.parametrize("depth", [JSON_DEPTH_MAX + 1, 100_000])
def test_i40_a_line_that_is_too_deep_is_skipped(depth):
    raw = b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}\n"
    assert reasons(of_lines(raw)) == [f"JSON nested deeper than {JSON_DEPTH_MAX} levels"]


def test_a_line_that_is_as_deep_as_allowed_is_read():
    inner = JSON_DEPTH_MAX - 1
    assert len(values(of_lines(b'{"a":' + b"[" * inner + b"]" * inner + b"}"))) == 1


def test_brackets_within_texts_are_no_depth():
    value = {"a": "[" * 500 + '"' + "{\\" * 500}
    assert values(of_lines(json.dumps(value).encode())) == [value]


def test_i40_a_line_of_too_many_values_is_skipped():
    raw = b'{"a":[' + b"0," * JSON_NODES_MAX + b"0,0]}"
    assert reasons(of_lines(raw)) == [f"JSON with more than {JSON_NODES_MAX} values"]


TRICKY = [
    {"a": 'quote " and backslash \\', "b": ["x,y", {"c": "]}"}]},
    {},
    {"a": "\\\\", "b": "\u2028,"},
    {"long": "x" * 100_000 + "\\"},
    {"deep": [[[{"a": [1, 2, {"b": None}]}]]]},
]


@pytest.mark.parametrize("indent", [None, 2])
def test_the_elements_of_an_array_are_records(indent):
    raw = json.dumps(TRICKY, indent=indent).encode()
    assert values(of_items(raw)) == TRICKY
    assert of_items(raw)[1].where == "f[2]"


@pytest.mark.parametrize("shift", range(0, 40, 3))
def test_elements_that_lie_across_chunks_are_whole(shift):
    filled = [{"fill": "f" * (65_500 + shift)}, *TRICKY, {"q": '\\"' * 40_000}]
    assert values(of_items(json.dumps(filled).encode())) == filled


def test_an_object_by_itself_is_one_record():
    assert values(of_items(b'\xef\xbb\xbf {"a": [1, 2]} ')) == [{"a": [1, 2]}]


def test_a_broken_element_is_skipped_and_the_next_is_read():
    parsed = of_items(b'[{"a":1}, {"b":}, 7, {"c":3}')
    assert values(parsed) == [{"a": 1}, {"c": 3}]
    assert len(reasons(parsed)) == 2


@pytest.mark.parametrize("raw", [b"", b"  ", b"[]", b"[ ]"])
def test_nothing_is_no_record(raw):
    assert of_items(raw) == []


def test_i40_an_array_100_000_deep_is_skipped():
    assert reasons(of_items(b"[" * 100_000)) != []


def test_one_value_is_loaded():
    assert load(b' {"a": [1]} ') == {"a": [1]}


@pytest.mark.parametrize("raw", [b"", b"{", b"1 2", b"{}{}"])
def test_what_is_not_one_value_is_refused(raw):
    with pytest.raises(InvalidInputError):
        load(raw)


def test_i40_a_value_that_is_too_deep_is_refused():
    with pytest.raises(LimitExceededError, match="deeper"):
        load(b"[" * 1_000 + b"]" * 1_000)
