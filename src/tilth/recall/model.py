"""What recall is asked for, and what it answers."""

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
    """What kind of thing a hit is: what was said or done, or what was stated."""

    EPISODE = "episode"
    FACT = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallOptions:
    """
    How to answer.

    `as_of` leaves out episodes that happened after it, and facts that did not
    hold then; `known_at` what was recorded after it. `entity` is the ID or name of
    what all of it has to do with; `area` keeps facts of that
    area, and what these rest on. Where `kinds` or a `session_id` narrow episodes,
    no facts are found. `budget_tokens` stops
    packing (0: no limit). `is_full` gives whole texts instead of snippets,
    `around` so many neighbours each way. Without `has_cards` the card of an exchange
    says which it is, how it ended and whether it was taken back, for who reads it
    whole. Without `is_grouped` nearly equal statements stay where their scores put
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
        """Whether commands may answer: they are of now, and of no one thing, session or kind."""
        narrowed = (self.as_of, self.known_at, self.entity, self.area)
        return self.has_facts and all(one is None for one in narrowed)

    @property
    def is_folded(self) -> bool:
        """Whether the episodes of one exchange are one hit: not where single ones are asked for."""
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
    """What was said near a hit in its session: *offset* turns after it, or before if negative."""

    id: EpisodeId
    offset: int
    role: Role
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """
    The exchange that a hit is of: what was asked, and how that ended.

    `id` is that of the ask; `tilth exchange show` shows all of it. `asked` and `reported` are the
    words near the question; the one that the hit itself tells is empty. `is_taken_back` says that
    what was changed was put back later in its session.
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
    One thing that recall found.

    `score` orders hits of one answer and means nothing beyond it. `signals`
    are raw: BM25, cosines, the share of the question that is covered, ranks
    by arm. `parts` say what each measure added to the score. `group` is equal
    for statements that say nearly the same, and for facts of one slot or chain.
    `around` holds what was said just before and after, if it was asked for.

    `episode_ids` are what it rests on: an episode on itself, a fact on its
    evidence. `exchange` is what an episode is of, if it was asked for and answered: one hit tells
    of it, the answer in front, and no other. `successor` is what superseded a fact or a note. Of
    facts alone: `confidence`, `authority`, `grade`, `rivals` that would replace or contradict it,
    whether it `is_contested` by a proposal that waits, and what was read from its words, `beside`
    it.
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
        """What it shows: what was asked, its text, and how that ended."""
        card = self.exchange
        return (card.asked, self.text, card.reported) if card else (self.text,)

    @property
    def who(self) -> str:
        """Whoever it comes from: a name, a role, or for facts that it is one."""
        return self.speaker or self.role or self.tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """
    The answer to a question.

    `answerable` is false when nothing here answers it; the hits are then what
    came closest. `confidence` is what that was decided by, from 0 to 1.
    `sessions` are those of the hits, best first. `commands` are those that the question asks for
    ("how do I run the tests") and that work here: they answer it, and stand before the hits.
    To go through an answer is to go through its hits.
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
