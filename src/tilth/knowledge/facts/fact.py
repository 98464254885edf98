"""The model of facts: a statement with its time, source, confidence and life."""

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, TypedDict, cast

from tilth.core.actor import Actor, ActorKind, CameBy
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import EntityId, EpisodeId, FactId, is_word_for_nothing
from tilth.core.instant import parse_end, to_micros
from tilth.core.json import JsonObject, canonical, check_depth
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL, Owner, Scope, parse_scope
from tilth.core.verb import Arg
from tilth.episodes.episode import Quote
from tilth.knowledge.facts.life import (
    BY_MODEL,
    DUE,
    GRADED,
    HANDED_ON,
    OF_AGENT,
    RECURS,
    Authority,
    Grade,
    Life,
    check_interval,
    check_stated_interval,
)
from tilth.knowledge.facts.statement import Statement, Taxonomy, Triple, make_taxonomy
from tilth.knowledge.vocabulary.registries import Channel

ANCHORS_MAX = 20
EVIDENCE_MAX = 50
# The highest confidence a non-human writer may claim before a human confirms (C-14).
CONFIDENCE_CAP = 0.8
# Confidence in words (C-14).
CONFIDENCES: Mapping[str, float] = {"high": 0.9, "medium": 0.6, "low": 0.3}


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    The span of an episode, in characters, that a fact rests on.

    It copies no words, so an erase of the episode erases them here. An empty span is the whole
    episode.
    """

    episode_id: EpisodeId
    start: int = 0
    end: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise InvalidInputError(f"no span reaches from {self.start} to {self.end}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """
    A fact to be recorded.

    `about` names the entities that it concerns, by ID, name or alias, `quotes` its evidence;
    without any, its words are recorded as an episode first. `supersedes` is the fact that it
    replaces. The authenticated caller decides whose `confidence` it is, not the draft.
    """

    said: Statement
    scope: Scope = GLOBAL
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = CONFIDENCE_CAP
    authority: Authority = Authority.EVIDENCE
    about: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    supersedes: FactId | None = None
    metadata: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        for instant in (self.valid_from, self.valid_to):
            if instant is not None:
                to_micros(instant)
        check_interval(self.valid_from, self.valid_to)
        check_confidence(self.confidence)
        if len(self.about) > ANCHORS_MAX or len(self.quotes) > EVIDENCE_MAX:
            raise LimitExceededError(
                f"a fact has at most {ANCHORS_MAX} entities and {EVIDENCE_MAX} quotes"
            )
        if self.metadata:
            canonical(self.metadata)
            check_depth(self.metadata)


class Provenance(StrEnum):
    """Who stated a confidence."""

    HUMAN = "human"
    AGENT = "agent"
    JOB = "job"
    IMPORT = "import"
    ANONYMOUS = "anonymous"


@dataclass(frozen=True, slots=True)
class Confidence:
    """The confidence in a fact, and who stated it."""

    value: float
    source: Provenance


def confidence_of(stated: float, writer: ActorKind, review: Review) -> Confidence:
    """Return the effective confidence: a human's as stated, another's up to the cap."""
    if review is Review.CONFIRMED or writer is ActorKind.HUMAN:
        return Confidence(stated, Provenance.HUMAN)
    return Confidence(min(stated, CONFIDENCE_CAP), Provenance(writer.value))


def is_vouched(life: Life, writer: ActorKind) -> bool:
    """Say whether a person wrote, typed or confirmed a fact; see `Fact.is_vouched`."""
    is_rule = life.authority is Authority.INSTRUCTION
    return is_rule or life.review is Review.CONFIRMED or writer is ActorKind.HUMAN


def grade_of(noted: object, writer: ActorKind, life: Life) -> Grade:
    """Return how far a fact may be relied on; only a job of Tilth may have *noted* a grade."""
    if is_vouched(life, writer):
        return Grade.KNOWN
    if writer is ActorKind.JOB and isinstance(noted, str) and noted in {*Grade}:
        return Grade(noted)
    return Grade.CANDIDATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """
    Another fact of the same sentence: a value of a statement, or the statement of a value.

    `words` is its triple or text; the lifecycle and successor tell its state.
    """

    id: FactId
    is_value: bool
    words: str
    lifecycle: Lifecycle
    review: Review
    successor: FactId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """
    One recorded fact, as it was known at some moment.

    `life` is its state then, `since` the place in the ledger where that began. `is_contested` says
    that a waiting proposal would replace or remove it. `beside` are the values read from its words,
    or the statement it was read from, if looked up.
    """

    id: FactId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    said: Statement
    slot: str
    key: str
    life: Life
    since: int
    confidence: Confidence
    about: tuple[EntityId, ...]
    evidence: tuple[Evidence, ...]
    supersedes: FactId | None
    is_contested: bool
    metadata: JsonObject
    beside: tuple[Beside, ...] = ()

    @property
    def is_overtaken(self) -> bool:
        """Whether it is a statement of which every value has ended."""
        values = [one for one in self.beside if one.is_value]
        going_on = {Lifecycle.CURRENT, Lifecycle.DRAFT}
        return bool(values) and not any(one.lifecycle in going_on for one in values)

    @property
    def is_vouched(self) -> bool:
        """
        Whether a human wrote, typed or confirmed it: no automatic act replaces or hides it (I23).

        An instruction is a rule that somebody typed or laid down: it stays until a person ends it.
        """
        return is_vouched(self.life, self.by.kind)

    @property
    def fresh_from(self) -> datetime:
        """From when its age counts; see `Life.fresh_from`."""
        return self.life.fresh_from(self.recorded_at)

    @property
    def is_past(self) -> bool:
        """Whether it is a draft whose time was over when recorded, and which never fills a slot."""
        life = self.life
        is_over = life.valid_to is not None and life.valid_to <= self.recorded_at
        return is_over and life.lifecycle is Lifecycle.DRAFT

    @property
    def grade(self) -> Grade:
        """How far it may be relied on."""
        return grade_of(self.metadata.get(GRADED), self.by.kind, self.life)

    @property
    def due(self) -> str:
        """The day by which a job of ours read that it is due; empty where it names none."""
        is_read = self.by.kind is ActorKind.JOB
        return str(self.metadata.get(DUE, ""))[: len("2026-11-20")] if is_read else ""

    @property
    def worded_by(self) -> str:
        """The language model that worded it for a job of Tilth; empty if none did."""
        return str(self.metadata.get(BY_MODEL, "")) if self.by.kind is ActorKind.JOB else ""

    @property
    def recurs(self) -> bool:
        """Whether a job of Tilth found it as a habit over several sessions."""
        return RECURS in self.metadata and self.by.kind is ActorKind.JOB

    @property
    def is_reported(self) -> bool:
        """Whether it is no person's own word: an agent reported it, or somebody handed it on."""
        return OF_AGENT in self.metadata or HANDED_ON in self.metadata

    @property
    def is_testimony(self) -> bool:
        """Whether a job of Tilth read it from what a program handed over (ADR 27)."""
        return self.by.kind is ActorKind.JOB and self.metadata.get("came_by") == CameBy.PASSED

    @property
    def is_in_doubt(self) -> bool:
        """Whether a proposal would replace or remove it, or somebody disputes it."""
        return self.is_contested or self.life.review is Review.DISPUTED


