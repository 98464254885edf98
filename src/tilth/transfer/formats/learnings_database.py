"""
What agents learned, as the reference system of seed 004 keeps it (EM-070).

Its table `learnings` is read with those of relations, accesses and observations beside it, as far
as they are there. A learning is a fact of the project in whose folder it was made; what updates or
debunks another ends it. Where nobody said anything of consent and sensitivity, that is told too.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import apsw

from tilth.core.errors import InvalidInputError
from tilth.core.json import Json
from tilth.core.scope import GLOBAL, scope_of_folder
from tilth.knowledge.facts.fact import CONFIDENCES
from tilth.transfer.importing import Skipped, Told
from tilth.transfer.reading.timestamps import parse_timestamp

_TABLE = "learnings"
_NEEDED = frozenset({"id", "content", "created_at"})
# What ends what it relates to; `supersedes` is what observations call an update.
_ENDING = {"updates": "superseded", "supersedes": "superseded", "debunks": "debunked"}
_CONSENT, _SENSITIVITY, _ACTIVE = "unspecified", "internal", "active"
_OBSERVED = "obs_learning_"
_TOLD = ("consent", "sensitivity", "status", "session_id", "project_scope", "kind")


def has_learnings(conn: apsw.Connection) -> bool:
    """Say whether a database holds learnings."""
    return _columns(conn, _TABLE) >= _NEEDED


def learnings_in(conn: apsw.Connection, name: str) -> Iterator[Told | Skipped]:
    """Yield each learning of a database, one that cannot be read as one that was skipped."""
    relations, observed = _relations(conn), _observed(conn)
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
            yield Told(where, _telling(row, more, relations.get(id_, ()), made_at))
        except InvalidInputError as error:
            yield Skipped(where, str(error))


def _telling(
    row: Mapping[str, object],
    more: Mapping[str, Any],
    ended_by: Sequence[tuple[str, str]],
    made_at: Mapping[str, object],
) -> dict[str, object]:
    folder = str(row.get("project_path") or "")
    scope = scope_of_folder(folder)
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
        "about": [PurePosixPath(folder).name if scope != GLOBAL else "user"],
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
    """Return what ended each learning, and how."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in _rows(conn, "learning_relations"):
        if str(row.get("relation_type")) in _ENDING:
            found[str(row.get("supersedes_id"))].append((str(row["id"]), str(row["relation_type"])))
    return found


def _observed(conn: apsw.Connection) -> Mapping[str, Mapping[str, object]]:
    """Return what the canonical observations say of learnings."""
    return {
        str(row.get("observation_id")).removeprefix(_OBSERVED): row
        for row in _rows(conn, "observations")
    }


def _rows(conn: apsw.Connection, table: str) -> Iterator[Mapping[str, object]]:
    columns = sorted(_columns(conn, table))
    if columns:
        quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
        for row in conn.execute(f"SELECT {quoted} FROM {table}"):  # noqa: S608 - names in quotes
            yield dict(zip(columns, row, strict=True))


def _columns(conn: apsw.Connection, table: str) -> frozenset[str]:
    return frozenset(str(row[1]) for row in conn.execute(f"PRAGMA table_info({table})"))
