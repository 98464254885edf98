"""An internet of scripted sites, behind one server on loopback; and a private machine."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpcore2

from tilth.discovery.web.network import Network

PUBLIC = "93.184.216.34"
PAGE = """<!doctype html><html><head><title>How the log works</title>
<meta property="article:published_time" content="2024-03-05T10:00:00Z"></head><body>
<nav><a href="/">Home</a> <a href="/menu">Menu of everything</a></nav><article>
<h1>How the log works</h1><p>SQLite writes changes to a separate log before they reach the
database, so readers never wait for the one program that writes.</p>
<p>A checkpoint copies the pages of the log back, by default at one thousand pages.</p></article>
<footer>All rights reserved by nobody</footer><script>alert("never read")</script></body></html>"""


@dataclass(kw_only=True)
class Answers:
    """What a site answers at a path; `drip_s` is how long it waits before each of its bytes."""

    body: bytes = PAGE.encode()
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html"})
    drip_s: float = 0.0
    length: int | None = None

    def is_known_by(self, asked) -> bool:
        """Say whether who asks has this answer already (RFC 9110, 13.2.2: an ETag decides)."""
        if (etag := asked.get("If-None-Match")) is not None:
            return etag == self.headers.get("ETag")
        since = asked.get("If-Modified-Since")
        return since is not None and since == self.headers.get("Last-Modified")


@dataclass
class Internet:
    """Sites by URL, and hosts with the addresses that they have, one answer after the other."""

    sites: dict[str, Answers] = field(default_factory=dict)
    names: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)
    port: int = 0
    sent_bytes: int = 0
    otherwise: Answers = field(default_factory=lambda: Answers(status=404, body=b"", headers={}))
    over: threading.Event = field(default_factory=threading.Event)
    server: ThreadingHTTPServer | None = None

    def secure(self, context: ssl.SSLContext) -> None:
        """Speak TLS from now on."""
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)

    @property
    def network(self) -> Network:
        return Network(self._resolve, _Wires(self))

    def urls(self) -> list[str]:
        return [url for url, _ in self.requests]

    def _resolve(self, host: str, port: int) -> Sequence[str]:
        self.resolved.append(host)
        with contextlib.suppress(OSError):  # an address, in whatever form
            found = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)
            return [str(one[4][0]) for one in found]
        answers = self.names.get(host, [[PUBLIC]])
        return answers.pop(0) if len(answers) > 1 else answers[0]


class _Wires(httpcore2.NetworkBackend):
    """Leads every public address to the server of the scripted sites."""

    def __init__(self, internet: Internet) -> None:
        self.internet = internet

    def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.internet.connected.append(host)
        real = self.internet.port if host == PUBLIC else port
        where = "127.0.0.1" if host == PUBLIC else host
        return httpcore2.SyncBackend().connect_tcp(where, real, timeout)


class _Sites(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, internet: Internet) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.internet = internet
        internet.port = self.server_port
        internet.server = self

    def handle_error(self, request, client_address):
        """Somebody hung up; that is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Sites

    def do_GET(self) -> None:
        internet, url = self.server.internet, f"http://{self.headers['Host']}{self.path}"
        internet.requests.append((url, dict(self.headers)))
        answer = internet.sites.get(url, internet.otherwise)
        if answer.is_known_by(self.headers):
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(answer.length or len(answer.body)))
        self.end_headers()
        if not answer.drip_s:
            self.wfile.write(answer.body)
        for byte in answer.body if answer.drip_s else ():
            self.wfile.write(bytes([byte]))
            internet.sent_bytes += 1
            if self.server.internet.over.wait(answer.drip_s):
                return

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def an_internet() -> Iterator[Internet]:
    internet = Internet()
    server = _Sites(internet)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield internet
    finally:
        internet.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def a_private_machine() -> Iterator[tuple[int, list[str]]]:
    """Yield a port of this machine, and who connected there on either of its loopback addresses."""
    visits: list[str] = []
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = listener.getsockname()[1]
        listeners = [listener]
        with contextlib.suppress(OSError):  # a machine without IPv6
            sixth = socket.create_server(("::1", port), family=socket.AF_INET6)
            listeners.append(stack.enter_context(sixth))
        for one in listeners:
            one.settimeout(0.02)
        over = threading.Event()

        def listen(one: socket.socket) -> None:
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    conn, who = one.accept()
                    visits.append(str(who))
                    conn.close()

        threads = [threading.Thread(target=listen, args=(one,)) for one in listeners]
        for thread in threads:
            thread.start()
        yield port, visits
        over.set()
        for thread in threads:
            thread.join()