@dataclass(frozen=True, slots=True)
class Outline:
    """A fact's present state without its words; `about` holds the places of its entities."""

    scope: Scope
    lifecycle: Lifecycle
    review: Review
    about: frozenset[int]


def contradiction_key(one: Fact, other: Fact) -> str:
    """Return the key of the question which of two statements is right, independent of author."""
    return ":".join(("contradiction", *sorted((one.key, other.key))))


def duplicate_key(one: Fact, other: Fact) -> str:
    """Return the key of the question whether two statements are one, independent of author."""
    return ":".join(("duplicate", *sorted((one.key, other.key))))


def check_confidence(value: float) -> None:
    """
    Check a confidence.

    Raises:
        InvalidInputError: it is not from 0 to 1.
    """
    if not 0 <= value <= 1:
        raise InvalidInputError(
            f"confidence is 0 to 1, not {value}", hint=f"or one of {', '.join(CONFIDENCES)}"
        )


def parse_confidence(word: str) -> float:
    """
    Read a confidence: a number from 0 to 1, or a word for one.

    Raises:
        InvalidInputError: *word* is neither.
    """
    try:
        value = CONFIDENCES[word] if word in CONFIDENCES else float(word)
    except ValueError as error:
        raise InvalidInputError(
            f"{word!r} is no confidence", hint=f"write 0 to 1, or {', '.join(CONFIDENCES)}"
        ) from error
    check_confidence(value)
    return value


