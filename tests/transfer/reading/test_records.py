import io
import json
import tracemalloc

import pytest

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.transfer.model import Skipped
from tilth.transfer.reading import records
from tilth.transfer.reading.limits import JSON_DEPTH_MAX, JSON_NODES_MAX
from tilth.transfer.reading.records import Record, json_items, json_lines, load


def of(parsed):
    """Return the values that were read, and the reason in place of what was not."""
    return [item.value if isinstance(item, Record) else item.reason for item in parsed]


def lines(content):
    return of(json_lines(io.BytesIO(content), "f"))


def items(content):
    return of(json_items(io.BytesIO(content), "f"))


def test_each_line_is_a_record_and_a_broken_one_hides_no_other():
    parsed = list(json_lines(io.BytesIO(b'{"a": 1}\n\n{"b": \n{"c": 3}'), "f"))
    assert parsed[0] == Record("f:1", {"a": 1})
    assert isinstance(parsed[1], Skipped)
    assert parsed[1].where == "f:3"
    assert parsed[2] == Record("f:4", {"c": 3})


def test_objects_that_share_a_line_are_all_read():
    assert lines(b'{"a": 1}{"b": 2} {"c": 3}') == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_what_is_no_object_is_told():
    assert lines(b'[1]\n"a"\n7\n') == ["not a JSON object"] * 3


def test_a_line_beyond_the_limit_is_passed_over(monkeypatch):
    monkeypatch.setattr(records, "RECORD_BYTES_MAX", 100)
    long = json.dumps({"long": "x" * 500}).encode()
    assert lines(long + b'\n{"a": 1}\n') == ["longer than 0 MiB", {"a": 1}]


def test_an_element_beyond_the_limit_is_passed_over(monkeypatch):
    monkeypatch.setattr(records, "RECORD_BYTES_MAX", 100)
    assert items(json.dumps([{"long": "x" * 500}, {"a": 1}]).encode()) == [
        "longer than 0 MiB",
        {"a": 1},
    ]


def test_of_an_element_beyond_the_limit_no_more_is_held_than_shows_it(monkeypatch):
    monkeypatch.setattr(records, "RECORD_BYTES_MAX", 100)
    raw = io.BytesIO(b'[{"long": "' + b"x" * (5 << 20) + b'"}]')
    assert max(len(item) for item in records._Splitter(raw).items()) <= 100 + (1 << 16)


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1 << 16])
def test_an_array_is_cut_alike_wherever_the_chunks_end(monkeypatch, chunk):
    monkeypatch.setattr(records, "_CHUNK_BYTES", chunk)
    told = [{"a": 'quote " and \\ and ] , {'}, {"b": [1, [2, {"c": "é"}]]}, {}]
    for form in (json.dumps(told, indent=1), " \n" + json.dumps(told, ensure_ascii=False)):
        assert items(form.encode()) == told


def test_one_object_without_an_array_is_read_whole():
    assert items(b'\xef\xbb\xbf {"a": [1, 2], "b": {"c": 3}}\n') == [{"a": [1, 2], "b": {"c": 3}}]


def test_a_broken_element_hides_no_other():
    assert [type(item) for item in items(b'[{"a": 1}, {"b" 2}, {"c": 3}]')] == [dict, str, dict]


def test_a_cut_array_gives_what_came_before_the_cut():
    assert items(b'[{"a": 1}, {"b": "x') == [{"a": 1}, items(b'[{"b": "x')[0]]


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_depth_beyond_the_limit_is_refused_before_anything_is_decoded(opening):
    assert lines(opening * 100_000) == [f"JSON nested deeper than {JSON_DEPTH_MAX} levels"]
    assert items(b"[" + opening * 100_000) == [f"JSON nested deeper than {JSON_DEPTH_MAX} levels"]


def test_depth_within_a_string_is_no_depth():
    assert lines(json.dumps({"a": "[" * 1000}).encode()) == [{"a": "[" * 1000}]


def test_depth_at_the_limit_is_read():
    whole = b"[" * (JSON_DEPTH_MAX - 1) + b"]" * (JSON_DEPTH_MAX - 1)
    assert isinstance(lines(b'{"a": ' + whole + b"}")[0], dict)


def test_more_values_than_the_limit_are_refused():
    raw = b'{"a": [' + b"[]," * (JSON_NODES_MAX + 1) + b"1]}"
    with pytest.raises(LimitExceededError):
        load(raw)


def test_a_line_of_loose_values_is_refused():
    assert lines(b"1 " * 1000) == ["more than 100 JSON values in one place"]


def test_load_takes_exactly_one_value():
    assert load(b" [1, 2] ") == [1, 2]
    for raw in (b"", b"{} {}", b"{", b"9" * 5000):
        with pytest.raises(InvalidInputError):
            load(raw)


def test_half_characters_and_bytes_that_are_no_utf_8_are_read():
    assert lines(b'{"a": "\\ud800", "b": "\xff"}') == [{"a": "\ud800", "b": "�"}]


def test_memory_stays_bounded_however_long_an_array_is():
    class Endless(io.RawIOBase):
        """An array of 16 MiB, made as it is read."""

        left = 16 << 10

        def readable(self):
            return True

        def readinto(self, buffer):
            if not self.left:
                return 0
            self.left -= 1
            opening = b"" if self.left < (16 << 10) - 1 else b"["
            piece = opening + b'{"a": "' + b"x" * 1013 + b'"},\n'
            buffer[: len(piece)] = piece
            return len(piece)

    tracemalloc.start()
    count = sum(1 for _ in json_items(io.BufferedReader(Endless()), "f"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 16 << 10
    assert peak < 1 << 20


def test_an_element_has_its_number_for_a_place():
    parsed = list(json_items(io.BytesIO(b'[{"a": 1}, 7]'), "f"))
    assert parsed == [Record("f[1]", {"a": 1}), Skipped("f[2]", "not a JSON object")]


@pytest.mark.parametrize("raw", [b"", b"  ", b"[]", b"[ ]"])
def test_nothing_is_no_record(raw):
    assert items(raw) == []
    assert lines(raw.strip(b"[] ")) == []


def test_load_refuses_a_value_that_is_too_deep():
    with pytest.raises(LimitExceededError, match="deeper"):
        load(b"[" * 1_000 + b"]" * 1_000)
