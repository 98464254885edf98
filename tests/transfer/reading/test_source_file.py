"""One file being read, however it is packed."""

import gzip
import io
import zipfile

import pytest

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.transfer.reading.source_file import SourceFile, path_of

TEXT = b"The till stands by the door.\n" * 100


def file_with(folder, content, name="a.txt"):
    path = folder / name
    path.write_bytes(content)
    return SourceFile(path)


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda raw: gzip.compress(raw) * 2])
def test_a_file_is_read_whole_however_it_is_packed(tmp_path, pack):
    content = file_with(tmp_path, pack(TEXT)).content()
    assert content in {TEXT, TEXT * 2}


def test_a_file_is_packed_by_what_it_holds_not_by_its_name(tmp_path):
    assert file_with(tmp_path, TEXT, "a.txt.gz").content() == TEXT
    assert file_with(tmp_path, gzip.compress(TEXT), "a.txt").content() == TEXT


def test_packing_changes_neither_name_nor_key(tmp_path):
    plain, packed = SourceFile(tmp_path / "a.txt"), SourceFile(tmp_path / "a.txt.gz")
    assert (packed.name, packed.key) == (plain.name, plain.key)
    assert packed.uri != plain.uri


def test_the_position_is_that_in_the_packed_file(tmp_path):
    source = file_with(tmp_path, gzip.compress(TEXT))
    source.content()
    assert source.position == source.size < len(TEXT)


@pytest.mark.parametrize("cut", [1, 12, 30])
def test_broken_gzip_is_refused(tmp_path, cut):
    with pytest.raises(InvalidInputError, match="broken packing"):
        file_with(tmp_path, gzip.compress(TEXT)[:-cut] + b"").content()


@pytest.mark.row("I40")
def test_a_document_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(LimitExceededError, match="longer than 0 MiB"):
        file_with(tmp_path, TEXT).content(bytes_max=len(TEXT) - 1)
    assert file_with(tmp_path, TEXT).content(bytes_max=len(TEXT)) == TEXT


@pytest.mark.row("I40")
def test_gzip_that_unpacks_to_a_hundred_times_its_size_is_refused(tmp_path):
    source = file_with(tmp_path, gzip.compress(bytes(20 << 20)))
    with pytest.raises(LimitExceededError, match="more than 100 times"):
        source.content(bytes_max=64 << 20)


def test_the_wanted_members_of_a_zip_are_streams(tmp_path):
    source = file_with(tmp_path, zipped({"b.json": b"2", "a.json": b"1", "c.txt": b"3", "d/": b""}))
    read = [
        (label.rpartition("!")[2], stream.read())
        for label, stream in source.streams(lambda name: name.endswith(".json"))
    ]
    assert read == [("a.json", b"1"), ("b.json", b"2")]


def test_a_file_that_is_no_zip_is_one_stream(tmp_path):
    source = file_with(tmp_path, TEXT)
    assert [(label, stream.read()) for label, stream in source.streams(lambda _name: False)] == [
        (source.label, TEXT)
    ]


def test_archives_within_archives_are_left_out(tmp_path):
    source = file_with(tmp_path, zipped({"a.zip": b"", "b.gz": b"", "c.json": b""}))
    with source.open_zip() as archive:
        assert archive.names() == ["c.json"]


@pytest.mark.row("T15")
@pytest.mark.parametrize("name", ["../a", "/a", "a/../../b", "C:/a", "a\\b", "a\nb", "C:a"])
def test_an_unsafe_name_in_a_zip_is_refused(tmp_path, name):
    source = file_with(tmp_path, zipped({name: b"1"}))
    with pytest.raises(InvalidInputError, match="unsafe name"), source.open_zip():
        pytest.fail("it was opened")


@pytest.mark.parametrize("cut", [1, 30, 60])
def test_a_zip_without_its_end_is_refused(tmp_path, cut):
    source = file_with(tmp_path, zipped({"a.json": b"1"})[:-cut])
    with pytest.raises(InvalidInputError), source.open_zip():
        pytest.fail("it was opened")


def test_a_zip_with_a_password_is_refused(tmp_path):
    content = bytearray(zipped({"a.json": b"1"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    source = file_with(tmp_path, bytes(content))
    with pytest.raises(InvalidInputError, match="password"), source.open_zip():
        pytest.fail("it was opened")


@pytest.mark.row("I40")
def test_a_zip_of_too_many_members_is_refused(tmp_path):
    source = file_with(tmp_path, zipped({str(n): b"" for n in range(10_001)}, zipfile.ZIP_STORED))
    with pytest.raises(LimitExceededError, match="more than 10000 members"), source.open_zip():
        pytest.fail("it was opened")


@pytest.mark.parametrize("name", ["a b.md", "caf\xe9 #1?%41.md", "a\u2028b.md"])
def test_the_path_of_an_address_is_the_path(tmp_path, name):
    assert path_of((tmp_path / name).as_uri()) == tmp_path / name


def test_an_address_that_is_no_file_here_is_refused():
    with pytest.raises(InvalidInputError, match="not the address of a file here"):
        path_of("file://elsewhere/a.md")
