"""A hook's record: what an agent program reported at one of its events."""

from datetime import datetime

from tilth.core.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRecord:
    """
    One event of a host, unread.

    `at` is when it arrived. A `payload` that `is_cut` was longer than a record
    may be, and only its beginning is here. One that `is_agents` came from a command of an agent,
    or from a host that an agent started: nobody typed it.
    """

    host: str
    event: str
    at: datetime
    payload: bytes
    is_cut: bool = False
    is_agents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SpoolBatch:
    """
    Records that wait together, and what stood among them and is no record.

    `segment` and `end` are the place up to which the spool is read with them.
    """

    records: tuple[HookRecord, ...]
    broken: tuple[bytes, ...]
    segment: str
    end: int
