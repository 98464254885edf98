"""
Turn a hook's record into drafts of episodes.

A draft's key is made of what the host itself calls the thing (a prompt's id, a tool call's), so
that one thing told twice is one episode; where it has no such id, of the words and the instant of
arrival, so that reading the spool again changes nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from tilth.agents.hook_record import HookRecord
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId, is_word_for_nothing
from tilth.core.instant import to_micros
from tilth.core.io.projects import scope_of_folder
from tilth.core.json import Json, JsonObject, canonical
from tilth.core.text.surrogates import without_surrogates
from tilth.episodes.episode import AGENT_PROMPTED, EpisodeDraft, EpisodeKind, Role
from tilth.privacy.redaction import scrub
from tilth.transfer.model import Described, Item, Skipped
from tilth.transfer.reading.agent_text import (
    COMPACTION,
    call_text,
    content_text,
    json_text,
    users_words,
)
from tilth.transfer.reading.conversation import session_id_of, session_info
from tilth.transfer.reading.lenient_json import mapping, string
from tilth.transfer.reading.own_calls import is_own_call
from tilth.transfer.reading.shell_reports import SILENCE

Strip: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEvent:
    """One event of a session, and the drafts of episodes that it becomes."""

    record: HookRecord
    host: str
    session: str
    folder: str = ""
    transcript: str = ""
    # Whether an agent asks what is asked here: a subagent's prompts are nobody's words.
    is_agents: bool = False
    strip: Strip

    def __post_init__(self) -> None:
        if not self.session.strip():
            raise InvalidInputError("the payload names no session")

    def described(self, title: str = "") -> Iterator[Item]:
        """Yield what the event tells of its session as a whole."""
        uri = Path(self.transcript).as_uri() if self.transcript.startswith("/") else ""
        info = session_info(self.host, uri, title=title, folder=self.folder)
        yield Described(self._session_id, info, scope_of_folder(self.folder))

    def prompted(self, text: str, *, id: str = "") -> Iterator[Item]:  # noqa: A002 - the host's id
        """Yield a user's words, without what programs put among them."""
        words = users_words(self.strip(text))
        # Scrubbed before it is cut: half a secret is known to nobody.
        yield from self.described(scrub(words).text)
        yield from self._drafts(words, EpisodeKind.MESSAGE, Role.USER, id, _turn(id))

    def answered(self, text: str, *, id: str = "") -> Iterator[Item]:  # noqa: A002 - the host's id
        """Yield an agent's words."""
        words = self.strip(text)
        yield from self._drafts(words, EpisodeKind.MESSAGE, Role.ASSISTANT, id, _turn(id))

    def compacted(self, summary: str) -> Iterator[Item]:
        """Yield the summary with which a program goes on after it ran out of room."""
        summary = self.strip(summary)
        yield from self._drafts(summary, EpisodeKind.MESSAGE, Role.SYSTEM, "", COMPACTION)

    def used_tool(
        self,
        name: str,
        arguments: Json,
        outcome: Json,
        *,
        id: str = "",  # noqa: A002 - the host's id
        at: str = "",
        has_failed: bool = False,
    ) -> Iterator[Item]:
        """
        Yield a tool's call and what came of it; none of our own tools, whose words are ours.

        *at* is the host's time of the event, where it has no id of the call.
        """
        if is_own_call(name, arguments):
            return
        about: JsonObject = {"tool": name} | ({"tool_use_id": id} if id else {})
        call = self.strip(call_text(name, arguments))
        told = outcome_text(outcome)
        is_silent = outcome is not None and not told.strip()
        result = SILENCE if is_silent else self.strip(told)
        kind = EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT
        yield from self._drafts(call, EpisodeKind.TOOL_CALL, Role.ASSISTANT, id or at, about)
        yield from self._drafts(result, kind, Role.TOOL, id or at, about)

    def _drafts(
        self, text: str, kind: EpisodeKind, role: Role, own_id: str, about: JsonObject | None = None
    ) -> Iterator[Item]:
        text = without_surrogates(text)
        if not text.strip():
            return
        if is_word_for_nothing(text):
            where = f"{self.host} {self.record.event}"
            yield Skipped(where, f"says only {text.strip()!r}")
            return
        yield EpisodeDraft(
            text=text,
            kind=kind,
            role=role,
            session_id=self._session_id,
            occurred_at=self.record.at,
            scope=scope_of_folder(self.folder),
            metadata=_clean({"hook": self.record.event, **(about or {}), **self._asked_by}),
            idempotency_key=self._key(text, kind, role, own_id),
        )

    @property
    def _asked_by(self) -> JsonObject:
        return {AGENT_PROMPTED: True} if self.is_agents or self.record.is_agents else {}

    @property
    def _session_id(self) -> SessionId:
        return session_id_of(self.host, self.session)

    def _key(self, text: str, kind: EpisodeKind, role: Role, own_id: str) -> str:
        named: Json = without_surrogates(own_id) or to_micros(self.record.at)
        content = canonical([self._session_id, kind, role, named, text])
        return f"hook:{hashlib.sha256(content.encode()).hexdigest()}"


def _turn(own_id: str) -> JsonObject:
    # By it the same words in two turns are known to be said twice.
    return {"turn": own_id} if own_id else {}


def outcome_text(outcome: Json) -> str:
    """Return the words of what a tool gave back, in the shapes that hosts give it."""
    if not isinstance(outcome, Mapping):
        is_blocks = isinstance(outcome, list)
        return content_text({"content": outcome}) if is_blocks else json_text(outcome)
    streams = [string(outcome, name) for name in ("stdout", "stderr")]
    if any(streams) or {"stdout", "stderr"} <= outcome.keys():
        return "\n".join(stream for stream in streams if stream)
    for name in ("llmContent", "textResultForLlm", "content", "output"):
        if text := content_text(outcome, name):
            return text
    return string(mapping(outcome, "file"), "content") or json_text(outcome)


def read_json(value: Json) -> Json:
    """Return what is written as JSON in a string, or the string if it is none."""
    if not isinstance(value, str):
        return value
    try:
        read: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read


def _clean(metadata: JsonObject) -> JsonObject:
    return {
        name: without_surrogates(value) if isinstance(value, str) else value
        for name, value in metadata.items()
    }
