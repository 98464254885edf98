"""
Erasures as kept outside of the store: which events were erased, when and by whom.

One line of JSON each, and one for each cleaning of the files after it, in the folder of this
installation. It names IDs and holds nobody's words, so it may outlive the store: whatever copy of
the store is opened or restored later is erased again. Each line bears the installation's signature,
as heads do: a line that anybody else wrote erases nothing.
"""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EventId
from tilth.core.instant import from_micros, to_micros
from tilth.core.io.private_files import append_line, read_lines
from tilth.core.json import canonical
from tilth.core.scope import Owner
from tilth.ledger.events import Basis, Erasure

_SIGNATURE = "signature"


class ErasuresFile:
    """
    Erasures by reference, outside the database: IDs, when and by whom, and no word.

    A store that was lost, or replaced by an older copy, is erased again from here.
    """

    def __init__(self, state: Path, *, key: bytes, store_id: str) -> None:
        self._path = state / f"{store_id}.erased"
        self._key = key
        self._store_id = store_id

    def known(self) -> Sequence[Erasure]:
        """Return every erasure, the oldest first."""
        found = (_read(line) for line in self._lines() if "erasure" in line)
        return list({one.event_id: one for one in found if one is not None}.values())

    def note(self, erasure: Erasure) -> None:
        """Keep one, durably; one that is known is kept once."""
        if erasure.event_id not in {one.event_id for one in self.known()}:
            self._append(_written(erasure))

    def unpurged(self) -> Sequence[EventId]:
        """Return the erasures after which the database's files were not cleaned yet."""
        purged = {one for line in self._lines() for one in line.get("purged", ())}
        return [one.event_id for one in self.known() if one.event_id not in purged]

    def note_purge(self, event_ids: Iterable[EventId]) -> None:
        """Say that the files were cleaned after these."""
        if purged := list(event_ids):
            self._append({"purged": purged})

    def _lines(self) -> list[Mapping[str, Any]]:
        """Return the lines that bear our signature."""
        return [line for line in read_lines(self._path) if self._is_ours(line)]

    def _is_ours(self, line: Mapping[str, Any]) -> bool:
        told = {name: value for name, value in line.items() if name != _SIGNATURE}
        return hmac.compare_digest(str(line.get(_SIGNATURE, "")), self._signature(told))

    def _signature(self, told: Mapping[str, Any]) -> str:
        signed = f"{self._store_id} {canonical(told)}".encode()
        return hmac.digest(self._key, signed, "sha256").hex()

    def _append(self, told: Mapping[str, Any]) -> None:
        append_line(self._path, {**told, _SIGNATURE: self._signature(told)})


def _written(erasure: Erasure) -> Mapping[str, Any]:
    return {
        "erasure": erasure.event_id,
        "repeats": erasure.repeats,
        "at": to_micros(erasure.at),
        "by": [erasure.by.name, erasure.by.kind],
        "owner": erasure.owner,
        "basis": erasure.basis,
        "gone": list(erasure.event_ids),
    }


def _read(line: Mapping[str, Any]) -> Erasure | None:
    try:
        name, kind = line["by"]
        return Erasure(
            event_id=EventId(line["erasure"]),
            repeats=None if line["repeats"] is None else EventId(line["repeats"]),
            at=from_micros(line["at"]),
            by=Actor(name, ActorKind(kind)),
            owner=Owner(line["owner"]),
            basis=Basis(line["basis"]),
            event_ids=tuple(EventId(one) for one in line["gone"]),
        )
    except (KeyError, TypeError, ValueError, InvalidInputError):
        return None
