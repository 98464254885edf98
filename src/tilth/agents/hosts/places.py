"""Which hosts there are, and how each is set up for a user."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from tilth.agents.hosts import claude_code, codex, cursor, gemini_cli, opencode, vscode
from tilth.agents.hosts.wiring import HostSetup, Wiring
from tilth.core.errors import InvalidInputError

_Setup: TypeAlias = Callable[[Wiring, Mapping[str, str]], HostSetup]
_SETUPS: Mapping[str, _Setup] = {
    module.HOST: module.setup
    for module in (claude_code, codex, cursor, gemini_cli, opencode, vscode)
}
HOSTS = tuple(_SETUPS)


def host_setup(name: str, wiring: Wiring, environ: Mapping[str, str]) -> HostSetup:
    """
    Return how the host called *name* is set up.

    Raises:
        InvalidInputError: there is no host of that name.
    """
    if name not in _SETUPS:
        raise InvalidInputError(f"no host is called {name!r}", hint=f"use {', '.join(HOSTS)}")
    return _SETUPS[name](wiring, environ)
