"""What was destroyed for privacy."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tilth.core.ids import EventId, SessionId
from tilth.core.scope import Scope
from tilth.ledger.codec import Codec, Payload


class Basis(StrEnum):
    """What somebody named to be erased; everything that follows from it goes with it."""

    ENTITY = "entity"
    EPISODES = "episodes"
    SESSION = "session"
    FACTS = "facts"


@dataclass(frozen=True, slots=True)
class Gone:
    """
    One event whose payload is destroyed: its ID and scope, and what is left of it.

    What is left is a payload of the kind `left_kind`, without anybody's words: a replay reads it
    in the place of what was there. Both are empty where nothing is left.
    """

    event_id: EventId
    scope: Scope | None = None
    left_kind: str = ""
    left: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """
    Payloads were destroyed, and whatever was made of them.

    It names events and where they were seen, and none of their words. `repeats` is the erasure
    that was applied again, after an older store came back.
    """

    basis: Basis
    gone: tuple[Gone, ...]
    repeats: EventId | None = None


def _write(event: Erased) -> Payload:
    payload: Payload = {"basis": event.basis, "gone": [_row(one) for one in event.gone]}
    return payload if event.repeats is None else payload | {"repeats": event.repeats}


def _row(one: Gone) -> list[Any]:
    return [one.event_id, one.scope, *([one.left_kind, one.left] if one.left_kind else [])]


def _read(payload: Payload, _: SessionId | None) -> Erased:
    repeats = payload.get("repeats")
    return Erased(
        basis=Basis(payload["basis"]),
        gone=tuple(_gone(row) for row in payload["gone"]),
        repeats=None if repeats is None else EventId(repeats),
    )


def _gone(row: Sequence[Any]) -> Gone:
    event_id, scope, *left = row
    return Gone(EventId(event_id), None if scope is None else Scope(scope), *left)


CODECS = (Codec("erased", Erased, _write, _read),)
