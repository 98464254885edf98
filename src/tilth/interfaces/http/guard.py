"""
Check every request before it is read: its host and origin, its size, and its rate.

A web page in the user's browser can reach loopback addresses too. So each request must come under
one of our names and from no other site (T7, I38) before anything of it is read. Bodies are JSON or
forms, limited in size and in the time that they take; answers may be framed, sniffed and scripted
by nobody else.
"""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilth.core.dataclass import dataclass
from tilth.interfaces.error_codes import error_body

BODY_BYTES_MAX = 4 << 20
_BODY_SECONDS_MAX = 15.0
# A client may ask so often at once, and go on at so many requests a second.
_BURST, _PER_SECOND = 400, 100.0
_CLIENTS_MAX = 1000
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Sequence[tuple[bytes, bytes]] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_NOT_KEPT = (b"cache-control", b"no-store")


@dataclass(frozen=True, slots=True)
class Names:
    """The exact names and sites under which a server may be asked."""

    hosts: frozenset[bytes]
    origins: frozenset[bytes]

    def refusal(self, told: Mapping[bytes, Sequence[bytes]]) -> "Refusal | None":
        """Return why a request with these headers is another's or from elsewhere; None if not."""
        # Exactly one: of two, the server and what stands before it may read different ones.
        if len(hosts := told.get(b"host", ())) != 1 or hosts[0] not in self.hosts:
            why = "this server has another name: ask by the address that it prints"
            return Refusal(421, "forbidden", why)
        # A browser always names the site; a program need not.
        origins = told.get(b"origin", ())
        if len(origins) > 1 or not self.origins.issuperset(origins):
            return Refusal(403, "forbidden", "no other site may ask here")
        return None


def names_of(host: str, port: int) -> Names:
    """Return the names of a server that listens on *host* and *port*: that, and loopback's own."""
    shown = f"[{host}]" if ":" in host else host
    hosts = {f"{one}:{port}" for one in ("127.0.0.1", "localhost", "[::1]", shown)}
    return Names(
        frozenset(one.encode() for one in hosts),
        frozenset(f"{scheme}://{one}".encode() for one in hosts for scheme in ("http", "https")),
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a request that is not let in."""

    status: int
    code: str
    message: str


class Guard:
    """Lets requests in that name us, come from no other site, and are neither huge nor endless."""

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self._app = app
        self._names = names
        self._rates = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it unread."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refused = self._check(scope)
        if refused is not None:
            await refuse(send, refused)
            return
        await self._app(scope, _Body(receive).receive, _guarded(scope, send))

    def _check(self, scope: Scope) -> Refusal | None:
        told = headers_by_name(scope["headers"])
        if refused := self._names.refusal(told):
            return refused
        if told.get(b"sec-fetch-site", [b"none"])[0] == b"cross-site":
            return Refusal(403, "forbidden", "no other site may ask here")
        length = told.get(b"content-length", [b"0"])[0]
        if not length.isdigit() or int(length) > BODY_BYTES_MAX:
            return Refusal(413, "limit_exceeded", f"a body has at most {BODY_BYTES_MAX} bytes")
        if not self._rates.admits(_client(scope, told)):
            return Refusal(429, "limit_exceeded", "too many requests; wait a second")
        return None


class Rates:
    """How often each client asked of late: a bucket that fills again with time."""

    def __init__(self, burst: float = _BURST, per_second: float = _PER_SECOND) -> None:
        self._burst, self._per_second = burst, per_second
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def admits(self, client: bytes) -> bool:
        """Say whether *client* may ask once more now, and count it."""
        now = time.monotonic()
        left, since = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        is_admitted = left >= 1
        self._left[client] = (left - is_admitted, now)
        while len(self._left) > _CLIENTS_MAX:
            self._left.popitem(last=False)
        return is_admitted


async def refuse(send: Send, refused: Refusal) -> None:
    """Answer with an error, in the one shape that errors have."""
    body = json.dumps(error_body(refused.code, refused.message)).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        *_HEADERS,
        _NOT_KEPT,
    ]
    if refused.status == 401:  # noqa: PLR2004
        headers.append((b"www-authenticate", b"Bearer"))
    if refused.status == 429:  # noqa: PLR2004
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class UnreadableError(Exception):
    """A body that is too large, or takes too long; the application answers with `refused`."""

    def __init__(self, refused: Refusal) -> None:
        super().__init__(refused.message)
        self.refused = refused


class _Body:
    """A request's body, as far as it is small and quick."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self._ends_at = time.monotonic() + _BODY_SECONDS_MAX
        self._is_read = False

    async def receive(self) -> Message:
        """Return the next part; after the last one, whatever the server tells."""
        if self._is_read:
            return await self._receive()
        left = max(0.0, self._ends_at - time.monotonic())
        try:
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError as error:
            late = Refusal(408, "limit_exceeded", "the body takes too long")
            raise UnreadableError(late) from error
        self._size += len(message.get("body", b""))
        if self._size > BODY_BYTES_MAX:
            most = f"a body has at most {BODY_BYTES_MAX} bytes"
            raise UnreadableError(Refusal(413, "limit_exceeded", most))
        self._is_read = not message.get("more_body", False)
        return message


def _guarded(scope: Scope, send: Send) -> Send:
    is_asset = scope["path"].startswith("/static/")

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            added = [*_HEADERS] if is_asset else [*_HEADERS, _NOT_KEPT]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return guarded


def headers_by_name(headers: Iterable[tuple[bytes, bytes]]) -> Mapping[bytes, Sequence[bytes]]:
    """Return what *headers* say, by their names in lower case."""
    told: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        told.setdefault(name.lower(), []).append(value)
    return told


def _client(scope: Scope, told: Mapping[bytes, Sequence[bytes]]) -> bytes:
    address = (scope.get("client") or ("", 0))[0]
    return address.encode() + b" " + told.get(b"authorization", [b""])[0]
