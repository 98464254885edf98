"""The system's clock, source of chance, and timeouts."""

import os
import threading
import time
from datetime import UTC, datetime

from tilth.core.ids import ULID_BYTES
from tilth.core.instant import EPOCH
from tilth.ledger.chain import SALT_BYTES

_TIME_BYTES = 6


class SystemClock:
    """See `tilth.core.clock.Clock`."""

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the port


class SystemIds:
    """See `tilth.core.clock.Ids`."""

    def ulid(self, at: datetime) -> bytes:
        """Return 48 bits of milliseconds and 80 random bits."""
        milliseconds = int((at - EPOCH).total_seconds() * 1000)
        return milliseconds.to_bytes(_TIME_BYTES) + os.urandom(ULID_BYTES - _TIME_BYTES)

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        return os.urandom(SALT_BYTES)


class SystemPatience:
    """
    A timeout; see `tilth.llm.cancellation.Patience`.

    Args:
        seconds: How long it lasts.
        cancelled: An event that ends it early.
    """

    def __init__(self, seconds: float, cancelled: threading.Event) -> None:
        self._deadline = time.monotonic() + seconds
        self._cancelled = cancelled

    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled.is_set()

    def remaining_s(self) -> float:
        """Return the seconds left; 0 after the end or a cancellation."""
        return 0.0 if self.is_cancelled else max(self._deadline - time.monotonic(), 0.0)

    def wait(self, seconds: float) -> None:
        """Wait for *seconds*, or until the timeout ends."""
        self._cancelled.wait(min(seconds, self.remaining_s()))