class FactFields(TypedDict, total=False):
    """The fields that a caller may give for a fact; see `FactDraft`."""

    subject: Annotated[str, Arg("what the triple is about", metavar="NAME")]
    predicate: Annotated[str, Arg("how subject and object are joined", metavar="NAME")]
    object: Annotated[str, Arg("the value of the triple", metavar="NAME")]
    channel: Annotated[str, Arg("the channel of a triple (entity)", choices=tuple(Channel))]
    area: Annotated[str, Arg("the field, such as Network or Study", metavar="NAME")]
    environment: Annotated[str, Arg("such as home or office", metavar="NAME")]
    system: Annotated[str, Arg("the system", metavar="NAME")]
    component: Annotated[str, Arg("the component of the system", metavar="NAME")]
    tags: Annotated[Sequence[str], Arg("may be repeated", metavar="TAG", flags=("--tag",))]
    scope: Annotated[
        str, Arg("where it belongs: global, project:KEY or domain:NAME", metavar="SCOPE")
    ]
    valid_from: Annotated[datetime | None, Arg("when it began, if not now")]
    valid_to: Annotated[
        datetime | None, Arg("when it ends, if it does; a day ends with it", parse=parse_end)
    ]
    confidence: Annotated[
        float | str,
        Arg(f"0 to 1, or {', '.join(CONFIDENCES)}", metavar="NUMBER", parse=parse_confidence),
    ]
    authority: Annotated[str, Arg("only a human makes instructions", choices=tuple(Authority))]
    about: Annotated[Sequence[str], Arg("an entity; may be repeated", metavar="NAME")]
    evidence: Annotated[
        Sequence[str | tuple[str, str]],
        Arg("an episode that it rests on; may be repeated", metavar="ID"),
    ]
    quotes: Annotated[
        Sequence[str],
        Arg(
            "what the episode says word for word, one for each --evidence",
            metavar="TEXT",
            flags=("--quote",),
        ),
    ]
    supersedes: Annotated[str | None, Arg("the fact that it supersedes", id=FactId.prefix)]
    metadata: Annotated[Mapping[str, Any], Arg("what else is known of it", is_hidden=True)]


def parse_fact(text: str, telling: FactFields) -> FactDraft:
    """
    Read a caller's fields as a draft; without a text, the triple's words are the text.

    Raises:
        InvalidInputError: a word is not allowed in its field.
    """
    confidence = telling.get("confidence", CONFIDENCE_CAP)
    supersedes = telling.get("supersedes")
    return FactDraft(
        said=_statement(text, telling),
        scope=parse_scope(telling.get("scope", GLOBAL)),
        valid_from=telling.get("valid_from"),
        valid_to=telling.get("valid_to"),
        confidence=parse_confidence(confidence) if isinstance(confidence, str) else confidence,
        authority=parse_word(Authority, telling.get("authority", Authority.EVIDENCE), "authority"),
        about=_things(telling.get("about", ())),
        quotes=_quotes(telling),
        supersedes=None if supersedes is None else FactId.parse(supersedes),
        metadata=telling.get("metadata", {}),
    )


