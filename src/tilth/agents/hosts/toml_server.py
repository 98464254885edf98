"""
Tilth's entry among a host's MCP servers, in TOML.

Lines are put in, taken out and replaced; the file is read before and after, and has to say the same
but for our entry. Where it would not, it is refused.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from tilth.agents.hosts.config_file import decoded, refused
from tilth.agents.hosts.servers import (
    NAME,
    ServerPlace,
    entry_in,
    is_ours,
    others_in,
    read_toml,
    require_ours,
    updated_members,
)
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.json import Json, JsonObject
from tilth.core.text.toml_lines import statement, written

_HEADERS = re.compile(r"^(?=[ \t]*\[)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ServerTable:
    """Our table in a file of TOML."""

    place: ServerPlace
    wanted: JsonObject

    @property
    def path(self) -> str:
        """See `tilth.agents.hosts.setup.Edit.path`."""
        return self.place.path

    def changed(self, current: bytes | None) -> bytes:
        """See `tilth.agents.hosts.setup.Edit.changed`."""
        text = decoded(self.path, current or b"")
        config = read_toml(self.path, text)
        servers = config.get(self.place.holder, {})
        if not isinstance(servers, Mapping):
            raise refused(self.path, f"{self.place.holder!r} is no table")
        if NAME not in servers:
            return self._checked(config, self.wanted, self._appended(text))
        entry = require_ours(self.path, servers[NAME])
        members = updated_members(entry, self.wanted)
        new = {name: value for name, value in members.items() if entry.get(name) != value}
        if not new:
            return text.encode()
        return self._checked(config, {**entry, **new}, self._with_statements(text, new))

    def without(self, current: bytes, before: bytes | None) -> bytes | None:
        """See `tilth.agents.hosts.setup.Edit.without`. What was there before comes back."""
        text = decoded(self.path, current)
        config = read_toml(self.path, text)
        entry = entry_in(config, self.place.holder)
        if not is_ours(entry):
            return current
        earlier = read_toml(self.path, decoded(self.path, before or b""))
        known = entry_in(earlier, self.place.holder)
        if isinstance(known, Mapping) and isinstance(entry, Mapping) and is_ours(known):
            new = {
                name: known[name] for name in updated_members(known, self.wanted) if name in known
            }
            return self._checked(config, {**entry, **new}, self._with_statements(text, new))
        was = decoded(self.path, before or b"").removeprefix("\ufeff")
        rest = self._without_ours(text, has_gap=bool(was) and not _ends_with_blank_line(was))
        content = self._checked(config, None, rest)
        return None if before is None and not rest.strip() else content

    def _without_ours(self, text: str, *, has_gap: bool) -> str:
        """Return *text* without our tables, and without the empty line that we put before them."""
        kept: list[str] = []
        for piece in _sections(text):
            is_ours = self._is_ours(piece)
            if is_ours and has_gap and kept and _ends_with_blank_line(kept[-1]):
                kept[-1] = kept[-1].removesuffix("\n").removesuffix("\r")
            has_gap = has_gap and not is_ours
            kept.append(_trailing_comments(piece) if is_ours else piece)
        return "".join(kept)

    def _appended(self, text: str) -> str:
        newline = "\r\n" if "\r\n" in text else "\n"
        lines = [f"[{self.place.holder}.{NAME}]"]
        lines += [f"{name} = {written(value)}" for name, value in self.wanted.items()]
        plain = text.removeprefix("\ufeff")
        if plain and not _ends_with_blank_line(plain):
            text += newline if plain.endswith("\n") else 2 * newline
        return text + newline.join([*lines, ""])

    def _with_statements(self, text: str, members: JsonObject) -> str:
        """Return *text* with our table saying *members*, each on its line, or below its header."""
        sections = _sections(text)
        for place, section in enumerate(sections):
            if self._entry_of_header(section) == {}:
                sections[place] = _with_members(self.path, section, members)
                break
        return "".join(sections)

    def _is_ours(self, section: str) -> bool:
        return self._entry_of_header(section) is not None

    def _entry_of_header(self, section: str) -> Json:
        """Return what a header names below our entry; an empty table is the entry itself."""
        try:
            header = read_toml(self.path, section.partition("\n")[0].rstrip("\r"))
        except InvalidInputError:
            return None
        return entry_in(header, self.place.holder)

    def _checked(self, config: JsonObject, entry: Json, text: str) -> bytes:
        """Return *text*, which has to say what *config* does, but for our *entry*; None is none."""
        try:
            new = read_toml(self.path, text)
            # By their words, since 1 is no 1.0 in TOML, and no number is itself.
            others = [repr(others_in(one, self.place.holder)) for one in (new, config)]
            is_right = entry_in(new, self.place.holder) == entry and others[0] == others[1]
        except InvalidInputError:
            is_right = False
        if not is_right:
            raise refused(self.path, f"its server {NAME!r} is written in a form of its own")
        return text.encode()


def _sections(text: str) -> list[str]:
    """Return *text* in its pieces: what comes before the first header, and each from its header."""
    # Within a text or a list a line may look like a header; what stands before it is cut off then.
    places = [
        0,
        *(one.start() for one in _HEADERS.finditer(text) if _is_whole(text[: one.start()])),
    ]
    return [text[begin:end] for begin, end in pairwise([*places, len(text)])]


def _is_whole(text: str) -> bool:
    try:
        read_toml("", text)
    except InvalidInputError:
        return False
    return True


def _ends_with_blank_line(text: str) -> bool:
    return text.endswith(("\n\n", "\n\r\n"))


def _trailing_comments(section: str) -> str:
    """Return what stays where a section of ours goes: the comments before the next one."""
    lines = section.splitlines(keepends=True)
    while lines and not _is_statement(lines[-1]):
        lines.pop()
    return section[sum(map(len, lines)) :].lstrip("\r\n")


def _is_statement(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _with_members(path: str, section: str, members: JsonObject) -> str:
    lines = section.splitlines(keepends=True)
    newline = "\r\n" if lines[0].endswith("\r\n") else "\n"
    for name, value in members.items():
        line = f"{name} = {written(value)}{newline}"
        try:
            place = statement(lines, name)
        except ValueError as error:
            raise refused(path, str(error)) from error
        begin, end = place or (1, 1)
        lines[begin:end] = [line]
    return "".join(lines)
