"""
A file that is being read: its bytes, unpacked within limits, and the progress.

Gzip and zip are unpacked in memory, never to disk. The directory of an archive is checked before
any member is read.
"""

import codecs
import errno
import gzip
import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol
from urllib.parse import unquote_to_bytes, urlsplit

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.text.surrogates import without_surrogates
from tilth.transfer.reading.limits import (
    DOCUMENT_BYTES_MAX,
    INFLATED_BYTES_MAX,
    INFLATION_FREE_BYTES,
    INFLATION_MAX,
    RECORD_BYTES_MAX,
    ZIP_DIRECTORY_BYTES_MAX,
    ZIP_MEMBERS_MAX,
)

_MIB = 1 << 20
_BUFFER_BYTES = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGIC = b"PK\x03\x04"
# The end of a zip's directory: signature, disks, entries here and in all, size, offset
# (APPNOTE 4.3.16).
_ZIP_END = struct.Struct("<4s4xHHLL")
_ZIP_END_SIGNATURE = b"PK\x05\x06"
_ZIP_COMMENT_BYTES_MAX = 1 << 16
_ENCRYPTED = 0x1
# What exports use. The others' unpackers raise errors of their own.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What the unpackers raise when the packing itself is broken or of an unknown kind.
_BROKEN = (EOFError, NotImplementedError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error)


class SourceFile:
    """
    A file of any format, packed or not.

    Args:
        path: Its path.
        key: The URI that it had before it was renamed; empty if it was not.
    """

    def __init__(self, path: Path, key: str = "") -> None:
        self.path = path
        self._key = key
        self.uri = path.as_uri()
        self.label = without_surrogates(str(path))
        self.position = 0

    @cached_property
    def name(self) -> str:
        """The file's name without a final `.gz`."""
        return without_surrogates(self.path.name).removesuffix(".gz")

    @property
    def stem(self) -> str:
        """The file's name without its last suffix."""
        return PurePosixPath(self.name).stem

    @cached_property
    def key(self) -> str:
        """The file's first address without a final `.gz`; packing a file makes no other one."""
        return (self._key or self.uri).removesuffix(".gz")

    @cached_property
    def modified_at(self) -> datetime:
        """When the file was changed last."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC)

    @cached_property
    def size(self) -> int:
        """How many bytes the file has, packed as it is."""
        return self.path.stat().st_size

    @cached_property
    def is_zip(self) -> bool:
        """Whether the file begins as a zip archive does."""
        with self.path.open("rb") as raw:
            return raw.read(len(_ZIP_MAGIC)) == _ZIP_MAGIC

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """
        Open the file for reading, unpacked.

        Raises:
            LimitExceededError: while it is read, it unpacks to more than is read.
        """
        with self.path.open("rb") as raw:
            packed = raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            raw.seek(0)
            inner = gzip.GzipFile(fileobj=raw) if packed else raw

            def track(bytes_out: int) -> None:
                self.position = raw.tell()
                if packed:
                    _check_inflation(bytes_out, self.position)

            yield _buffered(inner, track)

    def content(self, bytes_max: int = DOCUMENT_BYTES_MAX) -> bytes:
        """
        Return all of the file, unpacked.

        Raises:
            LimitExceededError: it has more than *bytes_max* bytes.
        """
        with self.open() as stream:
            return _read_all(stream, bytes_max)

    def streams(self, wanted: Callable[[str], bool]) -> Iterator[tuple[str, BinaryIO]]:
        """Yield the file's own stream, or those of the wanted members of a zip, each labelled."""
        if self.is_zip:
            with self.open_zip() as archive:
                for name in archive.names():
                    if wanted(name):
                        yield f"{self.label}!{name}", archive.open(name)
        else:
            with self.open() as stream:
                yield self.label, stream

    @contextmanager
    def open_zip(self) -> Iterator["ZipArchive"]:
        """
        Open the file as a zip archive.

        Raises:
            LimitExceededError: it holds more than is read.
            InvalidInputError: its directory is false.
        """
        with self.path.open("rb") as raw:
            _check_directory(raw)
            with _packing(), zipfile.ZipFile(raw) as archive:
                yield ZipArchive(archive, self)


class ZipArchive:
    """The members of a zip that are safe to read."""

    def __init__(self, archive: zipfile.ZipFile, source: SourceFile) -> None:
        self._archive = archive
        self._source = source
        self._members = {info.filename: info for info in archive.infolist() if not info.is_dir()}
        _check_members(list(self._members.values()), source.path.stat().st_size)
        self._done_bytes = 0

    def names(self) -> list[str]:
        """Return the members' names in order; archives within it are left out."""
        return sorted(
            name for name in self._members if PurePosixPath(name).suffix not in {".zip", ".gz"}
        )

    def open(self, name: str) -> BinaryIO:
        """Open the member *name*."""
        info = self._members[name]
        before = self._done_bytes
        self._done_bytes += info.compress_size

        def track(bytes_out: int) -> None:
            share = min(1.0, bytes_out / max(info.file_size, 1))
            self._source.position = before + int(info.compress_size * share)

        with _packing():
            return _buffered(self._archive.open(info), track)

    def content(self, name: str) -> bytes:
        """
        Return all of the member *name*.

        Raises:
            LimitExceededError: it is longer than a record may be.
        """
        with self.open(name) as stream:
            return _read_all(stream, RECORD_BYTES_MAX)


