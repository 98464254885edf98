"""
Who may not ask is refused, and keeps nobody else from asking.

`python -m prove.strangers [--turns 40]` runs `tilth serve` and asks it over sockets, from many
addresses of loopback, so that no rate stands before what is to be shown:

- every route under 120 combinations of host, site and token, of which two let in;
- a name of another site that was bound anew to our address, with all that a browser would send;
- heads and bodies that trickle, while others ask, and heads and bodies that are huge;
- 50 clients at once, of whom each reads back what it said.

Nothing that was refused changes the store, which is verified at the end. It prints a table.
"""

import argparse
import http.client
import itertools
import json
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import apsw

from prove.ground import conclude
from prove.http import Served, served
from tilth.interfaces.http.connections import HEAD_SECONDS
from tilth.interfaces.http.guard import BODY_BYTES_MAX
from tilth.interfaces.http.tokens import Role

# By its name: tests are not typed.
_ROUTES: Any = import_module("tests.interfaces.web.test_payloads")
_CLIENTS, _SLOW_HEADS, _SLOW_BODIES = 50, 150, 60
# The time that a body has, and what a busy machine may add.
_SLOW_SECONDS = 15 + 15
_ASKED_MEANWHILE = 40
_THREADS = 8
# A client from each may ask 400 times at once.
_ADDRESSES = itertools.cycle(f"127.{at >> 8 & 255}.{at & 255}.9" for at in range(1, 60_000))


@dataclass
class Shown:
    """What was asked in one part of the programme, how it was answered, and what was wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, what: str, status: int, allowed: Sequence[int]) -> None:
        """Count an answer; it is a failure where it is none of those that are *allowed*."""
        self.counts[str(status)] += 1
        if status not in allowed:
            self.failures.append(f"{what}: {status}, not {' or '.join(map(str, allowed))}")


class Stranger:
    """Whoever asks a server over sockets, and says of itself what it likes."""

    def __init__(self, server: Served) -> None:
        self.server = server
        parts = urlsplit(server.url)
        self.host, self.port = str(parts.hostname), int(parts.port or 0)

    def connected(self) -> socket.socket:
        """Return a connection from an address that was not used of late."""
        source = (next(_ADDRESSES), 0)
        return socket.create_connection((self.host, self.port), timeout=60, source_address=source)

    def asked(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"{}"
    ) -> tuple[int, bytes]:
        """Ask with exactly these headers; return the status, and what was answered."""
        asking = http.client.HTTPConnection(self.host, self.port, timeout=60)
        asking.sock = self.connected()
        try:
            asking.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                if value:
                    asking.putheader(name, value)
            asking.putheader("content-length", str(len(body)))
            asking.endheaders(body)
            answer = asking.getresponse()
            # Who is refused before its body was read may be cut off.
            with suppress(ConnectionResetError):
                return answer.status, answer.read()
            return answer.status, b""
        finally:
            asking.close()

    def head(self, *lines: str) -> bytes:
        """Return the head of a request of a program that may ask."""
        bits = self.server.tokens.add(f"raw-{time.monotonic_ns()}", Role.AGENT)
        first = ["POST /v1/remember HTTP/1.1", f"Host: {self.host}:{self.port}"]
        told = [*first, f"Authorization: Bearer {bits}", "Content-Type: application/json", *lines]
        return "\r\n".join([*told, "", ""]).encode()


def matrix(stranger: Stranger) -> Shown:
    """Ask every route under every combination of host, site and token that is not all right."""
    port, shown = stranger.port, Shown()
    ours = stranger.server.tokens.add("matrix", Role.ADMIN)
    hosts = (f"127.0.0.1:{port}", f"localhost:{port}", "evil.example", f"evil.example:{port}",
             f"127.0.0.1.nip.io:{port}", f"127.0.0.1:{port + 1}")  # fmt: skip
    sites = ("", f"http://127.0.0.1:{port}", "null", "http://evil.example",
             f"http://localhost:{port}.evil.example")  # fmt: skip
    tokens = (f"Bearer {ours}", "", f"bearer{ours}", "Bearer x")

    def ask(route: tuple[str, str]) -> Iterator[tuple[str, int, Sequence[int]]]:
        method, path = route
        for host, site, token in product(hosts, sites, tokens):
            is_ours = host in hosts[:2] and site in sites[:2]
            if is_ours and (token == tokens[0] or path in {"/login", "/nothing"}):
                continue
            headers = {"host": host, "origin": site, "authorization": token,
                       "content-type": "application/json"}  # fmt: skip
            unknown = {"GET": (401, 303), "OPTIONS": (405,)}.get(method, (401,))
            status, _ = stranger.asked(method, path, headers)
            yield f"{method} {path} {headers}", status, unknown if is_ours else (403, 421)

    routes = [*_ROUTES.every_route(), ("POST", "/mcp")]
    with ThreadPoolExecutor(_THREADS) as pool:
        for answers in pool.map(lambda route: [*ask(route)], routes):
            for answer in answers:
                shown.add(*answer)
    shown.counts["routes"] = len(routes)
    return shown


def rebinding(stranger: Stranger) -> Shown:
    """Ask as a page of another site whose name leads to us by now, with a person's cookie."""
    port, shown = stranger.port, Shown()
    bits = stranger.server.tokens.add("rebound", Role.ADMIN)
    right = f"{stranger.host}:{port}"
    key = stranger.server.tokens.add_link("ana")
    form = {"host": right, "content-type": "application/x-www-form-urlencoded"}
    asking = http.client.HTTPConnection(stranger.host, port, timeout=60)
    asking.request("POST", "/login", f"key={key}", form)
    cookie = str(asking.getresponse().getheader("set-cookie")).partition(";")[0]
    signed_in = {"host": right, "cookie": cookie}
    shown.add("a person", stranger.asked("GET", "/", signed_in, b"")[0], (200,))
    names = (f"evil.example:{port}", f"localhost.evil.example:{port}", f"[::ffff:127.0.0.1]:{port}",
             f"2130706433:{port}", f"LOCALHOST.:{port}", f"127.0.0.1:{port}@evil.example",
             f"0.0.0.0:{port}", f"127.1:{port}", right.partition(":")[0])  # fmt: skip
    for name, (method, path) in product(names, _ROUTES.every_route()):
        headers = {"host": name, "origin": f"http://{name}", "cookie": cookie,
                   "sec-fetch-site": "same-origin", "authorization": f"Bearer {bits}",
                   "content-type": "application/json"}  # fmt: skip
        status, said = stranger.asked(method, path, headers)
        shown.add(f"{method} {path} as {name}", status, (421, 400, 403))
        if b"kettle" in said:
            shown.failures.append(f"{method} {path} as {name} tells what is known")
    return shown


