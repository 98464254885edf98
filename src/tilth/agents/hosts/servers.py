"""
Tilth's MCP server in a host's configuration: the entry named `tilth`.

An entry is ours if it runs `tilth mcp`. Its program, its store and its variables are brought up to
date; whatever else its user set in it stays, and so do further arguments. Another entry of that
name is somebody else's, and refused.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import TypeAlias, cast

from tilth.agents.hosts.config_file import decoded, is_blank, parsed, refused
from tilth.agents.json_edit import Node, pretty, with_member, with_value, without_child
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, CorruptionError, TilthError
from tilth.core.json import Json, JsonObject

Read: TypeAlias = Callable[[str], bytes | None]
NAME = "tilth"
# By these Tilth finds its folders; hosts pass on few variables, and Codex none of these.
VARIABLES = ("TILTH_HOME", "TILTH_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
_COMMAND, _STORE = "mcp", "--store"
_PROJECTS_MAX = 1000


@dataclass(frozen=True, slots=True)
class Server:
    """
    How the MCP server is started, by which the memory's tools come to a host.

    `program` is an absolute path, as hosts are not started in the user's shell. `environ` is what
    a host would not pass on.
    """

    program: str
    arguments: tuple[str, ...]
    environ: Mapping[str, str]

    def entry(self) -> JsonObject:
        """Return the entry as most hosts want it."""
        words: JsonObject = {"command": self.program, "args": list(self.arguments)}
        return {**words, "env": dict(self.environ)} if self.environ else words


@dataclass(frozen=True, slots=True)
class ByHand:
    """An entry of ours that the user of a host made: where, and for which folder if for one."""

    path: str
    entry: JsonObject
    folder: str = ""


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """
    Where a host keeps the servers that it starts: under `holder` in a file, by their names.

    `also` are further files in which its user may have named one, in the same form, where this
    one is of ours; else it is the user's. `in_projects` is the name of a file that does so in the
    folder of a project, where these list the projects, each with what it has of its own;
    `removing` takes one out of them. `unlike` is a member there that another version of the host
    has, and that is no server: of such a file nothing is known.
    """

    path: str
    holder: str
    also: tuple[str, ...] = ()
    in_projects: str = ""
    removing: str = ""
    unlike: str = ""

    @property
    def is_own(self) -> bool:
        """Whether the file is one of ours."""
        return bool(self.also)

    def entry(self, read: Read) -> JsonObject | None:
        """Return our entry; None where there is none, or nothing that can be read."""
        return _ours_in(_config(self.path, read), self.holder)

    def by_hand(self, read: Read) -> list[ByHand]:
        """Return the entries that its user made where the file is ours: those for all first."""
        configs = [(path, _config(path, read)) for path in self.also]
        told: list[tuple[str, str, Json]] = [(path, "", config) for path, config in configs]
        for path, config in configs:
            told += self._in_projects_of(path, config, read)
        found = ((path, folder, _ours_in(one, self.holder)) for path, folder, one in told)
        return [ByHand(path, entry, folder) for path, folder, entry in found if entry]

    def _in_projects_of(
        self, path: str, config: JsonObject, read: Read
    ) -> Iterator[tuple[str, str, Json]]:
        """Yield what the projects have that a file lists, with where it stands and their folder."""
        told = config.get("projects") if self.in_projects else None
        listed = told.items() if isinstance(told, Mapping) else ()
        for folder, own in islice(listed, _PROJECTS_MAX):
            if folder.startswith("/"):
                file = f"{folder}/{self.in_projects}"
                yield path, folder, own
                yield file, folder, _config(file, read)

    def check_free(self, read: Read) -> None:
        """
        Check that its user has not plugged the tools in by hand.

        Raises:
            ConflictError: the host would have them twice, or ours would not count.
        """
        for one in self.by_hand(read):
            raise ConflictError(
                f"{one.path!r} has a server {NAME!r} already{one.folder and f', for {one.folder}'}",
                hint=f"{self.how_to_remove(one.folder)}, or leave it and leave out --{_COMMAND}",
            )

    def how_to_remove(self, folder: str) -> str:
        """Say how an entry that its user made, for one *folder* or for all, is taken out."""
        if self.removing:
            return f"remove it{folder and ', in that folder'}: {self.removing}"
        return "remove it there"


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """
    Our entry in a file of JSON, which may have comments.

    `defaults` are members of a file that is made for it.
    """

    place: ServerPlace
    wanted: JsonObject
    defaults: JsonObject

    @property
    def path(self) -> str:
        """See `tilth.agents.hosts.setup.Edit.path`."""
        return self.place.path

    def changed(self, current: bytes | None) -> bytes:
        """See `tilth.agents.hosts.setup.Edit.changed`."""
        holder = self.place.holder
        if current is None or is_blank(current):
            return pretty({**self.defaults, holder: {NAME: self.wanted}}).encode()
        text = decoded(self.path, current)
        root = self._parsed(text)
        if root.get(holder) is None:
            text = with_member(text, root, holder, {})
        servers = self._servers(text)
        node = servers.get(NAME)
        if node is None:
            text = with_member(text, servers, NAME, self.wanted)
        else:
            text = self._updated(text, require_ours(self.path, node.value))
        self._check_foreign(current, text)
        return text.encode()

    def without(self, current: bytes, before: bytes | None) -> bytes | None:
        """See `tilth.agents.hosts.setup.Edit.without`. What was there before comes back."""
        text, holder = decoded(self.path, current), self.place.holder
        servers = self._parsed(text).get(holder)
        node = None if servers is None else servers.get(NAME)
        if servers is None or node is None or not is_ours(node.value):
            return current
        known = {} if before is None or is_blank(before) else self._value(before)
        old = entry_in(known, holder)
        if is_ours(old):
            return with_value(text, node, old).encode()
        text = without_child(text, servers, servers.children.index(node))
        root = self._parsed(text)
        left = root.get(holder)
        if left is not None and left.value == {} and holder not in known:
            text = without_child(text, root, root.children.index(left))
        is_bare = self._parsed(text).value in ({}, self.defaults)
        return None if is_bare and before is None else text.encode()

    def _updated(self, text: str, entry: JsonObject) -> str:
        for name, value in updated_members(entry, self.wanted).items():
            node = self._servers(text).get(NAME)
            assert node is not None, "it was there before its members were set"
            member = node.get(name)
            if member is None:
                text = with_member(text, node, name, value)
            elif member.value != value:
                text = with_value(text, member, value)
        return text

    def _servers(self, text: str) -> Node:
        servers = self._parsed(text).get(self.place.holder)
        if servers is None or not isinstance(servers.value, Mapping):
            raise refused(self.path, f"{self.place.holder!r} is no object")
        other = servers.get(self.place.unlike) if self.place.unlike else None
        if other is not None and not words_of(
            other.value if isinstance(other.value, Mapping) else {}
        ):
            raise ConflictError(
                f"{self.path!r} has its servers under '{self.place.holder}.{self.place.unlike}',"
                " in a form that is not edited",
                hint=f"name {NAME!r} there by hand, or leave out --{_COMMAND}; nothing was changed",
            )
        return servers

    def _parsed(self, text: str) -> Node:
        return parsed(self.path, text, is_lenient=True)

    def _value(self, content: bytes) -> JsonObject:
        value = self._parsed(decoded(self.path, content)).value
        assert isinstance(value, Mapping), "what holds no object is refused"
        return value

    def _check_foreign(self, current: bytes, text: str) -> None:
        """Hold the promise that nothing of others is changed or moved."""
        holder = self.place.holder
        before, after = self._value(current), self._value(text.encode())
        if others_in(before, holder) != others_in(after, holder):
            raise CorruptionError(f"the edit of {self.path!r} would change what is not ours")


def is_ours(entry: object) -> bool:
    """Say whether an entry runs `tilth mcp`, wherever the program lies."""
    words = words_of(entry) if isinstance(entry, Mapping) else []
    return bool(words) and PurePath(words[0]).stem == NAME and _COMMAND in words[1:]


def words_of(entry: JsonObject) -> list[str]:
    """Return the program of an entry and its arguments; nothing if it starts no program."""
    command, arguments = entry.get("command"), entry.get("args")
    words = [*command] if isinstance(command, list) else [command]
    words += arguments if isinstance(arguments, list) else []
    return [word for word in words if isinstance(word, str)]


def variables_of(entry: JsonObject) -> Mapping[str, str]:
    """Return the variables that an entry sets."""
    told = entry.get(_variables(entry))
    return {name: str(value) for name, value in told.items()} if isinstance(told, Mapping) else {}


def store_of(entry: JsonObject) -> str:
    """Return the store that an entry names; empty if it leaves that to the settings."""
    return "".join(_without_store(words_of(entry))[1])


def updated_members(entry: JsonObject, wanted: JsonObject) -> JsonObject:
    """Return the members of our *entry* that are to be set, so that it starts what is *wanted*."""
    old, new = words_of(entry), words_of(wanted)
    plain, store = _without_store(old)
    wanted_store = _without_store(new)[1]
    words = old if (old[0], store) == (new[0], wanted_store) else [new[0], *plain[1:]]
    words += [_STORE, *wanted_store] if words is not old and wanted_store else []
    is_one_list = isinstance(wanted["command"], list)
    members: dict[str, Json] = (
        {"command": words} if is_one_list else {"command": words[0], "args": words[1:]}
    )
    name, told = _variables(wanted), variables_of(entry)
    variables = {key: value for key, value in told.items() if key not in VARIABLES}
    variables |= variables_of(wanted)
    return members if variables == told else members | {name: variables}


def _without_store(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return *words* without the store that they name, and that store, if any."""
    plain: list[str] = []
    store: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == _STORE:
            store = [*store, *(one for one in [next(rest, None)] if one is not None)][-1:]
        elif word.startswith(f"{_STORE}="):
            store = [word.removeprefix(f"{_STORE}=")]
        else:
            plain.append(word)
    return plain, store


