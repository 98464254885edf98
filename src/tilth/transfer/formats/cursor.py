"""
Cursor's transcripts: `~/.cursor/projects/PROJECT/agent-transcripts/**/SESSION.jsonl`.

A line is a message of one side, with Claude's blocks; results of tools are not kept. A person's
words are in `<user_query>`, beside a time and attachments. A subagent's file is in the folder
`subagents` of its session.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from tilth.core.instant import MONTHS, month_number
from tilth.core.json import Json, JsonObject
from tilth.episodes.capture_dedup import AT_ABOUT
from tilth.episodes.episode import Role
from tilth.transfer.model import Item
from tilth.transfer.reading.agent_text import blocks_of, users_words
from tilth.transfer.reading.conversation import Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, sequence, string, written_object
from tilth.transfer.reading.records import Record, read_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile, note_at

HOST = "cursor"
PROGRAM = "Cursor"
READS = "`~/.cursor/projects/*/agent-transcripts/**/*.jsonl`"
SESSION = "a session; a subagent's is one of its own, `SESSION/AGENT`"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_FOLDER, _SUBAGENTS, _TRUST = "agent-transcripts", "subagents", ".workspace-trusted"
_NOTE_CHARS_MAX = 1 << 16  # of what the program notes of a workspace
_TYPED = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.DOTALL)
_TAGGED = re.compile(r"\s*<(?:[a-z]+_[a-z_]+|timestamp)>")
# It is told as Monday, Aug 31, 2026, 5:52 AM (UTC-4).
_AT = re.compile(
    r"<timestamp>\w+, (?P<month>[A-Z][a-z]{2})\w* (?P<day>\d{1,2}), (?P<year>\d{4}), "
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d) (?P<half>[AP])M"
    r"(?: \(UTC(?P<sign>[+-])(?P<zone>\d{1,2})(?::(?P<rest>\d\d))?\))?</timestamp>"
)
_NOON = 12
# What the program puts in the place of a thought.
_HIDDEN = "[REDACTED]"


def sniff(sample: Sample) -> bool:
    """Say whether these are messages of Cursor."""
    return any(
        not {"type", "uuid", "sessionId"} & record.keys()
        and _role(record) is not None
        and bool(_blocks(record))
        for record in sample.records
    )


def _role(record: JsonObject) -> Role | None:
    return _ROLES.get(string(record, "role"))


def _blocks(record: JsonObject) -> list[Json]:
    return list(sequence(mapping(record, "message"), "content"))


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the transcript holds."""
    transcript = _Transcript(source)
    yield from read_lines(source, transcript.items, transcript.tally)


class _Transcript:
    """The state between lines: the session of the file."""

    def __init__(self, source: SourceFile) -> None:
        self.tally = Tally()
        parent, stem = source.path.parent, source.stem
        self._is_subagents = parent.name == _SUBAGENTS
        session = f"{parent.parent.name}/{stem}" if self._is_subagents else stem
        self._chat = conversation_in(source, HOST, session, folder=_folder(source.path))

    def items(self, record: Record) -> Iterator[Item]:
        """Yield what one line becomes."""
        line, role = record.value, _role(record.value)
        if role is None:
            if string(line, "type") != "turn_ended":
                self.tally.add(f"lines of type {string(line, 'type')[:40]!r}")
            return
        for block in blocks_of(_blocks(line), role, self.tally):
            if block.role is Role.USER and self._is_subagents:
                self.tally.add(Tally.SUBAGENT_TASKS)
                continue
            lines = (line for line in block.text.splitlines() if line.strip() != _HIDDEN)
            text = _typed(block.text) if block.role is Role.USER else "\n".join(lines)
            yield from self._chat.say(
                Utterance(
                    where=record.where,
                    text=text,
                    kind=block.kind,
                    role=block.role,
                    at=_instant(block.text) if block.role is Role.USER else None,
                    is_own=block.is_own,
                    metadata={AT_ABOUT: True},
                )
            )


def _folder(path: Path) -> str:
    """Return the folder of the project that the program notes; an empty text if it notes none."""
    kept = next((one for one in path.parents if one.name == _FOLDER), None)
    if kept is None:
        return ""
    noted = written_object(note_at(kept.parent / _TRUST, _NOTE_CHARS_MAX))
    return string(noted, "workspacePath")


def _typed(text: str) -> str:
    """Return what a person typed, without the tags around it."""
    queries = _TYPED.findall(text)
    if queries:
        return users_words("\n".join(queries).strip())
    return "" if _TAGGED.match(text) else users_words(text)


def _instant(text: str) -> str | None:
    """Return when a prompt was sent, as ISO 8601; None if it has no time."""
    told = _AT.search(text)
    if told is None or told["month"].lower() not in MONTHS:
        return None
    hour = int(told["hour"]) % _NOON + (_NOON if told["half"] == "P" else 0)
    zone = f"{told['sign']}{int(told['zone']):02}:{told['rest'] or '00'}" if told["sign"] else "Z"
    month = month_number(told["month"])
    day = f"{told['year']}-{month:02}-{int(told['day']):02}"
    return f"{day}T{hour:02}:{told['minute']}:00{zone}"
