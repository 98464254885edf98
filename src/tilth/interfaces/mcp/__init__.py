"""The brain as an MCP server: tools, resources and prompts over stdio and loopback HTTP."""

from importlib.util import find_spec

from tilth.core.errors import UnsupportedError


def check_extra() -> None:
    """
    Check that the extra of the MCP server is installed.

    Raises:
        UnsupportedError: it is not.
    """
    if find_spec("mcp") is None:
        raise UnsupportedError(
            "an MCP server needs an extra", hint="install 'tilth[mcp]', by uv tool, pipx or pip"
        )
