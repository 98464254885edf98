"""
Connections that cannot keep others out.

uvicorn counts those that are open, and waits for ever for a head that begins and does not end.
So each has ten seconds for every head, and where there are too many, the one that is idle longest
makes room.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

CONNECTIONS_MAX = 256
HEAD_SECONDS = 10


class Connection(H11Protocol):
    """One connection of a client."""

    _ends: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no request of it is being read or answered."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request.
        return cycle is None or cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # type: ignore[explicit-override] # `override` came with Python 3.12
        """Take a connection, if need be in the place of an idle one."""
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) >= CONNECTIONS_MAX:
            others = [one for one in self.connections if isinstance(one, Connection)]
            idle = [one for one in others if one.is_idle and one is not self]
            if idle:
                min(idle, key=Connection.waits_until).close()
        self._wait()

    def waits_until(self) -> float:
        """Return when its time for a head is over."""
        return self._ends.when() if self._ends else 0.0

    def close(self) -> None:
        """End it, unread."""
        self.connections.discard(self)
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # type: ignore[explicit-override] # as above
        """Forget it."""
        self._wait_no_more()
        super().connection_lost(exc)

    def handle_events(self) -> None:  # type: ignore[explicit-override] # as above
        """Go on with what was read; with a whole head, its time is no limit any more."""
        super().handle_events()
        if not self.is_idle:
            self._wait_no_more()

    def on_response_complete(self) -> None:  # type: ignore[explicit-override] # as above
        """Wait for the next head."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        self._ends = self.loop.call_later(HEAD_SECONDS, self._end_if_idle)

    def _wait_no_more(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None

    def _end_if_idle(self) -> None:
        if self.is_idle:
            self.close()
