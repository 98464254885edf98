"""
Tilth's own export (docs/reference/export.md), read by another store or the same one.

Sessions and episodes are imported like those of any other program; facts, entities and edges like
those of another store. Facts become historical, and every row keeps the ID that it had.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from tilth.core.errors import InvalidInputError
from tilth.core.ids import parse_session_id
from tilth.core.instant import parse_instant
from tilth.core.json import Json, JsonObject
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL, parse_scope
from tilth.core.text.surrogates import without_surrogates
from tilth.episodes.episode import TRANSPORTS, EpisodeDraft, EpisodeFields, parse_draft
from tilth.episodes.session import SessionInfo
from tilth.knowledge.entities.entity import EntityDraft, parse_entity_type
from tilth.transfer.model import (
    EXPORTED_KEY,
    Described,
    Item,
    Row,
    Skipped,
    Spot,
    Told,
    ToldEdge,
    ToldEntity,
)
from tilth.transfer.reading.conversation import Tally
from tilth.transfer.reading.lenient_json import mapping, mappings, sequence, string
from tilth.transfer.reading.records import Record, json_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "tilth-export"
PROGRAM = "another store"
READS = "sessions and episodes of an [export](export.md); `tilth fact import` reads the rest of it"
SESSION = "a session"
_VERSION = 1
_REASON_CHARS = 300
_FRAME = frozenset({HOST, "end"})
_KNOWLEDGE = frozenset({"fact", "entity", "edge"})
_WORDS = (
    "subject", "predicate", "object", "channel", "area", "environment", "system", "component",
    "scope",
)  # fmt: skip
_SAID = ("kind", "role", "speaker", "session_id", "scope", "address", "direction")
# The fields of an episode that are true only in the store that it comes from.
_ORIGIN = ("id", "lifecycle", "transport", "entity_id", "conversation_id")


def sniff(sample: Sample) -> bool:
    """Say whether the first line is that of an export."""
    return any(is_header(line) for line in islice(sample.records, 1))


def is_header(line: JsonObject) -> bool:
    """Say whether *line* begins an export."""
    return string(line, "type") == HOST


def read(source: SourceFile) -> Iterator[Item]:
    """Yield the sessions and episodes of an export."""
    tally, is_whole, known_count = Tally(), False, 0
    with source.open() as stream:
        for record in json_lines(stream, source.label):
            if isinstance(record, Skipped):
                yield record
                continue
            kind = string(record.value, "type")
            is_whole = is_whole or kind == "end"
            try:
                _check_version(record.value)
                if kind == "session":
                    yield _session(record.value)
                elif kind == "episode":
                    yield _episode(record.value)
                elif kind in _KNOWLEDGE:
                    known_count += 1
                else:
                    _leave(kind, tally)
            except InvalidInputError as error:
                yield Skipped(record.where, without_surrogates(str(error))[:_REASON_CHARS])
    if not is_whole:
        yield Skipped(source.label, "it breaks off: its last line is not there")
    yield from _skipped_knowledge(known_count, source.label)
    yield from tally.skipped(source.label)


def _leave(kind: str, tally: Tally) -> None:
    if kind not in _FRAME:
        tally.add(f"rows of type {kind[:30]!r}, which stay with their store")


def _skipped_knowledge(count: int, label: str) -> Iterator[Skipped]:
    if count:
        reason = "facts, entities and links; read them with: tilth fact import FILE --execute"
        yield Skipped(label, reason, count)


def read_knowledge(record: Record, home: str) -> Iterator[Row]:
    """
    Yield the fact, entity or edge in a line; nothing for other lines.

    *home* is the ID of the store that the export is of.

    Raises:
        InvalidInputError: it cannot be read.
    """
    row = record.value
    _check_version(row)
    match string(row, "type"):
        case "fact":
            yield _fact(row, record.where)
        case "entity":
            yield _entity(row, record.where)
        case "edge":
            yield _edge(row, record.where, home)
        case _:
            return


def _check_version(row: JsonObject) -> None:
    version = row.get("version")
    if is_header(row) and version != _VERSION:
        raise InvalidInputError(
            f"an export of version {str(version)[:20]!r}, and this program reads {_VERSION}",
            hint="install a newer tilth",
        )


def _session(row: JsonObject) -> Described:
    tags = [tag for tag in sequence(row, "tags") if isinstance(tag, str)]
    texts = {name: string(row, name) for name in ("title", "host", "folder", "uri")}
    for text in (*texts.values(), *tags):
        _check_whole(text)
    return Described(
        session_id=parse_session_id(string(row, "id")),
        info=SessionInfo(**texts, tags=tuple(tags)),
        scope=parse_scope(string(row, "scope") or GLOBAL),
    )


def _episode(row: JsonObject) -> EpisodeDraft:
    id_ = string(row, "id")
    if not id_:
        raise InvalidInputError("an episode without an ID")
    told: EpisodeFields = {name: string(row, name) for name in _SAID if string(row, name)}  # type: ignore[assignment] # names of its own
    transport = string(row, "transport")
    origin = {name: string(row, name) for name in _ORIGIN if string(row, name)}
    told |= {
        "at": parse_instant(string(row, "occurred_at")),
        # A transport that another installation added may be unknown here.
        "transport": transport if transport in TRANSPORTS else "cli",
        "metadata": {**mapping(row, "metadata"), "exported": origin},
        "idempotency_key": EXPORTED_KEY + id_,
    }
    return parse_draft(string(row, "text"), told)


def _fact(row: JsonObject, where: str) -> Told | Skipped:
    if string(row, "review") == Review.REJECTED:
        return Skipped(where, "a human rejected it")
    if string(row, "lifecycle") == Lifecycle.DRAFT:
        return Skipped(where, "it was never more than proposed")
    origin = {
        name: row[name]
        for name in ("id", "lifecycle", "review", "by", "recorded_at")
        if name in row
    }
    telling: dict[str, object] = {name: string(row, name) for name in _WORDS if string(row, name)}
    telling |= {"text": string(row, "text"), "metadata": _with(row, origin)}
    telling |= {name: _strings(row, name) for name in ("tags", "about")}
    for name in ("valid_from", "valid_to"):
        if text := string(row, name):
            telling[name] = parse_instant(text)
    confidence = row.get("confidence")
    if isinstance(confidence, int | float) and not isinstance(confidence, bool):
        telling["confidence"] = confidence
    spots = tuple(map(_spot, mappings(row, "evidence")))
    return Told(where, telling, id=string(row, "id"), spots=spots)


def _spot(piece: JsonObject) -> Spot:
    bounds = [piece.get(name) for name in ("start", "end")]
    begin, end = (at if isinstance(at, int) and at >= 0 else 0 for at in bounds)
    return Spot(string(piece, "episode_id"), begin, end)


def _entity(row: JsonObject, where: str) -> ToldEntity | Skipped:
    if string(row, "merged_into"):
        return Skipped(where, "it is another name of an entity")
    draft = EntityDraft(
        name=string(row, "name"),
        type=parse_entity_type(string(row, "entity_type")),
        aliases=tuple(_strings(row, "aliases")),
        scope=parse_scope(string(row, "scope") or GLOBAL),
        metadata=_with(row, {"id": string(row, "id")}),
    )
    return ToldEntity(where, draft, id=string(row, "id"))


def _edge(row: JsonObject, where: str, home: str) -> ToldEdge | Skipped:
    ends = (string(row, "source_name"), string(row, "target_name"))
    if not all(ends):
        return Skipped(where, "it joins something else than entities")
    scope = parse_scope(string(row, "scope") or GLOBAL)
    return ToldEdge(where, ends, string(row, "kind"), scope, home)


def _with(row: JsonObject, origin: Mapping[str, Json]) -> JsonObject:
    return {**mapping(row, "metadata"), "exported": origin}


def _strings(row: JsonObject, name: str) -> list[str]:
    return [one for one in sequence(row, name) if isinstance(one, str)]


def _check_whole(text: str) -> None:
    """
    Refuse half a character.

    Raises:
        InvalidInputError: there is one in *text*.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"half a character at position {error.start}") from error
