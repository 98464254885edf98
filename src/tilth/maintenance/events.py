"""That facts are put away by rule."""

from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.ledger.codec import Codec, Payload


@dataclass(frozen=True, slots=True)
class SweepBegun:
    """A round of putting away began; each fact that it puts away names it."""


def _write(_: SweepBegun) -> Payload:
    return {}


def _read(_: Payload, __: SessionId | None) -> SweepBegun:
    return SweepBegun()


CODECS = (Codec("sweep_begun", SweepBegun, _write, _read),)
