"""
Tilth's entries among a host's hooks, in a file that belongs to the user.

An entry is ours if its command runs `tilth-hook` for that host. Nothing else in a file is replaced,
moved or taken out.
"""

import re
from collections.abc import Mapping

from tilth.agents.hosts.config_file import decoded, is_blank, parsed, refused
from tilth.agents.json_edit import (
    Node,
    pretty,
    with_item,
    with_member,
    with_value,
    without_child,
)
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError
from tilth.core.json import Json

PROGRAM = "tilth-hook"
_HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class HookEntries:
    """
    Our entries in a file of the host: one for each event, in an array under `hooks`.

    `defaults` are members that the file needs besides, put in where missing.
    """

    path: str
    host: str
    entries: Mapping[str, Json]
    defaults: Mapping[str, Json]
    is_lenient: bool = False

    def changed(self, current: bytes | None) -> bytes:
        """See `Edit.changed`."""
        if current is None or is_blank(current):
            events = {event: [entry] for event, entry in self.entries.items()}
            return pretty({**self.defaults, _HOOKS: events}).encode()
        text = decoded(self.path, current)
        for key, value in {**self.defaults, _HOOKS: {}}.items():
            root = self._parsed(text)
            if root.get(key) is None:
                text = with_member(text, root, key, value)
        for event, entry in self.entries.items():
            text = self._with_entry(text, event, entry)
        self._check_foreign(current, text)
        return text.encode()

    def without(self, current: bytes, before: bytes | None) -> bytes | None:
        """See `Edit.without`."""
        text = decoded(self.path, current)
        known = self._members(before)
        known_hooks = known.get(_HOOKS)
        for event in self.entries:
            text = self._without_event(text, event)
            if not (isinstance(known_hooks, Mapping) and event in known_hooks):
                text = _without_member(text, self._parsed(text).get(_HOOKS), event, [])
        if known_hooks is None:
            text = _without_member(text, self._parsed(text), _HOOKS, {})
        for key, value in self.defaults.items():
            if key not in known:
                text = _without_member(text, self._parsed(text), key, value)
        is_empty = self._parsed(text).value == {}
        return None if is_empty and before is None else text.encode()

    def _with_entry(self, text: str, event: str, entry: Json) -> str:
        hooks = self._hooks_of(text)
        array = hooks.get(event)
        if array is None:
            return with_member(text, hooks, event, [entry])
        if not isinstance(array.value, list):
            raise refused(self.path, f"{event!r} under 'hooks' is no array")
        ours = [item for item in array.children if is_ours(item.value, self.host)]
        if any(item.value == entry for item in ours):
            return text
        if not ours:
            return with_item(text, array, entry)
        return _with_command(text, ours[0], self.host, _command_of(entry))

    def _members(self, content: bytes | None) -> Mapping[str, Json]:
        if content is None or is_blank(content):
            return {}
        value = self._parsed(decoded(self.path, content)).value
        assert isinstance(value, Mapping), "what holds no object is refused"
        return value

    def _without_event(self, text: str, event: str) -> str:
        shorter: str | None = text
        while shorter is not None:
            text = shorter
            hooks = self._parsed(text).get(_HOOKS)
            array = None if hooks is None else hooks.get(event)
            shorter = None if array is None else _without_first(text, array, self.host)
        return text

    def _check_foreign(self, current: bytes, text: str) -> None:
        """Hold the promise that an edit only adds: without ours, all is as it was without ours."""
        old = self._members(self.without(current, current))
        new = self._members(self.without(text.encode(), current))
        if old != new or list(old) != list(new):
            raise CorruptionError(f"the edit of {self.path!r} would change what is not ours")

    def _hooks_of(self, text: str) -> Node:
        hooks = self._parsed(text).get(_HOOKS)
        if hooks is None or not isinstance(hooks.value, Mapping):
            raise refused(self.path, "'hooks' is no object")
        return hooks

    def _parsed(self, text: str) -> Node:
        return parsed(self.path, text, is_lenient=self.is_lenient)


def is_ours(entry: Json, host: str) -> bool:
    """Say whether *entry* runs our program for *host*, wherever it lies."""
    if isinstance(entry, str):
        return bool(re.search(rf"(?:^|[/\\]){PROGRAM}(?:\.exe)?['\"]? {re.escape(host)} ", entry))
    if isinstance(entry, Mapping):
        return any(is_ours(child, host) for child in entry.values())
    return isinstance(entry, list) and any(is_ours(child, host) for child in entry)


def _without_member(text: str, holder: Node | None, key: str, value: Json) -> str:
    """Return *text* without the member under *key*, if it holds just *value*."""
    child = None if holder is None else holder.get(key)
    if holder is None or child is None or child.value != value:
        return text
    return without_child(text, holder, holder.children.index(child))


def _with_command(text: str, item: Node, host: str, command: str) -> str:
    # An entry of ours from elsewhere: its command is brought up to date, what its user set stays.
    for child in item.children:
        if child.children:
            found = _with_command(text, child, host, command)
            if found != text:
                return found
        elif is_ours(child.value, host) and child.value != command:
            return with_value(text, child, command)
    return text


def _command_of(entry: Json) -> str:
    if isinstance(entry, Mapping):
        command = entry.get("command")
        if isinstance(command, str):
            return command
        for child in entry.values():
            if isinstance(child, list) and child:
                return _command_of(child[0])
    raise CorruptionError("an entry of ours has no command")


def _without_first(text: str, array: Node, host: str) -> str | None:
    """Return *text* without the first entry of ours in *array*; None if there is none."""
    for place, item in enumerate(array.children):
        if not is_ours(item.value, host):
            continue
        group = item.get(_HOOKS)
        entries = group.value if group and isinstance(group.value, list) else []
        ours = [is_ours(one, host) for one in entries]
        if group is not None and any(ours) and not all(ours):
            return _without_first(text, group, host)
        return without_child(text, array, place)
    return None
