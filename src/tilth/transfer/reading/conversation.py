"""
Turn the messages of a source into drafts of episodes.

A draft's key is made of what the source keeps stable: its own ID of the message, or else the words,
their time, and how often they occurred before. It has no line number, so the keys of a file that
grew or was rewritten match.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import field, replace
from datetime import datetime
from typing import ClassVar

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SESSION_ID_CHARS_MAX, SessionId, is_word_for_nothing
from tilth.core.io.projects import scope_of_folder
from tilth.core.json import Json, JsonObject, canonical
from tilth.core.scope import UNFILED, Scope
from tilth.core.text.surrogates import without_surrogates
from tilth.episodes.episode import TEXT_CHARS_MAX, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.session import FOLDER_CHARS_MAX, TAGS_MAX, SessionInfo
from tilth.transfer.model import Described, Item, Mended, Skipped
from tilth.transfer.reading.lenient_json import parse_timestamp, timestamp_or
from tilth.transfer.reading.source_file import SourceFile

_TITLE_CHARS = 120
# Commands to the host (`!ls`, `/add till.py`) give no title, since they do not say the topic.
_COMMAND = re.compile(r"!|/[\w:-]+(?:[ \t]+\S+)?\s*\Z")
_SPEAKER_CHARS = 100
_TAG_CHARS = 60
_REASONS_MAX = 30
_METADATA_CHARS = 300
_METADATA_ITEMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """
    One message or tool use, as its source has it; `id` is the source's own, if it has one.

    `use` is the source's ID of a tool's use, which a call and its result share; `is_own` says that
    the call asks Tilth itself.
    """

    where: str
    text: str
    kind: EpisodeKind = EpisodeKind.MESSAGE
    role: Role = Role.USER
    speaker: str = ""
    at: Json = None
    id: str = ""
    use: str = ""
    is_own: bool = False
    metadata: JsonObject = field(default_factory=dict)


class Conversation:
    """A session that is being read: yields its description, and drafts of its utterances."""

    def __init__(
        self,
        session_id: SessionId,
        info: SessionInfo,
        *,
        started_at: datetime,
        scope: Scope = UNFILED,
        transport: str = "cli",
    ) -> None:
        self.session_id = session_id
        self._info = info
        self._scope = scope
        self._transport = transport
        self._last_at = started_at
        self._is_described = False
        self._heard: Counter[bytes] = Counter()
        self._own_uses: set[str] = set()

    def say(self, said: Utterance) -> Iterator[Item]:
        """Yield the drafts of *said*, and notes on what is wrong with it."""
        text = without_surrogates(said.text)
        if not text.strip():
            return
        if said.is_own or (said.use and said.use in self._own_uses):
            self._own_uses.add(said.use)
            yield Skipped(said.where, "left out: calls of Tilth itself, and what it answered")
            return
        if is_word_for_nothing(text):
            yield Skipped(said.where, f"says only {text.strip()!r}")
            return
        try:
            self._last_at = self._last_at if said.at in (None, "") else parse_timestamp(said.at)
        except InvalidInputError as error:
            yield Mended(said.where, f"{error}; the time before it is taken instead")
        yield from self._describe(said, text)
        yield from self._drafts(said, text)

    def _describe(self, said: Utterance, text: str) -> Iterator[Described]:
        # With the first utterance, and once more when the user's first message gives a title.
        opens = said.role is Role.USER and said.kind is EpisodeKind.MESSAGE
        gives_title = opens and not self._info.title and not _COMMAND.match(text)
        if gives_title:
            self._info = replace(self._info, title=in_one_line(text, _TITLE_CHARS))
        if gives_title or not self._is_described:
            self._is_described = True
            yield Described(self.session_id, self._info, self._scope)

    def _drafts(self, said: Utterance, text: str) -> Iterator[EpisodeDraft]:
        parts = _parts(text)
        for number, part in enumerate(parts, 1):
            if is_word_for_nothing(part):
                continue
            place: JsonObject = {} if len(parts) == 1 else {"part": number, "parts": len(parts)}
            yield EpisodeDraft(
                text=part,
                kind=said.kind,
                role=said.role,
                speaker=in_one_line(said.speaker, _SPEAKER_CHARS),
                session_id=self.session_id,
                occurred_at=self._last_at,
                scope=self._scope,
                transport=self._transport,
                metadata={**{key: _cut(value) for key, value in said.metadata.items()}, **place},
                idempotency_key=self._key(said, part, number),
            )

    def _key(self, said: Utterance, part: str, number: int) -> str:
        # A person may change their name; a message with an ID stays the same.
        speaker = "" if said.id else said.speaker
        own = (said.id, str(said.at or ""), said.kind, said.role, speaker, part)
        content = canonical([self.session_id, *map(without_surrogates, own), number])
        digest = hashlib.sha256(content.encode())
        if not said.id:
            short = digest.digest()[:8]
            digest.update(self._heard[short].to_bytes(8))
            self._heard[short] += 1
        return f"import:{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts parts that are left out on purpose, for one note for each reason."""

    # Reasons that several formats share.
    SUBAGENT_TASKS: ClassVar[str] = "tasks that an agent gave to another"
    THOUGHTS: ClassVar[str] = "thoughts"
    REWOUND: ClassVar[str] = "messages that the user rewound"

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, reason: str, count: int = 1) -> None:
        """Count *count* more parts that are left out for *reason*."""
        known = reason in self.counts or len(self.counts) < _REASONS_MAX
        self.counts[reason if known else "of other kinds"] += count

    def skipped(self, where: str) -> Iterator[Skipped]:
        """Yield one note for each reason."""
        for reason, count in sorted(self.counts.items()):
            yield Skipped(where, f"left out: {reason}", count)


