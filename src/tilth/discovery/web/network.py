"""
Connect to public machines alone.

A name is resolved once; every address that it has must be public, and the connection goes to one
of these very addresses. So no answer of a name server can lead elsewhere between the look and
the step. The host's name stays what the request and the certificate are for.
"""

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from types import TracebackType
from typing import Any, Self

import httpcore2

from tilth.core.dataclass import dataclass
from tilth.discovery.model import RefusedError, UnreachableError
from tilth.discovery.web.public_addresses import is_public

# A host with more addresses than this has the first ones tried.
_TRIED_MAX = 3


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses that this machine's resolver gives for a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


@dataclass(frozen=True, slots=True)
class Network:
    """
    The way out: what resolves names, and what connects to the address that was chosen.

    `trust` says which certificates are believed; None: those of the usual authorities.
    """

    resolve: Callable[[str, int], Sequence[str]] = resolve
    backend: httpcore2.NetworkBackend = field(default_factory=httpcore2.SyncBackend)
    trust: ssl.SSLContext | None = None


class PublicBackend(httpcore2.NetworkBackend):
    """
    Connects for one request, and cuts the connection when its time is over.

    The time holds for all of it, whatever arrives: a server that sends a byte now and then keeps
    nobody waiting.
    """

    def __init__(self, network: Network, timeout_s: float) -> None:
        self._network = network
        self._deadline = time.monotonic() + timeout_s
        self._twins: list[socket.socket] = []
        self._timer = threading.Timer(timeout_s, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        for twin in self._twins:
            twin.close()

    @property
    def left_s(self) -> float:
        """How much of the time is left, in seconds; negative after it."""
        return self._deadline - time.monotonic()

    def connect_tcp(  # type: ignore[explicit-override] # typing.override came with 3.12
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """
        Connect to one of the public addresses of *host*.

        Raises:
            RefusedError: one of its addresses is not public.
            UnreachableError: it has none.
            httpcore2.ConnectError: none of them answers.
        """
        del timeout, local_address, socket_options
        failure: Exception | None = None
        for address in self._addresses(host, port):
            try:
                stream = self._network.backend.connect_tcp(address, port, max(self.left_s, 0.001))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
                continue
            if isinstance(own := stream.get_extra_info("socket"), socket.socket):
                self._twins.append(own.dup())
            if self.left_s <= 0:  # Nobody cuts any more.
                stream.close()
                raise httpcore2.ConnectTimeout
            return stream
        raise failure or UnreachableError(f"{host} has no address")

    def _addresses(self, host: str, port: int) -> Sequence[str]:
        found = self._resolved(host, port)
        if not all(map(is_public, found)):
            raise RefusedError(
                f"{host} is not on the public internet",
                hint="a page of your own network: save it, and tilth import the file",
            )
        return found[:_TRIED_MAX]

    def _resolved(self, host: str, port: int) -> Sequence[str]:
        """Ask the resolver, which nobody can stop, in a thread that nobody waits for in the end."""
        answer: queue.SimpleQueue[Sequence[str] | OSError] = queue.SimpleQueue()

        def ask() -> None:
            try:
                answer.put(self._network.resolve(host, port))
            except (OSError, UnicodeError) as error:
                answer.put(OSError(str(error)))

        threading.Thread(target=ask, daemon=True).start()
        try:
            found = answer.get(timeout=max(self.left_s, 0.001))
        except queue.Empty:
            found = OSError("no answer")
        if isinstance(found, OSError):
            raise UnreachableError(f"there is no machine called {host[:100]!r}, or none told so")
        return found

    def _cut(self) -> None:
        for twin in list(self._twins):
            try:
                twin.shutdown(socket.SHUT_RDWR)
            except OSError:  # It was closed already.
                return
