"""
Ports that are listened at, and connections that cannot keep others out.

uvicorn counts those that are open, and waits for ever for a head that begins and does not end.
So each has ten seconds for every head, and where there are too many, the one that is idle longest
makes room.
"""

import asyncio
import os
import socket
from ipaddress import ip_address
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from tilth.core.errors import ForbiddenError, InvalidInputError, UnavailableError

CONNECTIONS_MAX = 256
HEAD_SECONDS = 10
_BACKLOG = 128
_PORT_MAX = 65_535


def listen(host: str, port: int, *, is_open: bool = False, hint: str) -> socket.socket:
    """
    Take a port; 0 takes any that is free.

    Args:
        host: An address, or `localhost`.
        port: The port.
        is_open: Whether other machines may reach it.
        hint: What to do where they could and may not.

    Raises:
        ForbiddenError: others could reach the address, and may not.
        InvalidInputError: it is no address, or the port is none.
        UnavailableError: another program has the port.
    """
    if port > _PORT_MAX:
        raise InvalidInputError(f"a port is at most {_PORT_MAX}, not {port}")
    try:
        address = ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError as error:
        raise InvalidInputError(f"{host!r} is not an address", hint="use 127.0.0.1") from error
    if not (address.is_loopback or is_open):
        raise ForbiddenError(f"{host} can be reached from other machines", hint=hint)
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004
    try:
        taken = socket.create_server((str(address), port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise UnavailableError(
            # Python adds to the reason by which pair it was asked for.
            f"port {port} of {host} cannot be taken: {os.strerror(error.errno or 0)}",
            hint="choose another: --port 0",
        ) from error
    # Connections inherit it. Without, head and body of an answer wait 40 ms for each other.
    taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return taken


def server_of(app: ASGIApp, **bounds: Any) -> uvicorn.Server:  # noqa: ANN401 - as uvicorn takes them
    """Return what answers by *app*, with bounds beside those of its connections."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Connection,
            log_level="warning",
            access_log=False,
            ws="none",
            server_header=False,
            lifespan="on",
            limit_concurrency=CONNECTIONS_MAX,
            timeout_keep_alive=HEAD_SECONDS,
            **bounds,
        )
    )


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
