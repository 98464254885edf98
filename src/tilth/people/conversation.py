"""The model of conversations: threads with an entity, and their immutable summaries."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Annotated

from tilth.core.actor import Actor
from tilth.core.codec import Absent
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import ConversationId, EntityId, EpisodeId, Id
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility
from tilth.knowledge.entities.identity import Tally
from tilth.llm.answers import ToneDraft

TOPIC_CHARS_MAX = 200
SUMMARY_CHARS_MAX = 20_000
PENDING_MAX = 20


class SummaryId(Id, prefix="sum_", noun="a summary", plural="summaries"):
    """The identifier of a summary."""


class ConversationStatus(StrEnum):
    """Whether a conversation is going on."""

    ACTIVE = "active"
    IDLE = "idle"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationDraft:
    """A conversation to begin; `address` is empty where the transport has only one way."""

    entity_id: EntityId
    transport: str
    address: str = ""
    topic: str = ""
    scope: Scope = GLOBAL

    def __post_init__(self) -> None:
        if len(self.topic) > TOPIC_CHARS_MAX:
            raise LimitExceededError(f"a topic has at most {TOPIC_CHARS_MAX} characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation without its messages: with whom, by which transport, and its status."""

    id: ConversationId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    draft: ConversationDraft
    status: ConversationStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation(Thread):
    """
    One conversation with the tally of its messages.

    `entity_name` is the other side's present name; empty if it is not visible.
    """

    tally: Tally
    entity_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDraft:
    """
    A summary to be written, of the messages from `first` to `last`, in ledger order.

    It supersedes the summary before it, and carries over what still matters of it. `model` wrote
    its text; if that is empty, code chose the sentences.
    """

    conversation_id: ConversationId
    first: EpisodeId
    last: EpisodeId
    count: int
    text: Annotated[str, Absent("")]
    tone: ToneDraft
    pending: tuple[str, ...] = ()
    supersedes: SummaryId | None = None
    model: str = ""

    def __post_init__(self) -> None:
        if len(self.text) > SUMMARY_CHARS_MAX or len(self.pending) > PENDING_MAX:
            raise LimitExceededError(
                f"a summary has at most {SUMMARY_CHARS_MAX} characters, {PENDING_MAX} to do"
            )
        if self.count < 1:
            raise InvalidInputError("a summary is of something")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """
    One summary, which never changes; `is_current` if none supersedes it.

    It covers the places `first_seq` to `last_seq` of the ledger, whatever was erased of them.
    """

    id: SummaryId
    seq: int
    by: Actor
    recorded_at: datetime
    draft: DigestDraft
    first_seq: int
    last_seq: int
    is_current: bool


# How long a silence ends a conversation of so many messages (seed 004, EM-012).
_SILENCES = ((5, timedelta(seconds=600)), (20, timedelta(seconds=1800)))
# The shortest silence that may end one, and the longest that may not.
_LONG_SILENCE = timedelta(seconds=3600)
_AFTER_FAREWELL = timedelta(seconds=300)
_FAREWELL_WORDS_MAX = 12
_FAREWELLS = (
    ("good", "night"),
    ("talk", "to", "you", "later"),
    ("talk", "to", "you", "soon"),
    ("talk", "soon"),
    ("take", "care"),
    ("see", "you"),
    ("have", "a", "good"),
    ("have", "a", "nice"),
    ("that", "is", "all"),
    ("that's", "all"),
    ("bye",),
    ("goodbye",),
    ("cheers",),
    ("ttyl",),
    ("thanks",),
)


def is_at_rest(tally: Tally, last_text: str, now: datetime) -> bool:
    """Say whether a conversation is over, by the silence since its last message."""
    if tally.last_at is None:
        return True
    silence = now - tally.last_at
    if is_farewell(last_text):
        return silence > _AFTER_FAREWELL
    for count, enough in _SILENCES:
        if tally.count < count:
            return silence > enough
    return silence > _LONG_SILENCE


def may_rest(tally: Tally, now: datetime) -> bool:
    """Say whether a silence is long enough for the last message to end a conversation."""
    return tally.last_at is not None and now - tally.last_at > _AFTER_FAREWELL


def is_doubtful(tally: Tally, now: datetime) -> bool:
    """Say whether a silence is ambiguous, so that another judgement is worth asking for."""
    return tally.last_at is not None and _AFTER_FAREWELL < now - tally.last_at <= _LONG_SILENCE


def is_farewell(text: str) -> bool:
    """Say whether a short text says goodbye: it begins or ends so, and asks nothing."""
    said = tuple(word.strip(".,!?;:()\"'") for word in text.casefold().split())
    if len(said) > _FAREWELL_WORDS_MAX or text.rstrip().endswith("?"):
        return False
    return any(_begins_or_ends(said, words) for words in _FAREWELLS)


def _begins_or_ends(said: Sequence[str], words: Sequence[str]) -> bool:
    """Say whether *words* follow at most one word ("ok, bye"), or precede one ("bye Ada")."""
    size = len(words)
    ends = len(said) - size
    return any(said[at : at + size] == words for at in {0, 1, ends - 1, ends} if at >= 0)


parse_status = partial(parse_word, ConversationStatus, noun="status")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFilter:
    """A filter of conversations; of an entity also those of entities merged into it."""

    within: Visibility
    entity_id: EntityId | None = None
    transport: str | None = None
    status: ConversationStatus | None = None
