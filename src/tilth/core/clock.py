"""Time and chance."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, always in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...


class Ids(Protocol):
    """Makes what must be unique or unguessable."""

    def ulid(self, at: datetime) -> bytes:
        """Return 16 bytes: the milliseconds of *at*, then 80 random bits."""
        ...

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        ...
