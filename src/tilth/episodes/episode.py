"""
Episodes: what was said and done, word for word.

An episode never changes. Whatever is concluded from it is recorded beside it.
"""

from collections.abc import Mapping
from dataclasses import field, fields
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, Self, TypedDict

from tilth.core.actor import Actor, CameBy, came_by
from tilth.core.clock import Instant, corrected_time, is_future
from tilth.core.codec import FromHeader, Key, Unwritten
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import (
    EpisodeId,
    SessionId,
    clock_time_of,
    is_identifier,
    is_word_for_nothing,
    parse_session_id,
)
from tilth.core.instant import to_micros
from tilth.core.json import Json, JsonObject, check_object, parse_object
from tilth.core.lifecycle import Lifecycle, lifecycle_of
from tilth.core.scope import GLOBAL, Owner, Scope, parse_scope
from tilth.core.verb import Arg

TEXT_CHARS_MAX = 1_000_000
LABEL_CHARS_MAX = 200
# Settings may add transports; these are the ones of seed 004 (EM-004).
TRANSPORTS = frozenset(
    {"matrix", "simplex", "email", "cli", "slack", "discord", "telegram", "irc", "web"}
)


class EpisodeKind(StrEnum):
    """What kind of thing happened."""

    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    TOOL_FAILURE = "tool_failure"
    NOTE = "note"
    DOCUMENT = "document"


# The key of the metadata that marks the talk of an agent with its subagent.
AGENT_PROMPTED = "agent_prompted"
# The key of the metadata that marks a note that holds in all work of its project.
ALWAYS = "always"
# The keys of the metadata that name the notes in whose place a note comes, and that mark one that
# says no more than that they are over: it is found, and told to nobody unasked.
REPLACES, ONLY_ENDS = "replaces", "only_ends"
# What somebody says, and no program.
SPOKEN = frozenset({EpisodeKind.MESSAGE, EpisodeKind.NOTE})
# What came of a call of a tool.
OUTCOMES = frozenset({EpisodeKind.TOOL_RESULT, EpisodeKind.TOOL_FAILURE})
# What is read as it stands; calls and what came of them are not.
PROSE = SPOKEN | {EpisodeKind.DOCUMENT}


class Role(StrEnum):
    """The part its author plays in the conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Direction(StrEnum):
    """Whether it came in, went out, or was said by the machinery."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"
    SYSTEM = "system"


_DIRECTION_OF = {
    Role.USER: Direction.INBOUND,
    Role.ASSISTANT: Direction.OUTBOUND,
    Role.SYSTEM: Direction.SYSTEM,
    Role.TOOL: Direction.SYSTEM,
}
# Who wrote a note that was recorded in the role of the user, and that no person wrote.
_NOTED_BY = {CameBy.PASSED: "agent", CameBy.IMPORTED: "import"}


def direction_of(role: Role) -> Direction:
    """Return the direction in which what *role* says travels, unless told otherwise."""
    return _DIRECTION_OF[role]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeDraft:
    """
    An episode about to be recorded.

    `occurred_at` is when it happened; None means the moment of recording.
    `transport` and `address` say by which way and from where it came,
    `entity_id` with whom, `idempotency_key` which two drafts are the same one.
    """

    text: str
    kind: EpisodeKind = EpisodeKind.MESSAGE
    role: Role = Role.USER
    speaker: str = ""
    session_id: FromHeader[SessionId | None] = None
    occurred_at: Annotated[datetime | None, Key("at")] = None
    scope: Scope = GLOBAL
    transport: str = "cli"
    address: str = ""
    direction: Direction | None = None
    entity_id: str | None = None
    conversation_id: str | None = None
    metadata: JsonObject = field(default_factory=dict)
    idempotency_key: Unwritten[str | None] = None

    def __post_init__(self) -> None:
        _check_words(self)
        if is_word_for_nothing(self.text):
            raise InvalidInputError(f"an episode needs a text, not {self.text[:20]!r}")
        if len(self.text) > TEXT_CHARS_MAX:
            raise LimitExceededError(
                f"text has {len(self.text)} characters, more than {TEXT_CHARS_MAX}",
                hint="record it in parts",
            )
        for name in ("speaker", "transport", "address", "idempotency_key"):
            if len(getattr(self, name) or "") > LABEL_CHARS_MAX:
                raise LimitExceededError(f"{name} is longer than {LABEL_CHARS_MAX} characters")
        if self.occurred_at is not None:
            to_micros(self.occurred_at)
        if self.metadata:
            check_object(self.metadata)

    @property
    def replaces(self) -> tuple[EpisodeId, ...]:
        """The notes in whose place it says it comes; whoever records may write anything."""
        named = self.metadata.get(REPLACES)
        is_alone = self.kind is EpisodeKind.NOTE and self.session_id is None
        if not is_alone or not isinstance(named, list):
            return ()
        ids = (one for one in named if isinstance(one, str) and is_identifier(one))
        return tuple(EpisodeId(one) for one in ids if one.startswith(EpisodeId.prefix))

    @property
    def travels(self) -> Direction:
        """The direction, told or derived from the role."""
        return self.direction or direction_of(self.role)

    @property
    def author(self) -> str:
        """Who says it: a name, or the address from which it came; empty where a role tells all."""
        return _author(self.speaker, self.address, self.travels)


