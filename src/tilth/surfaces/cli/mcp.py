"""`tilth mcp`: serve the brain to agents."""

from argparse import Namespace

from tilth import bootstrap
from tilth.errors import UnsupportedError
from tilth.surfaces.cli.screen import Screen


def run(args: Namespace, screen: Screen) -> int:  # noqa: ARG001 - standard output is the client's
    """
    Serve until the client leaves.

    Raises:
        UnsupportedError: the extra is not installed.
    """
    try:
        from tilth.surfaces.mcp import serving  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise UnsupportedError(
            "an MCP server needs an extra", hint="pip install 'tilth[mcp]'"
        ) from error
    with bootstrap.connect(args.store, actor=serving.CALLER, owner=args.owner) as brain:
        serving.serve_stdio(brain, is_read_only=args.read_only)
    return 0
