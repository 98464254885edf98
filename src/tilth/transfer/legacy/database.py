"""
Read another store's database of triples or of learnings; it is never written.

A database of triples has the table `triples` that seed 002 prints. A triple ends when the one that
superseded it was created.

A database of learnings is that of seed 004's reference system (EM-070): the table `learnings`, and
those of relations, accesses and observations if they exist. A learning is a fact of the project
in whose folder it was made, and ends when another updates or debunks it. Consent and sensitivity
are recorded as unspecified and internal if nothing is said of them.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import apsw

from tilth.core.errors import InvalidInputError
from tilth.core.instant import EPOCH
from tilth.core.io.projects import scope_of_folder
from tilth.core.json import Json
from tilth.core.scope import GLOBAL
from tilth.knowledge.facts.fact import CONFIDENCES
from tilth.transfer.model import Skipped, Told
from tilth.transfer.reading.lenient_json import parse_timestamp
from tilth.transfer.reading.sqlite_file import opened


def read_database(file: Path) -> Iterator[Told | Skipped]:
    """
    Yield the rows of the database *file*; one that cannot be read yields `Skipped`.

    Raises:
        InvalidInputError: it is damaged, or has neither triples nor learnings in a known form.
    """
    try:
        with opened(file) as conn:
            has_learnings = _columns(conn, _TABLE) >= _NEEDED
            yield from (_learnings_in if has_learnings else _triples_in)(conn, file.name)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{file.name} cannot be read as a database: {error}") from error


_TABLE = "learnings"
_NEEDED = frozenset({"id", "content", "created_at"})
# The relations that end a learning; observations call an update `supersedes`.
_ENDING = {"updates": "superseded", "supersedes": "superseded", "debunks": "debunked"}
_CONSENT, _SENSITIVITY, _ACTIVE = "unspecified", "internal", "active"
_OBSERVED = "obs_learning_"
_TOLD = ("consent", "sensitivity", "status", "session_id", "project_scope", "kind")


def _learnings_in(conn: apsw.Connection, name: str) -> Iterator[Told | Skipped]:
    """Yield each learning of a database; one that cannot be read yields `Skipped`."""
    relations = _relations(conn)
    observed = {
        str(row.get("observation_id")).removeprefix(_OBSERVED): row
        for row in _rows(conn, "observations")
    }
    accessed = {str(row.get("id")): row for row in _rows(conn, "learning_access")}
    rows = [row for row in _rows(conn, _TABLE) if row.get("id")]
    made_at = {str(row["id"]): row.get("created_at") for row in rows}
    for row in sorted(rows, key=lambda row: (str(row.get("created_at")), str(row["id"]))):
        id_ = str(row["id"])
        where = f"{name}: {id_[:60]}"
        more: Mapping[str, Any] = observed.get(id_, {})
        if access := accessed.get(id_):
            more = {**more, "access": access}
        try:
            yield Told(where, _learning(row, more, relations.get(id_, ()), made_at))
        except InvalidInputError as error:
            yield Skipped(where, str(error))


def _learning(
    row: Mapping[str, object],
    more: Mapping[str, Any],
    ended_by: Sequence[tuple[str, str]],
    made_at: Mapping[str, object],
) -> dict[str, object]:
    folder = str(row.get("project_path") or "")
    scope = scope_of_folder(folder) if folder else GLOBAL
    begins = parse_timestamp(str(row.get("event_date") or row["created_at"]))
    ends = [
        (parse_timestamp(str(made_at[other])), other, kind)
        for other, kind in ended_by
        if other in made_at
    ]
    legacy: dict[str, Json] = {
        key: str(row[key])
        for key in ("id", "type", "session_id", "project_path", "source")
        if row.get(key)
    }
    legacy |= {"consent": _CONSENT, "sensitivity": _SENSITIVITY, "status": _ACTIVE}
    telling: dict[str, object] = {
        "text": str(row["content"] or ""),
        "about": [PurePosixPath(folder).name if scope.startswith("project:") else "user"],
        "scope": scope,
        "tags": _tags(row),
        "valid_from": begins,
    }
    if ends:
        at, other, kind = min(ends)
        legacy |= {"status": _ENDING[kind], "ended_by": other}
        telling["valid_to"] = max(at, begins)
    legacy |= {key: str(more[key]) for key in _TOLD if more.get(key)}
    if access := more.get("access"):
        legacy["access"] = {key: str(value) for key, value in dict(access).items() if key != "id"}
    if str(row.get("confidence")) in CONFIDENCES:
        telling["confidence"] = str(row["confidence"])
    return telling | {"metadata": {"legacy": legacy}}


def _tags(row: Mapping[str, object]) -> list[str]:
    told = [str(row.get("type") or ""), *str(row.get("tags") or "").split(",")]
    return list(dict.fromkeys(word.strip().lower() for word in told if word.strip()))


def _relations(conn: apsw.Connection) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the learnings that ended each learning, with the relation."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in _rows(conn, "learning_relations"):
        if str(row.get("relation_type")) in _ENDING:
            found[str(row.get("supersedes_id"))].append((str(row["id"]), str(row["relation_type"])))
    return found


def _rows(conn: apsw.Connection, table: str) -> Iterator[Mapping[str, object]]:
    columns = sorted(_columns(conn, table))
    if columns:
        quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
        for row in conn.execute(f"SELECT {quoted} FROM {table}"):  # noqa: S608 - names in quotes
            yield dict(zip(columns, row, strict=True))


def _columns(conn: apsw.Connection, table: str) -> frozenset[str]:
    return frozenset(str(row[1]) for row in conn.execute(f"PRAGMA table_info({table})"))


_COLUMNS = (
    "id", "channel", "subject", "predicate", "object", "confidence", "source", "created_at",
    "superseded_by", "metadata",
)  # fmt: skip
_ROWS = f"""
SELECT {", ".join(f"t.{column}" for column in _COLUMNS)}, s.created_at
FROM triples t LEFT JOIN triples s ON s.id = t.superseded_by ORDER BY t.created_at, t.id
"""  # noqa: S608 - names of ours


def _triples_in(conn: apsw.Connection, name: str) -> Iterator[Told | Skipped]:
    """
    Yield the triples of a database; one that cannot be read yields `Skipped`.

    Raises:
        InvalidInputError: its table `triples` has other columns.
    """
    if _columns(conn, "triples") != set(_COLUMNS):
        raise InvalidInputError(
            f"{name} is a database, but not one of triples or learnings",
            hint=f"its table `triples` has exactly the columns {', '.join(_COLUMNS)}",
        )
    for row in conn.execute(_ROWS):
        told = dict(zip((*_COLUMNS, "ended_at"), row, strict=True))
        where = f"{name}: {str(told['id'])[:60]}"
        try:
            yield Told(where, _triple(told))
        except InvalidInputError as error:
            yield Skipped(where, str(error))


def _triple(told: Mapping[str, object]) -> Mapping[str, object]:
    legacy: dict[str, Json] = {"id": str(told["id"]), "source": str(told["source"])}
    if told["superseded_by"] is not None:
        legacy["superseded_by"] = str(told["superseded_by"])
    if told["metadata"] is not None:
        legacy["metadata"] = _metadata(str(told["metadata"]))
    telling: dict[str, object] = {
        part: str(told[part]) for part in ("channel", "subject", "predicate", "object")
    }
    telling["confidence"] = _number(told["confidence"])
    began, ended = _sqlite_instant(told["created_at"]), _sqlite_instant(told["ended_at"])
    if began is None:
        # Since an unknown time: before any that is known (DU-062).
        legacy["created_at"] = str(told["created_at"])
    telling["valid_from"] = began or EPOCH
    if ended is not None:
        telling["valid_to"] = ended
    return telling | {"metadata": {"legacy": legacy}}


def _metadata(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError:
        # Kept as the text that it is.
        return text
    return value


def _number(value: object) -> float:
    if isinstance(value, int | float):
        return float(value)
    raise InvalidInputError(f"a confidence is a number, not {str(value)[:20]!r}")


def _sqlite_instant(value: object) -> datetime | None:
    """Return the instant that SQLite's `datetime('now')` wrote, in UTC; None if it is none."""
    try:
        instant = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
