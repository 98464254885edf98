"""What a fact says: words, possibly a triple, and how it is filed."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import Annotated, Any

from tilth.core.codec import Inline, Own
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.ids import is_word_for_nothing
from tilth.core.json import canonical
from tilth.core.text.names import index_key, name_key
from tilth.knowledge.vocabulary.registries import (
    OPERATIONAL,
    Cardinality,
    Channel,
    Predicate,
    rule_in,
    word_key,
)

# In characters. A longer text is a document, and belongs in an episode.
STATEMENT_CHARS_MAX = 2000
PART_CHARS_MAX = 200
TAGS_MAX = 30
_COMPONENT = "component:"
_KEY_CHARS = 32
_SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Triple:
    """
    Subject, predicate and object.

    `predicate` is the registered name; `written_as` is the word that was used, if it differs.
    """

    subject: str
    predicate: str
    object: str
    written_as: str = ""

    def __post_init__(self) -> None:
        for part in ("subject", "predicate", "object"):
            check_part(part, getattr(self, part))

    @property
    def words(self) -> str:
        """The triple as words."""
        return f"{self.subject} {self.predicate.replace('_', ' ')} {self.object}"


def _triple_keys(triple: Triple | None) -> Mapping[str, object]:
    """Return a triple as keys of a payload."""
    if triple is None:
        return {}
    parts = {"triple": [triple.subject, triple.predicate, triple.object]}
    return parts | {"written_as": triple.written_as} if triple.written_as else parts


def _triple_in(payload: Mapping[str, Any]) -> Triple | None:
    if not (parts := payload.get("triple")):
        return None
    subject, predicate, object_ = parts
    return Triple(subject, predicate, object_, payload.get("written_as", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Taxonomy:
    """How operational knowledge is filed. A component belongs to a system."""

    area: str = ""
    environment: str = ""
    system: str = ""
    component: str = ""
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part, word in texts_of(self).items():
            check_part(part, word)
        if self.component and not self.system:
            raise InvalidInputError("a component needs the system that it is one of")
        if len(self.tags) > TAGS_MAX:
            raise LimitExceededError(f"a fact has at most {TAGS_MAX} tags")
        for tag in self.tags:
            check_part("tag", tag)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """
    One statement. Its text stands by itself; a triple makes it comparable.

    The channel says which memory it belongs to; statements in words may have one too.
    """

    text: str
    triple: Annotated[Triple | None, Own(_triple_keys, _triple_in)] = None
    channel: Channel | None = None
    taxonomy: Inline[Taxonomy] = field(default_factory=Taxonomy)

    @property
    def filing(self) -> Mapping[str, str]:
        """Its fields besides text and triple, by name."""
        taxonomy = self.taxonomy
        told = {**texts_of(taxonomy), "tags": ", ".join(taxonomy.tags), **texts_of(self)}
        return {name: words for name, words in told.items() if words and name != "text"}

    @property
    def own_words(self) -> tuple[str, ...]:
        """The texts that may be somebody's own words: the text, and the object of a triple."""
        return (self.text,) if self.triple is None else (self.text, self.triple.object)

    @property
    def words(self) -> str:
        """
        The searched words: the text, and parts of triple, system and component that it lacks.

        The predicate is the word as written, so later registrations change nothing.
        """
        triple, taxonomy = self.triple, self.taxonomy
        parts = [taxonomy.system, taxonomy.component]
        if triple is not None:
            predicate = (triple.written_as or triple.predicate).replace("_", " ")
            parts += [triple.subject, predicate, triple.object]
        said = self.text.casefold()
        missing = dict.fromkeys(part for part in parts if part.casefold() not in said)
        return " ".join([self.text, *filter(None, missing)])

    def __post_init__(self) -> None:
        if not name_key(self.text):
            raise InvalidInputError(
                f"a fact needs a text, not {self.text[:20]!r}",
                hint="say it in a sentence, or give its subject, predicate and object",
            )
        if len(self.text) > STATEMENT_CHARS_MAX:
            raise LimitExceededError(
                f"a fact has at most {STATEMENT_CHARS_MAX} characters",
                hint="record the whole as an episode, and state what follows from it",
            )
        if self.triple is not None and self.channel is None:
            raise InvalidInputError(
                "a triple has a channel",
                hint=f"the channels are {', '.join(Channel)}",
            )