def _variables(entry: JsonObject) -> str:
    return "environment" if isinstance(entry.get("command"), list) else "env"


def require_ours(path: str, entry: object) -> JsonObject:
    """
    Return an entry by our name.

    Raises:
        ConflictError: it is somebody else's.
    """
    if not isinstance(entry, Mapping) or not is_ours(entry):
        raise ConflictError(
            f"{path!r} has a server {NAME!r} that does not run `tilth {_COMMAND}`",
            hint="call that one otherwise, or remove it; nothing was changed",
        )
    return entry


def _ours_in(config: Json, holder: str) -> JsonObject | None:
    entry = entry_in(config, holder)
    return entry if isinstance(entry, Mapping) and is_ours(entry) else None


def _config(path: str, read: Read) -> JsonObject:
    """Return what a file says; nothing where it says nothing that can be read."""
    try:
        content = read(path)
        text = "" if content is None else decoded(path, content).removeprefix("\ufeff")
        value = read_toml(path, text) if path.endswith(".toml") else _read_json(path, text)
    except (TilthError, ValueError, RecursionError):  # a path may be no path
        return {}
    return value if isinstance(value, Mapping) else {}


def _read_json(path: str, text: str) -> Json:
    try:
        # What a host keeps for itself may be long, and our reader of comments takes its time.
        return cast("Json", json.loads(text))
    except ValueError:
        return parsed(path, text, is_lenient=True).value


def read_toml(path: str, text: str) -> JsonObject:
    """
    Read the *text* of the file at *path* as TOML.

    Raises:
        InvalidInputError: its host would not read it.
    """
    try:
        read: JsonObject = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise refused(path, str(error)) from error
    return read


def entry_in(config: Json, holder: str) -> Json:
    """Return what stands by our name under *holder*, whoever put it there; None if nothing."""
    servers = config.get(holder) if isinstance(config, Mapping) else None
    return servers.get(NAME) if isinstance(servers, Mapping) else None


def others_in(config: JsonObject, holder: str) -> tuple[list[tuple[str, Json]], ...]:
    """Return all of a file but our entry, in its order: the rest of it, and the other servers."""
    told = config.get(holder)
    servers = told if isinstance(told, Mapping) else {}
    rest = [(name, one) for name, one in config.items() if name != holder]
    return rest, [(name, one) for name, one in servers.items() if name != NAME]
