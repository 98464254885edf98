"""Parse a record of the spool with the module of its host."""

import json
from collections.abc import Mapping

from tilth.agents.hook_events import Strip
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.registry import find_host
from tilth.core.errors import InvalidInputError
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item


def parse_items(record: HookRecord, strip: Strip = str) -> list[Item]:
    """
    Return the items of a record; an unknown event has none.

    Args:
        record: The hook's record.
        strip: Removes from a text what Tilth itself put there.

    Raises:
        InvalidInputError: the record cannot be read.
    """
    host = find_host(record.host)
    if record.is_cut:
        raise InvalidInputError("the payload was too large, and only its beginning was kept")
    payload = parse_payload(record)
    try:
        return list(host.items(record, payload, strip))
    except RecursionError as error:
        raise InvalidInputError("the payload is nested too deeply") from error


def parse_payload(record: HookRecord) -> JsonObject:
    """
    Return the host's JSON payload.

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
