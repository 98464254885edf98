"""
The answers of language models by task, after code has checked them.

The classes are the only definition: `tilth.llm.answer_schema` makes the JSON schema of them that a
model is sent, and reads an answer by them. A `float` lies between 0 and 1; a `Quote` stands word
for word in one of the episodes that were shown; an ID is one of those that were shown.
"""

from enum import StrEnum
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId
from tilth.episodes.episode import Quote


class ClaimKind(StrEnum):
    """What kind of thing was said."""

    DECISION = "decision"
    PREFERENCE = "preference"
    FACT = "fact"
    COMMITMENT = "commitment"
    CORRECTION = "correction"
    RELATIONSHIP = "relationship"
    INTENT = "intent"
    MILESTONE = "milestone"
    DEFERRAL = "deferral"
    GAP = "gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement that an episode makes; subject, predicate and object may be empty."""

    kind: ClaimKind
    statement: str
    subject: str
    predicate: str
    object: str
    confidence: float
    quote: Quote

    def __post_init__(self) -> None:
        if not self.statement.strip():
            raise InvalidInputError("a claim states nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overtaken:
    """A fact that the episodes show to hold no more, and the words that show it."""

    fact: FactId
    quote: Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What the episodes state, and which of the facts that were shown they end."""

    claims: tuple[Claim, ...]
    over: tuple[Overtaken, ...]


class Sameness(StrEnum):
    """Whether two names are of one thing."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """Whether the two things that were shown are one."""

    verdict: Sameness
    reason: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDraft:
    """What the episodes come to, and the words that it rests on."""

    summary: str
    open_questions: tuple[str, ...]
    quotes: tuple[Quote, ...]


class Sentiment(StrEnum):
    """How somebody sounds."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"
    MIXED = "mixed"


class Pace(StrEnum):
    """How quickly somebody wants to get on."""

    SLOW = "slow"
    STEADY = "steady"
    FAST = "fast"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneDraft:
    """How the person who is not the agent speaks."""

    formality: float
    technical_level: float
    sentiment: Sentiment
    pace: Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleJudgement:
    """Whether the conversation has come to rest, and what somebody still owes."""

    is_idle: bool
    reason: str
    pending: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GapSeen:
    """Something that was asked for and could not be done."""

    name: str
    description: str
    quote: Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class GapsSeen:
    """Every gap that the episodes show."""

    gaps: tuple[GapSeen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookDraft:
    """How a class of work is done, as the episodes show it."""

    title: str
    when: str
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...]
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceDraft:
    """One sentence of a page, and the facts that it says."""

    text: str
    cites: tuple[FactId, ...]

    def __post_init__(self) -> None:
        if not self.text.strip() or not self.cites:
            raise InvalidInputError("a sentence says something, and cites the facts that it says")


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionDraft:
    """One part of a page."""

    heading: str
    sentences: tuple[SentenceDraft, ...]

    def __post_init__(self) -> None:
        if not self.heading.strip():
            raise InvalidInputError("a section has a heading")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDraft:
    """A page that says the facts that were shown, and nothing else."""

    title: str
    sections: tuple[SectionDraft, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictSeen:
    """Two facts that cannot both hold."""

    first: FactId
    second: FactId
    reason: str
    confidence: float

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise InvalidInputError("a fact is said to conflict with itself")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradictions:
    """Every conflict among the facts that were shown."""

    conflicts: tuple[ConflictSeen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicFinding:
    """One thing that a document says about a topic, so that it can be read alone."""

    statement: str
    confidence: float
    quote: Quote

    def __post_init__(self) -> None:
        if not self.statement.strip():
            raise InvalidInputError("a finding states nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicFindings:
    """What a document says about a topic."""

    findings: tuple[TopicFinding, ...]


class Fate(StrEnum):
    """What becomes of a fact that was read over."""

    KEEP = "keep"
    STALE = "stale"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What is said of one fact; of a duplicate another one survives, of all else it itself."""

    fact: FactId
    verdict: Fate
    reason: str
    survivor: FactId

    def __post_init__(self) -> None:
        if (self.survivor == self.fact) is (self.verdict is Fate.DUPLICATE):
            raise InvalidInputError("another fact survives a duplicate, and nothing else")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict on each fact that was shown."""

    verdicts: tuple[Judgement, ...]


Answer: TypeAlias = (
    Claims
    | Adjudication
    | SummaryDraft
    | ToneDraft
    | IdleJudgement
    | GapsSeen
    | PlaybookDraft
    | PageDraft
    | Contradictions
    | TopicFindings
    | Judged
)

# Of these each stands for itself: one that was invented takes nothing from the others (KB-114).
ONE_BY_ONE = frozenset({Claim, Overtaken, GapSeen, ConflictSeen, TopicFinding, Judgement})
