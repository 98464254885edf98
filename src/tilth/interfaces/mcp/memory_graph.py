"""
The graph of the reference memory server, kept as notes.

Every change is one note in one session; the graph is what the notes amount to,
in their order, and nothing else is kept. Deleting adds a note that takes back:
the graph forgets, the history does not. Names are exact keys here; nothing is
merged. Applying a note again changes nothing, so writers in several processes
need no lock between them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple, TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.json import Json, JsonObject

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Kind(StrEnum):
    """What a change does."""

    ENTITY = "entity"
    OBSERVATION = "observation"
    RELATION = "relation"
    NO_ENTITY = "no_entity"
    NO_OBSERVATION = "no_observation"
    NO_RELATION = "no_relation"


# The key of a note's metadata under which its change stands.
METADATA_KEY = "graph"
# How a change reads for those who find its note; the number of blanks is that of its words.
_SAID = {
    Kind.ENTITY: "{} ({})",
    Kind.OBSERVATION: "{}: {}",
    Kind.RELATION: "{0} {2} {1}",
    Kind.NO_ENTITY: "Retracted: {}",
    Kind.NO_OBSERVATION: "Retracted: {}: {}",
    Kind.NO_RELATION: "Retracted: {0} {2} {1}",
}


class Change(NamedTuple):
    """
    One change of the graph.

    The words are: name and type of an entity; name and text of an observation;
    beginning, end and type of a relation. To take an entity back, its name.
    """

    kind: Kind
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The change as a sentence."""
        return _SAID[self.kind].format(*self.words)


def to_metadata(change: Change) -> JsonObject:
    """Write *change* as a note's metadata."""
    return {METADATA_KEY: [change.kind, *change.words]}


def change_of(told: Json) -> Change | None:
    """Read what `to_metadata` wrote under `METADATA_KEY`; None if this is anything else."""
    if isinstance(told, str) or not isinstance(told, Sequence):
        return None
    words = [word for word in told if isinstance(word, str)]
    if len(words) != len(told) or not words or words[0] not in list(Kind):
        return None
    change = Change(Kind(words[0]), tuple(words[1:]))
    return change if len(change.words) == _SAID[change.kind].count("{") else None


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing, and what was observed of it, in order and each once."""

    name: str
    type: str
    observations: dict[str, None] = field(default_factory=dict)


class Relation(NamedTuple):
    """A link between two names. Neither needs to be an entity."""

    begin: str
    end: str
    type: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities by name and relations, each in the order in which they came."""

    entities: dict[str, Entity] = field(default_factory=dict)
    relations: dict[Relation, None] = field(default_factory=dict)

    def apply(self, change: Change) -> bool:
        """Let *change* happen, and say whether it changed anything."""
        match change:
            case Change(Kind.RELATION, (begin, end, kind)):
                return _add(self.relations, Relation(begin, end, kind), None)
            case Change(Kind.NO_RELATION, (begin, end, kind)):
                return _remove(self.relations, [Relation(begin, end, kind)])
            case Change(Kind.ENTITY, (name, kind)):
                return _add(self.entities, name, Entity(name, kind))
            case Change(Kind.NO_ENTITY, (name,)):
                ends = [one for one in self.relations if name in {one.begin, one.end}]
                return any([_remove(self.entities, [name]), _remove(self.relations, ends)])
            case Change(kind, (name, text)) if name in self.entities:
                observations = self.entities[name].observations
                is_new = kind is Kind.OBSERVATION
                return _add(observations, text, None) if is_new else _remove(observations, [text])
            case _:
                return False

    def about(self, names: Iterable[str]) -> "Graph":
        """Return the entities of *names*, and every relation at either end of them."""
        wanted = {name for name in names if name in self.entities}
        return Graph(
            {name: one for name, one in self.entities.items() if name in wanted},
            {one: None for one in self.relations if {one.begin, one.end} & wanted},
        )

    def search(self, query: str) -> "Graph":
        """Return the entities with *query* in their name, type or observations."""
        wanted = query.lower()
        return self.about(
            entity.name
            for entity in self.entities.values()
            if any(
                wanted in text.lower() for text in (entity.name, entity.type, *entity.observations)
            )
        )


def _add(kept: dict[_Key, _Value], key: _Key, value: _Value) -> bool:
    is_new = key not in kept
    kept.setdefault(key, value)
    return is_new


def _remove(kept: dict[_Key, _Value], keys: Iterable[_Key]) -> bool:
    there = [key for key in keys if key in kept]
    for key in there:
        del kept[key]
    return bool(there)
