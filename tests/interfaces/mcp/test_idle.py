"""Whoever holds connections and asks nothing keeps nobody out."""

import contextlib
import socket
import threading
import time
import urllib.request

import pytest

from tilth.interfaces.http import connections
from tilth.interfaces.mcp import http


async def answering(scope, receive, send):
    if scope["type"] == "lifespan":
        for kind in ("startup", "shutdown"):
            assert (await receive())["type"] == f"lifespan.{kind}"
            await send({"type": f"lifespan.{kind}.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


@pytest.fixture
def address(monkeypatch):
    """A server with little patience."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    servers = []
    monkeypatch.setattr(connections.uvicorn, "Server", kept(connections.uvicorn.Server, servers))
    with http.listen("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=http.run, args=(answering, listening), daemon=True)
        thread.start()
        yield listening.getsockname()
        servers[0].should_exit = True
        thread.join(10)


def kept(made, servers):
    def make(config):
        servers.append(made(config))
        servers[0].install_signal_handlers = lambda: None
        servers[0].capture_signals = contextlib.nullcontext
        return servers[0]

    return make


def asked(address):
    return urllib.request.urlopen(f"http://127.0.0.1:{address[1]}/", timeout=20).read()


@pytest.mark.row("I40")
def test_idle_connections_keep_no_client_out(address):
    idle = [socket.create_connection(address) for _ in range(300)]

    assert [asked(address) for _ in range(5)] == [b"here"] * 5
    for one in idle:
        one.close()


@pytest.mark.row("I40")
@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_request_that_never_ends_is_not_waited_for(address, begun):
    with socket.create_connection(address) as slow:
        slow.settimeout(20)
        with contextlib.suppress(OSError):
            for byte in begun:
                slow.sendall(bytes([byte]))
                time.sleep(0.02)
        with contextlib.suppress(ConnectionError):
            while slow.recv(100):
                pass


def test_one_connection_is_asked_again_and_again(address):
    with socket.create_connection(address) as line:
        line.settimeout(20)
        for _ in range(8):
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            heard = b""
            while b"here" not in heard:
                heard += line.recv(1000)
            time.sleep(0.1)
