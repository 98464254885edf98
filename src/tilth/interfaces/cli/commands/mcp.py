"""`tilth mcp`: serve the brain to agents."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from tilth.core.io.projects import scope_of_folder, scope_of_start
from tilth.core.verb import Arg, Section
from tilth.interfaces.cli.invocation import current_folder
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.mcp import check_extra
from tilth.interfaces.mcp.handshake import CALLER, take_over_stdio
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
        Sequence[Literal["kg", "people", "pages"]],
        Arg(
            "also the tools for triples (kg), for people and conversations (people), or for"
            " pages (pages); may be repeated",
            metavar="FAMILY",
        ),
    ] = (),
    folder: Annotated[
        str,
        Arg(
            "the project that is served; else that in which the server starts, or of what the"
            " client has open"
        ),
    ] = "",
    http: Annotated[bool, Arg("on a loopback address; clients need the token")] = False,
    host: Annotated[str, Arg("the address, or ::1", metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, Arg("the port; 0 takes a free one", least=0)] = 8737,
) -> int:
    """
    Serve agents over MCP, on standard input and output.

    Whoever calls is an agent: it may recall and record, and what it says is never
    authoritative. It reads the project that is served and what is global; the
    setting mcp_scopes gives it more. Started in a home, in / or in a temporary
    folder, it serves the project of the first folder that the client has open.
    """
    check_extra()
    with bootstrap.connect(terminal.store, actor=CALLER, owner=terminal.owner) as brain:
        # Standard output is the client's: nothing else is ever written there.
        wire = None if http else take_over_stdio(is_ours=not compat)
        from tilth.interfaces.mcp import server as serving  # noqa: PLC0415 - slow to load

        named = _named(folder)
        scope = scope_of_folder(named) if named else scope_of_start(current_folder())
        server = serving.server_of(
            brain,
            scope,
            is_read_only=read_only,
            compat=compat,
            also=tools,
            asks_client=not (http or named or scope.startswith("project:")),
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


def _named(folder: str) -> str:
    """Return the path of the *folder* to serve, else of the one that the host names, if any."""
    told = os.environ.get("CLAUDE_PROJECT_DIR") or os.environ.get("WORKSPACE_FOLDER_PATHS", "")
    path = folder or told.split(",")[0].strip()
    return path and str(Path(path).absolute())
