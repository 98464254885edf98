"""The list of hosts, each with its module."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from tilth.agents.hook_events import Strip
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts import claude_code, codex, cursor, gemini_cli, opencode, vscode
from tilth.agents.hosts.declaration import Declaration
from tilth.agents.hosts.setup import HostSetup, Programs
from tilth.core.errors import InvalidInputError
from tilth.core.json import JsonObject
from tilth.transfer.model import Item


class Host(Protocol):
    """The module of one agent program."""

    HOST: str
    """Its name, as users type it."""

    DECLARATION: Declaration
    """What it does at its events."""

    def setup(self, programs: Programs, environ: Mapping[str, str]) -> HostSetup:
        """Return the files that plug Tilth into it."""
        ...

    def items(self, record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
        """Yield what an event of its hooks becomes."""
        ...


_MODULES: tuple[Host, ...] = (claude_code, codex, cursor, gemini_cli, opencode, vscode)
_BY_NAME: Mapping[str, Host] = {module.HOST: module for module in _MODULES}
HOSTS = tuple(_BY_NAME)


def find_host(name: str) -> Host:
    """
    Return the module of the host called *name*.

    Raises:
        InvalidInputError: there is no host of that name.
    """
    if name not in _BY_NAME:
        raise InvalidInputError(f"no host is called {name!r}", hint=f"use {', '.join(HOSTS)}")
    return _BY_NAME[name]
