"""
Serving over HTTP, on this machine alone, to clients that know a token.

A web page in the user's browser can reach loopback addresses too. So every
request, on whatever path, must come under one of our names, from no other
site, and with the token; only then does anything read it (T7, I38). The token is a file that
its user alone can read.
"""

import hmac
import os
import secrets
import socket
from collections.abc import Iterable
from pathlib import Path
from stat import S_IMODE

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilth.core.errors import ForbiddenError
from tilth.core.io.atomic_file import make_once
from tilth.core.text.surrogates import json_without_surrogates
from tilth.interfaces.http import connections
from tilth.interfaces.http.guard import Names, Refusal, headers_by_name, refuse

# 256 bits, as 43 characters.
_TOKEN_BYTES = 32
_TOKEN_CHARS_MIN = 32


def token_at(path: Path) -> str:
    """
    Return the token in the file *path*, which is made if it is not there.

    Raises:
        ForbiddenError: others may read the file, or what it holds is no secret.
    """
    if not path.exists():
        make_once(path, f"{secrets.token_urlsafe(_TOKEN_BYTES)}\n".encode())
    found = path.stat()
    if found.st_uid != os.geteuid() or S_IMODE(found.st_mode) & 0o077:
        raise ForbiddenError(
            f"others may read the token in {path}", hint="remove the file to get a new token"
        )
    token = path.read_text(encoding="ascii", errors="replace").strip()
    if len(token) < _TOKEN_CHARS_MIN or not token.isascii() or not token.isprintable():
        raise ForbiddenError(
            f"the token in {path} is too short, or damaged", hint="remove the file to get a new one"
        )
    return token


PATH = "/mcp"


class Guard:
    """Lets in what names us as its host, comes from no other site and bears the token."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings, token: str) -> None:
        self._app = app
        hosts, origins = security.allowed_hosts, security.allowed_origins
        self._names = Names(*(frozenset(map(str.encode, one)) for one in (hosts, origins)))
        self._authorization = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it unread."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            refused = self.check(scope["headers"])
            if refused is None:
                await self._app(scope, receive, send)
            else:
                await refuse(send, refused)

    def check(self, headers: Iterable[tuple[bytes, bytes]]) -> Refusal | None:
        """Return why a request with these headers is not let in; None if it is."""
        told = headers_by_name(headers)
        if refused := self._names.refusal(told):
            return refused
        given = told.get(b"authorization", [])
        if len(given) != 1 or not hmac.compare_digest(given[0], self._authorization):
            return Refusal(401, "forbidden", "the token is missing, or another")
        return None


class WholeCharacters:
    """Reads each body at once, with U+FFFD for half of a character, as over standard input."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        parts, last = list[bytes](), await receive()
        while last["type"] == "http.request":
            parts.append(last.get("body", b""))
            if not last.get("more_body", False):
                last = {**last, "body": _repaired(b"".join(parts))}
                break
            last = await receive()
        rest = [last]

        async def read() -> Message:
            return rest.pop() if rest else await receive()

        await self._app(scope, read, send)


def _repaired(body: bytes) -> bytes:
    try:
        return json_without_surrogates(body.decode()).encode()
    except UnicodeDecodeError:
        return body


def listen(host: str, port: int) -> socket.socket:
    """Take a port of a loopback address; see `connections.listen`."""
    return connections.listen(host, port, hint="serve on 127.0.0.1 or ::1")


def security_of(listening: socket.socket) -> TransportSecuritySettings:
    """Return under which names, and from which sites, *listening* may be asked: its own."""
    port = listening.getsockname()[1]
    names = [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    return TransportSecuritySettings(
        allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
    )


def guarded(server: MCPServer, security: TransportSecuritySettings, token: str) -> Guard:
    """Return the whole of what is served over HTTP."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        # Nothing is kept between requests, so nothing of it can be taken over or piled up.
        stateless_http=True,
        json_response=True,
        transport_security=security,
    )
    return Guard(WholeCharacters(app), security, token)


def serve(server: MCPServer, listening: socket.socket, token: str) -> None:
    """Answer on *listening* until the program is interrupted."""
    run(guarded(server, security_of(listening), token), listening)


def run(app: ASGIApp, listening: socket.socket) -> None:
    """Run *app* on *listening* until the program is interrupted."""
    connections.server_of(app).run(sockets=[listening])
