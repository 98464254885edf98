"""Archives are unpacked within limits, and a false one is refused before any of it is read."""

import gzip
import io
import json
import struct
import zipfile

import pytest

from tests.transfer.read_lines import Reading, lines_of
from tilth.core.errors import InvalidInputError, LimitExceededError, TilthError
from tilth.transfer.file_importer import FileImporter
from tilth.transfer.model import Source
from tilth.transfer.reading.limits import ZIP_MEMBERS_MAX
from tilth.transfer.reading.source_file import SourceFile, path_of

LINE = {
    "type": "user",
    "sessionId": "s1",
    "uuid": "a",
    "message": {"role": "user", "content": "When do they swarm?"},
}
TALK = lines_of(*({**LINE, "uuid": f"u{number}"} for number in range(40))).encode()
CHAT = {
    "uuid": "c1",
    "name": "Bees",
    "chat_messages": [{"uuid": "m1", "sender": "human", "text": "When do they swarm?"}],
}
DAY = [{"type": "message", "user": "U1", "text": "The hose leaks.", "ts": "1772784060.000200"}]


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


def read_as(form, path):
    source = Source(path.as_uri(), form, path.stat().st_size)
    return Reading([item for item, _ in FileImporter().read(source)])


def members(content):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in content.items():
            archive.writestr(name, member)
    return packed.getvalue()


SLACK = members({"users.json": b"[]", "garden/2026-03-06.json": json.dumps(DAY).encode()})


def refused(path):
    """Return why the archive at *path* is refused."""
    with pytest.raises(TilthError) as caught:
        FileImporter().find(str(path))
    return str(caught.value)


def test_a_gzip_bomb_is_refused(tmp_path):
    path = written(tmp_path, "bomb.jsonl.gz", gzip.compress(b" " * (200 << 20), 9))
    reading = read_as("claude-code", path)
    assert [note.reason for note in reading.skipped] == ["unpacks to more than 100 times its size"]


def test_a_zip_bomb_is_refused_by_its_directory(tmp_path):
    path = written(tmp_path, "bomb.zip", members({"conversations.json": b" " * (20 << 20)}))
    assert refused(path) == "unpacks to more than 100 times its size"


def test_a_zip_of_too_many_members_is_refused_by_its_directory(tmp_path):
    path = written(
        tmp_path, "many.zip", members({f"{n}.json": b"" for n in range(ZIP_MEMBERS_MAX + 1)})
    )
    assert "members" in refused(path)


def test_a_zip_whose_members_share_their_bytes_is_refused(tmp_path):
    packed = bytearray(members({"a.json": b"x" * 99, "b.json": b"y" * 99}))
    for found in range(2):
        at = -1
        for _ in range(found + 1):
            at = packed.index(b"PK\x01\x02", at + 1)
        struct.pack_into("<L", packed, at + 20, len(packed))
    assert (
        refused(written(tmp_path, "shared.zip", bytes(packed)))
        == "a zip archive whose members overlap"
    )


@pytest.mark.parametrize("name", ["../a.json", "/etc/a.json", "a\\b.json", "C:a.json", "x/../../a"])
def test_a_zip_with_an_unsafe_name_is_refused(tmp_path, name):
    assert "unsafe name" in refused(written(tmp_path, "bad.zip", members({name: b"{}"})))


def test_a_zip_with_a_password_is_refused(tmp_path):
    packed = bytearray(members({"conversations.json": b"[]"}))
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    assert "password" in refused(written(tmp_path, "locked.zip", bytes(packed)))


def test_archives_within_an_archive_are_left_alone(tmp_path):
    told = members({"conversations.json": json.dumps([CHAT]), "conversations.zip": b"PK\x03\x04"})
    with SourceFile(written(tmp_path, "nested.zip", told)).open_zip() as archive:
        assert archive.names() == ["conversations.json"]


@pytest.mark.parametrize("cut", [3, 12, 40, -9])
def test_a_cut_gzip_gives_what_came_before_the_cut_and_says_so(tmp_path, cut):
    reading = read_as("claude-code", written(tmp_path, "s1.jsonl.gz", gzip.compress(TALK)[:cut]))
    assert any("broken packing" in note.reason for note in reading.skipped)


@pytest.mark.parametrize("at", [0, 30, 60, -30, -12])
def test_a_damaged_zip_is_no_crash(tmp_path, at):
    damaged = bytearray(SLACK)
    damaged[at] ^= 0x41
    path = written(tmp_path, "export.zip", bytes(damaged))
    for item in read_as("slack", path).skipped:
        assert item.reason


def test_a_zip_that_ends_early_is_refused(tmp_path):
    assert refused(written(tmp_path, "export.zip", SLACK[:200])) == "a zip archive without an end"


def test_an_unknown_compression_is_told(tmp_path):
    packed = bytearray(members({"conversations.json": b"[" + b" " * 99 + b"]"}))
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", packed, packed.index(mark) + offset, 97)
    assert "neither stored nor deflated" in refused(written(tmp_path, "odd.zip", bytes(packed)))


def test_a_directory_that_points_before_the_file_is_refused(tmp_path):
    packed = bytearray(members({"conversations.json": b"[]"}))
    struct.pack_into("<L", packed, packed.index(b"PK\x05\x06") + 16, 2**31)
    assert "broken packing" in refused(written(tmp_path, "far.zip", bytes(packed)))


def test_a_document_beyond_the_limit_is_refused(tmp_path):
    with pytest.raises(LimitExceededError):
        SourceFile(written(tmp_path, "long.txt", b"word " * 10)).content(bytes_max=20)


def test_how_far_reading_has_come_never_passes_the_size(tmp_path):
    for name, content in {"s1.jsonl": TALK, "export.zip": SLACK}.items():
        path = written(tmp_path, name, content)
        (source,) = FileImporter().find(str(path))
        positions = [position for _, position in FileImporter().read(source)]
        assert positions == sorted(positions)
        assert 0 < positions[-1] <= source.size


@pytest.mark.parametrize("name", ["plain.txt", "with space #1?.txt", "ünï%20.txt"])
def test_an_address_leads_back_to_its_file(tmp_path, name):
    assert path_of((tmp_path / name).as_uri()) == tmp_path / name


@pytest.mark.parametrize("uri", ["https://example.org/a", "file://host/a", "/a", ""])
def test_another_kind_of_address_is_refused(uri):
    with pytest.raises(InvalidInputError):
        path_of(uri)


def test_a_stream_of_a_zip_is_read_in_place(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("deep/conversations.json", json.dumps([CHAT]))
    path = written(tmp_path, "stored.zip", packed.getvalue())
    assert read_as("claude-ai", path).said[0] == "user: When do they swarm?"