def _author(speaker: str, address: str, direction: Direction) -> str:
    return speaker or (address if direction is Direction.INBOUND else "")


def _check_words(draft: EpisodeDraft) -> None:
    if not isinstance(draft.occurred_at, datetime | None):
        raise InvalidInputError(f"occurred_at is a datetime, not {str(draft.occurred_at)[:60]!r}")
    for name in ("text", "speaker", "transport", "address", "idempotency_key"):
        words = getattr(draft, name)
        if words is None and name == "idempotency_key":
            continue
        if not isinstance(words, str):
            raise InvalidInputError(f"{name} is a string, not {str(words)[:60]!r}")
        try:
            words.encode()
        except UnicodeEncodeError as error:
            raise InvalidInputError(
                f"{name} holds half a character, at position {error.start}",
                hint="decode the text with errors='replace'",
            ) from error


def check_transport(transport: str, known: frozenset[str] = TRANSPORTS) -> None:
    """
    Refuse a transport that nobody configured.

    Raises:
        InvalidInputError: *transport* is not in *known*.
    """
    if transport not in known:
        raise InvalidInputError(
            f"unknown transport {transport!r}",
            hint=f"use one of {', '.join(sorted(known))}, or add it to the setting 'transports'",
        )


def instant_of(
    by: CameBy, id_: EpisodeId, seq: int, occurred_at: datetime, recorded_at: datetime
) -> Instant:
    """Return when an episode came to be; see `Episode.instant`."""
    if by is not CameBy.CAPTURED:
        return Instant(occurred_at, occurred_at, seq)
    clock = clock_time_of(id_)
    happened = corrected_time(occurred_at, clock, recorded_at)
    return Instant(happened, occurred_at, seq, is_in_doubt=is_future(occurred_at, clock))


