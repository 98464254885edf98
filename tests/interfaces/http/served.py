"""A server of a brain in this process, on a port of its own, and clients of it."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

import httpx2
import uvicorn

from tilth.interfaces.http.app import Worker
from tilth.interfaces.http.tokens import Role, Tokens
from tilth.interfaces.import_transcripts import ImportJob
from tilth.interfaces.serve_all import app_of, listen, server_of, url_of
from tilth.runtime.brain import Brain

# No address here is of https, and who trusts whom takes longer to load than a server to start.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True)
class Served:
    """A running server: its address, its tokens, and the brain behind it."""

    url: str
    tokens: Tokens
    brain: Brain
    clients: list[httpx2.Client] = field(default_factory=list)

    def client(self, role: Role | None = Role.AGENT, name: str = "") -> httpx2.Client:
        """Return a client with a new token of that role; without a role it has none."""
        headers = {}
        if role is not None:
            name = name or f"{role}-{len(self.tokens.list())}"
            headers["authorization"] = f"Bearer {self.tokens.add(name, role)}"
        return self._client(headers)

    def browser(self, name: str = "ana") -> httpx2.Client:
        """Return a client that a person signed in with, by a link."""
        client = self._client({})
        answer = client.post("/login", data={"key": self.tokens.add_link(name)})
        assert answer.status_code == 303, answer.text
        return client

    def _client(self, headers: dict[str, str]) -> httpx2.Client:
        made = httpx2.Client(base_url=self.url, headers=headers, timeout=30, verify=_NO_TLS)
        self.clients.append(made)
        return self.clients[-1]


class _Prompt(uvicorn.Server):
    """The server without its pauses: it tells that it has begun, and ends when it is told to."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.begun = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event

    async def startup(self, sockets: list[socket] | None = None) -> None:  # type: ignore[explicit-override] # from typing in 3.12
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        await super().startup(sockets)
        self.begun.set()

    async def main_loop(self) -> None:  # type: ignore[explicit-override] # from typing in 3.12
        while not await self.on_tick(1):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), 0.1)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:  # type: ignore[explicit-override] # from typing in 3.12
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for one in (*self.servers, *(sockets or ())):
            one.close()
        await self.lifespan.shutdown()

    def end(self) -> None:
        self.should_exit = True
        self._loop.call_soon_threadsafe(self._over.set)


@contextmanager
def serving(
    brain: Brain,
    folder: Path,
    worker: Worker | None = None,
    importing: ImportJob | None = None,
) -> Iterator[Served]:
    """Serve *brain* meanwhile; *worker* works beside it, and *importing* may have begun."""
    folder.mkdir(exist_ok=True)
    tokens = Tokens(folder / "tokens.json", brain.parts.clock)
    listening = listen("127.0.0.1", 0)
    app = app_of(brain, str(folder / "tilth.db"), tokens, worker, importing)
    server = _Prompt(server_of(app, listening).config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert server.begun.wait(20), "the server does not start"
    served = Served(url_of(listening), tokens, brain)
    try:
        yield served
    finally:
        for client in served.clients:
            client.close()
        server.end()
        thread.join(10)


def csrf_of(page: str) -> str:
    """Return the secret that stands in a page."""
    return page.partition('data-csrf="')[2].partition('"')[0]
