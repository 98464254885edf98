"""
Architecture decision records, as adr-tools and MADR write them: a record is a session.

What a record says of its own state stands with the section that says it, so
that a changed state is a new section, and no old one has a stale label.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from tilth.core.errors import InvalidInputError
from tilth.core.io.projects import scope_of_document
from tilth.core.json import JsonObject
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType
from tilth.transfer.formats.documents import markdown
from tilth.transfer.model import Item, Mended, Row, Told, ToldEdge
from tilth.transfer.reading.conversation import conversation_in, in_one_line, session_id_of
from tilth.transfer.reading.documents import Document, read_document, tags_of, utterances
from tilth.transfer.reading.lenient_json import parse_timestamp, string
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "adr"
PROGRAM = "decision records"
READS = "numbered markdown with a decision, and a status or context"
SESSION = "the record; its sections are episodes"
_ANY_CASE = re.MULTILINE | re.IGNORECASE
# A number and a name, but no day: 2024-01-05-standup.md is a diary.
_NAME = re.compile(r"(?!\d{4}-\d\d\b)(?:adr[-_ ]?)?\d{1,5}[-_. ]\D", re.IGNORECASE)
_DECISION = re.compile(r"^#{1,4} +(?:\d+\. +)?decision\b", _ANY_CASE)
_CONTEXT = re.compile(r"^#{1,4} +(?:\d+\. +)?context\b", _ANY_CASE)
# The line after its heading, or on the line of its label: `Status: accepted`, `* **Date**: …`.
_LABELLED = r"^(?:[-*] +)?(?:\*\*|__)?{}(?:\*\*|__)?:(?:\*\*|__)?[ \t]*(\S[^\n]*)"
_STATUS = re.compile(
    r"^#{1,4} +status\b[^\n]*\n\s*([^\s#][^\n]*)|" + _LABELLED.format("status"), _ANY_CASE
)
_DATE = re.compile(_LABELLED.format("date"), _ANY_CASE)
_SUPERSEDES = re.compile(r"^[^\n]*\bsupersed[^\n]*", _ANY_CASE)
_NUMBER = re.compile(r"^(?:adr[- ]?)?\d+[.:] +", re.IGNORECASE)
_AFTER_STATUS = re.compile(r"\s+by\b|[\[(.,;:]")
# `Superseded by [12. Use RDS](0012-use-rds.md)`, and the other way round.
_BY = re.compile(r"superseded by", re.IGNORECASE)
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\s]+\)")
_NUMBERED = re.compile(r"\badr[-_ ]?0*(\d+)", re.IGNORECASE)
# A record that is over, and one of which nobody decided yet.
_OVER = frozenset({"superseded", "deprecated", "rejected", "obsolete", "withdrawn"})
_OPEN = frozenset({"proposed", "draft", "pending"})
_SAID_CHARS = 1000
_STATUS_CHARS = 100
_SUPERSEDES_CHARS = 500


def sniff(sample: Sample) -> bool:
    """Say whether this is a numbered document with two of status, context and decision."""
    if not (markdown.sniff(sample) and _NAME.match(sample.name)):
        return False
    parts = (_STATUS, _CONTEXT, _DECISION)
    return sum(bool(part.search(sample.text)) for part in parts) > 1


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the record holds."""
    document = read_document(source)
    yield from document.problems
    state = {**_stated(document.body), **_stated_before(document)}
    started_at = document.date or source.modified_at
    if not document.date and "date" in state:
        try:
            started_at = parse_timestamp(state["date"])
        except InvalidInputError as error:
            yield Mended(source.label, f"{error}; the file's own time is taken instead")
    title = _title(document, source)
    status = _AFTER_STATUS.split(state.get("status", ""))[0].lower()
    tags = ("adr", status, *tags_of(document.properties))
    scope = scope_of_document(source.path)
    conversation = conversation_in(
        source, HOST, source.key, title=title, tags=tags, began=started_at, scope=scope
    )
    before = _stated_before(document)
    for said in utterances(document.sections, source.label):
        metadata: JsonObject = {**said.metadata, **_stated(said.text), **before}
        yield from conversation.say(replace(said, metadata=metadata))
        before = {}


def rows(source: SourceFile) -> Iterator[Row]:
    """
    Yield the decision that a record is, what it decided, and which record took whose place.

    What was decided rests on the record's own words. It holds from its date; a record that says
    of itself that it is over ends it, and one that is merely proposed states nothing.
    """
    document, scope = read_document(source), scope_of_document(source.path)
    state = {**_stated(document.body), **_stated_before(document)}
    name = _title(document, source)
    yield from markdown.named(source, name, [], EntityType.DECISION, scope)
    for line in state.get("supersedes", "").splitlines():
        for other in _others(line, source):
            ends = (other, name) if _BY.search(line) else (name, other)
            yield ToldEdge(source.label, ends, EdgeKind.SUPERSEDES.value, scope, "")
    status = _AFTER_STATUS.split(state.get("status", ""))[0].lower().partition(" ")[0]
    said = "" if status in _OPEN else _decided(document.body)
    if said:
        begun = _begun(document, state, source)
        telling: dict[str, object] = {"text": said, "about": [name], "scope": scope}
        telling["valid_from"] = begun
        if status in _OVER:
            telling["valid_to"] = max(source.modified_at, begun + timedelta(microseconds=1))
        session_id = session_id_of(HOST, source.key)
        yield Told(source.label, telling, session_id=session_id, quote=said)


def _title(document: Document, source: SourceFile) -> str:
    return _NUMBER.sub("", document.title) or source.stem


def _decided(body: str) -> str:
    """Return the first paragraph of the decision, as it stands there."""
    found = _DECISION.search(body)
    after = body[found.end() :].partition("\n")[2].lstrip("\n") if found else ""
    paragraph = after.partition("\n\n")[0].strip()
    return "" if paragraph.startswith("#") else paragraph[:_SAID_CHARS]


def _others(line: str, source: SourceFile) -> Iterator[str]:
    """Yield the names of the records that a line points at."""
    if links := _LINK.findall(line):
        yield from (_NUMBER.sub("", one.strip()) for one in links)
        return
    for number in _NUMBERED.findall(line):
        for path in sorted(source.path.parent.glob(f"*{number}[-_. ]*")):
            named = _NAME.match(path.name) and re.search(r"\d+", path.name)
            if named and int(named[0]) == int(number) and path != source.path:
                other = SourceFile(path)
                yield _title(read_document(other), other)


def _begun(document: Document, state: dict[str, str], source: SourceFile) -> datetime:
    if document.date:
        return document.date
    try:
        return parse_timestamp(state["date"])
    except (KeyError, InvalidInputError):
        return source.modified_at


def _stated(text: str) -> dict[str, str]:
    """Return status, date and what is superseded, as far as *text* says it."""
    status, date = _STATUS.search(text), _DATE.search(text)
    supersedes = "\n".join(_SUPERSEDES.findall(text)).strip()
    said = {
        "status": in_one_line(status[1] or status[2], _STATUS_CHARS) if status else "",
        "date": in_one_line(date[1], _STATUS_CHARS) if date else "",
        "supersedes": supersedes[:_SUPERSEDES_CHARS],
    }
    return {name: words for name, words in said.items() if words}


def _stated_before(document: Document) -> dict[str, str]:
    """Return what the front matter says of the same."""
    said = {name: string(document.properties, name) for name in ("status", "date", "supersedes")}
    return {name: words[:_SUPERSEDES_CHARS] for name, words in said.items() if words}
