"""Distillation: when a session is looked through for what it states, and how far that went."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.domain.ids import SessionId
from tilth.domain.scope import Scope

# KB-119: whichever comes first.
MESSAGES_FROM = 6
CHARACTERS_FROM = 4_000
IDLE_FROM = timedelta(seconds=60)


class Trigger(StrEnum):
    """Why a session is looked through now."""

    MESSAGES = "messages"
    CHARACTERS = "characters"
    IDLE = "idle"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of a session that was looked through, up to the place `through`."""

    session_id: SessionId
    scope: Scope
    through: int
    trigger: Trigger


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
