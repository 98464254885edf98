"""
Closed lists of words, and registries that an operator may extend.

One list feeds the enum, the CHECK constraint, the schemas and the docs. Nothing extends the enums.
Predicates, areas and tags have entries from here and entries that a human registered by an event; a
word in neither is kept as written and counted, so that a human can decide about it. Agents register
nothing (C-10).
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, partial

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import ULID_CHARS, EntityId, FactId
from tilth.core.text.names import name_key

WORD_CHARS_MAX = 100


class NodeKind(StrEnum):
    """The kinds of node in the graph."""

    ENTITY = "entity"
    FACT = "fact"
    PLAYBOOK = "playbook"
    SKILL = "skill"


class EntityType(StrEnum):
    """The type of an entity; `thing` until somebody says more."""

    SERVICE = "service"
    HOST = "host"
    PROJECT = "project"
    TOOL = "tool"
    DECISION = "decision"
    TECH = "tech"
    PERSON = "person"
    AGENT = "agent"
    ACCOUNT = "account"
    ORGANISATION = "organisation"
    THING = "thing"
    FILE = "file"


class EdgeKind(StrEnum):
    """The relation of one node to another: eight of structure, three of reasoning (C-10)."""

    RUNS_ON = "runs_on"
    USES = "uses"
    ABOUT = "about"
    PART_OF = "part_of"
    DEPENDS_ON = "depends_on"
    SUPERSEDES = "supersedes"
    DERIVED_FROM = "derived_from"
    USED_BY = "used_by"
    CONTRADICTS = "contradicts"
    SUPPORTS = "supports"
    EVOLVED_INTO = "evolved_into"


class Channel(StrEnum):
    """The six memories, one of which a fact belongs to (seed 002)."""

    INTENT = "intent"
    ENTITY = "entity"
    DECISION = "decision"
    MILESTONE = "milestone"
    AGENT_DIARY = "agent_diary"
    RELATIONSHIP = "relationship"


class Registry(StrEnum):
    """The lists that an operator may extend."""

    PREDICATE = "predicate"
    AREA = "area"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """An unregistered word, as first written, and how often it was used."""

    registry: Registry
    word: str
    count: int


class Cardinality(StrEnum):
    """How many current values a predicate may have: one, many, or one that never changes."""

    SINGLE = "single"
    MULTI = "multi"
    IMMUTABLE = "immutable"


class WriteMode(StrEnum):
    """Who may replace a value: an agent in one call, an agent by asking, or a human alone."""

    AUTO = "auto"
    PROPOSE = "propose"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """A word that joins a subject to a value, with the rule for its values."""

    name: str
    cardinality: Cardinality
    mode: WriteMode
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """
    One word of a registry. Only predicates have a rule for values.

    An ignored word is in no registry, and nobody is asked about it.
    """

    registry: Registry
    name: str
    aliases: tuple[str, ...] = ()
    cardinality: Cardinality = Cardinality.MULTI
    mode: WriteMode = WriteMode.AUTO
    is_ignored: bool = False

    def __post_init__(self) -> None:
        for word in (self.name, *self.aliases):
            check_word(word)


def check_word(word: str) -> None:
    """
    Check a word for a registry.

    Raises:
        InvalidInputError: it has no visible character, or has control characters.
        LimitExceededError: it is too long.
    """
    if len(word) > WORD_CHARS_MAX:
        raise LimitExceededError(f"a word has at most {WORD_CHARS_MAX} characters")
    if not name_key(word) or not word.isprintable():
        raise InvalidInputError(f"{word!r} is not a word")


_SINGLE, _MULTI = Cardinality.SINGLE, Cardinality.MULTI
_AUTO, _PROPOSE, _HUMAN = WriteMode.AUTO, WriteMode.PROPOSE, WriteMode.HUMAN
_KIN = (
    "mother father mum mom dad parent son daughter child brother sister sibling cousin aunt uncle "
    "niece nephew grandmother grandfather grandson granddaughter mother-in-law father-in-law "
    "sister-in-law brother-in-law son-in-law daughter-in-law stepmother stepfather"
)
# The defaults of C-01: personal state, phases and versions change in one call, what others depend
# on waits for a human, and what may have many values keeps them side by side.
PREDICATES: tuple[Predicate, ...] = tuple(
    Predicate(name=name, cardinality=cardinality, mode=mode, aliases=tuple(aliases.split()))
    for name, cardinality, mode, aliases in (
        ("status", _SINGLE, _AUTO, "state has_status"),
        ("phase", _SINGLE, _AUTO, "stage in_phase"),
        ("current_version", _SINGLE, _AUTO, "version runs_version has_version"),
        ("deal_stage", _SINGLE, _AUTO, ""),
        ("supersedes", _SINGLE, _AUTO, "replaces"),
        ("superseded_by", _SINGLE, _AUTO, "replaced_by"),
        ("working_on", _SINGLE, _AUTO, "works_on current_task"),
        ("role_at", _SINGLE, _AUTO, "role has_role position"),
        ("works_for", _SINGLE, _AUTO, "employed_by employer works_at"),
        ("lives_in", _SINGLE, _AUTO, "resides_in home_city"),
        ("located_in", _SINGLE, _AUTO, "located_at location"),
        ("email_address", _SINGLE, _AUTO, "email"),
        ("birthday", _SINGLE, _PROPOSE, "born_on date_of_birth"),
        ("ip_address", _SINGLE, _PROPOSE, "has_ip ip address"),
        ("hosted_on", _SINGLE, _PROPOSE, "runs_at deployed_on"),
        ("port", _SINGLE, _PROPOSE, "listens_on"),
        ("owned_by", _SINGLE, _PROPOSE, "owner has_owner"),
        ("ceo", _SINGLE, _PROPOSE, "chief_executive"),
        ("rule", _SINGLE, _HUMAN, "must policy"),
        ("uses", _MULTI, _AUTO, "using"),
        ("has_component", _MULTI, _AUTO, "contains has_part"),
        ("depends_on", _MULTI, _AUTO, "requires needs"),
        ("knows", _MULTI, _AUTO, "met friend colleague neighbour boss"),
        ("likes", _MULTI, _AUTO, "enjoys"),
        ("prefers", _MULTI, _AUTO, "preference"),
        ("has_member", _MULTI, _AUTO, "employs"),
        ("has_contact", _MULTI, _AUTO, "contact"),
        ("set_to", _SINGLE, _PROPOSE, "value has_value configured_as"),
        ("scheduled_for", _SINGLE, _AUTO, "schedule due_on deadline takes_place"),
        ("renamed_to", _SINGLE, _AUTO, "now_called"),
        ("reports_to", _SINGLE, _AUTO, "managed_by"),
        ("responsible_for", _MULTI, _AUTO, "in_charge_of leads manages maintains"),
        ("partner", _SINGLE, _PROPOSE, "wife husband spouse married_to girlfriend boyfriend"),
        ("relative", _MULTI, _AUTO, _KIN),
        ("pet", _MULTI, _AUTO, "cat dog horse rabbit hamster parrot"),
        ("trait", _MULTI, _AUTO, "allergy diet"),
        ("completed", _MULTI, _AUTO, "committed merged released deployed passed closed"),
        ("is_a", _MULTI, _AUTO, "kind_of instance_of"),
        ("related_to", _MULTI, _AUTO, "see_also"),
    )
)
# C-01's `prefers.*`: one value for each preferred thing.
FAMILIES = frozenset({"prefers"})
AREAS: tuple[str, ...] = (
    "Network", "Storage", "Compute", "Security", "Monitoring", "Backup", "Automation",
    "Development", "Production", "Personal", "Family", "Business", "Finance", "Health",
    "Study",
)  # fmt: skip
TAGS: tuple[str, ...] = ("durable",)
# Telemetry belongs in the ledger's header and in logs, not in the graph (DU-052).
TELEMETRY = frozenset({"queried_by_session", "created_in_session", "health_score"})
# The component of a system is a slot of its own, with the rule for operational state.
OPERATIONAL = Predicate(name="component", cardinality=_SINGLE, mode=_PROPOSE)
# The rule of a channel for all its predicates (C-08).
_DECIDED = Predicate(name="decided", cardinality=Cardinality.IMMUTABLE, mode=_PROPOSE)


@dataclass(frozen=True, slots=True)
class Words:
    """
    All registered words of one owner, by the keys of their names and aliases.

    Lookups ignore case, width and spacing, so `HomeLab` is `Homelab`.
    """

    predicates: Mapping[str, Predicate]
    areas: Mapping[str, str]
    tags: Mapping[str, str]

    def predicate(self, word: str) -> Predicate | None:
        """
        Return the predicate named *word*; None if nobody registered it.

        Each member of a family has one value: `prefers.editor` is the preferred editor.
        """
        key = word_key(word)
        if (known := self.predicates.get(key)) is not None:
            return known
        family, dot, of = key.partition(".")
        if family in FAMILIES and dot and of:
            return Predicate(name=key, cardinality=_SINGLE, mode=_AUTO)
        return None

    def area(self, word: str) -> str | None:
        """Return the registered spelling of an area."""
        return self.areas.get(word_key(word))

    def tag(self, word: str) -> str | None:
        """Return the registered spelling of a tag."""
        return self.tags.get(word_key(word))

    def entries(self, registry: Registry) -> list[Entry]:
        """Return the entries of a registry, in alphabetical order."""
        match registry:
            case Registry.PREDICATE:
                named = {one.name: one for one in self.predicates.values()}
                return [_entry(named[name]) for name in sorted(named)]
            case Registry.AREA:
                return _plain(registry, self.areas)
            case Registry.TAG:
                return _plain(registry, self.tags)

    def entry(self, registry: Registry, word: str) -> Entry | None:
        """Return the entry named *word*; None if nobody registered it."""
        key = word_key(word)
        found = (
            one for one in self.entries(registry) if key in map(word_key, (one.name, *one.aliases))
        )
        return next(found, None)

    def holds(self, registry: Registry, word: str) -> bool:
        """Say whether *word* is registered."""
        match registry:
            case Registry.PREDICATE:
                return self.predicate(word) is not None
            case Registry.AREA:
                return self.area(word) is not None
            case Registry.TAG:
                return self.tag(word) is not None


def word_key(word: str) -> str:
    """Return the key of a word: `worksFor` is kept, `Works For` is folded."""
    return name_key(word).replace(" ", "_").replace("-", "_")


def words(entries: Iterable[Entry] = ()) -> Words:
    """Return the built-in words with *entries* over them; the last entry of a name counts."""
    built_in = _built_in()
    predicates, areas, tags = dict(built_in.predicates), dict(built_in.areas), dict(built_in.tags)
    for entry in entries:
        if entry.is_ignored:
            continue
        keys = [word_key(word) for word in (entry.name, *entry.aliases)]
        match entry.registry:
            case Registry.PREDICATE:
                # A word has one rule under all its names.
                keys += [key for key, one in predicates.items() if word_key(one.name) == keys[0]]
                predicates |= dict.fromkeys(keys, _predicate(entry))
            case Registry.AREA:
                areas |= dict.fromkeys(keys, entry.name)
            case Registry.TAG:
                tags |= dict.fromkeys(keys, entry.name)
    return Words(predicates, areas, tags)


@cache
def _built_in() -> Words:
    """Return the built-in words; cached, since every statement asks for them."""
    return Words(
        {key: one for one in PREDICATES for key in map(word_key, (one.name, *one.aliases))},
        {word_key(area): area for area in AREAS},
        {word_key(tag): tag for tag in TAGS},
    )


def _predicate(entry: Entry) -> Predicate:
    return Predicate(
        name=entry.name,
        cardinality=entry.cardinality,
        mode=entry.mode,
        aliases=entry.aliases,
    )


def _entry(predicate: Predicate) -> Entry:
    return Entry(
        registry=Registry.PREDICATE,
        name=predicate.name,
        aliases=predicate.aliases,
        cardinality=predicate.cardinality,
        mode=predicate.mode,
    )


def _plain(registry: Registry, words: Mapping[str, str]) -> list[Entry]:
    """Return areas or tags, with the keys of their aliases."""
    aliases: dict[str, list[str]] = {name: [] for name in words.values()}
    for key, name in words.items():
        if key != word_key(name):
            aliases[name].append(key)
    return [
        Entry(registry=registry, name=name, aliases=tuple(sorted(aliases[name])))
        for name in sorted(aliases)
    ]


def rule_in(channel: Channel, predicate: Predicate | None) -> Predicate | None:
    """
    Return the rule of values in *channel*: decisions never change, milestones stand together.

    None is an unregistered predicate in a channel without a rule of its own.
    """
    match channel:
        case Channel.DECISION:
            return _DECIDED
        case Channel.MILESTONE:
            return Predicate(name="milestone", cardinality=_MULTI, mode=_AUTO)
        case _:
            return predicate


parse_registry = partial(parse_word, Registry, noun="registry")


_NODE_KINDS = {EntityId.prefix: NodeKind.ENTITY, FactId.prefix: NodeKind.FACT}


def node_kind(id_: str) -> str:
    """Return the kind of the node *id_*."""
    return _NODE_KINDS[id_[:-ULID_CHARS]].value
