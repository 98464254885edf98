"""
Aider's chat history: `.aider.chat.history.md`, one file for all sessions in a folder.

`# aider chat started at TIME` begins a session; `####` is what was sent to the model, `>` what
Aider itself says, and all else is the model's. Aider ends what it marks with two spaces, by which
its marks differ from headings and quotes of the model, and from code. Where an editor took these
spaces away, what stands within a fence is the model's, whatever it begins with.
Its times have no zone, and are taken as UTC.

Not all that was sent was typed: an architect's answer goes on to the editor's model word for word,
`/help` sends pages of the manual, and `/lint` what the linter says. What a person tells Aider
itself (`/add`, `/run`) is no word to the model, and of a run that nobody watches (`--yes-always
--message`) a program wrote the prompt.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import PurePosixPath

from tilth.core.dataclass import dataclass
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import AGENT_PROMPTED, EpisodeKind, Role
from tilth.practice.calls import EDITED
from tilth.transfer.model import Item
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
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
_MARKS = (_USER, _NOTE)
_END = "  "
# What it counts tells nothing of what was done.
_COUNTS = re.compile(r"(?:Tokens:|Cost:|(?:Main |Weak )?[Mm]odel:|Aider v\d|Repo-map:|Git repo:)")
# One prompt for another mode, or another program. What follows is mostly told once more, without.
_MODE = re.compile(r"/(?:ask|architect|code|context|copy-context)\s+(?=\S)")
_OWN_COMMANDS = (
    "add chat-mode clear commit copy copy-context diff drop editor editor-model exit git lint load"
    " ls map map-refresh model models multiline-mode paste quit read-only reasoning-effort report"
    " reset run save settings test think-tokens tokens undo voice weak-model web"
)
_OWN = re.compile(rf"!\S|/(?:{'|'.join(_OWN_COMMANDS.split())})(?=\s|\Z)")
_UNWATCHED = re.compile(
    r"\baider(?:\.exe)?\b(?=.*\s--yes(?:-always)?(?=\s|$))(?=.*\s--(?:message|msg)[\s=])"
)
_APPLIED = re.compile(r"^Applied edit to (?P<file>\S[^\n]*?)\s*$", re.MULTILINE)
_MANUAL = re.compile(r"# Question: .*\s+# Relevant docs:")
_LINTED = "# Fix any errors below, if possible."
_BLANK = "<blank>"
# One that broke off has no end.
_THOUGHTS = re.compile(r"<(thinking-content-[0-9a-f]{8,64})>.*?(?:</\1>\s*|\Z)", re.DOTALL)


def sniff(sample: Sample) -> bool:
    """Say whether Aider wrote this."""
    return _BEGINS.match(sample.text.lstrip()) is not None


@dataclass(slots=True)
class _Passage:
    """Lines of one kind in a row."""

    kind: str
    number: int
    lines: list[str] = field(default_factory=list)

    def unmarked(self) -> list[str]:
        """Return the lines without their marks."""
        mark = rf"\A{self.kind} ?" if self.kind in _MARKS else r"\Z"
        return [re.sub(mark, "", line.rstrip()) for line in self.lines]


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the history holds."""
    text, problems = read_text(source)
    yield from problems
    history = _History(source)
    number = 1
    for lines in _chats(text.splitlines()):
        for passage in _passages(lines, number):
            yield from history.items(passage)
        number += len(lines)
    yield from history.rest()
    yield from history.tally.skipped(source.label)


