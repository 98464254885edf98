"""The clock and the source of chance, as interfaces, and the order of instants."""

from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

# Two correct clocks differ by less.
_RIGHT = timedelta(minutes=1)
# A record that waited longer in a spool had no running worker.
_AWAITED = timedelta(hours=1)


class Clock(Protocol):
    """Tells the time, always in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...


def is_early(last: datetime, now: datetime, every: timedelta) -> bool:
    """
    Say whether something that recurs *every* so often, last at *last*, is not due yet.

    If a wrong clock once put *last* far ahead, that delays nothing.
    """
    return abs(now - last) < every


class Instant(NamedTuple):
    """
    An instant for ordering, with the time that its clock *said* (ADR 42).

    It is in doubt if its stated time is later than its recording.
    """

    at: datetime
    said: datetime
    seq: int
    is_in_doubt: bool = False

    def is_after(self, other: "Instant") -> bool | None:
        """Say whether this came after *other*; None if that cannot be known."""
        is_after, is_later = self[:2] > other[:2], self.seq > other.seq
        earlier = other if is_later else self
        return None if earlier.is_in_doubt and is_after != is_later else is_after


def corrected_time(at: datetime, clock: datetime, latest: datetime) -> datetime:
    """
    Return when something dated *at* happened, judging by the *latest* clock of the ledger.

    Times of recording never go back, so a *clock* behind the latest was set back, or is another
    machine's. What was captured by it happened when it was recorded or, after long waiting in a
    spool, as long before. Nothing happened after it was recorded.
    """
    at = clock if is_future(at, clock) else at
    behind = latest - clock
    if behind < _RIGHT:
        return at
    return at + behind if clock - at > _AWAITED else latest


def is_future(at: datetime, clock: datetime) -> bool:
    """Say whether *at* was still in the future for the *clock* that recorded it."""
    return at - clock > _RIGHT


class Ids(Protocol):
    """Makes unique IDs and unguessable salts."""

    def ulid(self, at: datetime) -> bytes:
        """Return 16 bytes: the milliseconds of *at*, then 80 random bits."""
        ...

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        ...
