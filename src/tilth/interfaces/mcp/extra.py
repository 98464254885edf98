"""Whether the MCP server can run here: what it needs is an extra."""

from importlib.util import find_spec

from tilth.core.errors import UnsupportedError


def check_extra() -> None:
    """
    Check that the extra is installed.

    Raises:
        UnsupportedError: it is not.
    """
    if find_spec("mcp") is None:
        raise UnsupportedError(
            "an MCP server needs an extra", hint="install 'tilth[mcp]', by uv tool, pipx or pip"
        )
