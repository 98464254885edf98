"""How an event becomes a payload and is read back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from tilth.core.ids import SessionId

Payload: TypeAlias = dict[str, Any]
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Codec(Generic[E]):
    """
    One kind of event: its name in the ledger, its class, and both ways between them.

    Both sides leave the session out of the payload, since the header has it.
    """

    kind: str
    event: type[E]
    write: Callable[[E], Payload]
    read: Callable[[Payload, SessionId | None], E]


def without_defaults(payload: Payload, defaults: Mapping[str, object]) -> Payload:
    """Return *payload* without what is empty, or equals its default."""
    return {
        name: value
        for name, value in payload.items()
        if value is not None and value != "" and value != defaults.get(name)
    }
