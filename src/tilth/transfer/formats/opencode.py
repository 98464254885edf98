"""
opencode's sessions: the tables `session`, `message` and `part` of its database.

A message is what one side said in one go: its parts are texts, uses of tools and what the program
needs. A session with a parent is a subagent's. The database is only read; while opencode runs, its
newest rows stand in the log beside it.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from tilth.core.errors import InvalidInputError
from tilth.core.json import Json, JsonObject
from tilth.core.outside.projects import scope_of_folder
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.importing import Item, Skipped
from tilth.transfer.reading.agent_text import (
    call_text,
    chosen_title,
    json_text,
    unquoted,
    users_words,
)
from tilth.transfer.reading.conversation import (
    Conversation,
    Tally,
    Utterance,
    session_id_of,
    session_info,
)
from tilth.transfer.reading.own_calls import is_own_call
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shapes import mapping, string, timestamp_or, written_object
from tilth.transfer.reading.shell_reports import or_silence
from tilth.transfer.reading.source_file import SourceFile
from tilth.transfer.reading.sqlite_file import MAGIC, opened

HOST = "opencode"
PROGRAM = "opencode"
READS = "its database, `~/.local/share/opencode/opencode*.db`"
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


def sniff(sample: Sample) -> bool:
    """Say whether this is a database of opencode, as far as its name and its first bytes tell."""
    return sample.head.startswith(MAGIC) and sample.name.startswith("opencode")


def read(source: SourceFile) -> Iterator[Item]:
    """
    Yield what the sessions hold, the oldest first.

    Raises:
        InvalidInputError: it is damaged, or has no sessions as they are known.
    """
    tally = Tally()
    try:
        with _opened(source) as conn:
            sessions = list(conn.execute(_SESSIONS))
            for number, session in enumerate(sessions, 1):
                yield from _session(conn, session, source, tally)
                source.position = source.size * number // len(sessions)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInputError(
            f"{source.name} cannot be read as a database of opencode: {error}"
        ) from error
    yield from tally.skipped(source.label)


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


def _session(
    conn: apsw.Connection, row: tuple[Json, ...], source: SourceFile, tally: Tally
) -> Iterator[Item]:
    id_, parent, folder, title, begun = row
    external_id, folder = str(id_), str(folder or "")
    chat = Conversation(
        session_id_of(HOST, external_id),
        session_info(HOST, source.uri, title=chosen_title(str(title or "")), folder=folder),
        started_at=timestamp_or(begun, source.modified_at),
        scope=scope_of_folder(folder),
    )
    rows = conn.execute(_PARTS, (id_,))
    for (message_id, about), its in groupby(rows, key=itemgetter(0, 1)):
        where = f"{source.label}: {str(message_id)[:60]}"
        message = written_object(about)
        parts = [_Part(str(part_id), written_object(data), at) for _, _, part_id, data, at in its]
        if not (message and all(one.told for one in parts)):
            yield Skipped(where, "a message or a part of it is no JSON object")
        elif string(message, "role") != "user":
            for one in parts:
                for said in _said(where, message, one, tally):
                    yield from chat.say(said)
        elif parent is not None:
            tally.add("tasks that an agent gave to another")
        else:
            yield from chat.say(_asked(where, str(message_id), parts, tally))


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
            metadata={"compaction": True} if is_summary else {},
        )
    elif kind == "reasoning":
        tally.add("thoughts, which are not kept")
    elif kind not in _SILENT:
        tally.add(f"parts of type {kind[:40]!r}")


def _used(where: str, part: _Part) -> Iterator[Utterance]:
    """Yield a tool's call, and what came of it once it has ended."""
    state, use = mapping(part.told, "state"), string(part.told, "callID")
    name, asked, time = string(part.told, "tool"), state.get("input"), mapping(state, "time")
    call = Utterance(
        where=where,
        text=call_text(name, asked),
        kind=EpisodeKind.TOOL_CALL,
        role=Role.ASSISTANT,
        at=time.get("start") or part.at,
        id=use or part.id,
        use=use,
        is_own=is_own_call(name, asked),
        metadata={"tool": name} | ({"tool_use_id": use} if use else {}),
    )
    yield call
    status, error = string(state, "status"), state.get("error")
    if status in {"completed", "error"}:
        has_failed = status == "error" or mapping(state, "metadata").get("exit") not in (None, 0)
        yield replace(
            call,
            text=or_silence(json_text(error or state.get("output"))),
            kind=EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT,
            role=Role.TOOL,
            at=time.get("end") or part.at,
            is_own=False,
        )
