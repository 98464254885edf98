"""The beginning of a file, by which its format is told."""

import gzip
import io
import zipfile
from itertools import islice

import pytest

from tilth.transfer.reading import records
from tilth.transfer.reading import sample as module
from tilth.transfer.reading.limits import SAMPLE_BYTES
from tilth.transfer.reading.sample import Sample, take_sample
from tilth.transfer.reading.source_file import SourceFile


def sample_of(folder, name, content):
    (folder / name).write_bytes(content)
    return take_sample(SourceFile(folder / name))


def test_a_sample_is_the_first_bytes_unpacked(tmp_path):
    sample = sample_of(tmp_path, "a.md.gz", gzip.compress(b"door " * SAMPLE_BYTES))
    assert sample == Sample("a.md", (b"door " * SAMPLE_BYTES)[:SAMPLE_BYTES])
    assert sample.suffix == ".md"


def test_of_an_archive_it_is_the_names_and_the_first_conversations(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("users.json", "[]")
        archive.writestr("export/conversations.json", '[{"a": 1}]')
    sample = sample_of(tmp_path, "export.zip", packed.getvalue())
    assert sample.members == ("export/conversations.json", "users.json")
    assert sample.head == b'[{"a": 1}]'


@pytest.mark.parametrize("head", [b'{"a":1}', b' [{"a":1}]', b"\xef\xbb\xbf{", b"[\n", b"[]"])
def test_json_is_told_by_how_it_begins(head):
    assert Sample("a", head).is_json


@pytest.mark.parametrize("head", [b"", b"# A", b"[[link]]", b"[1]: x", b"plain"])
def test_what_begins_otherwise_is_no_json(head):
    assert not Sample("a", head).is_json


@pytest.mark.parametrize(
    ("head", "is_text"),
    [(b"a\tb\r\n\x0c\x1b[1m", True), (b"caf\xe9", True), (b"a\x00b", False), (b" \n", False)],
)
def test_text_has_no_control_characters_but_those_of_texts(head, is_text):
    assert Sample("a", head).is_text is is_text


def test_records_are_the_objects_on_the_first_lines():
    sample = Sample("a", b'{"a":1}\nnope\n[2]\n{"b":2}')
    assert [*sample.records] == [*sample.records] == [{"a": 1}, {"b": 2}]


def test_a_line_that_the_sample_cuts_is_no_record():
    line = b'{"a":"' + b"x" * 1_000 + b'"}\n'
    head = (line * SAMPLE_BYTES)[:SAMPLE_BYTES]
    assert all(record == {"a": "x" * 1_000} for record in Sample("a", head).records)


def test_no_line_is_read_before_somebody_comes_to_it(monkeypatch):
    read = []

    def parse(line, where):
        read.append(line)
        return records.parse(line, where)

    monkeypatch.setattr(module, "parse", parse)
    sample = Sample("a", b'{"a":1}\n{"b":2}\n{"c":3}')

    assert next(sample.records) == {"a": 1}
    assert [*islice(sample.records, 2)] == [{"a": 1}, {"b": 2}]
    assert len(read) == 2


def test_keys_are_found_at_any_depth():
    sample = Sample("a", b'[{"a": {"b" : 1}, "c": "d:"')
    assert sample.has_keys("a", "b")
    assert not sample.has_keys("a", "d")
    assert not Sample("a", b'"a": 1').has_keys("a")
