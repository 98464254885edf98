"""Time and chance."""

from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

# The clocks of two machines that are kept right differ by less.
_RIGHT = timedelta(minutes=1)
# Whatever waited longer in a spool had no worker beside it.
_AWAITED = timedelta(hours=1)


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


class Instant(NamedTuple):
    """
    When something came to be, to be put in order, and when its clock *said* (ADR 42).

    In doubt is what said a later time than that of its recording.
    """

    at: datetime
    said: datetime
    seq: int
    is_in_doubt: bool = False

    def is_after(self, other: "Instant") -> bool | None:
        """Say whether this came after *other*; None where nobody can tell."""
        is_after, is_later = self[:2] > other[:2], self.seq > other.seq
        earlier = other if is_later else self
        return None if earlier.is_in_doubt and is_after != is_later else is_after


def reckoned(at: datetime, clock: datetime, latest: datetime) -> datetime:
    """
    Return when that happened which a clock dates *at*, by the *latest* clock of the ledger.

    A time of recording never goes back, so where *clock* stands behind it, it was set back, or is
    another machine's. What was captured under it happened when it was recorded; after long
    waiting in a spool, as long before. Nothing happened after it was recorded.
    """
    at = clock if is_to_come(at, clock) else at
    behind = latest - clock
    if behind < _RIGHT:
        return at
    return at + behind if clock - at > _AWAITED else latest


def is_to_come(at: datetime, clock: datetime) -> bool:
    """Say whether what is dated *at* is still to come by the *clock* that recorded it."""
    return at - clock > _RIGHT


class Ids(Protocol):
    """Makes what must be unique or unguessable."""

    def ulid(self, at: datetime) -> bytes:
        """Return 16 bytes: the milliseconds of *at*, then 80 random bits."""
        ...

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        ...
