"""The model of distillation: when a session is read, and how far it was read."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.knowledge.vocabulary.registries import Channel

# The triggers of KB-119, whichever comes first.
MESSAGES_FROM = 6
CHARACTERS_FROM = 4_000
IDLE_FROM = timedelta(seconds=60)
# The version of the list of extractors. Raise it with each new or improved extractor.
EXTRACTORS_VERSION = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A session with unread episodes, after the place `after` up to the place `last`."""

    session_id: SessionId
    scope: Scope
    after: int
    last: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A stretch of a session that waits for a language model, after `after` up to `through`."""

    session_id: SessionId
    scope: Scope
    after: int
    through: int


class Trigger(StrEnum):
    """Why a session is read now."""

    MESSAGES = "messages"
    CHARACTERS = "characters"
    IDLE = "idle"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """
    A stretch of a session that was read, up to the place `through`.

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
    Return why a session is to be read now; None if later.

    Args:
        messages: What was spoken in it since it was last read.
        last_at: The time of its last episode.
        now: The present time.
        is_asked: Whether somebody asked for it to be read at once.
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
    Read the least confidence by channel, such as ``intent=0.6`` (DU-021).

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
