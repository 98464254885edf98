"""Serving a brain: over standard input and output, to the program that started us."""

import os

import anyio

from tilth import bootstrap
from tilth.app import Brain
from tilth.domain.actor import Actor, ActorKind
from tilth.hosts.injections import Injections
from tilth.hosts.state_folder import StateFolder
from tilth.surfaces.mcp.server import build_server
from tilth.surfaces.mcp.service import Service
from tilth.system import SystemIds

# Whoever calls over MCP is an agent, whatever a payload says (I22).
CALLER = Actor("mcp", ActorKind.AGENT)


def service_of(brain: Brain) -> Service:
    """Return what serves *brain*, with the log of what was shown on this machine."""
    state = StateFolder(bootstrap.folders(os.environ).state)
    return Service(brain, Injections(state.injected, SystemIds()))


def serve_stdio(brain: Brain, *, is_read_only: bool) -> None:
    """Answer until standard input ends."""
    anyio.run(build_server(service_of(brain), is_read_only=is_read_only).run_stdio_async)
