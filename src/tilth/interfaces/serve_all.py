"""Serve the API, the pages, and MCP if its extra is installed, from one process."""

import contextlib
import gc
import socket
from collections.abc import AsyncIterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import anyio
import uvicorn
from anyio.abc import TaskGroup, TaskStatus
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tilth.core.clock import Clock
from tilth.core.errors import TilthError
from tilth.core.io.projects import scope_of_start
from tilth.interfaces.http import connections
from tilth.interfaces.http.app import Serving, Worker, application, refusal
from tilth.interfaces.http.browser_sessions import Sessions
from tilth.interfaces.http.call_verb import acting
from tilth.interfaces.http.guard import Guard, Refusal, names_of, refuse
from tilth.interfaces.http.tokens import Tokens
from tilth.interfaces.import_transcripts import ImportJob
from tilth.interfaces.web.pages import page_of_nothing, page_routes
from tilth.runtime import places
from tilth.runtime.brain import Brain

_HEAD_BYTES_MAX = 32 << 10
_STOP_SECONDS = 5
# After so many new objects the young ones are looked through; Python's own 700 suits small heaps.
_COLLECTED_FROM = 50_000


def tokens_of(where: str, clock: Clock) -> Tokens:
    """Return the tokens of the store at *where*, which lie among this user's state."""
    return Tokens(places.state_file(where, "tokens.json"), clock)


def listen(host: str, port: int, *, is_open: bool = False) -> socket.socket:
    """Take a port; with *is_open* what stands between must bring TLS. See `connections.listen`."""
    hint = "serve on 127.0.0.1; or put a server that speaks TLS before it, and say --open"
    return connections.listen(host, port, is_open=is_open, hint=hint)


def url_of(listening: socket.socket) -> str:
    """Return the address that a browser is given; one that means all is this machine's own."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound here
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(app: Starlette, listening: socket.socket) -> None:
    """Answer on *listening* until the program is interrupted; requests that run are finished."""
    freeze_loaded()
    server_of(app, listening).run(sockets=[listening])


def freeze_loaded() -> None:
    """Keep what this process has loaded out of every later collection: it stays to the end."""
    # A full collection looks at all of it, and some request waits 100 ms for that.
    gc.collect()
    gc.freeze()
    # A page makes tens of thousands of objects and drops nearly all: few rounds look at them.
    gc.set_threshold(_COLLECTED_FROM, 20, 10)


def server_of(app: Starlette, listening: socket.socket) -> uvicorn.Server:
    """Return what answers on *listening*, with its bounds."""
    host, port = listening.getsockname()[:2]
    return connections.server_of(
        Guard(app, names_of(host, port)),
        timeout_graceful_shutdown=_STOP_SECONDS,
        h11_max_incomplete_event_size=_HEAD_BYTES_MAX,
    )


def app_of(
    brain: Brain,
    where: str,
    tokens: Tokens,
    worker: Worker | None = None,
    importing: ImportJob | None = None,
) -> Starlette:
    """
    Return all that is served of *brain*, without what guards it.

    *worker* works beside it, and *importing* may have begun.
    """
    serving = Serving(
        brain=brain,
        where=where,
        tokens=tokens,
        sessions=Sessions(brain.parts.clock),
        worker=worker,
        importing=importing or ImportJob(),
    )
    routes: list[BaseRoute] = page_routes(serving)
    agents = None if find_spec("mcp") is None else _McpApp(brain, tokens)
    app = application(serving, [Route("/mcp", agents), *routes] if agents else routes)
    if agents:
        app.router.lifespan_context = agents.lifespan
    app.add_exception_handler(404, page_of_nothing(serving))
    return app


class _McpApp:
    """
    MCP for whoever bears a token; its callers are agents, whatever the token.

    Who serves pages alone never loads it: its library takes as long as all else.
    """

    def __init__(self, brain: Brain, tokens: Tokens) -> None:
        self._brain = brain
        self._tokens = tokens
        self._served = scope_of_start(str(Path.cwd()))
        self._app: ASGIApp | None = None
        self._loading = anyio.Lock()
        self._tasks: TaskGroup

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of a client that bears a token."""
        told: Mapping[bytes, bytes] = dict(scope["headers"])
        given = told.get(b"authorization", b"").decode("latin-1")
        try:
            token = self._tokens.of_header(given)
        except TilthError as error:
            await refusal(error)(scope, receive, send)
            return
        if token is None:
            await refuse(send, Refusal(401, "forbidden", "the token is missing, or ended"))
            return
        try:
            async with self._loading:
                app: ASGIApp = self._app or await self._tasks.start(self._run)
        except TilthError as error:
            await refusal(error)(scope, receive, send)
            return
        await app(scope, receive, send)

    @contextlib.asynccontextmanager
    async def lifespan(self, _: ASGIApp) -> AsyncIterator[None]:
        """Keep what MCP needs while the server runs."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def _run(self, *, task_status: TaskStatus[ASGIApp]) -> None:
        """Keep what MCP needs from its first request on."""
        app, whole = await anyio.to_thread.run_sync(self._load)
        self._app = whole
        async with app.router.lifespan_context(app):
            task_status.started(whole)
            await anyio.sleep_forever()

    def _load(self) -> tuple[Starlette, ASGIApp]:
        from tilth.interfaces.mcp import server as mcp  # noqa: PLC0415
        from tilth.interfaces.mcp.handshake import CALLER  # noqa: PLC0415 - an extra
        from tilth.interfaces.mcp.http import WholeCharacters  # noqa: PLC0415 - an extra

        server = mcp.server_of(acting(self._brain, CALLER), self._served)
        app = server.streamable_http_app(
            streamable_http_path="/mcp", stateless_http=True, json_response=True
        )
        return app, WholeCharacters(app)