class _History:
    """The state between passages: the chat, and the last answer and prompt."""

    def __init__(self, source: SourceFile) -> None:
        self.tally = Tally()
        self._source = source
        self._folder = str(PurePosixPath(source.path).parent)
        self._chat: Conversation | None = None
        self._at = ""
        self._answer = ""
        self._prompt = ""
        self._is_unwatched = False
        self._waiting: list[Utterance] = []

    def items(self, passage: _Passage) -> Iterator[Item]:
        """Yield what a passage becomes; an answer waits, for Aider applies its edits below it."""
        if found := _BEGINS.fullmatch(passage.lines[0]):
            yield from self.rest()
            self._begin(found["at"])
        elif self._chat is not None:
            where = f"{self._source.label}:{passage.number}"
            said = [replace(one, where=where, at=self._at) for one in self._said(passage)]
            if passage.kind == _NOTE:
                *edits, note = said
                yield from self._tell(edits)
                said = [note]
            yield from self.rest()
            if passage.kind in _MARKS:
                yield from self._tell(said)
            else:
                self._waiting = said

    def _tell(self, said: Iterable[Utterance]) -> Iterator[Item]:
        for one in said:
            if self._chat is not None:
                yield from self._chat.say(one)

    def rest(self) -> Iterator[Item]:
        """Yield what waits to be told."""
        yield from self._tell(self._waiting)
        self._waiting = []

    def _begin(self, at: str) -> None:
        self._at, self._answer, self._prompt = f"{at}+00:00", "", ""
        self._is_unwatched = False
        session = f"{self._source.key}#{at}"
        self._chat = conversation_in(self._source, HOST, session, folder=self._folder)

    def _said(self, passage: _Passage) -> Iterator[Utterance]:
        lines = passage.unmarked()
        text = "\n".join(lines).strip()
        if passage.kind == _NOTE:
            self._is_unwatched |= _UNWATCHED.search(text) is not None
            yield from _edits(text)
            yield _note("\n".join(line for line in lines if not _COUNTS.match(line)))
        elif passage.kind == _USER:
            yield self._sent(text)
        else:
            yield self._answered(text)

    def _answered(self, text: str) -> Utterance:
        answer, thoughts = _THOUGHTS.subn("", text)
        if thoughts:
            self.tally.add(Tally.THOUGHTS, thoughts)
        if answer:
            self._answer, self._prompt = _letters(answer), ""
        return Utterance(where="", text=answer, role=Role.ASSISTANT)

    def _sent(self, text: str) -> Utterance:
        """Return what a person typed; of what a program sent, what it tells, or nothing."""
        if text.startswith(_LINTED):
            return _note(text)
        text = _MODE.sub("", text, count=1)
        letters = _letters(text)
        if reason := self._why_untyped(text, letters):
            self.tally.add(reason)
            return Utterance(where="", text="")
        if _OWN.match(text):
            return Utterance(where="", text=text, role=Role.SYSTEM)
        self._prompt = letters
        by_program: JsonObject = {AGENT_PROMPTED: True} if self._is_unwatched else {}
        return Utterance(where="", text=text, metadata=by_program)

    def _why_untyped(self, text: str, letters: str) -> str:
        if letters == self._answer:
            return Tally.SUBAGENT_TASKS
        if letters == self._prompt or text == _BLANK:
            return "prompts that are blank, or told twice"
        return "pages of the manual beside a question" if _MANUAL.match(text) else ""


def _edits(told: str) -> Iterator[Utterance]:
    """Yield the edits that Aider says that it applied."""
    for file in dict.fromkeys(_APPLIED.findall(told)):
        text = f"edit: {file}"
        edited: dict[str, Json] = {EDITED: [file]}
        call, role = EpisodeKind.TOOL_CALL, Role.ASSISTANT
        yield Utterance(where="", text=text, kind=call, role=role, metadata=edited)


def _note(told: str) -> Utterance:
    kind, role = EpisodeKind.TOOL_RESULT, Role.TOOL
    return Utterance(where="", text=told.strip(), kind=kind, role=role)


def _letters(text: str) -> str:
    # What is sent on is stripped at the end of each line.
    return "".join(text.split())


def _chats(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines of each chat; first, those before any."""
    chat: list[str] = []
    for line in lines:
        if _BEGINS.fullmatch(line):
            yield chat
            chat = []
        chat.append(line)
    yield chat


def _passages(chat: Sequence[str], number: int) -> Iterator[_Passage]:
    """Yield the passages of a chat whose first line has *number*."""
    has_ends = any(_mark(line) and line.endswith(_END) for line in chat)
    kinds = _by_ends(chat) if has_ends else _by_fences(chat)
    passage: _Passage | None = None
    for at, (line, kind) in enumerate(zip(chat, kinds, strict=True), number):
        if passage is not None and passage.kind != kind:
            yield passage
            passage = None
        passage = passage or _Passage(kind, at)
        passage.lines.append(line)
    if passage is not None:
        yield passage


def _mark(line: str) -> str:
    return next((mark for mark in _MARKS if f"{line.rstrip()} ".startswith(f"{mark} ")), "")


def _by_ends(chat: Sequence[str]) -> Iterator[str]:
    """Yield the kind of each line of a chat in which Aider's own lines end as it ends them."""
    kind, is_open = "", False
    for line in chat:
        mark = _mark(line)
        if _BEGINS.fullmatch(line):
            kind, is_open = "begin", False
        elif mark and line.endswith(_END):
            kind, is_open = mark, False
        elif is_open or (line.strip() and kind):
            # An answer has a blank line before it; of a note of several lines the last one ends.
            kind, is_open = _NOTE, not line.endswith(_END)
        elif mark == _NOTE and _COUNTS.match(line[1:].lstrip()):
            kind, is_open = _NOTE, False
        else:
            kind = ""
        yield kind


def _by_fences(chat: Sequence[str]) -> Iterator[str]:
    """Yield the kind of each line of a chat whose lines have lost their ends."""
    kind, is_fenced = "", False
    for line in chat:
        if _BEGINS.fullmatch(line):
            kind = "begin"
        else:
            is_fenced ^= _FENCE.match(line) is not None
            goes_on = kind == _NOTE and _COUNTS.match(line) is not None
            kind = "" if is_fenced else _NOTE if goes_on else _mark(line)
        yield kind
