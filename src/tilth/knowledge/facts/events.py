"""The events of facts."""

import json
from collections.abc import Set as AbstractSet
from dataclasses import field
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from tilth.core.codec import Absent, Inline, Row
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError
from tilth.core.event import Event, Headline, event, is_named
from tilth.core.ids import EntityId, EpisodeId, EventId, FactId
from tilth.core.json import JsonObject
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Scope
from tilth.knowledge.facts.fact import CONFIDENCE_CAP, Evidence
from tilth.knowledge.facts.life import GRADED, Authority
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Registry

Spans: TypeAlias = tuple[Annotated[Evidence, Row(keeps=3)], ...]


@event(
    "fact_recorded",
    kw_only=True,
    makes=FactId,
    goes_with=("about",),
    rests_on="evidence",
    says=("said.own_words",),
    is_telling=True,
)
class FactRecorded(Event):
    """
    A fact was recorded.

    If it is current and supersedes a fact, that one ends where this begins. `slot` and `key` are
    those at the time of writing; later registrations change neither. `unknown` are its words that
    nobody had registered.
    """

    said: Inline[Statement]
    key: str
    about: tuple[EntityId, ...]
    evidence: Spans
    slot: str = ""
    lifecycle: Lifecycle = Lifecycle.CURRENT
    scope: Scope = GLOBAL
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = CONFIDENCE_CAP
    authority: Authority = Authority.EVIDENCE
    supersedes: FactId | None = None
    metadata: JsonObject = field(default_factory=dict)
    unknown: tuple[tuple[Registry, str], ...] = ()

    def headline(self) -> Headline:
        """Return the headline: the statement."""
        return Headline(f"fact {self.lifecycle}", self.said.text)

    def remains(self, gone: AbstractSet[str]) -> "FactRetired | None":
        """Return what an erase leaves: that the superseded fact has ended."""
        before = self.supersedes
        if before is None or is_named(gone, before) or self.lifecycle is not Lifecycle.CURRENT:
            return None
        return FactRetired(fact_id=before, reason="", valid_to=self.valid_from)


@event("fact_reinforced", kw_only=True, subject="fact_id", goes_with=("fact_id",))
class FactReinforced(Event):
    """A fact was stated again; by a person this affirms it."""

    fact_id: FactId
    evidence: Spans
    affirms: bool = False

    def headline(self) -> Headline:
        """Return the headline: that it was stated again."""
        if self.affirms:
            return Headline("fact affirmed", "said again by a person")
        return Headline("fact reinforced", "said again, from another source")


@event(
    "fact_retired",
    kw_only=True,
    subject="fact_id",
    goes_with=("fact_id",),
    rests_on="shown_by",
    drops="reason",
)
class FactRetired(Event):
    """
    A fact ended without a successor; `valid_to` may be in the past, None is now.

    `shown_by` are the episodes that the reason quotes; an erase of them erases the reason, not the
    end.
    """

    fact_id: FactId
    reason: Annotated[str, Absent("")]
    valid_to: datetime | None = None
    shown_by: tuple[EpisodeId, ...] = ()

    def headline(self) -> Headline:
        """Return the headline: the reason."""
        return Headline("fact retired", self.reason)


@event("fact_archived", kw_only=True, subject="fact_id", goes_with=("fact_id",), drops="reason")
class FactArchived(Event):
    """A fact was archived; `sweep` is the event of the round, if a rule archived it."""

    fact_id: FactId
    reason: str = ""
    sweep: EventId | None = None

    def headline(self) -> Headline:
        """Return the headline: the reason."""
        return Headline("fact archived", self.reason)


@dataclass(frozen=True, slots=True)
class WrittenTriple:
    """The triple of a payload, with its stated confidence and the grade that it notes."""

    subject: str
    predicate: str
    object: str
    confidence: float
    noted_grade: Any


def written_triple(text: str) -> WrittenTriple | None:
    """
    Read only the triple of a fact's payload, since walks of the graph read hundreds.

    Raises:
        CorruptionError: it cannot be read.
    """
    try:
        payload: dict[str, Any] = json.loads(text)
        if not (parts := payload.get("triple")):
            return None
        subject, predicate, object_ = parts
        confidence = payload.get("confidence", CONFIDENCE_CAP)
        grade = payload.get("metadata", {}).get(GRADED)
    except (AttributeError, TypeError, ValueError) as error:
        raise CorruptionError(f"the triple of a fact cannot be read: {error}") from error
    return WrittenTriple(subject, predicate, object_, confidence, grade)
