"""
Read facts of another store: JSON lines with the fields of a fact (`docs/reference/legacy.md`).

Other files are read as well: the graph of the reference memory server (`memory.jsonl`), where an
observation is a fact about its entity and a relation is a triple; a database of triples or
learnings (`database`); and a Tilth export (`tilth.transfer.formats.tilth_export`).
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.instant import parse_end, parse_instant
from tilth.core.json import Json, JsonObject
from tilth.transfer.formats.tilth_export import is_header, read_knowledge
from tilth.transfer.legacy.database import read_database
from tilth.transfer.model import Row, Skipped, Told
from tilth.transfer.reading.lenient_json import parse_timestamp, sequence, string
from tilth.transfer.reading.records import json_lines
from tilth.transfer.reading.sqlite_file import is_database

# Names of other stores for fields of a fact.
_SYNONYMS = {"content": "text", "domain": "area", "occurred_at": "valid_from"}
_WORDS = frozenset(
    {"text", "subject", "predicate", "object", "channel", "area", "environment", "system",
     "component", "scope"}
)  # fmt: skip
_LISTS = frozenset({"tags", "about"})
_INSTANTS = frozenset({"valid_from", "valid_to"})
# The entity and the area of a fact without either, since neither is guessed (OB-025).
_NOWHERE: Mapping[str, object] = {"area": "Study", "environment": "Study", "about": ["Study"]}


def read_legacy_facts(path: str) -> Iterator[Row]:
    """
    Yield the rows of the file at *path*; a broken line yields `Skipped`.

    Raises:
        NotFoundError: there is no such file.
        InvalidInputError: it is a database, and not one of triples or learnings.
    """
    file = Path(path)
    if not file.is_file():
        raise NotFoundError(f"no file {path}")
    if is_database(file):
        yield from read_database(file)
        return
    home: str | None = None
    with file.open("rb") as stream:
        for record in json_lines(stream, file.name):
            if isinstance(record, Skipped):
                yield record
                continue
            if is_header(record.value):
                home = string(record.value, "store_id")
            try:
                if home is not None:
                    yield from read_knowledge(record, home)
                else:
                    yield from _told(record.value, record.where)
            except InvalidInputError as error:
                yield Skipped(record.where, str(error))


def _told(line: JsonObject, where: str) -> Iterator[Told | Skipped]:
    kind = string(line, "type")
    if kind == "entity" and "observations" in line:
        name = string(line, "name")
        for text in sequence(line, "observations"):
            yield Told(where, {"text": f"{name}: {text}", "about": [name]})
    elif kind == "relation" and "relationType" in line:
        ends = {"subject": string(line, "from"), "object": string(line, "to")}
        yield Told(where, {**ends, "predicate": string(line, "relationType")})
    else:
        yield Told(where, _row(line))


def _row(line: JsonObject) -> Mapping[str, object]:
    row: dict[str, object] = {}
    rest: dict[str, Json] = {}
    for name, value in line.items():
        word = _SYNONYMS.get(name, name)
        told = _value(word, value)
        if told is None or (word != name and word in line):
            rest[name] = value
        else:
            row[word] = told
    if not row.keys() & {"subject", "system", "about"}:
        row = {"about": [row["area"]], **row} if "area" in row else {**_NOWHERE, **row}
    if not row.keys() & _INSTANTS:
        # It holds since it was recorded, if that is a time.
        with suppress(InvalidInputError):
            row["valid_from"] = parse_timestamp(line.get("created_at"))
    if rest:
        row["metadata"] = {"legacy": rest}
    return row


def _value(word: str, value: Json) -> object:
    """Return the value of the field *word*; None if there is no such field, or of another type."""
    if word in _WORDS and isinstance(value, str):
        return value if value.strip() else None
    if word in _LISTS and isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    if word in _INSTANTS and isinstance(value, str):
        return parse_end(value) if word == "valid_to" else parse_instant(value)
    if word == "confidence" and isinstance(value, int | float | str):
        return value
    return None
