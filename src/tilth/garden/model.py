"""
The model of the garden: topics, the sources of facts about them, and cycles.

A cycle finds candidates: facts that nobody reviewed, each with its source and the words that it
rests on. Only a human is shown a candidate, and only the answer to its proposal makes it current.
"""

from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.ids import Id, Place, is_word_for_nothing
from tilth.core.json import JsonObject
from tilth.core.lifecycle import Review
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.core.text.names import name_key
from tilth.knowledge.facts.fact import CONFIDENCE_CAP, Fact
from tilth.knowledge.proposals.proposal import Proposal, ProposalState

NAME_CHARS_MAX = 80
TITLE_CHARS_MAX = 300
ADDRESS_CHARS_MAX = 2000
QUESTION_CHARS_MAX = 300
PRIORITIES = range(1, 6)
FRESHNESS_DAYS_MAX = 3650
# The most topics that one cycle tends.
TENDED_MAX = 3
# A topic with fewer confirmed facts is sparse.
SPARSE_BELOW = 5


class TopicId(
    Id, prefix="top_", noun="a topic", plural="topics", place=Place("topics", "topic_no")
):
    """The identifier of a topic."""


class SourceId(
    Id, prefix="src_", noun="a source", plural="sources", place=Place("sources", "source_no")
):
    """The identifier of a source."""


class CycleId(Id, prefix="cyc_", noun="a cycle", plural="cycles"):
    """The identifier of a cycle."""


class RequestId(
    Id,
    prefix="req_",
    noun="a request",
    plural="requests",
    place=Place("garden_requests", "request_no"),
):
    """The identifier of a question that a human left in the inbox."""


