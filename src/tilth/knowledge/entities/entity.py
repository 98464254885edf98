"""The model of entities: the things and persons that facts are about, and their names."""

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
# Types whose identity only a human decides: a name never merges them (C-03).
PERSONAL = frozenset({EntityType.PERSON, EntityType.AGENT, EntityType.ACCOUNT})


@dataclass(frozen=True, slots=True)
class Bearer:
    """An entity with its names: its own first, then those of entities merged into it."""

    id: EntityId
    type: EntityType
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDraft:
    """An entity to be recorded; its name need not be among its aliases."""

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
    Refuse a word for nothing, such as `null`, as a name (EM-066).

    Raises:
        InvalidInputError: it is one.
    """
    if is_word_for_nothing(name):
        raise InvalidInputError(f"{name!r} names nothing", hint="name the thing that is meant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """In how many sessions programs name an entity, when first and last, and where."""

    session_count: int
    first_at: datetime
    last_at: datetime
    session_ids: tuple[SessionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """
    One recorded entity.

    `merged_into` is the entity of which a merge made it another name; its own names stay its own,
    so that a split restores exactly what was. `named` says where programs name it, if that was
    asked for.
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
