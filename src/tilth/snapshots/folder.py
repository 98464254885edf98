"""The folder of snapshots: a file for each day, for its owner alone; the newest are kept."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from tilth.core.errors import CorruptionError, InvalidInputError, NotFoundError
from tilth.core.ids import EventId
from tilth.core.instant import parse_instant
from tilth.core.io.atomic_file import make_private
from tilth.core.io.private_files import write_text
from tilth.core.io.temporary_files import abandoned_files
from tilth.core.json import JsonObject, parse_line
from tilth.snapshots.model import KEPT, TakenSnapshot

FORMAT, VERSION = "tilth-snapshot", 1
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY_CHARS = len("2026-11-23")
_HINT = "see: tilth snapshot list"


def snapshots_of(data: Path, store_id: str) -> Path:
    """Return the folder of a store's snapshots."""
    return data / "snapshots" / store_id


class SnapshotFolder:
    """
    The snapshots of one owner of one store.

    Args:
        path: The folder, which is made with the first snapshot.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, day: str, header: JsonObject, lines: Iterable[str]) -> TakenSnapshot:
        """
        Write the snapshot of a day whole or not at all, and remove the oldest beyond 30.

        Each of *lines* is an operation as `row_text` writes it.

        Raises:
            UnavailableError: it cannot be written.
        """
        make_private(self.path)
        target = self._file(day)
        text = _sealed({"type": FORMAT, "version": VERSION, "day": day, **header}, lines)
        write_text(str(target), text, is_forced=True)
        for old in [*self._files()[:-KEPT], *self._left_over()]:
            old.unlink(missing_ok=True)
        return self.get(day)

    def select(self) -> list[TakenSnapshot]:
        """Return the snapshots, newest first, without damaged ones."""
        headers = ((file, _header(file)) for file in reversed(self._files()))
        return [
            _snapshot(header, file, "") for file, header in headers if header.get("type") == FORMAT
        ]

    def get(self, day: str) -> TakenSnapshot:
        """
        Return the snapshot of a day, after its hash was checked.

        Raises:
            InvalidInputError: *day* is no date.
            NotFoundError: there is none of that day.
            CorruptionError: the file is not as it was written.
        """
        file = self._file(day)
        if not file.is_file():
            raise NotFoundError(f"no snapshot of {day}", hint=_HINT)
        header, seal = _header(file), b""
        hashed = hashlib.sha256()
        with file.open("rb") as lines:
            for line in lines:
                hashed.update(seal)
                seal = line
        if header.get("type") != FORMAT or _row(seal).get("sha256") != hashed.hexdigest():
            raise CorruptionError(f"{file} is not as it was written", hint=_HINT)
        return _snapshot(header, file, hashed.hexdigest())

    def lines(self, day: str) -> Iterator[Mapping[str, Any]]:
        """Yield the operations in the snapshot of a day, in ledger order."""
        with self._file(day).open("rb") as file:
            for line in file:
                row = _row(line)
                if row.get("type") == "operation":
                    yield row

    def forget(self, gone: AbstractSet[EventId]) -> list[str]:
        """Remove what was erased from every snapshot; return the files that held any of it."""
        cleaned = []
        for left in self._left_over():
            left.unlink(missing_ok=True)
            cleaned.append(str(left))
        for file in self._files():
            day = file.stem
            header = dict(_header(file))
            count = sum(row.get("id") in gone for row in self.lines(day))
            if count and header.get("type") == FORMAT:
                kept = [row_text(row) for row in self.lines(day) if row.get("id") not in gone]
                header["erased"] = int(header.get("erased", 0)) + count
                write_text(str(file), _sealed(header, kept), is_forced=True)
                cleaned.append(str(file))
        return cleaned

    def _file(self, day: str) -> Path:
        if not _DAY.fullmatch(day):
            raise InvalidInputError(f"{day[:40]!r} is no date", hint="write it as 2026-11-23")
        return self.path / f"{day}.json"

    def _left_over(self) -> list[Path]:
        """Return files left by processes that were killed while writing a snapshot."""
        days = {one.name[1 : 1 + _DAY_CHARS] for one in self.path.glob(".*.json.*.new")}
        return [left for day in days for left in abandoned_files(self.path / f"{day}.json")]

    def _files(self) -> list[Path]:
        return sorted(one for one in self.path.glob("*.json") if _DAY.fullmatch(one.stem))


def row_text(row: Mapping[str, Any]) -> str:
    """Return a row as a line of the file."""
    return json.dumps(row, ensure_ascii=False)


def _sealed(header: JsonObject, lines: Iterable[str]) -> Iterator[str]:
    """Yield a JSON list with a row in each line; the last has the hash of all before it."""
    hashed = hashlib.sha256()
    for begins, row in zip(chain("[", repeat(" ")), chain([row_text(header)], lines), strict=False):
        line = f"{begins}{row},\n"
        hashed.update(line.encode())
        yield line
    yield f" {json.dumps({'type': 'end', 'sha256': hashed.hexdigest()})}]\n"


def _row(line: bytes) -> Mapping[str, Any]:
    """Return the row in a line; empty if the line is damaged."""
    return parse_line(line.strip(b"[], \n"))


def _header(file: Path) -> Mapping[str, Any]:
    with file.open("rb") as lines:
        return _row(lines.readline())


def _snapshot(header: Mapping[str, Any], file: Path, sha256: str) -> TakenSnapshot:
    try:
        return TakenSnapshot(
            day=str(header["day"]),
            path=str(file),
            store_id=str(header["store_id"]),
            owner=str(header["owner"]),
            taken_at=parse_instant(header["taken_at"]),
            through=int(header["through"]),
            chain=str(header["chain"]),
            digest=str(header["digest"]),
            counts={str(name): int(count) for name, count in header["counts"].items()},
            sha256=sha256,
            erased=int(header.get("erased", 0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError, InvalidInputError) as error:
        raise CorruptionError(f"{file} is no snapshot: {error}", hint=_HINT) from error
