"""
Read JSON records from a stream, one at a time, within limits.

A record that is broken, too long, too deep or too large is skipped with its place, and the next one
is read.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import BinaryIO, TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.conversation import Tally
from tilth.transfer.reading.limits import JSON_DEPTH_MAX, JSON_NODES_MAX, RECORD_BYTES_MAX
from tilth.transfer.reading.source_file import SourceFile

_CHUNK_BYTES = 1 << 16
_MIB = 1 << 20
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_INSIDE_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_OUTSIDE_STRING = re.compile(rb'[^"\[\]{},]*+')
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_SPACES = re.compile(r"\s*")
_DECODER = json.JSONDecoder()
_VALUES_MAX = 100  # two were seen; without a limit a line of digits is millions of values


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object, and where it was found."""

    where: str
    value: JsonObject


Parsed: TypeAlias = Record | Skipped
Items: TypeAlias = Callable[[Record], Iterable[Item]]


def read_lines(source: SourceFile, items: Items, tally: Tally) -> Iterator[Item]:
    """Yield the *items* of each line of a source, then the notes of *tally*."""
    with source.open() as stream:
        yield from items_of(json_lines(stream, source.label), items)
    yield from tally.skipped(source.label)


def items_of(records: Iterable[Parsed], items: Items) -> Iterator[Item]:
    """Yield the *items* of each record; skipped parts are yielded as they are."""
    for record in records:
        if isinstance(record, Skipped):
            yield record
        else:
            yield from items(record)


def json_lines(stream: BinaryIO, label: str) -> Iterator[Parsed]:
    """Yield the objects of *stream*, one or more on each line; *label* names it in places."""
    number = 0
    while line := stream.readline(RECORD_BYTES_MAX + 1):
        number += 1
        where = f"{label}:{number}"
        if len(line) > RECORD_BYTES_MAX:
            drop_line(stream, line)
            yield Skipped(where, f"longer than {RECORD_BYTES_MAX // _MIB} MiB")
        elif line.strip():
            yield from parse(line, where)


def drop_line(stream: BinaryIO, line: bytes) -> None:
    """Read to the end of a line of which *line* was read already."""
    while line and not line.endswith(b"\n"):
        line = stream.readline(_CHUNK_BYTES)


def json_items(stream: BinaryIO, label: str) -> Iterator[Parsed]:
    """Yield the objects of the array that *stream* holds, or the one object that it is."""
    for number, raw in enumerate(_Splitter(stream).items(), 1):
        where = f"{label}[{number}]"
        if len(raw) > RECORD_BYTES_MAX:
            yield Skipped(where, f"longer than {RECORD_BYTES_MAX // _MIB} MiB")
        elif raw.strip():
            yield from parse(raw, where)


def parse(raw: bytes, where: str) -> Iterator[Parsed]:
    """Yield the objects that *raw* holds, one after another."""
    try:
        values = list(_decode(raw))
    except (ValueError, RecursionError) as error:
        yield Skipped(where, f"broken JSON: {str(error)[:100]}")
        return
    except LimitExceededError as error:
        yield Skipped(where, str(error))
        return
    for value in values:
        if isinstance(value, Mapping):
            yield Record(where, value)
        else:
            yield Skipped(where, "not a JSON object")


def load(raw: bytes) -> Json:
    """
    Decode the one JSON value that *raw* holds.

    Raises:
        InvalidInputError: it holds none, or more.
        LimitExceededError: it is deeper or has more nodes than is read.
    """
    try:
        values = list(_decode(raw))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"broken JSON: {str(error)[:100]}") from error
    if len(values) != 1:
        raise InvalidInputError("not one JSON value")
    return values[0]


def _decode(raw: bytes) -> Iterator[Json]:
    # Writers that were killed and started again leave two objects on one line.
    _check_structure(raw)
    text = raw.decode("utf-8-sig", errors="replace").strip()
    begins = 0
    for _ in range(_VALUES_MAX):
        value, end = _DECODER.raw_decode(text, begins)
        yield value
        begins = _end_of_spaces(text, end)
        if begins == len(text):
            return
    raise LimitExceededError(f"more than {_VALUES_MAX} JSON values in one place")


def _end_of_spaces(text: str, begin: int) -> int:
    match = _SPACES.match(text, begin)
    return match.end() if match else begin


def _check_structure(raw: bytes) -> None:
    brackets = raw.count(b"[") + raw.count(b"{")
    if brackets <= JSON_DEPTH_MAX and raw.count(b",") <= JSON_NODES_MAX:
        return
    bare = _STRING.sub(b"", raw)
    if bare.count(b",") + bare.count(b"[") + bare.count(b"{") > JSON_NODES_MAX:
        raise LimitExceededError(f"JSON with more than {JSON_NODES_MAX} values")
    steps = (_STEP[byte] for byte in bare.translate(None, _NOT_BRACKETS))
    if max(accumulate(steps), default=0) > JSON_DEPTH_MAX:
        raise LimitExceededError(f"JSON nested deeper than {JSON_DEPTH_MAX} levels")


class _Splitter:
    """
    Cuts an array into its elements without decoding them.

    A streaming parser would stop at the first broken element, and ijson keeps
    the path of every level: 100 kB of `[` make it take gigabytes.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._depth = 0
        self._item_depth = 0
        self._in_string = False
        self._carry = b""  # a backslash at the end of a chunk waits for what it escapes

    def items(self) -> Iterator[bytes]:
        """Yield the bytes of each element; one that is too long is cut just above the limit."""
        item = bytearray()
        begun = False
        while chunk := self._stream.read(_CHUNK_BYTES):
            if not begun:
                chunk = chunk.removeprefix(b"\xef\xbb\xbf").lstrip()
                begun = bool(chunk)
                if chunk.startswith(b"["):
                    self._depth = self._item_depth = 1
                    chunk = chunk[1:]
            yield from self._split(self._carry + chunk, item)
        yield bytes(item + self._carry)

    def _split(self, chunk: bytes, item: bytearray) -> Iterator[bytes]:
        begin = at = 0
        self._carry = b""
        while at < len(chunk):
            at = self._skip_plain(chunk, at)
            if at == len(chunk):
                break
            byte = chunk[at : at + 1]
            if self._in_string and byte == b"\\":
                self._carry = chunk[at:]
                chunk = chunk[:at]
                break
            at += 1
            if self._ends_item(byte):
                _extend(item, chunk[begin : at - 1])
                yield bytes(item)
                item.clear()
                begin = at
        _extend(item, chunk[begin:])

    def _skip_plain(self, chunk: bytes, at: int) -> int:
        pattern = _INSIDE_STRING if self._in_string else _OUTSIDE_STRING
        match = pattern.match(chunk, at)
        return match.end() if match else at

    def _ends_item(self, byte: bytes) -> bool:
        if byte == b'"':
            self._in_string = not self._in_string
            return False
        if byte == b",":
            return self._depth == self._item_depth == 1
        self._depth += _STEP[byte[0]]
        return self._item_depth == 1 and self._depth < 1


def _extend(item: bytearray, piece: bytes) -> None:
    # Past the limit nothing more is kept, and the length tells that it was passed.
    if len(item) <= RECORD_BYTES_MAX:
        item += piece
