"""The machine's own clock and chance."""

import os
from datetime import UTC, datetime

from tilth.domain.ids import ULID_BYTES
from tilth.domain.instant import EPOCH
from tilth.domain.ledger import SALT_BYTES

_TIME_BYTES = 6


class SystemClock:
    """See `tilth.ports.Clock`."""

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the port


class SystemIds:
    """See `tilth.ports.Ids`."""

    def ulid(self, at: datetime) -> bytes:
        """Return 48 bits of milliseconds and 80 random bits."""
        milliseconds = int((at - EPOCH).total_seconds() * 1000)
        return milliseconds.to_bytes(_TIME_BYTES) + os.urandom(ULID_BYTES - _TIME_BYTES)

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        return os.urandom(SALT_BYTES)
