"""The machine's own clock, chance and patience."""

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
    See `tilth.llm.patience.Patience`.

    Args:
        seconds: How long it lasts.
        cancelled: Set by whoever ends it before.
    """

    def __init__(self, seconds: float, cancelled: threading.Event) -> None:
        self._deadline = time.monotonic() + seconds
        self._cancelled = cancelled

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        return self._cancelled.is_set()

    def remaining_s(self) -> float:
        """Return the seconds that are left; 0 when they are over, or it was cancelled."""
        return 0.0 if self.is_cancelled else max(self._deadline - time.monotonic(), 0.0)

    def wait(self, seconds: float) -> None:
        """Wait so long, or as long as patience lasts."""
        self._cancelled.wait(min(seconds, self.remaining_s()))
