"""Plug Tilth into a host: files of its own, and its parts of the user's files."""

import shlex
from pathlib import PurePath
from typing import Protocol

from tilth.agents.hosts.hook_entries import PROGRAM
from tilth.agents.hosts.servers import Read, Server, ServerPlace
from tilth.agents.install_plan import Change
from tilth.agents.json_edit import pretty
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.json import Json


@dataclass(frozen=True, slots=True)
class Programs:
    """
    The hook program that a host calls, and the MCP server that it starts if its tools are wanted.

    `program` is an absolute path that does not change between versions, since
    some hosts trust a command by its exact text. `home` is for a user whose
    `TILTH_HOME` a host would not pass on.
    """

    program: str
    home: str = ""
    server: Server | None = None

    def arguments(self, host: str, event: str) -> list[str]:
        """Return the arguments that tell the program of *event*."""
        return [host, event, *(["--home", self.home] if self.home else [])]

    def command(self, host: str, event: str) -> str:
        """Return the same as one line for a shell."""
        return shlex.join([self.program, *self.arguments(host, event)])


@dataclass(frozen=True, slots=True)
class OwnedFile:
    """A file that is wholly ours. `mark` stands in every version of it."""

    path: str
    content: bytes
    mark: bytes

    def changed(self, current: bytes | None) -> bytes:
        """See `Edit.changed`."""
        if current is not None and current != self.content and self.mark not in current:
            raise ConflictError(
                f"{self.path!r} is there already and is not ours", hint="move it away first"
            )
        return self.content

    def without(self, current: bytes, before: bytes | None) -> bytes | None:  # noqa: ARG002 - all of it is ours
        """See `Edit.without`."""
        return None


class Edit(Protocol):
    """What is to be in one file."""

    @property
    def path(self) -> str:
        """Which file it is."""
        ...

    def changed(self, current: bytes | None) -> bytes:
        """
        Return what the file holds with our part, where it holds *current*; None is no file.

        Raises:
            InvalidInputError: the file is not what its host would read.
            ConflictError: something else stands in the place of what is ours.
        """
        ...

    def without(self, current: bytes, before: bytes | None) -> bytes | None:
        """Return *current* without our part; None if all of it is ours."""
        ...


@dataclass(frozen=True, slots=True)
class HostSetup:
    """Where one host is configured, and what its user has to do after."""

    name: str
    edits: tuple[Edit, ...]
    servers: ServerPlace
    notes: tuple[str, ...] = ()

    def changes(self, read: Read) -> list[Change]:
        """
        Return what has to change, which is nothing where all is done.

        Raises:
            InvalidInputError: a file is not what its host would read; it is left alone.
            ConflictError: something else stands in the place of a file of ours.
        """
        found = [(edit, read(edit.path)) for edit in self.edits]
        changes = [Change(edit.path, current, edit.changed(current)) for edit, current in found]
        return [change for change in changes if change.before != change.after]

    def without(self, path: str, current: bytes, before: bytes | None) -> bytes | None:
        """
        Return *current* without what is ours; None if the file is ours as a whole.

        Args:
            path: Which file it is; it may lie where the host was configured once.
            current: What it holds, with the edits of others.
            before: What it held before we came.
        """
        for edit in self.edits:
            if _are_alike(edit.path, path):
                return edit.without(current, before)
        return current


def _are_alike(path: str, other: str) -> bool:
    """Say whether two files go by the same name, with comments or without."""
    return PurePath(path).name.removesuffix("c") == PurePath(other).name.removesuffix("c")


def json_file(path: str, value: Json) -> OwnedFile:
    """Return a JSON file of ours that runs the hook program."""
    return OwnedFile(path, pretty(value).encode(), PROGRAM.encode())
