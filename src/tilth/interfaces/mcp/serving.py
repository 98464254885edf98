"""Serving a brain: to the program that started us, or to programs on this machine."""

import os
import socket
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import anyio
from mcp.server.mcpserver import MCPServer

from tilth.agents.injections import Injections
from tilth.agents.state_folder import StateFolder
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.mcp import http
from tilth.interfaces.mcp.memory_tools import build_memory_server
from tilth.interfaces.mcp.server import build_server
from tilth.interfaces.mcp.service import Service
from tilth.interfaces.mcp.token import token_at
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemIds

# Whoever calls over MCP is an agent, whatever a payload says (I22).
CALLER = Actor("mcp", ActorKind.AGENT)


def server_of(
    brain: Brain, *, is_read_only: bool = False, compat: str = "", also: Collection[str] = ()
) -> MCPServer:
    """
    Return a server of *brain*, with the log of what was shown on this machine.

    *compat* `memory` offers the tools of the reference memory server instead; *also* names the
    families of tools that are offered besides the default ones.
    """
    if compat == "memory":
        return build_memory_server(brain, is_read_only=is_read_only)
    state = StateFolder(places.folders(os.environ).state)
    service = Service(brain, Injections(state.injected, SystemIds()))
    return build_server(service, is_read_only=is_read_only, also=also)


def serve_stdio(server: MCPServer) -> None:
    """Answer until standard input ends."""
    anyio.run(server.run_stdio_async)


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
        http.serve(server, self.socket, token_at(self.token_file))


def listen(host: str, port: int) -> Listening:
    """Take a port, and make sure of its token; see `tilth.interfaces.mcp.http.listen`."""
    token_file = places.folders(os.environ).state / "mcp-token"
    token_at(token_file)
    return Listening(http.listen(host, port), token_file)
