"""The events of the garden."""

from collections.abc import Set as AbstractSet
from dataclasses import field, replace

from tilth.core.codec import Inline
from tilth.core.event import ERASED, Event, Headline, event
from tilth.core.ids import FactId
from tilth.core.json import JsonObject
from tilth.core.scope import GLOBAL, Scope
from tilth.garden.model import (
    CandidateVerdict,
    Credibility,
    CycleId,
    FileState,
    RequestId,
    SourceDraft,
    SourceId,
    Step,
    TopicDraft,
    TopicId,
    Unit,
)


@event("topic_added", makes=TopicId, goes_with=(), says=("draft.name",))
class TopicAdded(Event):
    """A human or an agent added a topic."""

    draft: Inline[TopicDraft]

    def headline(self) -> Headline:
        """Return the headline: its name."""
        return Headline("topic", self.draft.name)

    def remains(self, gone: AbstractSet[str]) -> "TopicAdded":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: that there was a topic."""
        return TopicAdded(replace(self.draft, name=ERASED))


@event("topic_changed", kw_only=True, subject="topic_id", goes_with=("topic_id",), says=("name",))
class TopicChanged(Event):
    """A topic changed; an empty or None field stays as it was."""

    topic_id: TopicId
    name: str = ""
    priority: int | None = None
    freshness_days: int | None = None
    is_archived: bool | None = None
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: what changed."""
        told = {
            "name": self.name or None,
            "priority": self.priority,
            "freshness_days": self.freshness_days,
            "archived": self.is_archived,
        }
        said = ", ".join(f"{name} {value}" for name, value in told.items() if value is not None)
        return Headline("topic changed", f"{said}: {self.reason}" if self.reason else said)

    def remains(self, gone: AbstractSet[str]) -> "TopicChanged":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: the change without words."""
        return replace(self, name=ERASED if self.name else "", reason="")


@event("topic_contains", kw_only=True, subject="fact_id", goes_with=("fact_id",))
class TopicContains(Event):
    """Somebody added a known fact to a topic."""

    topic_id: TopicId
    fact_id: FactId

    def headline(self) -> Headline:
        """Return the headline: the topic."""
        return Headline("topic contains", self.topic_id)


@event("topic_tended", kw_only=True, goes_with=())
class TopicTended(Event):
    """
    A cycle tended a topic.

    `found_count` counts the candidates that it added, `deferred_count` those for which no room was
    left; the next cycle finds those again.
    """

    topic_id: TopicId
    cycle_id: CycleId
    found_count: int
    deferred_count: int = 0


@event("source_found", makes=SourceId, goes_with=(), says=("draft.title", "draft.address"))
class SourceFound(Event):
    """A source was read for the first time."""

    draft: Inline[SourceDraft]

    def remains(self, gone: AbstractSet[str]) -> "SourceFound":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: that there was a source."""
        return SourceFound(replace(self.draft, title="", address=ERASED))


@event("source_read", kw_only=True, goes_with=("source_id",))
class SourceRead(Event):
    """A source was read again."""

    source_id: SourceId
    cluster: str = ""


@event("source_rated", kw_only=True, subject="source_id", goes_with=("source_id",), drops="reason")
class SourceRated(Event):
    """A human rated the credibility of a source."""

    source_id: SourceId
    credibility: Credibility
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: the credibility."""
        return Headline("source rated", self.credibility)


@event("cycle_begun", makes=CycleId, goes_with=(), stays=True)
class CycleBegun(Event):
    """A cycle began. One runs at a time."""

    turn: int = 0


@event("cycle_step_ended", kw_only=True, goes_with=(), stays=True)
class CycleStepEnded(Event):
    """A step of a cycle ended: counts and identifiers, no content."""

    cycle_id: CycleId
    step: Step
    told: JsonObject = field(default_factory=dict)


@event("garden_spent", kw_only=True, goes_with=(), says=("what",), stays=True)
class GardenSpent(Event):
    """A search or read was paid for, before it is made; `what` is the question or address."""

    cycle_id: CycleId
    topic_id: TopicId
    unit: Unit
    nth: int
    what: str

    def remains(self, gone: AbstractSet[str]) -> "GardenSpent":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: that it was paid for."""
        return replace(self, what=ERASED)


@event("garden_answered", kw_only=True, goes_with=(), says=("found", "failed"), stays=True)
class GardenAnswered(Event):
    """
    The result of a paid search or read.

    A search gives addresses, best first, and the places that `failed`, with the reason. For a read,
    `left_count` sentences were worth a look and found no room.
    """

    cycle_id: CycleId
    unit: Unit
    nth: int
    found: tuple[str, ...] = ()
    left_count: int = 0
    failed: tuple[str, ...] = ()

    def remains(self, gone: AbstractSet[str]) -> "GardenAnswered":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: that there was a result."""
        return replace(self, found=(), failed=())


@event("candidate_found", kw_only=True, goes_with=("fact_id",))
class CandidateFound(Event):
    """
    A cycle found a candidate for a topic, in a source.

    `nth` counts the candidates of the cycle, `search` is the search that led there.
    """

    fact_id: FactId
    topic_id: TopicId
    source_id: SourceId
    cycle_id: CycleId
    nth: int
    search: int


@event("request_queued", makes=RequestId, goes_with=(), says=("text",), stays=True)
class RequestQueued(Event):
    """A human left a question in the inbox."""

    text: str
    topic_id: TopicId | None = None
    scope: Scope = GLOBAL

    def headline(self) -> Headline:
        """Return the headline: the question."""
        return Headline("request", self.text)

    def remains(self, gone: AbstractSet[str]) -> "RequestQueued":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: that there was a question."""
        return replace(self, text=ERASED)


@event("request_asked", kw_only=True, goes_with=("request_id",), stays=True)
class RequestAsked(Event):
    """A human's question was put to the sources."""

    request_id: RequestId
    topic_id: TopicId
    cycle_id: CycleId


@event("inbox_file_taken", kw_only=True, goes_with=(), stays=True)
class InboxFileTaken(Event):
    """
    Exactly these bytes in an inbox were processed.

    If a human signed them, the actor of this event is that human.
    """

    inbox: str
    name: str
    digest: str
    state: FileState
    note: str = ""


@event("verdict_suggested", kw_only=True, subject="fact_id", goes_with=("fact_id",), drops="reason")
class VerdictSuggested(Event):
    """An unsigned file suggests an answer about a candidate."""

    fact_id: FactId
    inbox: str
    verdict: CandidateVerdict
    reason: str = ""
    digest: str = ""

    def headline(self) -> Headline:
        """Return the headline: the answer."""
        return Headline("suggested", f"{self.verdict} (inbox {self.inbox}, not signed)")
