"""Find the host's reader for a record of the spool."""

import json
from collections.abc import Mapping

from tilth.agents.hook_events import Strip
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.registry import host_called
from tilth.core.errors import InvalidInputError
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item


def items_of(record: HookRecord, strip: Strip = str) -> list[Item]:
    """
    Return what a record becomes; an event that is not known becomes nothing.

    Args:
        record: What a hook wrote.
        strip: Takes out of a text what Tilth itself put there.

    Raises:
        InvalidInputError: the record cannot be read.
    """
    host = host_called(record.host)
    if record.is_cut:
        raise InvalidInputError("the payload was too large, and only its beginning was kept")
    payload = payload_of(record)
    try:
        return list(host.items(record, payload, strip))
    except RecursionError as error:
        raise InvalidInputError("the payload is nested too deeply") from error


def payload_of(record: HookRecord) -> JsonObject:
    """
    Return what the host told.

    Raises:
        InvalidInputError: it is no JSON object.
    """
    try:
        payload: Json = json.loads(record.payload)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"the payload is no JSON: {error}") from error
    if not isinstance(payload, Mapping):
        raise InvalidInputError("the payload is no object")
    return payload
