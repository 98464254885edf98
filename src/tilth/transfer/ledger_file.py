"""
Write the whole ledger as JSON lines, and read it to make a store on either engine.

The lines hold the ledger's rows unchanged, so the chain proves them, and a store that is made of
them has exactly the same tables.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, NotFoundError
from tilth.core.ids import decode_ulid, encode_ulid
from tilth.core.json import JsonObject, parse_line
from tilth.ledger.chain import Header, Row
from tilth.ledger.snapshot import Snapshot

FORMAT, VERSION = "tilth-ledger", 1
# Of its first line.
_HEADER_BYTES_MAX = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerFile:
    """The header of a file: the store's ID, its last place, and the digest of its tables."""

    path: Path
    store_id: str
    through: int
    digest: str

    def rows(self) -> Iterator[Row]:
        """
        Yield the lines of the ledger.

        Raises:
            CorruptionError: the file ends before it should, or a line cannot be read.
        """
        count = 0
        with self.path.open("rb") as file:
            for line in file:
                told = parse_line(line)
                if "seq" in told:
                    count += 1
                    yield _row(told)
        if count != self.through:
            raise CorruptionError(f"{self.path} ends after {count:,} of {self.through:,} events")


def rows_of(view: Snapshot, store_id: str, owner: str, at: str) -> Iterator[JsonObject]:
    """Yield the lines of a file with the whole ledger, erased payloads left empty."""
    yield {
        "type": FORMAT,
        "version": VERSION,
        "store_id": store_id,
        "owner": owner,
        "exported_at": at,
        "through": view.head().seq,
        "digest": view.digest(),
    }
    for row in view.rows():
        header = row.header
        yield {
            **header._asdict(),
            "event_id": encode_ulid(header.event_id),
            "key": _hex(header.key),
            "payload": row.payload,
            "salt": _hex(row.salt),
            "commitment": row.commitment.hex(),
            "chain": row.chain.hex(),
        }


def is_ledger_file(path: Path) -> bool:
    """Say whether a file begins with the header of a whole ledger."""
    if not path.is_file():
        return False
    with path.open("rb") as lines:
        return parse_line(lines.readline(_HEADER_BYTES_MAX)).get("type") == FORMAT


def opened(path: str) -> LedgerFile:
    """
    Open a file with a whole ledger, and return its header.

    Raises:
        NotFoundError: there is no file.
        CorruptionError: it has no such header.
    """
    file = Path(path)
    if not file.is_file():
        raise NotFoundError(f"there is no file {path[:200]}", hint="name what --whole made")
    with file.open("rb") as lines:
        header = parse_line(lines.readline())
    if (header.get("type"), header.get("version")) != (FORMAT, VERSION):
        header = {}
    try:
        return LedgerFile(
            path=file,
            store_id=str(header["store_id"]),
            through=int(header["through"]),
            digest=str(header["digest"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CorruptionError(
            f"{path[:200]} holds no whole ledger", hint="make one: tilth export FILE --whole"
        ) from error


def _row(told: Mapping[str, Any]) -> Row:
    try:
        values = {
            **{name: told[name] for name in Header._fields},
            "event_id": decode_ulid(told["event_id"]),
            "key": _bytes(told["key"]),
        }
        return Row(
            Header(**values),
            told["payload"],
            _bytes(told["salt"]),
            bytes.fromhex(told["commitment"]),
            bytes.fromhex(told["chain"]),
        )
    except (KeyError, TypeError, ValueError, json.JSONDecodeError) as error:
        raise CorruptionError(f"line {told.get('seq')} of the ledger cannot be read") from error


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else bytes.fromhex(value)