class Credibility(StrEnum):
    """How far a source is believed, until a human says otherwise."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Step(StrEnum):
    """The steps of a cycle, in their order."""

    WAKE = "wake"
    INBOX = "inbox"
    ASSESS = "assess"
    TEND = "tend"
    SYNTHESISE = "synthesise"
    OUTBOX = "outbox"
    SNAPSHOT = "snapshot"
    LOG = "log"


class Unit(StrEnum):
    """What a cycle pays for before it has the result."""

    SEARCH = "search"
    READ = "read"


class CandidateVerdict(StrEnum):
    """What a file in an inbox answers about a candidate."""

    APPROVE = "approve"
    REJECT = "reject"


class FileState(StrEnum):
    """The states of a file in an inbox, whose bytes are identified by their SHA-256."""

    SIGNED = "signed"
    APPLIED = "applied"
    SUGGESTED = "suggested"
    SET_ASIDE = "set_aside"


class RequestState(StrEnum):
    """Whether a question was put to the sources."""

    OPEN = "open"
    ASKED = "asked"


# The budget of one cycle; the tables refuse more.
SEARCHES_MAX, READS_MAX, CANDIDATES_MAX = 5, 3, 10
SPENT_MAX = {Unit.SEARCH: SEARCHES_MAX, Unit.READ: READS_MAX}


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDraft:
    """
    A topic to be recorded.

    Attributes:
        name: What it is about, in its usual words, which are searched for.
        priority: 1 (least) to 5 (most).
        freshness_days: The days without tending after which it is stale.
        scope: The scope of its candidates.
    """

    name: str
    priority: int = 3
    freshness_days: int = 7
    scope: Scope = GLOBAL

    def __post_init__(self) -> None:
        check_topic(self.name, self.priority, self.freshness_days)


def check_topic(name: str, priority: int, freshness_days: int) -> None:
    """
    Check the fields of a topic.

    Raises:
        InvalidInputError: the name is empty, or a number is out of its range.
        LimitExceededError: the name is too long.
    """
    if is_word_for_nothing(name) or not name_key(name):
        raise InvalidInputError("a topic has a name", hint="such as: tilth topic add 'backups'")
    if len(name) > NAME_CHARS_MAX:
        raise LimitExceededError(f"the name of a topic has at most {NAME_CHARS_MAX} characters")
    if priority not in PRIORITIES:
        raise InvalidInputError(
            f"a priority is 1 to 5, not {priority}", hint="5 is tended first, 1 last"
        )
    if not 1 <= freshness_days <= FRESHNESS_DAYS_MAX:
        raise InvalidInputError(
            f"a topic is fresh for 1 to {FRESHNESS_DAYS_MAX} days, not {freshness_days}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """
    The counts of a topic's facts: current and confirmed, open, rejected, disputed.

    `unreviewed` facts are current without a human's review.
    """

    confirmed: int = 0
    candidates: int = 0
    rejected: int = 0
    disputed: int = 0
    unreviewed: int = 0

    @property
    def found(self) -> int:
        """The sum of the counts."""
        told = self.confirmed + self.candidates + self.rejected + self.disputed
        return told + self.unreviewed


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """
    One topic.

    `last_tended` is None until a cycle tends it; `added_at` stands for it until then. `barren`
    counts the latest cycles in a row that tended it and found nothing.
    """

    id: TopicId
    seq: int
    owner: Owner
    by: Actor
    added_at: datetime
    name: str
    priority: int
    freshness_days: int
    scope: Scope
    last_tended: datetime | None
    is_archived: bool
    barren: int = 0
    barren_since: datetime | None = None
    counts: Counts = Counts()

    def age_days(self, now: datetime) -> float:
        """Return the days since the topic was tended, or added if it never was."""
        return max(0.0, (now - (self.last_tended or self.added_at)) / timedelta(days=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDraft:
    """
    A source to be recorded.

    `address` is normalised by `tilth.garden.topics.normal_address`; `domain` is the publisher's,
    and `cluster` is a sketch of its content.
    """

    address: str
    title: str = ""
    domain: str = ""
    cluster: str = ""
    credibility: Credibility = Credibility.MEDIUM
    scope: Scope = GLOBAL

    def __post_init__(self) -> None:
        if not self.address or len(self.address) > ADDRESS_CHARS_MAX:
            raise InvalidInputError("a source has an address", hint="a URL, or tilth:episode/ID")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """How the candidates of a source or question were decided."""

    confirmed: int = 0
    rejected: int = 0
    waiting: int = 0

    @property
    def decided(self) -> int:
        """How many were decided by a human."""
        return self.confirmed + self.rejected

    def __add__(self, other: "Outcomes") -> "Outcomes":
        return Outcomes(
            confirmed=self.confirmed + other.confirmed,
            rejected=self.rejected + other.rejected,
            waiting=self.waiting + other.waiting,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """
    One source; `fetched_at` is when it was last read.

    `suggested` is the credibility that its decided candidates imply, if it differs.
    """

    id: SourceId
    seq: int
    owner: Owner
    address: str
    title: str
    domain: str
    cluster: str
    credibility: Credibility
    scope: Scope
    fetched_at: datetime
    outcomes: Outcomes = Outcomes()

    @property
    def suggested(self) -> Credibility | None:
        """The implied credibility, if it differs."""
        other = credibility_by(self.outcomes)
        return other if other is not None and other is not self.credibility else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedVerdict:
    """What an unsigned file answers about a candidate, and in whose inbox it is."""

    inbox: str
    verdict: CandidateVerdict
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """
    One fact of a topic that a cycle found, with the words that it rests on.

    `question` is the search that led to it, `nth` its number in the cycle. `proposal` asks a human
    about it, `suggested` holds the answers of unsigned files. `said_by` are its sources, if
    several; `confidence` (0 to 1) is the fact's, raised for each independent one.
    """

    fact: Fact
    quote: str
    topic_id: TopicId
    source_id: SourceId
    cycle_id: CycleId
    nth: int
    question: str
    found_at: datetime
    proposal: Proposal | None
    confidence: float
    said_by: tuple[SourceId, ...] = ()
    suggested: tuple[SuggestedVerdict, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether no human has answered."""
        return self.proposal is not None and self.proposal.state is ProposalState.OPEN

    @property
    def waits(self) -> bool:
        """Whether it waits for a human, and no other decision settled it."""
        return self.is_open and self.fact.life.review is Review.UNREVIEWED

    @property
    def reason(self) -> str:
        """The reason that a human gave with the answer."""
        ruling = None if self.proposal is None else self.proposal.ruling
        return "" if ruling is None else ruling.note


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """
    One cycle; `ended` holds the report of each finished step, the last sets `ended_at`.

    `turn` is 0 for a cycle that was due; cycles that a human forces on top have 1, 2 and so on.
    """

    id: CycleId
    seq: int
    begun_at: datetime
    turn: int
    ended_at: datetime | None
    ended: dict[Step, JsonObject] = field(default_factory=dict)

    @property
    def next_step(self) -> Step | None:
        """The step to run next; None if the cycle is over."""
        return next((step for step in Step if step not in self.ended), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question from `requests.md`; `topic_id` is None if it fits no topic."""

    id: RequestId
    text: str
    topic_id: TopicId | None
    state: RequestState
    asked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """
    One search or read that a cycle paid for.

    `found` is None without a result; `failed` are the places that a search could not reach, with
    the reason; `left_count` is how many sentences a read left for another time.
    """

    unit: Unit
    nth: int
    topic_id: TopicId
    what: str
    found: tuple[str, ...] | None
    left_count: int = 0
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What a cycle spent of one budget, and the most it may; None if only the day has a limit."""

    name: str
    spent: int
    most: int | None


# By which part each further independent source reduces the remaining doubt.
_DOUBT_LESS = 1 / 3


def confidence_by(confidence: float, source_count: int) -> float:
    """Return the confidence in a candidate with *source_count* independent sources, capped."""
    doubt = (1 - confidence) * (1 - _DOUBT_LESS) ** max(0, source_count - 1)
    return round(max(confidence, min(1 - doubt, CONFIDENCE_CAP)), 2)


# The least number of decided candidates from which a credibility is suggested.
_DECIDED_MIN = 5
_HIGH_FROM, _LOW_BELOW = 0.8, 0.4


def credibility_by(outcomes: Outcomes) -> Credibility | None:
    """Return the credibility that humans' answers imply; None while they are too few."""
    if outcomes.decided < _DECIDED_MIN:
        return None
    share = outcomes.confirmed / outcomes.decided
    if share >= _HIGH_FROM:
        return Credibility.HIGH
    return Credibility.LOW if share < _LOW_BELOW else Credibility.MEDIUM
