"""
Sightings: where programs name things, and the things that several sessions of a project name.

A sighting is an identifier from a program: a command that ran, a package that was added or listed,
a service that was used, a file that was touched, a speaker. No sentence is read. A thing in one
session only is not known yet, and a session that repeats another does not count (I24).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.core.ids import parent_session
from tilth.core.json import JsonObject
from tilth.core.text.names import index_key
from tilth.knowledge.vocabulary.registries import EntityType

# The metadata key of an entity that was recorded because several sessions name it.
SIGHTED = "sighted"
SESSIONS_MIN, LISTED_MIN = 2, 3
# How many things of a type a project has as entities; others are found in its episodes.
OF_A_TYPE_MAX = 20
# In characters. Hosts draw call IDs at random or count calls; a short count is unique in its
# session only.
_DRAWN_CHARS_MIN = 16


class Form(StrEnum):
    """The way in which something is named."""

    PROGRAM = "program"
    MISSING = "missing"
    ADDED = "added"
    LISTED = "listed"
    IMPORTED = "imported"
    SERVICE = "service"
    FILE = "file"
    SPEAKER = "speaker"


_TYPES: Mapping[Form, EntityType] = {
    Form.PROGRAM: EntityType.TOOL,
    Form.MISSING: EntityType.TOOL,
    Form.ADDED: EntityType.TECH,
    Form.LISTED: EntityType.TECH,
    Form.IMPORTED: EntityType.TECH,
    Form.SERVICE: EntityType.SERVICE,
    Form.FILE: EntityType.FILE,
    Form.SPEAKER: EntityType.PERSON,
}


class Named(NamedTuple):
    """A name, and the form in which it is named."""

    form: Form
    name: str

    @property
    def type(self) -> EntityType:
        """The type of thing with such a name."""
        return _TYPES[self.form]

    @property
    def key(self) -> str:
        """The key to look it up by; for a file its last part, since its folder may be anywhere."""
        return index_key(_last_part(self.name) if self.form is Form.FILE else self.name)


class Sighting(NamedTuple):
    """
    The first and last place at which a session names something.

    `handle` is the host's ID of one of the tool uses that name it: the least one, so that a session
    that repeats another has the same.
    """

    named: Named
    session: str
    folder: str
    handle: str
    first: int
    last: int
    first_at: datetime
    last_at: datetime

    @property
    def root(self) -> str:
        """The session that it counts for; a subagent's counts for its parent."""
        return parent_session(self.session)


@dataclass(slots=True)
class Sighted:
    """A thing that sessions name: its type, its sessions, and since when."""

    type: EntityType
    name: str
    roots: dict[str, None] = field(default_factory=dict)
    first: int = 0
    last: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    forms: set[Form] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)

    def add(self, one: Sighting) -> None:
        """Count a sighting."""
        if one.named.form is Form.MISSING:
            self.missing.add(one.root)
            return
        self.roots[one.root] = None
        self.first = min(self.first or one.first, one.first)
        self.last = max(self.last, one.last)
        self.first_at = min(self.first_at or one.first_at, one.first_at)
        self.last_at = max(self.last_at or one.last_at, one.last_at)
        self.forms.add(one.named.form)

    @property
    def session_count(self) -> int:
        """The number of independent sessions that name it, except where it was missing."""
        return len(self.roots.keys() - self.missing)

    @property
    def is_known(self) -> bool:
        """
        Whether enough sessions name it to say that the project works with it.

        A manifest may be somebody else's, and code imports its own modules, so those alone do not
        count.
        """
        least = LISTED_MIN if self.forms == {Form.LISTED} else SESSIONS_MIN
        return self.forms != {Form.IMPORTED} and self.session_count >= least


def is_sighted(metadata: JsonObject) -> bool:
    """Say whether an entity was recorded because several sessions name it."""
    return SIGHTED in metadata


def sighted_in(sightings: Iterable[Sighting]) -> list[Sighted]:
    """Return the things that independent sessions name, those of most sessions first."""
    own = list(independent(sightings))
    named = _FileNames(own)
    found: dict[tuple[EntityType, str], Sighted] = {}
    for one in own:
        name = named(one)
        if not name:
            continue
        type_ = one.named.type
        found.setdefault((type_, index_key(name)), Sighted(type_, name)).add(one)
    return sorted(found.values(), key=lambda one: (-one.session_count, -one.last, one.name))


def worked_with(found: Iterable[Sighted]) -> list[Sighted]:
    """Return those of *found* that the project works with, up to a limit for each type."""
    kept: defaultdict[EntityType, list[Sighted]] = defaultdict(list)
    for one in found:
        if one.is_known and len(kept[one.type]) < OF_A_TYPE_MAX:
            kept[one.type].append(one)
    return [one for ones in kept.values() for one in ones]


def independent(sightings: Iterable[Sighting]) -> Iterator[Sighting]:
    """Yield *sightings* in ledger order, without those that a session copies from another."""
    first: dict[tuple[Named, str], str] = {}
    for one in sightings:
        is_drawn = len(one.handle) >= _DRAWN_CHARS_MIN
        use = one.named, one.handle
        if not is_drawn or first.setdefault(use, one.session) == one.session:
            yield one


class _FileNames:
    """Names of a project's files: their paths within it, in whichever clone."""

    def __init__(self, sightings: Iterable[Sighting]) -> None:
        files = [one for one in sightings if one.named.form is Form.FILE]
        self._folders = sorted({one.folder for one in files if one.folder}, key=len, reverse=True)
        self._known: dict[str, list[str]] = defaultdict(list)
        within = {self._within(one.named.name) for one in files}
        for path in sorted(filter(None, within), key=lambda path: (path.count("/"), path)):
            self._known[_last_part(path)].append(path)

    def __call__(self, one: Sighting) -> str:
        """Return the name of a file; empty if it lies outside of the project."""
        path = one.named.name
        if one.named.form is not Form.FILE:
            return path
        inner = self._within(path)
        # Paths may be relative to a folder below or above; the longer one is more specific.
        longer = [known for known in self._known[_last_part(path)] if _ends(known, inner or path)]
        if inner:
            return longer[-1]
        shorter = [known for known in self._known[_last_part(path)] if _ends(path, known)]
        return shorter[-1] if shorter else ""

    def _within(self, path: str) -> str:
        if not path.startswith(("/", "~")):
            return path.removeprefix("./") if not path.startswith("..") else ""
        for folder in self._folders:
            if path.startswith(f"{folder}/"):
                return path[len(folder) + 1 :]
        return ""


def _ends(path: str, part: str) -> bool:
    return path == part or path.endswith(f"/{part}")


def _last_part(path: str) -> str:
    return path.rpartition("/")[2]