def slow(stranger: Stranger) -> Shown:
    """Let heads and bodies trickle, and ask beside them; each of them ends in its time."""
    shown = Shown()
    body = stranger.head("Content-Length: 5000") + b'{"text": "'
    began = time.monotonic()
    heads = [stranger.connected() for _ in range(_SLOW_HEADS)]
    bodies = [stranger.connected() for _ in range(_SLOW_BODIES)]
    for one in bodies:
        one.sendall(body)
    for turn in range(_ASKED_MEANWHILE):
        for one in (*heads, *bodies):
            with suppress(OSError):  # it was ended
                one.sendall(b"P"[: turn == 0] or b"x")
        status, _ = stranger.asked("GET", "/login", {"host": f"{stranger.host}:{stranger.port}"})
        shown.add("somebody else meanwhile", status, (200,))
        time.sleep(0.2)
    for one in heads:
        if not _is_ended(one, began):
            shown.failures.append("a head that trickles is waited for")
    for one in bodies:
        shown.add("a body that trickles", _status(one), (408,))
    shown.counts["heads ended"] = len(heads)
    return shown


def _is_ended(one: socket.socket, began: float) -> bool:
    one.settimeout(max(1.0, began + HEAD_SECONDS + _SLOW_SECONDS - time.monotonic()))
    try:
        while one.recv(4096):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True
    return True


def _status(one: socket.socket) -> int:
    """Return how a connection was answered; 0 if it was ended, or is waited for."""
    one.settimeout(_SLOW_SECONDS)
    try:
        return int(one.recv(4096).split()[1])
    except (OSError, IndexError):
        return 0


