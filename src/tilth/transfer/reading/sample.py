"""Read the beginning of a file, by which its format is recognised, never by its name alone."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import count, islice
from pathlib import PurePosixPath
from typing import BinaryIO

from tilth.core.dataclass import dataclass
from tilth.core.json import JsonObject
from tilth.transfer.reading.limits import RECORD_BYTES_MAX, SAMPLE_BYTES
from tilth.transfer.reading.records import Record, drop_line, parse
from tilth.transfer.reading.source_file import SourceFile, ZipArchive, decoded

_LINES = 60
_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson"})
# A terminal's log has bells and shifts in it; what holds a zero, or many of these, is no text.
_CONTROLS = "".join(map(chr, set(range(1, 32)) - set(b"\t\n\f\r\x1b")))
_CONTROLS_SHARE_MAX = 0.05


@dataclass(frozen=True)
class Sample:
    """A file's name, its first bytes unpacked, and its members' names if it is an archive."""

    name: str
    head: bytes
    members: tuple[str, ...] = ()

    @cached_property
    def suffix(self) -> str:
        """The name's suffix in lower case."""
        return PurePosixPath(self.name).suffix.lower()

    @cached_property
    def text(self) -> str:
        """The first bytes as text."""
        return decoded(self.head)[0]

    @cached_property
    def is_text(self) -> bool:
        """Whether a person could read it."""
        controls = sum(map(self.text.count, _CONTROLS))
        is_clean = "\0" not in self.text and controls <= _CONTROLS_SHARE_MAX * len(self.text)
        return is_clean and bool(self.text.strip())

    @cached_property
    def is_json(self) -> bool:
        """Whether it begins as a JSON object or array does."""
        begin = self.text.lstrip()[:2]
        return begin[:1] == "{" or begin in {"[{", "[]", "[\n", "[ ", "[\r"}

    @property
    def records(self) -> Iterator[JsonObject]:
        """The objects on its first whole lines; none is read before somebody comes to it."""
        known, unread = self._records
        for number in count():
            if number == len(known):
                known += islice(unread, 1)
            if number == len(known):
                return
            yield known[number]

    @cached_property
    def _records(self) -> tuple[list[JsonObject], Iterator[JsonObject]]:
        """Those that were read, and the others."""
        whole, newline, _ = self.head.rpartition(b"\n")
        lines = (whole if newline and len(self.head) >= SAMPLE_BYTES else self.head).split(b"\n")
        parsed = (item for line in lines[:_LINES] if line.strip() for item in parse(line, ""))
        return [], (item.value for item in parsed if isinstance(item, Record))

    def has_keys(self, *keys: str) -> bool:
        """Say whether it is JSON in which all of *keys* occur, at whatever depth."""
        found = (re.search(rf'"{re.escape(key)}"\s*:', self.text) for key in keys)
        return self.is_json and all(found)


def take_sample(source: SourceFile) -> Sample:
    """
    Read the beginning of *source*; of an archive, that of its first conversations.

    Raises:
        LimitExceededError: it unpacks to more than is read.
        InvalidInputError: it is an archive with a false directory.
    """
    if not source.is_zip:
        with source.open() as stream:
            is_lines = PurePosixPath(source.name).suffix.lower() in _LINE_SUFFIXES
            return Sample(source.name, _lines(stream) if is_lines else stream.read(SAMPLE_BYTES))
    with source.open_zip() as archive:
        return Sample(source.name, _head(archive), tuple(archive.names()))


def _lines(stream: BinaryIO) -> bytes:
    """
    Return the first lines of *stream*: the first one whole, however much was pasted into it.

    A line that is longer than a record may be is skipped.
    """
    head = stream.read(SAMPLE_BYTES)
    if len(head) < SAMPLE_BYTES or b"\n" in head:
        return head
    line = head + stream.readline(RECORD_BYTES_MAX)
    if len(line) > RECORD_BYTES_MAX:
        drop_line(stream, line)
        line = b""
    return (line + stream.read(SAMPLE_BYTES)) or head


def _head(archive: ZipArchive) -> bytes:
    for name in archive.names():
        if PurePosixPath(name).name.startswith("conversations"):
            with archive.open(name) as stream:
                return stream.read(SAMPLE_BYTES)
    return b""