class _Readable(Protocol):
    """The part of a stream that is needed here; those of the standard library share no type."""

    def read(self, size: int, /) -> bytes: ...


class _Tracked(io.RawIOBase):
    """A stream that tells how much was read of it."""

    def __init__(self, inner: _Readable, track: Callable[[int], None]) -> None:
        self._inner = inner
        self._track = track
        self._bytes_out = 0

    # `typing.override` came with Python 3.12.
    def readable(self) -> bool:  # type: ignore[explicit-override]
        return True

    # What `io.BufferedReader` passes is narrower than what `io` says it may.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override,explicit-override]
        with _packing():
            data = self._inner.read(len(buffer))
        buffer[: len(data)] = data
        self._bytes_out += len(data)
        self._track(self._bytes_out)
        return len(data)


def _buffered(inner: _Readable, track: Callable[[int], None]) -> BinaryIO:
    return io.BufferedReader(_Tracked(inner, track), _BUFFER_BYTES)


@contextmanager
def _packing() -> Iterator[None]:
    """Raise errors of the packing as `InvalidInputError`."""
    try:
        yield
    except _BROKEN as error:
        raise InvalidInputError(f"broken packing: {str(error)[:100]}") from error
    except OSError as error:
        # A directory that points before the beginning of the file; all else is the machine's.
        if error.errno != errno.EINVAL:
            raise
        raise InvalidInputError("broken packing: it points outside the file") from error


def _read_all(stream: BinaryIO, bytes_max: int) -> bytes:
    data = stream.read(bytes_max + 1)
    if len(data) > bytes_max:
        raise LimitExceededError(f"longer than {bytes_max // _MIB} MiB", hint="cut it in parts")
    return data


def _check_inflation(bytes_out: int, bytes_in: int) -> None:
    if bytes_out > INFLATED_BYTES_MAX:
        raise LimitExceededError(f"unpacks to more than {INFLATED_BYTES_MAX // _MIB} MiB")
    if bytes_out > INFLATION_FREE_BYTES + INFLATION_MAX * bytes_in:
        raise LimitExceededError(f"unpacks to more than {INFLATION_MAX} times its size")


def _check_directory(raw: BinaryIO) -> None:
    # zipfile reads the whole directory at once, so its size is checked before.
    size = raw.seek(0, os.SEEK_END)
    raw.seek(max(0, size - _ZIP_COMMENT_BYTES_MAX - _ZIP_END.size))
    tail = raw.read()
    at = tail.rfind(_ZIP_END_SIGNATURE)
    if at < 0 or at + _ZIP_END.size > len(tail):
        raise InvalidInputError("a zip archive without an end")
    _, _, entries, directory_bytes, _ = _ZIP_END.unpack_from(tail, at)
    if entries > ZIP_MEMBERS_MAX or directory_bytes > ZIP_DIRECTORY_BYTES_MAX:
        raise LimitExceededError(f"a zip archive of more than {ZIP_MEMBERS_MAX} members")
    raw.seek(0)


def _check_members(members: list[zipfile.ZipInfo], archive_bytes: int) -> None:
    packed = sum(info.compress_size for info in members)
    # Bombs let many members share the same packed bytes.
    if packed > archive_bytes:
        raise InvalidInputError("a zip archive whose members overlap")
    _check_inflation(sum(info.file_size for info in members), packed)
    for info in members:
        _check_inflation(info.file_size, info.compress_size)
        if info.flag_bits & _ENCRYPTED:
            raise InvalidInputError("a zip archive with a password")
        if info.compress_type not in _METHODS:
            raise InvalidInputError("a zip archive that is neither stored nor deflated")
        if not _is_safe(info.filename):
            raise InvalidInputError(f"a zip archive with the unsafe name {info.filename[:60]!r}")


def _is_safe(name: str) -> bool:
    parts = PurePosixPath(name).parts
    plain = name.isprintable() and "\\" not in name and ":" not in parts[0][:2]
    return plain and not name.startswith("/") and ".." not in parts


def decoded(raw: bytes) -> tuple[str, str]:
    """
    Return the text in *raw*, and what is wrong with it, if anything is.

    It is UTF-8, unless its first bytes say that it is UTF-16. Bytes that are not are replaced.
    """
    is_wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    name, encoding = ("UTF-16", "utf-16") if is_wide else ("UTF-8", "utf-8-sig")
    try:
        return raw.decode(encoding), ""
    except UnicodeDecodeError as error:
        problem = f"not {name} at byte {error.start}; what is not is replaced"
        return raw.decode(encoding, errors="replace"), problem


def note_at(path: Path, chars_max: int) -> str:
    """Return the beginning of a file beside a program's transcripts; empty if there is none."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(chars_max)
    except OSError:
        return ""


def path_of(uri: str) -> Path:
    """
    Return the path that a `file:` address names.

    Raises:
        InvalidInputError: *uri* is another kind of address.
    """
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc:
        raise InvalidInputError(f"{uri[:80]!r} is not the address of a file here")
    return Path(os.fsdecode(unquote_to_bytes(parts.path)))
