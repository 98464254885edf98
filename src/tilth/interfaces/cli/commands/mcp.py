"""`tilth mcp`: serve the brain to agents."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Annotated, Literal

from tilth.core.errors import UnsupportedError
from tilth.core.verb import Arg, Section
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.mcp.handshake import CALLER, take_wire
from tilth.runtime import connect as bootstrap


@command(
    "mcp",
    section=Section.AGENTS,
    examples=("tilth mcp", "tilth mcp --read-only", "tilth mcp --http --port 0"),
)
def run(
    terminal: Terminal,
    *,
    read_only: Annotated[bool, Arg("leave out the tools that write")] = False,
    compat: Annotated[
        Literal["", "memory"],
        Arg(
            "memory: the nine tools of the reference memory server instead of ours",
            metavar="SERVER",
            choices=("memory",),
        ),
    ] = "",
    tools: Annotated[
        Sequence[Literal["kg", "people"]],
        Arg(
            "also the tools for triples (kg), or for people and conversations (people);"
            " may be repeated",
            metavar="FAMILY",
        ),
    ] = (),
    http: Annotated[bool, Arg("on a loopback address; clients need the token")] = False,
    host: Annotated[str, Arg("the address, or ::1", metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, Arg("the port; 0 takes a free one", least=0)] = 8737,
) -> int:
    """
    Serve agents over MCP, on standard input and output.

    Whoever calls is an agent: it may recall and record, and what it says is never
    authoritative.
    """
    if find_spec("mcp") is None:
        raise UnsupportedError(
            "an MCP server needs an extra", hint="install 'tilth[mcp]', by uv tool, pipx or pip"
        )
    with bootstrap.connect(terminal.store, actor=CALLER, owner=terminal.owner) as brain:
        # Standard output is the client's: nothing else is ever written there.
        wire = None if http else take_wire(is_ours=not compat)
        from tilth.interfaces.mcp import server as serving  # noqa: PLC0415 - slow to load

        server = serving.server_of(
            brain,
            is_read_only=read_only,
            compat=compat,
            also=tools,
        )
        if wire is not None:
            serving.serve_stdio(server, wire)
            return 0
        listening = serving.listen(host, port)
        where = {"url": listening.url, "token_file": listening.token_file}
        terminal.screen.answer(where, [f"{name}  {value}" for name, value in where.items()])
        terminal.screen.out.flush()
        listening.serve(server)
    return 0
