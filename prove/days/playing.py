"""
Sessions of four hosts, in the shapes that real ones told.

A session's calls and its transcript are those that were recorded (`tests/agents/recorded/HOST`),
with other words, IDs, folders and times. What Tilth told it comes back as its host passes it on.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from tilth.agents.hook_record import HookRecord
from tilth.core.instant import EPOCH

RECORDED = Path(__file__).parents[2] / "tests" / "agents" / "recorded"
HOSTS = ("claude-code", "codex", "gemini-cli", "opencode")
WITH_TRANSCRIPTS = HOSTS[:3]
# What was recorded, in place of which a session has its own.
PROMPT = "Set up the ledger service"
DECISION = (
    "We decided to use PostgreSQL for the ledger because row-level security settles tenancy."
    " Next: write the migration for the accounts table."
)
FOLDER = "/home/ada/code/ledger"
DONE, FAILED = "echo ledger-ok", "python3 scripts/migrate_nosuch.py --env staging"
_SCRIPT = FAILED.split()[1]
# What the subagent that was recorded ran and answered.
DELEGATED = "ls | wc -l", "There are two files here."
# What agents say between their calls; not every host tells its hooks.
ASIDES = frozenset({"Let me look first.", "Now the migration."})
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_USE = re.compile(r"\b(?:call|toolu)_(?=[0-9a-f]{8})")
_UUID = re.compile(r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\b")
_ITEM = re.compile(r"\b(?:item|msg|fco)_(?=[0-9a-f])")
# Of a transcript's lines those that begin the file.
_HEAD = re.compile(
    r'^\{(?:"sessionId"|"\$set": \{"messages"|.*"type": "session_meta").*\n', re.MULTILINE
)
# Events at which a host is answered with a brief, and those that stand once around a session.
ASKING = ("SessionStart", "UserPromptSubmit", "BeforeAgent", "SubagentStart")
_OUTER = ("SessionStart", "session.created", "SessionEnd")
# From one turn to the next.
EACH = timedelta(minutes=4)
# By so much a clock is set back.
SET_BACK = timedelta(hours=3)
Brief = Callable[[HookRecord], str]


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt and what the agent reported at its end."""

    prompt: str
    report: str


@dataclass(frozen=True, slots=True)
class Act:
    """A session of a story: on which day and at which hour, by which host, what is said where."""

    day: int
    hour: float
    host: str
    place: str
    turns: tuple[Turn, ...]
    ran: str = DONE
    failed: str = FAILED
    # How it stands to the one before it, or goes: "at once", "fork", "resume", "compact" (the host
    # makes room before the last turn), "set back" (the clock, before the last turn), "subagent".
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A recorded session with the words of an act, in a folder and from a time on."""

    number: int
    act: Act
    folder: str
    begins: datetime
    # A copy of the conversation of this session goes before its own turns.
    forks: int = 0
    briefs: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        """The program in which it is held."""
        return self.act.host

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What is asked and reported."""
        return self.act.turns

    @property
    def is_resumed(self) -> bool:
        """Whether its host begins it as one that goes on."""
        return self.act.beside in ("fork", "resume")

    def after(self, turn: int) -> timedelta:
        """Return how long after its beginning a turn is, by the clock of that moment."""
        is_set_back = self.act.beside == "set back" and turn == len(self.turns) - 1
        return EACH * turn - (SET_BACK if is_set_back else timedelta())

    @property
    def id(self) -> str:
        """The host's name of it."""
        return self._numbered(_own(self._recorded()[0]["payload"]))

    def _numbered(self, own: str) -> str:
        # Gemini CLI names a session's file by the beginning of its ID.
        return f"{self.number:04d}{own[4:]}" if own[0] != "s" else f"{own[:-4]}{self.number:04d}"

    def _recorded(self) -> list[dict[str, Any]]:
        calls = _calls_of(self.host)
        own = _own(calls[0]["payload"])
        return [call for call in calls if _own(call["payload"]) == own]

    def told(self, text: str, turn: int = 0) -> str:
        """Return what is written in *text*, as this session would have it in one of its turns."""
        first = self._recorded()[0]
        own = _own(first["payload"])
        shift = self.begins - _at(first) + self.after(turn)
        said = self.turns[turn]

        def shifted(match: re.Match[str]) -> str:
            at = (datetime.fromisoformat(match[0]) + shift).astimezone(UTC)
            return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"

        def another(match: re.Match[str]) -> str:
            return match[0] if match[0] == own else f"{match[0][:-6]}{self.number:04d}{turn:02d}"

        text = _UUID.sub(another, text).replace(own, self._numbered(own))
        text = text.replace(own[:8], self._numbered(own)[:8]).replace(FOLDER, self.folder)
        for was, is_now in (
            (PROMPT, said.prompt),
            (DECISION, said.report),
            (DONE, self.act.ran),
            (FAILED, self.act.failed),
            (_SCRIPT, self.act.failed.split()[1]),
        ):
            text = text.replace(was, json.dumps(is_now)[1:-1])
        text = _ITEM.sub(rf"\g<0>{self.number:04d}{turn}", text)
        return _STAMP.sub(shifted, _USE.sub(rf"\g<0>{self.number:03d}{turn}", text))

    def records(self, brief: Brief) -> Iterator[HookRecord]:
        """Yield what hooks are told, each when it is; what *brief* answers, the host passes on."""
        context = ""
        for call, turn in self._calls():
            payload = json.loads(self.told(json.dumps(call["payload"]), turn))
            event = call["event"]
            if self.is_resumed and payload.get("source") == "startup":
                payload["source"] = "resume"
            for name in ("prompt_id", "turn_id", "messageID"):
                payload |= {name: f"{payload[name]}-{turn}"} if name in payload else {}
            at = self.begins + (_at(call) - _at(self._recorded()[0])) + self.after(turn)
            if event in ASKING:
                self.briefs.append(brief(_record(self.host, event, at, payload)))
                context = self.briefs[-1] or context
            if event in ("BeforeAgent", "AfterAgent") and context:
                payload["prompt"] = f"{_wrapped(context)}\n\n{payload['prompt']}"
            yield _record(self.host, event, at, payload)

    def _calls(self) -> Iterator[tuple[dict[str, Any], int]]:
        """Yield the recorded calls of each turn; the session begins and ends once."""
        last = len(self.turns) - 1
        for turn in range(len(self.turns)):
            own = _own(self._recorded()[0]["payload"])
            if self.act.beside == "compact" and turn == last:
                yield from ((call, turn) for call in _compacting(own))
            for call in self._recorded():
                if (self.act.beside, call["event"], turn) == ("subagent", "Stop", last):
                    yield from ((one, turn) for one in _delegating(own, self.number))
                is_outer = call["event"] in _OUTER
                if not is_outer or turn == (last if call["event"] == "SessionEnd" else 0):
                    yield call, turn

    def transcribed(self, folder: Path, also: tuple["Session", ...] = ()) -> None:
        """Write the transcript of this session below *folder*; of one that forks, theirs first."""
        own = _own(self._recorded()[0]["payload"])
        for path in (RECORDED / self.host).rglob("*.jsonl"):
            name = str(path.relative_to(RECORDED / self.host))
            # Gemini CLI names a session's file by the beginning of its ID alone.
            if (own[:8] if self.host == "gemini-cli" else own) not in name:
                continue
            there = folder / str(self.number) / self.told(name)
            there.parent.mkdir(parents=True, exist_ok=True)
            said = path.read_text()
            copied = [one.told(said).replace(one.id, self.id) for one in also]
            turns = [self.told(said, turn) for turn in range(len(self.turns))]
            parts = [*copied, *turns]
            there.write_text("".join([*parts[:1], *(_HEAD.sub("", one) for one in parts[1:])]))


