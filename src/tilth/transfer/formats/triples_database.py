"""
Triples of another store: an SQLite file with the table `triples` that seed 002 prints.

It is only read. What superseded a triple ends it: that is when the next was created.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import apsw

from tilth.core.errors import InvalidInputError
from tilth.core.instant import EPOCH
from tilth.core.json import Json
from tilth.transfer.importing import Skipped, Told

_COLUMNS = (
    "id", "channel", "subject", "predicate", "object", "confidence", "source", "created_at",
    "superseded_by", "metadata",
)  # fmt: skip
_ROWS = f"""
SELECT {", ".join(f"t.{column}" for column in _COLUMNS)}, s.created_at
FROM triples t LEFT JOIN triples s ON s.id = t.superseded_by ORDER BY t.created_at, t.id
"""  # noqa: S608 - names of ours


def triples_in(conn: apsw.Connection, name: str) -> Iterator[Told | Skipped]:
    """
    Yield the triples of a database, one that cannot be read as one that was skipped.

    Raises:
        InvalidInputError: it has no table `triples` as it is printed.
    """
    _check_schema(conn, name)
    for row in conn.execute(_ROWS):
        yield _told(row, name)


def _check_schema(conn: apsw.Connection, name: str) -> None:
    columns = {row[1] for row in conn.execute("PRAGMA table_info(triples)")}
    if columns != set(_COLUMNS):
        raise InvalidInputError(
            f"{name} is a database, but not one of triples or learnings",
            hint=f"its table `triples` has exactly the columns {', '.join(_COLUMNS)}",
        )


def _told(row: tuple[object, ...], name: str) -> Told | Skipped:
    told = dict(zip((*_COLUMNS, "ended_at"), row, strict=True))
    where = f"{name}: {str(told['id'])[:60]}"
    try:
        return Told(where, _telling(told))
    except InvalidInputError as error:
        return Skipped(where, str(error))


def _telling(told: Mapping[str, object]) -> Mapping[str, object]:
    legacy: dict[str, Json] = {"id": str(told["id"]), "source": str(told["source"])}
    if told["superseded_by"] is not None:
        legacy["superseded_by"] = str(told["superseded_by"])
    if told["metadata"] is not None:
        legacy["metadata"] = _metadata(str(told["metadata"]))
    telling: dict[str, object] = {
        part: str(told[part]) for part in ("channel", "subject", "predicate", "object")
    }
    telling["confidence"] = _number(told["confidence"])
    began, ended = _instant(told["created_at"]), _instant(told["ended_at"])
    if began is None:
        # Nobody knows since when: before all that says so (DU-062).
        legacy["created_at"] = str(told["created_at"])
    telling["valid_from"] = began or EPOCH
    if ended is not None:
        telling["valid_to"] = ended
    return telling | {"metadata": {"legacy": legacy}}


def _metadata(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError:
        # Whatever stood there is kept as it stood.
        return text
    return value


def _number(value: object) -> float:
    if isinstance(value, int | float):
        return float(value)
    raise InvalidInputError(f"a confidence is a number, not {str(value)[:20]!r}")


def _instant(value: object) -> datetime | None:
    """Read what `datetime('now')` of SQLite writes, which is UTC; None if it is no instant."""
    try:
        instant = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