@dataclass(frozen=True, slots=True)
class Slot:
    """
    A place that can have only one current fact.

    Owner and scope make the realm. Within it, the key is the `place` (a channel, or `system`), the
    subject, and the predicate or component, each folded like a name. Only equal keys meet; likeness
    never fills a slot (XR-13).
    """

    place: str
    subject: str
    name: str

    @property
    def key(self) -> str:
        """The slot as one text, equal exactly where the slots are."""
        return canonical([self.place, index_key(self.subject), word_key(self.name)])


def make_taxonomy(*, component: str = "", tags: Sequence[str] = (), **places: str) -> Taxonomy:
    """
    Return a taxonomy; a tag `component:NAME` names the component (seed 001).

    Raises:
        InvalidInputError: several components are named.
    """
    told = [one for one in (*places.values(), component, *tags) if one]
    if nothing := [one for one in told if is_word_for_nothing(one)]:
        raise InvalidInputError(f"{nothing[0]!r} files nothing", hint="leave it out")
    component, others = component_among(component, tags)
    return Taxonomy(component=component, tags=others, **places)


def component_among(component: str, tags: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """
    Return the component named by itself or by a tag `component:NAME`, and the other tags.

    The prefix is not part of the name: both spellings mean one slot.

    Raises:
        InvalidInputError: several components are named, or a prefix names none.
    """
    marked = [tag for tag in tags if _is_marked(tag)]
    named = {_unmarked(one) for one in (component, *marked) if one}
    if "" in named:
        raise InvalidInputError(f"{_COMPONENT!r} names no component", hint="write component:NAME")
    if len({index_key(name) for name in named}) > 1:
        raise InvalidInputError(f"a fact has one component, not {', '.join(sorted(named))}")
    others = dict.fromkeys(tag for tag in tags if not _is_marked(tag))
    return next(iter(sorted(named)), ""), tuple(others)


def texts_of(said: Taxonomy | Statement | Triple) -> Mapping[str, str]:
    """Return the texts of *said*, by field."""
    told = {one.name: getattr(said, one.name) for one in fields(said)}
    return {name: str(text) for name, text in told.items() if text and isinstance(text, str)}


def statement_key(said: Statement, subject: str = "") -> str:
    """
    Return a key that is equal for statements that say the same.

    Args:
        said: The statement.
        subject: The proper name of its subject, or of its system if it is about a component, where
            it uses an alias.
    """
    taxonomy, about = said.taxonomy, subject
    system = taxonomy.system
    if taxonomy.component:
        system, about = subject or system, ""
    parts = [index_key(system), index_key(taxonomy.component)]
    if said.triple is not None:
        triple = said.triple
        parts += [said.channel or "", index_key(about or triple.subject)]
        parts += [word_key(triple.predicate), index_key(triple.object)]
    else:
        parts += [index_key(said.text)]
    return hashlib.sha256(canonical(parts).encode()).hexdigest()[:_KEY_CHARS]


def rule_of(said: Statement, predicate: Predicate | None) -> Predicate | None:
    """Return the registered rule for values of *said*; None if there is none."""
    if said.taxonomy.component:
        return OPERATIONAL
    if said.triple is None or said.channel is None:
        return None
    return rule_in(said.channel, predicate)


def slot_of(said: Statement, rule: Predicate | None, subject: str = "") -> Slot | None:
    """
    Return the slot that *said* fills; None if many may stand side by side.

    Args:
        said: The statement.
        rule: The rule for its values.
        subject: The proper name of its subject or system, where it uses an alias.
    """
    taxonomy = said.taxonomy
    if taxonomy.component:
        return Slot(_SYSTEM, subject or taxonomy.system, taxonomy.component)
    if said.triple is None or rule is None or rule.cardinality is Cardinality.MULTI:
        return None
    return Slot(str(said.channel), subject or said.triple.subject, said.triple.predicate)


def _is_marked(word: str) -> bool:
    return word.strip().casefold().startswith(_COMPONENT)


def _unmarked(word: str) -> str:
    return word.strip()[len(_COMPONENT) :].strip() if _is_marked(word) else word


def check_part(part: str, text: str) -> None:
    """
    Check a *part* of a triple.

    Raises:
        InvalidInputError: nothing of it is visible.
        LimitExceededError: it is too long.
    """
    if not name_key(text):
        raise InvalidInputError(f"{text[:20]!r} cannot be a {part}")
    if len(text) > PART_CHARS_MAX:
        raise LimitExceededError(f"{part} is longer than {PART_CHARS_MAX} characters")