@cache
def _calls_of(host: str) -> list[dict[str, Any]]:
    """Return what a host was seen to tell its hooks; nothing of it is changed."""
    lines = (RECORDED / host / "calls.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def _record(host: str, event: str, at: datetime, payload: dict[str, Any]) -> HookRecord:
    return HookRecord(host=host, event=event, at=at, payload=json.dumps(payload).encode())


def _compacting(own: str) -> list[dict[str, Any]]:
    """Return what Claude Code told of a compaction, as if it was of the session *own*."""
    calls = _calls_of("claude-code")
    first = next(call for call in calls if _own(call["payload"]) == own)
    there = {"session_id": own, "transcript_path": first["payload"]["transcript_path"]}
    return [
        call | {"at_ns": first["at_ns"], "payload": call["payload"] | there}
        for call in calls
        if call["event"] in ("PreCompact", "PostCompact")
        or call["payload"].get("source") == "compact"
    ]


def _delegating(own: str, number: int) -> list[dict[str, Any]]:
    """Return what Claude Code told of a subagent, as if it was of the session *own*."""
    calls = _calls_of("claude-code")
    first = next(call for call in calls if _own(call["payload"]) == own)
    begun = next(at for at, call in enumerate(calls) if call["event"] == "SubagentStart")
    agent, parent = calls[begun]["payload"]["agent_id"], _own(calls[begun]["payload"])
    told = json.dumps(calls[begun : begun + 4])
    told = told.replace(parent, own).replace(agent, f"{agent[:-4]}{number:04d}")
    return [call | {"at_ns": first["at_ns"]} for call in json.loads(told)]


def _own(payload: dict[str, Any]) -> str:
    return str(payload.get("session_id") or payload["sessionID"])


def _at(call: dict[str, Any]) -> datetime:
    return EPOCH + timedelta(microseconds=call["at_ns"] // 1000)


def _wrapped(context: str) -> str:
    return f"<hook_context>{html.escape(context, quote=False)}</hook_context>"


def together(*sessions: Iterator[HookRecord]) -> Iterator[HookRecord]:
    """Yield the records of sessions that go on at one time, one of each in turn."""
    going = list(sessions)
    while going:
        for one in list(going):
            record = next(one, None)
            if record is None:
                going.remove(one)
            else:
                yield record
