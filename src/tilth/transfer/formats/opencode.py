"""
opencode's sessions: the tables `session`, `message` and `part` of its database, or one exported.

A message is what one side said in one go: its parts are texts, uses of tools and what the program
needs. A session with a parent is a subagent's. The database is only read; while opencode runs, its
newest rows stand in the log beside it.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from tilth.core.errors import InvalidInputError
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import (
    COMPACTION,
    called,
    came_of,
    chosen_title,
    json_text,
    unquoted,
    users_words,
)
from tilth.transfer.reading.conversation import Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, mappings, string, written_object
from tilth.transfer.reading.records import Record, items_of, json_items
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shell_reports import or_silence
from tilth.transfer.reading.source_file import SourceFile
from tilth.transfer.reading.sqlite_file import MAGIC, opened

HOST = "opencode"
PROGRAM = "opencode"
READS = (
    "its database, `~/.local/share/opencode/opencode*.db`; a session that `opencode export` wrote"
)
SESSION = "a session; a subagent's is one of its own"
# At these places of its head stands whether a database writes a log; one in memory has none (SQLite
# file format, 1.3).
_LOG_AT = slice(18, 20)
_SESSIONS = """
SELECT id, parent_id, directory, title, time_created FROM session ORDER BY time_created, id
"""
_PARTS = """
SELECT m.id, m.data, p.id, p.data, p.time_created FROM message m JOIN part p ON p.message_id = m.id
WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id
"""
# What the program keeps for itself, and pictures of the work: no word of anybody.
_SILENT = frozenset({"step-start", "step-finish", "snapshot", "patch", "retry", "compaction"})


class _Part(NamedTuple):
    """A part of a message: its ID, what it holds, and when it was made, in milliseconds."""

    id: str
    told: JsonObject
    at: Json


class _Message(NamedTuple):
    """A message: its ID, what is said about it, and its parts."""

    id: str
    about: JsonObject
    parts: Sequence[_Part]


def sniff(sample: Sample) -> bool:
    """Say whether this is a database of opencode, by its name and first bytes, or an export."""
    is_database = sample.head.startswith(MAGIC) and sample.name.startswith("opencode")
    return is_database or sample.has_keys("info", "projectID", "directory", "messages")


def read(source: SourceFile) -> Iterator[Item]:
    """
    Yield what the sessions hold, the oldest first.

    Raises:
        InvalidInputError: it is damaged, or has no sessions as they are known.
    """
    tally = Tally()
    with source.open() as stream:
        is_database = stream.read(len(MAGIC)) == MAGIC
    yield from (_read_database if is_database else _read_export)(source, tally)
    yield from tally.skipped(source.label)


def _read_export(source: SourceFile, tally: Tally) -> Iterator[Item]:
    with source.open() as stream:
        yield from items_of(
            json_items(stream, source.label),
            lambda record: _exported_session(record, source, tally),
        )


def _exported_session(record: Record, source: SourceFile, tally: Tally) -> Iterator[Item]:
    info = mapping(record.value, "info")
    row = [string(info, key) for key in ("id", "parentID", "directory", "title")]
    begun = mapping(info, "time").get("created")
    told = map(_exported, mappings(record.value, "messages"))
    yield from _session((*row, begun), told, source, tally)


def _exported(message: JsonObject) -> _Message:
    about = mapping(message, "info")
    at = mapping(about, "time").get("created")
    parts = [_Part(string(one, "id"), one, at) for one in mappings(message, "parts")]
    return _Message(string(about, "id"), about, parts)


def _read_database(source: SourceFile, tally: Tally) -> Iterator[Item]:
    try:
        with _opened(source) as conn:
            sessions = list(conn.execute(_SESSIONS))
            for number, session in enumerate(sessions, 1):
                yield from _session(session, _messages(conn, session[0]), source, tally)
                source.position = source.size * number // len(sessions)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInputError(
            f"{source.name} cannot be read as a database of opencode: {error}"
        ) from error


@contextmanager
def _opened(source: SourceFile) -> Iterator[apsw.Connection]:
    if source.path.suffix != ".gz":
        with opened(source.path) as conn:
            yield conn
        return
    content = bytearray(source.content())
    content[_LOG_AT] = b"\1\1"
    with closing(apsw.Connection(":memory:")) as conn:
        conn.deserialize("main", bytes(content))
        yield conn


def _messages(conn: apsw.Connection, session_id: Json) -> Iterator[_Message]:
    rows = conn.execute(_PARTS, (session_id,))
    for (message_id, about), its in groupby(rows, key=itemgetter(0, 1)):
        parts = [_Part(str(part_id), written_object(data), at) for _, _, part_id, data, at in its]
        yield _Message(str(message_id), written_object(about), parts)


def _session(
    row: Sequence[Json], messages: Iterable[_Message], source: SourceFile, tally: Tally
) -> Iterator[Item]:
    id_, parent, folder, title, begun = row
    external_id, folder = str(id_), str(folder or "")
    title = chosen_title(str(title or ""))
    chat = conversation_in(source, HOST, external_id, title=title, folder=folder, began=begun)
    for message in messages:
        where = f"{source.label}: {message.id[:60]}"
        if not (message.about and all(one.told for one in message.parts)):
            yield Skipped(where, "a message or a part of it is no JSON object")
        elif string(message.about, "role") != "user":
            for one in message.parts:
                for said in _said(where, message.about, one, tally):
                    yield from chat.say(said)
        elif parent:
            tally.add(Tally.SUBAGENT_TASKS)
        elif message.parts:
            yield from chat.say(_asked(where, message.id, message.parts, tally))


def _asked(where: str, message_id: str, parts: Sequence[_Part], tally: Tally) -> Utterance:
    """Return what a person typed, without what programs put beside it."""
    beside = sum(one.told.get("synthetic") is True for one in parts)
    if beside:
        tally.add("texts that programs put beside a prompt", beside)
    texts = [
        string(one.told, "text")
        for one in parts
        if string(one.told, "type") == "text" and one.told.get("synthetic") is not True
    ]
    words = users_words(unquoted("\n".join(texts)))
    return Utterance(where=where, text=words, at=parts[0].at, id=message_id)


def _said(where: str, message: JsonObject, part: _Part, tally: Tally) -> Iterator[Utterance]:
    """Yield what a part of an agent's message says or does."""
    kind = string(part.told, "type")
    if kind == "tool":
        yield from _used(where, part)
    elif kind == "text":
        # With its summary a program goes on that ran out of room.
        is_summary = message.get("summary") is True
        yield Utterance(
            where=where,
            text=string(part.told, "text"),
            role=Role.SYSTEM if is_summary else Role.ASSISTANT,
            at=mapping(part.told, "time").get("end") or part.at,
            id=part.id,
            metadata=COMPACTION if is_summary else {},
        )
    elif kind == "reasoning":
        tally.add("thoughts, which are not kept")
    elif kind not in _SILENT:
        tally.add(f"parts of type {kind[:40]!r}")


def _used(where: str, part: _Part) -> Iterator[Utterance]:
    """Yield a tool's call, and what came of it once it has ended."""
    state, use = mapping(part.told, "state"), string(part.told, "callID")
    name, asked, time = string(part.told, "tool"), state.get("input"), mapping(state, "time")
    blank = Utterance(
        where=where,
        text="",
        at=time.get("start") or part.at,
        id=use or part.id,
        use=use,
        metadata={"tool": name} | ({"tool_use_id": use} if use else {}),
    )
    call = called(blank, name, asked)
    yield call
    status, error = string(state, "status"), state.get("error")
    if status in {"completed", "error"}:
        has_failed = status == "error" or mapping(state, "metadata").get("exit") not in (None, 0)
        output = or_silence(json_text(error or state.get("output")))
        ended = replace(call, at=time.get("end") or part.at)
        yield came_of(ended, output, has_failed=has_failed)