# Asked for once: a session is thousands of episodes.
_KEPT = [one.name for one in fields(EpisodeDraft) if one.name != "idempotency_key"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """
    One recorded episode: a draft, and what the ledger added to it.

    `came_by` is how it came, which its own words and role cannot say.
    """

    id: EpisodeId
    seq: int
    owner: Owner
    recorded_at: datetime
    lifecycle: Lifecycle
    text: str
    kind: EpisodeKind
    role: Role
    speaker: str
    session_id: SessionId | None
    occurred_at: datetime
    scope: Scope
    transport: str
    address: str
    direction: Direction
    entity_id: str | None
    conversation_id: str | None
    metadata: JsonObject
    came_by: CameBy = CameBy.PASSED

    @property
    def author(self) -> str:
        """
        Who says it: a name, or the address from which it came; empty where a role tells all.

        A note that no person wrote is not the user's, whatever role it was recorded under: what
        stands for a fact that an agent stated is that agent's.
        """
        is_noted = self.kind is EpisodeKind.NOTE and self.role is Role.USER
        by = _NOTED_BY.get(self.came_by, "") if is_noted else ""
        return _author(self.speaker, self.address, self.direction) or by

    def noted(self, name: str) -> Json:
        """Return what the program that recorded it noted for itself; a file notes nothing here."""
        return None if self.came_by is CameBy.IMPORTED else self.metadata.get(name)

    @property
    def is_persons(self) -> bool:
        """Whether a person said it, as far as their host tells: no agent, and no program."""
        is_handed_over = self.came_by is CameBy.PASSED or AGENT_PROMPTED in self.metadata
        return self.role is Role.USER and self.kind in SPOKEN and not is_handed_over

    @property
    def is_note(self) -> bool:
        """
        Whether it was recorded on purpose, for others to know, and belongs to no session.

        A person told it, or an agent or a program handed it over as a note.
        """
        is_apart = not (self.session_id or self.conversation_id or self.entity_id or self.address)
        is_noted = self.came_by is CameBy.PASSED and self.kind is EpisodeKind.NOTE
        is_told = self.came_by is CameBy.TOLD and self.kind in SPOKEN
        return is_apart and (is_noted or is_told)

    @property
    def holds_always(self) -> bool:
        """Whether who noted it says that it holds in all work, and not of one matter."""
        return self.is_note and self.metadata.get(ALWAYS) is True

    @property
    def only_ends(self) -> bool:
        """Whether it is a note that says no more than that others are over."""
        return self.is_note and self.metadata.get(ONLY_ENDS) is True

    @property
    def typed(self) -> str:
        """
        What a person typed of it, as long as `text`, with all else blanked; empty if nothing.

        Only such words make a rule, and only they are a person's own. A person typed what stands
        outside of fences, quotes and pastes (`tilth.core.text.typed_text`) in a prompt that a hook
        captured, or what they told themselves; not what a program asked of its subagent, and
        not what somebody else wrote in a conversation.
        """
        is_own = (
            self.came_by in {CameBy.CAPTURED, CameBy.TOLD}
            and self.role is Role.USER
            and self.kind in SPOKEN
            and not (self.address or self.entity_id or self.conversation_id)
            and AGENT_PROMPTED not in self.metadata
        )
        if not is_own:
            return ""
        from tilth.core.text.typed_text import typed_in  # noqa: PLC0415 - for who reads such words

        return typed_in(self.text)

    @property
    def instant(self) -> Instant:
        """
        When it came to be, to be put in order (ADR 42).

        What an import brings, or somebody dates, is as old as it says.
        """
        return instant_of(self.came_by, self.id, self.seq, self.occurred_at, self.recorded_at)

    @classmethod
    def recorded(
        cls,
        draft: EpisodeDraft,
        *,
        id: EpisodeId,  # noqa: A002 - the field's name
        seq: int,
        owner: Owner,
        recorded_at: datetime,
        by: Actor,
    ) -> Self:
        """Join *draft* with what the ledger knows about it: also *by* whom it was recorded."""
        given = {name: getattr(draft, name) for name in _KEPT}
        known = {
            "id": id,
            "seq": seq,
            "owner": owner,
            "recorded_at": recorded_at,
            "lifecycle": lifecycle_of(by.kind),
            "occurred_at": draft.occurred_at or recorded_at,
            "direction": draft.travels,
            "came_by": came_by(by),
        }
        return cls(**(given | known))


class Stamp(NamedTuple):
    """When an episode came to be, and whether an import brought it: all but what it says."""

    instant: Instant
    is_imported: bool


class Place(NamedTuple):
    """Where an episode stands: position 1 is its session's first; session 0 is none; µs of 1970."""

    seq: int
    session_no: int
    position: int
    occurred_at: int
    kind: EpisodeKind
    role: Role


class Passage(NamedTuple):
    """What an episode says, as ranking reads it."""

    seq: int
    speaker: str
    text: str


class LaterNote(NamedTuple):
    """A note that came in the place of another: where it stands, and its ID."""

    seq: int
    id: EpisodeId


class EpisodeFields(TypedDict, total=False):
    """What a caller may tell about an episode."""

    session_id: Annotated[
        str | None, Arg("the session it belongs to", metavar="ID", flags=("--session",))
    ]
    speaker: Annotated[str, Arg("who said it", metavar="NAME")]
    at: Annotated[datetime | None, Arg("when it happened, if not now")]
    role: Annotated[str, Arg("the role of its author", choices=tuple(Role))]
    kind: Annotated[str, Arg("what kind of thing it is", choices=tuple(EpisodeKind))]
    scope: Annotated[
        str, Arg("where it belongs: global, project:KEY or domain:NAME", metavar="SCOPE")
    ]
    transport: Annotated[str, Arg("how it came: cli, email, …", metavar="T")]
    address: Annotated[str, Arg("from or to which address there", metavar="ADDRESS")]
    direction: Annotated[
        str | None,
        Arg("inbound: from them; outbound: to them; system: by no one", choices=tuple(Direction)),
    ]
    entity_id: Annotated[str | None, Arg("the ID of who it is with", is_hidden=True)]
    conversation_id: Annotated[str | None, Arg("the conversation's ID", is_hidden=True)]
    metadata: Annotated[
        Mapping[str, Any],
        Arg("what else is known of it, an object in JSON", metavar="JSON", parse=parse_object),
    ]
    idempotency_key: Annotated[
        str | None,
        Arg("an idempotency key: recording it again adds nothing", metavar="KEY", flags=("--key",)),
    ]


def words_of(draft: EpisodeDraft) -> dict[str, object]:
    """Return what *draft* tells, as the arguments that `parse_draft` reads."""
    told = {one.name: getattr(draft, one.name) for one in fields(draft)}
    told["at"] = told.pop("occurred_at")
    return told


def parse_draft(text: str, saying: EpisodeFields) -> EpisodeDraft:
    """
    Read a caller's words as a draft.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    session_id, direction = saying.get("session_id"), saying.get("direction")
    return EpisodeDraft(
        text=text,
        kind=parse_word(EpisodeKind, saying.get("kind", EpisodeKind.MESSAGE), "kind of episode"),
        role=parse_word(Role, saying.get("role", Role.USER), "role"),
        speaker=saying.get("speaker", ""),
        session_id=None if session_id is None else parse_session_id(session_id),
        occurred_at=saying.get("at"),
        scope=parse_scope(saying.get("scope", GLOBAL)),
        transport=saying.get("transport", "cli"),
        address=saying.get("address", ""),
        direction=None if direction is None else parse_word(Direction, direction, "direction"),
        entity_id=saying.get("entity_id"),
        conversation_id=saying.get("conversation_id"),
        metadata=saying.get("metadata", {}),
        # Who has none for this one may give an empty key, and again for the next.
        idempotency_key=saying.get("idempotency_key") or None,
    )


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that must stand verbatim in an episode; none means the whole of it."""

    episode_id: EpisodeId
    text: str = ""
