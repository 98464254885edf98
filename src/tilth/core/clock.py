"""Time and chance."""

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time, always in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...


def is_early(last: datetime, now: datetime, every: timedelta) -> bool:
    """
    Say whether what recurs *every* so often, and was done at *last*, is not due yet.

    Both are what the clock said. One that went wrong and put *last* far ahead holds nobody up.
    """
    return abs(now - last) < every


class Ids(Protocol):
    """Makes what must be unique or unguessable."""

    def ulid(self, at: datetime) -> bytes:
        """Return 16 bytes: the milliseconds of *at*, then 80 random bits."""
        ...

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        ...
