"""The store itself."""

from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.ledger.codec import Codec, Payload


@dataclass(frozen=True, slots=True)
class StoreCreated:
    """A store came to be; always the first event."""

    store_id: str


def _write_store(event: StoreCreated) -> Payload:
    return {"store_id": event.store_id}


def _read_store(payload: Payload, _: SessionId | None) -> StoreCreated:
    return StoreCreated(payload["store_id"])


CODECS = (Codec("store_created", StoreCreated, _write_store, _read_store),)