def huge(stranger: Stranger) -> Shown:
    """Send heads and bodies that are too large, too deep, or packed."""
    shown = Shown()
    for size in (40_000, 100_000, 5_000_000):
        with stranger.connected() as one:
            with suppress(ConnectionError):
                one.sendall(stranger.head(f"X-Long: {'x' * size}"))
            shown.add(f"a head of {size}", _status(one), (400, 431, 0))
    for size in (BODY_BYTES_MAX + 1, 1 << 40):
        with stranger.connected() as one:
            one.sendall(stranger.head(f"Content-Length: {size}"))
            shown.add(f"a length of {size}", _status(one), (413,))
    with stranger.connected() as one:
        one.sendall(stranger.head("Transfer-Encoding: chunked"))
        with suppress(ConnectionError):
            for _ in range(BODY_BYTES_MAX // 0x10000 + 2):
                one.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        shown.add("a body without a length", _status(one), (413,))
    bits = stranger.server.tokens.add("huge", Role.AGENT)
    headers = {"host": f"{stranger.host}:{stranger.port}", "authorization": f"Bearer {bits}",
               "content-type": "application/json"}  # fmt: skip
    deep = b"[" * 100_000 + b"]" * 100_000
    told: dict[str, tuple[bytes, dict[str, str]]] = {
        "a deep body": (b'{"text": ' + deep + b"}", {}),
        "a text as large as a body": (json.dumps({"text": "x" * 4_100_000}).encode(), {}),
        "a number of a million digits": (b'{"limit": ' + b"9" * 1_000_000 + b"}", {}),
        "a packed body": (b"\x1f\x8b" + b"\0" * 1000, {"content-encoding": "gzip"}),
        "no JSON": (b"\xff" * 1000, {}),
        "200,000 names": (
            json.dumps({f"n{at}": 1 for at in range(200_000)}).encode(),
            {},
        ),
    }
    for what, (body, more) in told.items():
        status, _ = stranger.asked("POST", "/v1/remember", headers | more, body)
        shown.add(what, status, (400, 413, 415, 422))
    return shown


def crowd(stranger: Stranger, turns: int) -> Shown:
    """Let 50 clients say something by turns, and read it back."""
    shown = Shown()

    def said(number: int) -> tuple[list[int], int]:
        bits = stranger.server.tokens.add(f"client-{number}", Role.AGENT)
        headers = {"host": f"{stranger.host}:{stranger.port}", "authorization": f"Bearer {bits}",
                   "content-type": "application/json"}  # fmt: skip
        statuses = []
        for turn in range(turns):
            body = {"text": f"Client {number} says {turn}.", "session_id": f"crowd-{number}"}
            statuses.append(
                stranger.asked("POST", "/v1/remember", headers, json.dumps(body).encode())[0]
            )
        asking = json.dumps({"session_id": f"crowd-{number}", "limit": 1000}).encode()
        _, told = stranger.asked("POST", "/v1/sessions/show", headers, asking)
        return statuses, len(json.loads(told)["episodes"])

    with ThreadPoolExecutor(_CLIENTS) as pool:
        for number, (statuses, found) in enumerate(pool.map(said, range(_CLIENTS))):
            for status in statuses:
                shown.add(f"client {number}", status, (200,))
            if found != turns:
                shown.failures.append(f"client {number} reads {found} of {turns}")
    shown.counts["clients"] = _CLIENTS
    return shown


def run(turns: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    report: dict[str, object] = {"programme": "strangers"}
    failures: list[str] = []
    with served() as server:
        stranger = Stranger(server)
        first = _episodes(server)
        parts: dict[str, Callable[[], Shown]] = {
            "header matrix": lambda: matrix(stranger),
            "rebinding": lambda: rebinding(stranger),
            "slow": lambda: slow(stranger),
            "huge": lambda: huge(stranger),
            "50 clients": lambda: crowd(stranger, turns),
        }
        for name, part in parts.items():
            shown = part()
            if name != "50 clients" and _episodes(server) != first:
                shown.failures.append("the store was changed")
            counts = ", ".join(f"{one}: {count}" for one, count in sorted(shown.counts.items()))
            print(f"{name:14} {len(shown.failures):3} wrong   {counts}", flush=True)
            report[name] = dict(shown.counts)
            failures += [f"{name}: {one}" for one in shown.failures]
        if server.process.poll() is not None:
            failures.append("the server ended")
        checked = subprocess.run(
            [sys.executable, "-m", "tilth", "--store", str(server.store), "verify"], check=False
        )
        if checked.returncode:
            failures.append("the store is not whole")
    return report, failures


def _episodes(server: Served) -> int:
    with closing(apsw.Connection(str(server.store), flags=apsw.SQLITE_OPEN_READONLY)) as raw:
        return int(str(raw.execute("SELECT count(*) FROM episodes").fetchall()[0][0]))


def main() -> None:
    """Read the command line, run, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--turns", type=int, default=40, help="what each of 50 clients says")
    conclude(*run(parser.parse_args().turns))


if __name__ == "__main__":
    main()
