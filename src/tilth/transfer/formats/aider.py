"""
Aider's chat history: `.aider.chat.history.md`, one file for all sessions in a folder.

`# aider chat started at TIME` begins a session; `####` is what the user typed, `>` what Aider
itself says, and all else is the model's. What stands within a fence is the model's, whatever it
begins with. Its times have no zone, and are taken as UTC.
"""

import re
from collections.abc import Iterator
from dataclasses import field
from pathlib import PurePosixPath

from tilth.core.dataclass import dataclass
from tilth.core.outside.projects import scope_of_folder
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.importing import Item
from tilth.transfer.reading.conversation import (
    Conversation,
    Utterance,
    session_id_of,
    session_info,
)
from tilth.transfer.reading.documents import read_text
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "aider"
PROGRAM = "Aider"
READS = "`.aider.chat.history.md`"
SESSION = "a chat of Aider; its own notes are results of tools"
_BEGINS = re.compile(r"# aider chat started at (?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_USER, _NOTE = "####", ">"
# What it counts tells nothing of what was done.
_COUNTS = re.compile(r"(?:Tokens:|Cost:|(?:Main |Weak )?[Mm]odel:|Aider v\d|Repo-map:|Git repo:)")


def sniff(sample: Sample) -> bool:
    """Say whether Aider wrote this."""
    return _BEGINS.match(sample.text.lstrip()) is not None


@dataclass(slots=True)
class _Passage:
    """Lines of one kind in a row."""

    kind: str
    number: int
    lines: list[str] = field(default_factory=list)


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the history holds."""
    text, problems = read_text(source)
    yield from problems
    folder = str(PurePosixPath(source.path).parent)
    chat: Conversation | None = None
    at = ""
    for passage in _passages(text):
        if found := _BEGINS.fullmatch(passage.lines[0]):
            at = f"{found['at']}+00:00"
            chat = Conversation(
                session_id_of(HOST, f"{source.key}#{found['at']}"),
                session_info(HOST, source.uri, folder=folder),
                started_at=source.modified_at,
                scope=scope_of_folder(folder),
            )
        elif chat is not None and (said := _utterance(passage, source.label, at)) is not None:
            yield from chat.say(said)


def _passages(text: str) -> Iterator[_Passage]:
    passage: _Passage | None = None
    is_fenced = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.rstrip()
        begins = _BEGINS.fullmatch(line) is not None
        is_fenced = not begins and is_fenced ^ (_FENCE.match(line) is not None)
        kind = "begin" if begins else _kind(line, is_fenced=is_fenced)
        if passage is None or passage.kind != kind or begins:
            if passage is not None:
                yield passage
            passage = _Passage(kind, number)
        passage.lines.append(line)
    if passage is not None:
        yield passage


def _kind(line: str, *, is_fenced: bool) -> str:
    if is_fenced:
        return ""
    # Of a note of several lines it marks the first alone.
    if _COUNTS.match(line):
        return _NOTE
    return next((mark for mark in (_USER, _NOTE) if f"{line} ".startswith(f"{mark} ")), "")


def _utterance(passage: _Passage, label: str, at: str) -> Utterance | None:
    lines = [line.removeprefix(passage.kind).removeprefix(" ") for line in passage.lines]
    where = f"{label}:{passage.number}"
    if passage.kind == _NOTE:
        told = "\n".join(line for line in lines if not _COUNTS.match(line)).strip()
        kind, role = EpisodeKind.TOOL_RESULT, Role.TOOL
        return Utterance(where=where, text=told, kind=kind, role=role, at=at) if told else None
    role = Role.USER if passage.kind == _USER else Role.ASSISTANT
    text = "\n".join(lines).strip()
    return Utterance(where=where, text=text, role=role, at=at) if text else None
