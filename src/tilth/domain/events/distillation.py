"""What was looked through for what it states."""

from dataclasses import dataclass

from tilth.domain.distillation import Trigger, Window
from tilth.domain.events.codec import Codec, Payload
from tilth.domain.ids import SessionId


@dataclass(frozen=True, slots=True)
class SessionsDistilled:
    """Stretches of sessions were looked through, and what they state was recorded with it."""

    windows: tuple[Window, ...]


def _write(event: SessionsDistilled) -> Payload:
    windows = [[one.session_id, one.scope, one.through, one.trigger] for one in event.windows]
    return {"windows": windows}


def _read(payload: Payload, _: SessionId | None) -> SessionsDistilled:
    return SessionsDistilled(
        tuple(
            Window(
                session_id=session_id, scope=scope, through=int(through), trigger=Trigger(trigger)
            )
            for session_id, scope, through, trigger in payload["windows"]
        )
    )


CODECS = (Codec("sessions_distilled", SessionsDistilled, _write, _read),)
