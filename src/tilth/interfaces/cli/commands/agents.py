"""Plugging agents in, and serving them."""

from tilth.interfaces.cli.arguments import Commands, Parser, command, count, count_or_zero

# As in `tilth.agents.places`, which would load what this page must not; a test compares them.
HOSTS = ("claude-code", "codex", "cursor", "gemini-cli", "opencode", "vscode")


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    _add_hosts(commands)
    served = command(commands, "mcp", "mcp.run", "serve agents over MCP")
    served.description = (
        "Serve agents over MCP, on standard input and output. Whoever calls is an agent: it may"
        " recall and record, and can make nothing authoritative."
    )
    served.add_argument("--read-only", action="store_true", help="leave out the tools that write")
    served.add_argument(
        "--compat",
        metavar="SERVER",
        choices=["memory"],
        default="",
        help="memory: the nine tools of the reference memory server instead of ours",
    )
    served.add_argument(
        "--tools",
        metavar="FAMILY",
        choices=["kg", "people"],
        action="append",
        default=[],
        help="also those for triples (kg), or for people and conversations (people);"
        " may be repeated",
    )
    served.add_argument(
        "--http", action="store_true", help="on a loopback address; clients need the token"
    )
    served.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="127.0.0.1 (the default) or ::1"
    )
    served.add_argument(
        "--port", metavar="N", type=count_or_zero, default=8737, help="8737; 0 takes a free one"
    )


def _add_hosts(commands: Commands) -> None:
    init = command(commands, "init", "hosts.init", "make a store, and plug agents into it")
    init.description = (
        "Make an empty store, readable by you alone. With hosts: capture their sessions from now"
        " on. Shows what it would write, and asks."
    )
    _add_host_names(init, "an agent program")
    init.add_argument("-n", "--dry-run", action="store_true", help="show, and write nothing")
    init.add_argument("-y", "--yes", action="store_true", help="agree without being asked")
    undo = command(commands, "undo", "hosts.undo", "unplug agents, without a trace")
    _add_host_names(undo, "an agent program; none means all")
    pause = command(commands, "pause", "hosts.pause", "capture nothing for a while")
    pause.add_argument("--minutes", metavar="N", type=count, help="not until `tilth resume`")
    command(commands, "resume", "hosts.resume", "capture again")


def _add_host_names(parser: Parser, meaning: str) -> None:
    parser.add_argument("hosts", metavar="HOST", nargs="*", help=f"{meaning}: {', '.join(HOSTS)}")
