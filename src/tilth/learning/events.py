"""What was looked through for what it states."""

from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.learning.model import Trigger, Window
from tilth.ledger.codec import Codec, Payload


@dataclass(frozen=True, slots=True)
class SessionsDistilled:
    """
    Stretches of sessions were looked through, and what they state was recorded with it.

    `version` is that of the list of extractors.
    """

    windows: tuple[Window, ...]
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRead:
    """A language model read a session up to a place, and what it found was recorded with it."""

    session_id: SessionId
    scope: Scope
    through: int
    model: str


@dataclass(frozen=True, slots=True)
class DistillationReopened:
    """A person wants all sessions looked through again."""


def _write_distilled(event: SessionsDistilled) -> Payload:
    windows = [
        [one.session_id, one.scope, one.through, one.trigger, *[1] * one.waits_for_model]
        for one in event.windows
    ]
    return {"windows": windows, "version": event.version}


def _read_distilled(payload: Payload, _: SessionId | None) -> SessionsDistilled:
    return SessionsDistilled(
        tuple(
            Window(
                session_id=session_id,
                scope=scope,
                through=int(through),
                trigger=Trigger(trigger),
                waits_for_model=bool(waits),
            )
            for session_id, scope, through, trigger, *waits in payload["windows"]
        ),
        payload.get("version", 1),
    )


def _write_read(event: SessionRead) -> Payload:
    return {
        "read": event.session_id,
        "scope": event.scope,
        "through": event.through,
        "model": event.model,
    }


def _read_read(payload: Payload, _: SessionId | None) -> SessionRead:
    return SessionRead(
        session_id=payload["read"],
        scope=payload["scope"],
        through=payload["through"],
        model=payload["model"],
    )


def _write_reopened(_: DistillationReopened) -> Payload:
    return {}


def _read_reopened(_payload: Payload, _session_id: SessionId | None) -> DistillationReopened:
    return DistillationReopened()


CODECS = (
    Codec("sessions_distilled", SessionsDistilled, _write_distilled, _read_distilled),
    Codec("session_read", SessionRead, _write_read, _read_read),
    Codec("distillation_reopened", DistillationReopened, _write_reopened, _read_reopened),
)
