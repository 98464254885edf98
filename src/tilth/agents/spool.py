"""
The spool: records of hooks that nobody has read yet.

Hooks append to the newest segment (`tilth_hook`); here segments are read in order and removed when
all of them is in the store. How far a segment was read is kept beside it, and only after the store
has it: a crash in between makes records come twice, and their keys make the second time nothing.
"""

import fcntl
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from tilth.agents.hook_record import HookRecord, SpoolBatch
from tilth.core.instant import EPOCH
from tilth.privacy.redaction import scrub

BATCH_RECORDS = 256
BATCH_BYTES_MAX = 4 << 20
SUFFIX = ".spool"
_ASIDE_BYTES_MAX = 16 << 20
_LINE_BYTES_MAX = 1 << 20
_FIELDS = 6
_PROBE_BYTES = 4096


class SpoolFolder:
    """Holds what hooks wrote until it is in the store."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._aside = folder / "aside.jsonl"

    def batches(self) -> Iterator[SpoolBatch]:
        """Yield what waits, the oldest first; a segment that was read to its end is removed."""
        for segment in self._segments():
            while batch := _next_batch(segment, _read_to(segment)):
                yield batch
                if _read_to(segment) < batch.end:
                    return
            if torn := _remove_if_read(segment):
                self._append_torn(torn)

    def settle(self, batch: SpoolBatch) -> None:
        """Say that *batch* is in the store."""
        for line in batch.broken:
            self._append_torn(line)
        mark = _mark_file(self._folder / batch.segment)
        new = mark.with_suffix(".new")
        new.write_text(str(batch.end), encoding="ascii")
        new.replace(mark)

    def set_aside(self, record: HookRecord, reason: str) -> None:
        """Keep a record that cannot become episodes, and why, where it blocks no other."""
        about = {"reason": reason, "at": record.at.isoformat(), "host": record.host}
        self._append_aside({**about, "event": record.event, "payload": _decoded(record.payload)})

    def forget(self, forms: Sequence[bytes]) -> list[Path]:
        """
        Take lines that hold any of *forms* away, and all that was read already; see `tilth erase`.

        A line gives way to as many line feeds, which are no records: nothing moves, so a hook may
        go on writing, and what was read stays read.

        Returns:
            The files that were changed.
        """
        changed = [
            path for path in self._segments() if _overwrite_lines(path, forms, _read_to(path))
        ]
        if _size(self._aside) and _overwrite_lines(self._aside, forms, 0):
            changed.append(self._aside)
        return changed

    def waiting_bytes(self) -> int:
        """Return how much waits to be read."""
        return sum(_size(path) - _read_to(path) for path in self._segments())

    def refusal(self) -> str:
        """Say why a hook could not write here now, by trying; nothing if it could."""
        probe = self._folder / f"probe-{os.getpid()}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with probe.open("wb") as file:
                file.write(bytes(_PROBE_BYTES))
                file.flush()
                os.fsync(file.fileno())
            probe.unlink()
        except FileExistsError:
            return f"it is no folder: {self._folder}"
        except OSError as error:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
            return f"{error.strerror}: {self._folder}"
        return ""

    def aside_bytes(self) -> int:
        """Return how much was set aside."""
        return _size(self._aside)

    def _segments(self) -> list[Path]:
        return sorted(self._folder.glob(f"*{SUFFIX}"))

    def _append_torn(self, line: bytes) -> None:
        self._append_aside({"reason": "the line is torn or damaged", "line": _decoded(line)})

    def _append_aside(self, entry: dict[str, str]) -> None:
        # What could not be read was never redacted; nobody reads it again but a person.
        entry = {name: scrub(value).text for name, value in entry.items()}
        if _size(self._aside) > _ASIDE_BYTES_MAX:
            return
        fd = os.open(self._aside, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(fd, "ab") as file:
            file.write(json.dumps(entry).encode() + b"\n")


def _next_batch(segment: Path, start: int) -> SpoolBatch | None:
    records: list[HookRecord] = []
    broken: list[bytes] = []
    end = start
    with segment.open("rb") as file:
        file.seek(start)
        while len(records) < BATCH_RECORDS and end - start < BATCH_BYTES_MAX:
            line = file.readline(_LINE_BYTES_MAX)
            if not line.endswith(b"\n") and len(line) < _LINE_BYTES_MAX:
                break  # nothing more, or a hook is writing it
            end += len(line)
            if line == b"\n":
                continue
            record = _record(line)
            if record is None:
                broken.append(line)
            else:
                records.append(record)
    if end == start:
        return None
    return SpoolBatch(records=tuple(records), broken=tuple(broken), segment=segment.name, end=end)


def _record(line: bytes) -> HookRecord | None:
    """Read one line; None if it is not what a hook wrote. See `tilth_spool.framed`."""
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    fields = body.split(b" ", _FIELDS - 2)
    try:
        if len(fields) != _FIELDS - 1 or int(checksum, 16) != zlib.crc32(body):
            return None
        at = EPOCH + timedelta(microseconds=int(fields[0]) // 1000)
        host, event = fields[1].decode(), fields[2].decode()
    except (ValueError, OverflowError):
        return None
    whole, _, caller = fields[3].partition(b",")
    return HookRecord(
        host=host,
        event=event,
        at=at,
        payload=fields[4],
        is_cut=whole != b"whole",
        is_agents=caller == b"agent",
    )


def _overwrite_lines(path: Path, forms: Sequence[bytes], read_to: int) -> bool:
    """Overwrite the lines of *path* up to *read_to*, and those that hold any of *forms*."""
    at, has_changed = 0, False
    fd = os.open(path, os.O_RDWR)
    with os.fdopen(fd, "r+b") as file:
        for line in file:
            is_whole = line.endswith(b"\n")
            if line != b"\n" and is_whole and (at < read_to or any(one in line for one in forms)):
                os.pwrite(fd, b"\n" * len(line), at)
                has_changed = True
            at += len(line)
        os.fsync(fd)
    return has_changed


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _mark_file(segment: Path) -> Path:
    return segment.with_suffix(".read")


def _read_to(segment: Path) -> int:
    try:
        return int(_mark_file(segment).read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return 0


def _remove_if_read(segment: Path) -> bytes:
    """Remove a segment that was read to its end; return what a broken write left after it."""
    fd = os.open(segment, os.O_RDONLY)
    try:
        # Hooks hold it shared while they write; who gets it alone knows that nobody does.
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        rest = os.pread(fd, _LINE_BYTES_MAX, _read_to(segment))
        if b"\n" in rest:
            return b""
        # The mark first: without its segment it would hide the records of a new one.
        _mark_file(segment).unlink(missing_ok=True)
        segment.unlink()
    except BlockingIOError:
        return b""
    finally:
        os.close(fd)
    return rest


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")