def parse_stated(text: str, telling: FactFields) -> FactDraft:
    """
    Read a caller's fields as a statement, which holds for some time (OB-058).

    Raises:
        InvalidInputError: it holds at no moment, or a word is not allowed in its field.
    """
    draft = parse_fact(text, telling)
    check_stated_interval(draft.valid_from, draft.valid_to)
    return draft


parse_channel = partial(parse_word, Channel, noun="channel")


def _statement(text: str, telling: FactFields) -> Statement:
    triple = _triple(telling)
    channel = telling.get("channel") or (Channel.ENTITY if triple is not None else None)
    told = _told_of(Statement, telling) | {
        "text": text if triple is None or not is_word_for_nothing(text) else triple.words,
        "triple": triple,
        "channel": None if channel is None else parse_channel(channel),
        "taxonomy": make_taxonomy(**_told_of(Taxonomy, telling)),
    }
    return Statement(**told)


def _told_of(kind: type[Statement | Taxonomy], telling: FactFields) -> dict[str, Any]:
    """Return the given fields of *kind*, by name."""
    told = cast("Mapping[str, Any]", telling)
    return {one.name: told[one.name] for one in fields(kind) if one.name in told}


def _triple(telling: FactFields) -> Triple | None:
    parts = [telling.get("subject", ""), telling.get("predicate", ""), telling.get("object", "")]
    if not any(parts):
        return None
    if nothing := next((one for one in parts if is_word_for_nothing(one)), None):
        raise InvalidInputError(
            f"{nothing!r} is no part of a triple", hint="state it as a text, if it is meant"
        )
    if not all(parts):
        raise InvalidInputError("a triple has a subject, a predicate and an object")
    return Triple(*parts)


def _things(names: Sequence[str]) -> tuple[str, ...]:
    if nothing := [one for one in names if is_word_for_nothing(one)]:
        raise InvalidInputError(f"a fact is not about {nothing[0]!r}", hint="name a thing")
    return tuple(names)


def _quotes(telling: FactFields) -> tuple[Quote, ...]:
    told, words = telling.get("evidence", ()), telling.get("quotes", ())
    if words and len(words) != len(told):
        raise InvalidInputError("give one --quote for each --evidence, or none at all")
    if words:
        told = [(str(episode_id), text) for episode_id, text in zip(told, words, strict=True)]
    return tuple(map(_quote, told))


def _quote(told: str | tuple[str, str]) -> Quote:
    episode_id, text = (told, "") if isinstance(told, str) else told
    return Quote(EpisodeId(episode_id), text)


def reworded(
    fact: Fact, text: str, value: str = "", *, begins: datetime | None = None
) -> FactDraft:
    """
    Return a draft that replaces *fact* with other words.

    Args:
        fact: The fact whose entities, scope and filing it keeps.
        text: The whole statement; a triple needs none.
        value: The object of the triple.
        begins: When it begins; None is the fact's stated beginning, if any.

    Raises:
        InvalidInputError: there are no words.
    """
    said, triple = fact.said, fact.said.triple
    if triple is not None:
        triple = Triple(triple.subject, triple.predicate, value or triple.object)
    if not text and (triple is None or not value):
        raise InvalidInputError("other words are needed", hint="give them: --text TEXT")
    said = replace(said, triple=triple, text=text or (triple.words if triple else ""))
    return FactDraft(
        said=said,
        scope=fact.life.scope,
        valid_from=begins or told_start(fact),
        about=fact.about,
        metadata=fact.metadata,
    )


def told_start(fact: Fact) -> datetime | None:
    """Return the beginning of *fact*, if its writer stated one."""
    begins = fact.life.valid_from
    return begins if begins != fact.recorded_at else None
