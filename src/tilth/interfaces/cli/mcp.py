"""`tilth mcp`: serve the brain to agents."""

from argparse import Namespace

from tilth.core.errors import UnsupportedError
from tilth.interfaces.cli.screen import Screen
from tilth.runtime import connect as bootstrap


def run(args: Namespace, screen: Screen) -> int:
    """
    Serve until the client leaves, or over HTTP until interrupted.

    Raises:
        UnsupportedError: the extra is not installed.
    """
    try:
        from tilth.interfaces.mcp import serving  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise UnsupportedError(
            "an MCP server needs an extra", hint="install 'tilth[mcp]', by uv tool, pipx or pip"
        ) from error
    with bootstrap.connect(args.store, actor=serving.CALLER, owner=args.owner) as brain:
        server = serving.server_of(
            brain,
            is_read_only=args.read_only,
            compat=args.compat,
            also=args.tools,
        )
        if not args.http:
            # Standard output is the client's: nothing else is ever written there.
            serving.serve_stdio(server)
            return 0
        listening = serving.listen(args.host, args.port)
        where = {"url": listening.url, "token_file": listening.token_file}
        screen.answer(where, [f"{name}  {value}" for name, value in where.items()])
        screen.out.flush()
        listening.serve(server)
    return 0
