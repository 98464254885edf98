"""
Where programs name things: sightings, and the things that several sessions of a project name.

A sighting is an identifier that a program understood: a program that was run, a package that was
added or listed, a service that was acted on, a file that was touched, a person who spoke. No
sentence is read. What one session alone names is nobody's acquaintance yet, and a session that
repeats another is none of its own (I24).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.core.ids import without_agent
from tilth.core.json import JsonObject
from tilth.core.text.keys import index_key
from tilth.knowledge.vocabulary.registries import EntityType

# The key of the metadata of an entity that was recorded because several sessions name it.
SIGHTED = "sighted"
SESSIONS_MIN, LISTED_MIN = 2, 3
# Of each type so many of a project are told apart; the others are found in its episodes.
OF_A_TYPE_MAX = 20
# Hosts draw the names of calls at random, or count calls: a count names none but its session's.
_DRAWN_CHARS_MIN = 16


class Form(StrEnum):
    """How something is named."""

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
    """A name, and how it was named."""

    form: Form
    name: str

    @property
    def type(self) -> EntityType:
        """What kind of thing is named so."""
        return _TYPES[self.form]

    @property
    def key(self) -> str:
        """What it is looked for by; of a file its last part, since its folder may lie anywhere."""
        return index_key(_last_part(self.name) if self.form is Form.FILE else self.name)


class Sighting(NamedTuple):
    """
    Where a session names something, first and last.

    `handle` is the host's name for one of the uses of tools that name it: the least of them, so
    that a session that repeats another has the same.
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
        """The session that it counts for; what a subagent did is its session's."""
        return without_agent(self.session)


@dataclass(slots=True)
class Sighted:
    """A thing that sessions name: of what type, in which sessions, since when."""

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
        """In how many independent sessions it is named, but for those where it was not there."""
        return len(self.roots.keys() - self.missing)

    @property
    def is_known(self) -> bool:
        """
        Say whether so many sessions name it that its project has to do with it.

        A manifest may be somebody else's that was looked at, and what code imports its own.
        """
        least = LISTED_MIN if self.forms == {Form.LISTED} else SESSIONS_MIN
        return self.forms != {Form.IMPORTED} and self.session_count >= least


def is_sighted(metadata: JsonObject) -> bool:
    """Say whether an entity was recorded because several sessions name it."""
    return SIGHTED in metadata


def sighted_in(sightings: Iterable[Sighting]) -> list[Sighted]:
    """Return the things that independent sessions name, that of most sessions first."""
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


def acquaintances(found: Iterable[Sighted]) -> list[Sighted]:
    """Return those of *found* that a project is known to have to do with, so many of a type."""
    kept: defaultdict[EntityType, list[Sighted]] = defaultdict(list)
    for one in found:
        if one.is_known and len(kept[one.type]) < OF_A_TYPE_MAX:
            kept[one.type].append(one)
    return [one for ones in kept.values() for one in ones]


def independent(sightings: Iterable[Sighting]) -> Iterator[Sighting]:
    """Yield *sightings* in ledger order without those that a session copies from another."""
    first: dict[tuple[Named, str], str] = {}
    for one in sightings:
        is_drawn = len(one.handle) >= _DRAWN_CHARS_MIN
        use = one.named, one.handle
        if not is_drawn or first.setdefault(use, one.session) == one.session:
            yield one


class _FileNames:
    """What the files of a project are called: their paths within it, whoever's clone it was."""

    def __init__(self, sightings: Iterable[Sighting]) -> None:
        files = [one for one in sightings if one.named.form is Form.FILE]
        self._folders = sorted({one.folder for one in files if one.folder}, key=len, reverse=True)
        self._known: dict[str, list[str]] = defaultdict(list)
        within = {self._within(one.named.name) for one in files}
        for path in sorted(filter(None, within), key=lambda path: (path.count("/"), path)):
            self._known[_last_part(path)].append(path)

    def __call__(self, one: Sighting) -> str:
        """Return what is named; empty for a file that lies outside the project."""
        path = one.named.name
        if one.named.form is not Form.FILE:
            return path
        inner = self._within(path)
        # Told from a folder below, or from above: the longer path says more.
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
