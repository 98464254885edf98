"""Keep the counts of a worker's stages in a file."""

import json
import logging
import mmap
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields
from datetime import datetime
from functools import cached_property
from pathlib import Path

from tilth.runtime.stages import StageCounts

logger = logging.getLogger(__name__)

_INSTANTS = frozenset({"last_run_at", "last_made_at"})
# In bytes: room for a stage's name and a time.
_MARK_BYTES = 256


class StageLog:
    """
    A file of stage counts for a store, and one that names the running stage.

    Both may be lost; the counts then begin anew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._present = path.with_suffix(".present")

    @contextmanager
    def running(self, stage: str, now: datetime) -> Iterator[None]:
        """Mark *stage* as running, so that a kill during it is known later."""
        self._mark[:] = f"{stage} {now.isoformat()}".encode("ascii").ljust(_MARK_BYTES)
        try:
            yield
        finally:
            self._mark[:] = bytes(_MARK_BYTES)

    def cut_off(self) -> tuple[str, datetime] | None:
        """Return the stage during which the last worker was killed, and when the stage began."""
        try:
            stage, _, began = self._mark[:].rstrip().decode("ascii").partition(" ")
            self._mark[:] = bytes(_MARK_BYTES)
            return stage, datetime.fromisoformat(began)
        except ValueError:
            return None

    @cached_property
    def _mark(self) -> mmap.mmap:
        """
        The file with the name of the running stage, mapped into memory that outlives a kill.

        An idle worker sets it a dozen times in each round, without a system call, and without a
        file that a full disk could refuse. Where it cannot be mapped, a kill is not known later.
        """
        try:
            return self._mapped()
        except OSError as error:
            logger.warning("a kill of the worker would not be known: %s", error.strerror)
            return mmap.mmap(-1, _MARK_BYTES)

    def _mapped(self) -> mmap.mmap:
        self._present.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(self._present, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(fd, "r+b") as file:
            left = file.read(_MARK_BYTES)
            file.write(bytes(_MARK_BYTES - len(left)))
            file.flush()
            return mmap.mmap(file.fileno(), _MARK_BYTES)

    def read(self) -> dict[str, StageCounts]:
        """Return the counts by stage; empty if no worker ran yet or the file is broken."""
        try:
            told = json.loads(self._path.read_bytes())
            return {str(name): _counts(one) for name, one in told.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def write(self, stages: Mapping[str, StageCounts]) -> None:
        """Replace the file; if the disk is full, the former counts stay."""
        new = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(new, {name: asdict(counts) for name, counts in stages.items()})
            new.replace(self._path)
        except OSError as error:
            logger.warning("the counts of the worker are not kept: %s", error.strerror)
            with suppress(OSError):
                new.unlink()


def _write(path: Path, told: Mapping[str, object]) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w", encoding="ascii") as file:
        json.dump(told, file, default=datetime.isoformat)


def _counts(told: Mapping[str, object]) -> StageCounts:
    known = {field.name for field in fields(StageCounts)}
    values = {name: _value(name, value) for name, value in told.items() if name in known}
    return StageCounts(**values)  # type: ignore[arg-type] # what `write` wrote, or refused above


def _value(name: str, value: object) -> object:
    return datetime.fromisoformat(value) if name in _INSTANTS and isinstance(value, str) else value
