"""Entities: the things that facts are about, and the names that they go by."""

from dataclasses import field
from datetime import datetime
from functools import partial

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import EntityId, SessionId, is_word_for_nothing
from tilth.core.json import JsonObject
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.core.text.names import parse_name
from tilth.knowledge.vocabulary.registries import EntityType

ALIASES_MAX = 100
# Who these are only a human says: they are never merged by a name (C-03).
PERSONAL = frozenset({EntityType.PERSON, EntityType.AGENT, EntityType.ACCOUNT})


@dataclass(frozen=True, slots=True)
class Bearer:
    """An entity as its names show it: its own first, then those of what was merged into it."""

    id: EntityId
    type: EntityType
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDraft:
    """An entity about to be recorded; its name need not be among its aliases."""

    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    scope: Scope = GLOBAL
    metadata: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (self.name, *self.aliases):
            parse_name(name)
        if len(self.aliases) > ALIASES_MAX:
            raise LimitExceededError(f"an entity has at most {ALIASES_MAX} aliases")


def check_meant(name: str) -> None:
    """
    Refuse to name something by a word for nothing, such as `null` (EM-066).

    Raises:
        InvalidInputError: it is one.
    """
    if is_word_for_nothing(name):
        raise InvalidInputError(f"{name!r} names nothing", hint="name the thing that is meant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """In how many sessions an entity is named by programs, the first and last time, and where."""

    session_count: int
    first_at: datetime
    last_at: datetime
    session_ids: tuple[SessionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """
    One recorded entity.

    `merged_into` is there if a merge made it another name of that entity; its own
    names stay its own, so a split gives back exactly what was. `named` says where programs name
    it, for who lists it or asks about it.
    """

    id: EntityId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    name: str
    type: EntityType
    aliases: tuple[str, ...]
    scope: Scope
    metadata: JsonObject
    merged_into: EntityId | None
    named: Naming | None = None


parse_entity_type = partial(parse_word, EntityType, noun="entity type")
