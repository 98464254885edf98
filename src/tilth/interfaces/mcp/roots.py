"""
The project that a client has open, for a server that was started in none.

Hosts that start one server for all their windows start it in the user's home, in `/` or in a
temporary folder. A client tells its folders by `roots/list`, which up to 2025-11-25 is asked of it
at any time, and from 2026-07-28 on as the answer to a request, which then comes again.
"""

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import anyio
import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import InputRequiredResult, ListRootsRequest

from tilth.core.errors import TilthError
from tilth.core.io.projects import scope_of_folder
from tilth.core.scope import Scope
from tilth.interfaces.mcp.service import Project

logger = logging.getLogger(__name__)

# Once for a question: whoever does not answer has its tools all the same.
_PATIENCE_S = 2.0
_ROOTS_MAX = 100
_METHOD = "roots/list"
_ROOTS_CHANGED = frozenset({"notifications/initialized", "notifications/roots/list_changed"})
_IN_PROJECT = frozenset({"tools/call", "resources/read", "completion/complete"})
# By the protocol of 2026 these alone may be answered by a question.
_MAY_ASK = frozenset({"tools/call", "resources/read"})


class Roots:
    """
    What the one client of a server has open.

    Whatever it does not tell, tells wrong or tells late, its requests are answered: until then
    they are those of no project.
    """

    def __init__(self, serve: Callable[[Scope], Project], nowhere: Project) -> None:
        self._serve = serve
        self._nowhere = self._project = nowhere
        self._patience_s = _PATIENCE_S
        # Set once it is answered, or another one is asked.
        self._question: anyio.Event | None = None
        self._asking: anyio.CancelScope | None = None

    async def __call__(
        self,
        ctx: ServerRequestContext[Any, Any],
        call_next: CallNext,
    ) -> HandlerResult:
        """Answer a message of the client within the project that it has open (middleware)."""
        if not _has_roots(ctx):
            return await call_next(ctx)
        if ctx.method in _ROOTS_CHANGED:
            self._new_question()
            await call_next(ctx)
            await self._ask(ctx)
            return None
        if ctx.method not in _IN_PROJECT:
            return await call_next(ctx)
        if (answer := _answer_in(ctx.params)) is not None:
            project = await self._take(answer)
        elif not ctx.session.can_send_request and ctx.method in _MAY_ASK and self._is_free:
            self._new_question()
            return InputRequiredResult(input_requests={_METHOD: ListRootsRequest()})
        else:
            project = await self._current()
        with project.open():
            return await call_next(ctx)

    @property
    def _is_free(self) -> bool:
        """Whether no question is out."""
        return self._question is None or self._question.is_set()

    def _new_question(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
        if self._question is not None:
            self._question.set()
        self._question = anyio.Event()

    async def _ask(self, context: ServerRequestContext[Any, Any]) -> None:
        """Ask the client, and wait for its answer as long as that takes."""
        self._project = self._nowhere
        with anyio.CancelScope() as self._asking:
            try:
                # The session's own `list_roots` takes no list in which one root is no `file:`.
                connection = context.session._connection  # noqa: SLF001
                answer = await connection.send_raw_request(_METHOD, None)
            except MCPError:
                answer = {}
            await self._take(answer)

    async def _current(self) -> Project:
        """Return the project that was told last; wait for an answer that is due, but not long."""
        with anyio.move_on_after(self._patience_s) as waiting:
            while (question := self._question) is not None and not question.is_set():
                await question.wait()
        if waiting.cancelled_caught:
            self._patience_s = 0
        return self._project

    async def _take(self, answer: object) -> Project:
        self._project = await anyio.to_thread.run_sync(self._project_of, answer)
        self._patience_s = _PATIENCE_S
        if self._question is not None:
            self._question.set()
        return self._project

    def _project_of(self, answer: object) -> Project:
        folder = first_folder(answer)
        try:
            return self._serve(scope_of_folder(folder)) if folder else self._nowhere
        except TilthError as error:
            logger.warning("the project of the client was not opened: code=%s", error.code)
            return self._nowhere


def first_folder(answer: object) -> str:
    """Return the first folder of this machine among the roots of an *answer*; empty if none is."""
    roots = answer.get("roots") if isinstance(answer, Mapping) else None
    for root in roots[:_ROOTS_MAX] if isinstance(roots, list) else []:
        uri = root.get("uri") if isinstance(root, Mapping) else None
        if isinstance(uri, str) and os.path.isdir(path := _path(uri)):  # noqa: PTH112 - any bytes
            return path
    return ""


def _path(uri: str) -> str:
    """Return the path of a `file:` address of this machine; empty if it is none."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    is_here = parts.scheme == "file" and parts.netloc in {"", "localhost"}
    return os.fsdecode(unquote_to_bytes(parts.path)) if is_here and parts.path[:1] == "/" else ""


def _has_roots(context: ServerRequestContext[Any, Any]) -> bool:
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.roots is not None


def _answer_in(params: Mapping[str, Any] | None) -> object:
    """Return what a request brings as the answer to our question; None if it brings none."""
    answers = (params or {}).get("inputResponses")
    return answers.get(_METHOD) if isinstance(answers, Mapping) else None
