"""Asking a server one thing at a time, without an event loop in the test."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.prompts import base as prompts
from mcp.server.mcpserver.resources import templates
from mcp.server.mcpserver.tools import base as tools
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata, func_metadata
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from tests.program import Inside
from tilth.interfaces.cli.commands import mcp as command
from tilth.interfaces.mcp import server as serving

_check_schema = Draft202012Validator.check_schema


@lru_cache
def _checked(schema: str) -> None:
    _check_schema(json.loads(schema))


# A client checks the schema of each tool that it calls, and each question is asked by a new one:
# that took longer than all that they are asked.
Draft202012Validator.check_schema = lambda schema: _checked(json.dumps(schema))

_read_signature = func_metadata
_known: dict[tuple[object, ...], FuncMetadata] = {}


def _metadata(func: Callable[..., Any], *told: Any, **named: Any) -> FuncMetadata:
    key = (func.__code__, str(inspect.signature(func)), repr(told), repr(named))
    if key not in _known:
        _known[key] = made = _read_signature(func, *told, **named)
        _write_schema_once(made.arg_model)
    return _known[key]


def _write_schema_once(model: Any) -> None:
    write = lru_cache(model.model_json_schema)
    # Whoever asks may change what is its own.
    model.model_json_schema = lambda **how: deepcopy(write(**how))


# Nor do the signature of a tool and its schema change: each test has a server of its own, and to
# make one took longer than what most of them ask it.
for _maker in (tools, templates, prompts):
    _maker.func_metadata = _metadata


# The handshake of 2025 and the discovery of 2026: clients of both kinds are about.
BOTH_PROTOCOLS = pytest.mark.parametrize("ask", ["legacy", "auto"], indirect=True)


@dataclass(frozen=True)
class FactQuery:
    """A client that calls a tool by its name as a method, and can do anything else by `run`."""

    server: MCPServer
    mode: str = "auto"

    def __call__(self, tool: str, **arguments: Any) -> CallToolResult:
        return self.run(lambda client: client.call_tool(tool, arguments))

    def run(self, ask: Callable[[Client], Awaitable[Any]]) -> Any:
        async def asked() -> Any:
            async with Client(self.server, mode=self.mode) as client:
                try:
                    return await ask(client)
                except MCPError as error:
                    # Raised in here, it would come out as a group.
                    return error

        answer = anyio.run(asked)
        if isinstance(answer, MCPError):
            raise answer
        return answer

    def data(self, tool: str, **arguments: Any) -> Any:
        """The structured answer of a call that is to succeed."""
        answer = self(tool, **arguments)
        assert not answer.is_error, answer
        return answer.structured_content

    def refused(self, tool: str, **arguments: Any) -> tuple[str, str, str]:
        """Code, message and hint of a call that is to fail."""
        answer = self(tool, **arguments)
        assert answer.is_error, answer
        error = answer.structured_content["error"]
        assert error["message"] in text_of(answer)
        assert error["hint"] in text_of(answer)
        return error["code"], error["message"], error["hint"]

    def tools(self):
        return self.run(lambda client: client.list_tools()).tools


@dataclass(frozen=True, kw_only=True)
class LastingQuery(FactQuery):
    """The same by one client for all that is asked: to connect took as long as to ask."""

    client: Client
    portal: BlockingPortal

    def run(self, ask: Callable[[Client], Awaitable[Any]]) -> Any:
        return self.portal.call(ask, self.client)


@contextmanager
def lasting(server: MCPServer, mode: str = "auto") -> Iterator[LastingQuery]:
    """Connect a client of *server* until the end of the block."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=mode)) as client,
    ):
        yield LastingQuery(server, mode, client=client, portal=portal)


def serve_inside(tilth: Inside, run: Callable[[MCPServer], object], *words: object, **where: Any):
    """Start `tilth mcp` in this process, and *run* a client of it in place of the streams."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "take_over_stdio", lambda **_: "a client")
        patch.setattr(serving, "serve_stdio", lambda server, _wire: run(server))
        done = tilth("mcp", *words, **where)
    assert done.code == 0, done.err


def text_of(answer: CallToolResult) -> str:
    (block,) = answer.content
    return block.text
