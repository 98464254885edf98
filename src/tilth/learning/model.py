"""Distillation: when a session is looked through for what it states, and how far that went."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.knowledge.vocabulary.registries import Channel

# KB-119: whichever comes first.
MESSAGES_FROM = 6
CHARACTERS_FROM = 4_000
IDLE_FROM = timedelta(seconds=60)
# Of the list of extractors. Who adds one, or teaches one to find more, counts on.
EXTRACTORS_VERSION = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A session with something that waits: after the place `after`, up to the place `last`."""

    session_id: SessionId
    scope: Scope
    after: int
    last: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A stretch of a session that waits for a language model: behind `after`, up to `through`."""

    session_id: SessionId
    scope: Scope
    after: int
    through: int


class Trigger(StrEnum):
    """Why a session is looked through now."""

    MESSAGES = "messages"
    CHARACTERS = "characters"
    IDLE = "idle"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """
    A stretch of a session that was looked through, up to the place `through`.

    `waits_for_model` says that a language model is to read it too.
    """

    session_id: SessionId
    scope: Scope
    through: int
    trigger: Trigger
    waits_for_model: bool = False


def trigger_of(
    messages: Sequence[str], last_at: datetime, now: datetime, *, is_asked: bool
) -> Trigger | None:
    """
    Say why a session is to be looked through now; None leaves it for later.

    Args:
        messages: What was spoken in it since it was looked through last.
        last_at: When anything happened in it last.
        now: The present.
        is_asked: Whether somebody wants it looked through at once.
    """
    if is_asked:
        return Trigger.MANUAL
    if len(messages) >= MESSAGES_FROM:
        return Trigger.MESSAGES
    if sum(map(len, messages)) >= CHARACTERS_FROM:
        return Trigger.CHARACTERS
    return Trigger.IDLE if now - last_at >= IDLE_FROM else None


def parse_thresholds(words: Sequence[str]) -> Mapping[Channel, float]:
    """
    Read how sure a statement of a channel must be to be kept, such as ``intent=0.6`` (DU-021).

    Raises:
        InvalidInputError: a word names no channel, or no number from 0 to 1.
    """
    told = dict[Channel, float]()
    for word in words:
        name, _, number = (part.strip() for part in word.partition("="))
        least = _share(number)
        if name not in list(Channel) or least is None:
            raise InvalidInputError(
                f"{word[:40]!r} is no threshold",
                hint=f"CHANNEL=NUMBER from 0 to 1, and a channel is one of {', '.join(Channel)}",
            )
        told[Channel(name)] = least
    return told


def _share(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