def conversation_in(  # noqa: PLR0913 - what sources tell of a session, by name
    source: SourceFile,
    host: str,
    external_id: str,
    *,
    title: str = "",
    folder: str = "",
    tags: tuple[str, ...] = (),
    began: "Json | datetime" = None,
    scope: Scope | None = None,
    transport: str = "cli",
) -> Conversation:
    """
    Return the session *external_id* of a host in *source*.

    Without *began*, the file's time is taken; without *scope*, that of the folder.
    """
    return Conversation(
        session_id_of(host, external_id),
        session_info(host, source.uri, title=title, folder=folder, tags=tags),
        started_at=(
            began if isinstance(began, datetime) else timestamp_or(began, source.modified_at)
        ),
        scope=scope_of_folder(folder) if scope is None else scope,
        transport=transport,
    )


def session_id_of(host: str, external_id: str) -> SessionId:
    """Return the ID of a session: its host and its ID there, or a hash of that if it is no ID."""
    text = f"{host}:{external_id}"
    if not external_id.strip() or len(text) > SESSION_ID_CHARS_MAX or not text.isprintable():
        digest = hashlib.sha256(external_id.encode("utf-8", "surrogatepass"))
        text = f"{host}:{digest.hexdigest()[:32]}"
    return SessionId(text)


def session_info(
    host: str, uri: str, *, title: str = "", folder: str = "", tags: tuple[str, ...] = ()
) -> SessionInfo:
    """Return the description of a session, with every text cut to its limit."""
    kept = dict.fromkeys(in_one_line(tag, _TAG_CHARS) for tag in tags)
    return SessionInfo(
        title=in_one_line(title, _TITLE_CHARS),
        host=host,
        folder=without_surrogates(folder)[:FOLDER_CHARS_MAX],
        uri=uri if len(uri) <= FOLDER_CHARS_MAX else "",
        tags=tuple(tag for tag in kept if tag)[:TAGS_MAX],
    )


def in_one_line(text: str, chars_max: int) -> str:
    """Return *text* on one line of at most *chars_max* characters."""
    line = " ".join(without_surrogates(text[: 4 * chars_max]).split())
    return line if len(line) <= chars_max else f"{line[: chars_max - 1].rstrip()}…"


def _cut(value: Json) -> Json:
    """Return a value of metadata with its texts and lists cut to their limits."""
    if isinstance(value, str):
        return in_one_line(value, _METADATA_CHARS)
    if isinstance(value, list):
        return [_cut(item) for item in value[:_METADATA_ITEMS]]
    return value


def _parts(text: str) -> list[str]:
    count = -(-len(text) // TEXT_CHARS_MAX)
    size = -(-len(text) // count)
    return [text[begin : begin + size] for begin in range(0, len(text), size)]
