"""What an export contains, and the list of exports that were made."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import ULID_CHARS, EventId
from tilth.core.io.private_files import append_line, read_lines
from tilth.core.json import JsonObject, parse_line
from tilth.core.scope import Visibility, parse_owner, parse_scope

_FILE = "exports.jsonl"
_ULID = re.compile(rb"[0-9A-Z]{%d}" % ULID_CHARS)
_HEADER_BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporting:
    """
    An export to make at `path`.

    `is_shared` masks personal data, for others. `is_whole` exports the ledger of all owners, from
    which another store is made. A vault has `links`, the form in which its pages name one another,
    and with `is_raw` its sessions.
    """

    path: str
    within: Visibility
    is_shared: bool = False
    is_whole: bool = False
    is_forced: bool = False
    links: str = ""
    is_raw: bool = False


class NotedExports:
    """The list of exports that were made on this machine; an erase rewrites them."""

    def __init__(self, state: Path) -> None:
        self._path = state / _FILE

    def note(self, store_id: str, told: Exporting) -> None:
        """Add an export of a store to the list."""
        scopes = told.within.scopes
        line: JsonObject = {
            "store_id": store_id,
            "path": str(Path(told.path).absolute()),
            "owner": told.within.owner,
            "scopes": None if scopes is None else sorted(scopes),
            "is_shared": told.is_shared,
            "is_whole": told.is_whole,
            **({"links": told.links, "is_raw": told.is_raw} if told.links else {}),
        }
        append_line(self._path, line)

    def naming(self, store_id: str, event_ids: AbstractSet[EventId]) -> Sequence[Exporting]:
        """
        Return the exports of a store that still exist and name any of these events.

        Vaults are always returned, since an update changes only what differs.
        """
        wanted = {one.encode() for one in event_ids}
        return [
            one
            for one in self.there(store_id)
            if one.links or (_is_of(one, store_id) and _names(one, wanted))
        ]

    def there(self, store_id: str) -> Sequence[Exporting]:
        """Return the exports of a store whose file or folder exists."""
        # Of several exports to one path, the last one is there.
        lines = (one for one in read_lines(self._path) if one.get("store_id") == store_id)
        noted = {one.path: one for line in lines if (one := _read(line)) is not None}
        return [
            one
            for one in noted.values()
            if (Path(one.path).is_dir() if one.links else Path(one.path).is_file())
        ]


def _read(told: Mapping[str, object]) -> Exporting | None:
    scopes = told.get("scopes")
    try:
        seen = frozenset(map(parse_scope, scopes)) if isinstance(scopes, list) else None
        within = Visibility(parse_owner(str(told["owner"])), seen)
        return Exporting(
            path=str(told["path"]),
            within=within,
            is_shared=told["is_shared"] is True,
            is_whole=told.get("is_whole") is True,
            is_forced=True,
            links=str(told.get("links", "")),
            is_raw=told.get("is_raw") is True,
        )
    except (KeyError, InvalidInputError):
        return None


def _is_of(noted: Exporting, store_id: str) -> bool:
    """Say whether the file is still an export of the store and its owner."""
    with Path(noted.path).open("rb") as file:
        header = parse_line(file.readline(_HEADER_BYTES_MAX))
    return header.get("store_id") == store_id and header.get("owner") == noted.within.owner


def _names(noted: Exporting, event_ids: AbstractSet[bytes]) -> bool:
    with Path(noted.path).open("rb") as file:
        return any(not event_ids.isdisjoint(_ULID.findall(line)) for line in file)
