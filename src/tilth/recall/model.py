"""The options of recall, its hits, and its answer."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId, FactId, SessionId
from tilth.core.instant import to_micros
from tilth.core.lifecycle import Freshness, Lifecycle, Review
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeKind, Role
from tilth.exchanges.model import Ending
from tilth.knowledge.facts.fact import Beside, Confidence
from tilth.knowledge.facts.life import Authority, Grade
from tilth.practice.model import CommandStats

LIMIT_MAX = 1000
FETCH_MAX = 20
AROUND_MAX = 10


class Tier(StrEnum):
    """The kind of a hit: an episode or a fact."""

    EPISODE = "episode"
    FACT = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallOptions:
    """
    The options of a recall.

    `as_of` leaves out episodes that happened later, and facts that did not hold then; `known_at`
    leaves out what was recorded later. `entity` is the ID or name of what every hit must concern;
    `area` keeps facts of that area with their evidence. With `kinds` or a `session_id`, no facts
    are found. `budget_tokens` bounds the answer (0: no limit). `is_full` gives whole texts instead
    of snippets, `around` the number of neighbours on each side. Without `has_cards`, the card of an
    exchange only identifies it and says how it ended and whether it was taken back, for a reader
    who reads it whole. Without `is_grouped`, nearly equal statements stay where their scores put
    them; a superseded fact still comes after its successor.
    """

    limit: int = 10
    as_of: datetime | None = None
    known_at: datetime | None = None
    tiers: frozenset[Tier] = frozenset(Tier)
    kinds: frozenset[EpisodeKind] | None = None
    session_id: SessionId | None = None
    entity: str | None = None
    area: str | None = None
    budget_tokens: int = 0
    is_full: bool = True
    is_grouped: bool = True
    around: int = 0
    has_cards: bool = True

    @property
    def has_facts(self) -> bool:
        """Whether facts may answer."""
        return Tier.FACT in self.tiers and self.kinds is None and self.session_id is None

    @property
    def has_commands(self) -> bool:
        """Whether commands may answer: they are of the present, and of no one thing or session."""
        narrowed = (self.as_of, self.known_at, self.entity, self.area)
        return self.has_facts and all(one is None for one in narrowed)

    @property
    def is_folded(self) -> bool:
        """Whether the episodes of one exchange make one hit; not if episodes are asked for."""
        return self.is_grouped and self.kinds is None and self.session_id is None

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= LIMIT_MAX:
            raise InvalidInputError(f"limit is 1 to {LIMIT_MAX}, not {self.limit}")
        for instant in (self.as_of, self.known_at):
            if instant is not None:
                to_micros(instant)
        if not 0 <= self.around <= AROUND_MAX:
            raise InvalidInputError(f"around is 0 to {AROUND_MAX}, not {self.around}")
        if self.budget_tokens < 0:
            raise InvalidInputError(f"a budget is not negative: {self.budget_tokens}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """An episode near a hit in its session, *offset* turns later, or earlier if negative."""

    id: EpisodeId
    offset: int
    role: Role
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """
    The exchange of a hit: what was asked, and how it ended.

    `id` is that of the ask; `tilth exchange show` shows the whole exchange. `asked` and `reported`
    are the words closest to the question; the one that the hit's own text shows is empty.
    `is_taken_back` says that the changes were undone later in the session.
    """

    id: EpisodeId
    asked: str
    reported: str
    ending: Ending
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """
    One result of a recall.

    `score` orders the hits of one answer and means nothing beyond it. `signals` are raw: BM25,
    cosines, the covered share of the question, ranks by arm. `parts` is what each measure added to
    the score. `group` is equal for statements that say nearly the same, and for facts of one slot
    or chain. `around` holds the neighbouring messages, if asked for.

    `episode_ids` are the episodes that it rests on: an episode on itself, a fact on its evidence.
    `exchange` is the exchange of an episode, if asked for and answered; only one hit shows an
    exchange. `successor` superseded the fact or note. Only facts have `confidence`, `authority`,
    `grade`, `rivals` that would replace or contradict it, `is_contested` for a waiting proposal
    about it, and `beside`, the values read from its words.
    """

    id: EpisodeId | FactId
    tier: Tier
    text: str
    word_count: int
    is_snippet: bool
    score: float
    signals: Mapping[str, float]
    parts: Mapping[str, float]
    group: int
    session_id: SessionId | None = None
    session_title: str = ""
    session_tags: tuple[str, ...] = ()
    episode_ids: tuple[EpisodeId, ...]
    kind: EpisodeKind | None = None
    role: Role | None = None
    speaker: str = ""
    scope: Scope
    valid_from: datetime
    valid_to: datetime | None = None
    recorded_at: datetime
    lifecycle: Lifecycle
    review: Review
    freshness: Freshness
    around: tuple[Neighbour, ...] = ()
    exchange: Card | None = None
    confidence: Confidence | None = None
    authority: Authority | None = None
    grade: Grade | None = None
    successor: EpisodeId | FactId | None = None
    rivals: tuple[FactId, ...] = ()
    is_contested: bool = False
    beside: tuple[Beside, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The texts that it shows: the ask, its own text, and the end."""
        card = self.exchange
        return (card.asked, self.text, card.reported) if card else (self.text,)

    @property
    def who(self) -> str:
        """The speaker: a name, a role, or "fact"."""
        return self.speaker or self.role or self.tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """
    The answer to a question; iterating over it yields its hits.

    `answerable` is false if nothing answers the question; the hits are then the closest records.
    `confidence`, from 0 to 1, is what decided that. `sessions` are those of the hits, best first.
    `commands` are those that the question asks for ("how do I run the tests") and that work here;
    they come before the hits.
    """

    question: str
    hits: tuple[Hit, ...]
    answerable: bool
    confidence: float
    sessions: tuple[SessionId, ...] = ()
    notes: tuple[str, ...] = field(default=())
    commands: tuple[CommandStats, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
