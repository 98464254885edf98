"""A model on loopback: plays its part by the script, and keeps every request that it got."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from prove.hosts.wires import Reply, reply


@dataclass(slots=True)
class Model:
    """The played model: its port, and what it was asked, in order."""

    port: int = 0
    requests: list[dict[str, Any]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def asked(self, path: str, body: dict[str, Any]) -> Reply:
        """Keep a request, and answer it."""
        with self._lock:
            self.requests.append({"path": path, "body": body})
        return reply(path, body)


@contextmanager
def played() -> Iterator[Model]:
    """Play the model meanwhile, at a port of loopback that the system chooses."""
    model = Model()

    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = model
    server.daemon_threads = True
    model.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    model: Model

    def handle_error(  # type: ignore[explicit-override]
        self, request: object, client_address: object
    ) -> None:
        """Say nothing: programs that end hang up in the middle."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(Reply({"data": [], "models": [], "object": "list"}))

    def do_HEAD(self) -> None:
        self._answer(Reply({}))

    def do_POST(self) -> None:
        raw = self._body()
        try:
            body = json.loads(raw) if raw else {}
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        self._answer(self.server.model.asked(path, body if isinstance(body, dict) else {}))

    def log_message(self, *_words: object) -> None:  # type: ignore[explicit-override]
        """Say nothing."""

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _answer(self, reply: Reply) -> None:
        is_whole = reply.body is not None
        content = json.dumps(reply.body).encode() if is_whole else _stream(reply)
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(200)
            kind = "application/json" if is_whole else "text/event-stream"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)


def _stream(reply: Reply) -> bytes:
    written = []
    for event in reply.events:
        name = f"event: {event['type']}\n" if reply.is_named and not isinstance(event, str) else ""
        data = event if isinstance(event, str) else json.dumps(event)
        written.append(f"{name}data: {data}\n\n")
    return "".join(written).encode()
