"""
The server that clients talk to, whichever way they come, and serving it.

It serves the program that started us, or programs on this machine.
"""

import os
import socket
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from mcp.server.context import ServerMiddleware
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server

import tilth
from tilth.agents.injections import Injections
from tilth.agents.state_folder import StateFolder
from tilth.core.dataclass import dataclass
from tilth.core.scope import GLOBAL, Scope
from tilth.interfaces.mcp import http
from tilth.interfaces.mcp.handshake import INSTRUCTIONS, Wire
from tilth.interfaces.mcp.kg_tools import kg_tools
from tilth.interfaces.mcp.memory_tools import build_memory_server
from tilth.interfaces.mcp.page_tools import page_tools
from tilth.interfaces.mcp.people_tools import people_tools
from tilth.interfaces.mcp.resources import (
    add_about,
    add_brief,
    add_completion,
    add_documents,
    add_growth,
    add_prompts,
    add_resources,
)
from tilth.interfaces.mcp.roots import Roots
from tilth.interfaces.mcp.service import Project, Service
from tilth.interfaces.mcp.tool_errors import only_reading
from tilth.interfaces.mcp.tools import default_tools
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemIds

# What a server offers when it is asked to: `tilth mcp --tools NAME`.
FAMILIES = {"kg": kg_tools, "people": people_tools, "pages": page_tools}


def build_server(
    service: Service,
    *,
    is_read_only: bool = False,
    also: Collection[str] = (),
    middleware: Sequence[ServerMiddleware[Any]] = (),
) -> MCPServer:
    """
    Return a server of the brain.

    *is_read_only* leaves out every tool that writes; *also* names further tools, see `FAMILIES`;
    each message goes through *middleware*.
    """
    service = replace(service, is_read_only=is_read_only)
    tools = default_tools(service)
    for name, family in FAMILIES.items():
        if name in also:
            tools += family(service)
    if is_read_only:
        tools = only_reading(tools)
    for tool in tools:
        tool.excluded = service.brain.excluded
    server = MCPServer(
        "tilth",
        title="Tilth",
        version=tilth.__version__,
        instructions=INSTRUCTIONS,
        tools=[*tools],
        subscriptions=False,
        log_level="WARNING",
        middleware=middleware,
    )
    add_resources(server, service)
    add_documents(server, service)
    add_brief(server, service)
    add_about(server, service)
    add_growth(server, service)
    add_prompts(server)
    add_completion(server, service)
    return server


def server_of(
    brain: Brain,
    scope: Scope = GLOBAL,
    *,
    is_read_only: bool = False,
    compat: str = "",
    also: Collection[str] = (),
    asks_client: bool = False,
) -> MCPServer:
    """
    Return a server of the project *scope*, with the log of what was shown on this machine.

    *compat* `memory` offers the tools of the reference memory server instead; *also* names the
    families of tools that are offered besides the default ones; *asks_client* is for a server that
    one client has started in no project: it may say which one it has open.
    """
    project = _project(brain, scope)
    if compat == "memory":
        return build_memory_server(project.brain, is_read_only=is_read_only)
    state = StateFolder(places.folders(os.environ).state)
    service = Service(project, Injections(state.injected, SystemIds()))
    asking = [Roots(partial(_project, brain), project)] if asks_client else []
    return build_server(service, is_read_only=is_read_only, also=also, middleware=asking)


def _project(brain: Brain, scope: Scope) -> Project:
    return Project(brain.confined(scope), scope)


def serve_stdio(server: MCPServer, wire: Wire) -> None:
    """Answer until standard input ends; what *wire* answered already is not answered again."""
    anyio.run(_serve_stdio, server, wire)


async def _serve_stdio(server: MCPServer, wire: Wire) -> None:
    # What `run_stdio_async` does, which takes no streams.
    inner = server._lowlevel_server  # noqa: SLF001
    stdin, stdout = anyio.wrap_file(wire.stdin), anyio.wrap_file(wire.stdout)
    async with stdio_server(stdin, stdout) as (heard, said):
        await inner.run(heard, said, inner.create_initialization_options())


@dataclass(frozen=True, slots=True)
class Listening:
    """A port that is taken, and where its token is."""

    socket: socket.socket
    token_file: Path

    @property
    def url(self) -> str:
        """What clients are given."""
        host, port = self.socket.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{http.PATH}"

    def serve(self, server: MCPServer) -> None:
        """Answer until the program is interrupted."""
        http.serve(server, self.socket, http.token_at(self.token_file))


def listen(host: str, port: int) -> Listening:
    """Take a port, and make sure of its token; see `http.listen`."""
    token_file = places.folders(os.environ).state / "mcp-token"
    http.token_at(token_file)
    return Listening(http.listen(host, port), token_file)
