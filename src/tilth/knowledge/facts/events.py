"""What is stated, and how it ends."""

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
from tilth.knowledge.facts.life import Authority
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
    Something was stated.

    If it is current and supersedes a fact, that one ends where this begins. `slot`
    and `key` are those of the moment of writing: what is registered later changes neither.
    `unknown` are its words that nobody had registered.
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
        """Return the statement."""
        return Headline(f"fact {self.lifecycle}", self.said.text)

    def remains(self, gone: AbstractSet[str]) -> "FactRetired | None":
        """Return that what it superseded has ended all the same."""
        before = self.supersedes
        if before is None or is_named(gone, before) or self.lifecycle is not Lifecycle.CURRENT:
            return None
        return FactRetired(fact_id=before, reason="", valid_to=self.valid_from)


@event("fact_reinforced", kw_only=True, subject="fact_id", goes_with=("fact_id",))
class FactReinforced(Event):
    """The same was said again; a person who says so affirms it."""

    fact_id: FactId
    evidence: Spans
    affirms: bool = False

    def headline(self) -> Headline:
        """Say that it was said again."""
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
    A fact ended without a successor; `valid_to` may lie in the past, None is now.

    `shown_by` is what the reason quotes: it goes with it, and the end stays.
    """

    fact_id: FactId
    reason: Annotated[str, Absent("")]
    valid_to: datetime | None = None
    shown_by: tuple[EpisodeId, ...] = ()

    def headline(self) -> Headline:
        """Return why."""
        return Headline("fact retired", self.reason)


@event("fact_archived", kw_only=True, subject="fact_id", goes_with=("fact_id",), drops="reason")
class FactArchived(Event):
    """A fact was put away; `sweep` is the event that began the round, if it was by rule."""

    fact_id: FactId
    reason: str = ""
    sweep: EventId | None = None

    def headline(self) -> Headline:
        """Return why."""
        return Headline("fact archived", self.reason)


@dataclass(frozen=True, slots=True)
class WrittenTriple:
    """The triple in a payload, with its stated confidence; the rest of it is not read."""

    subject: str
    predicate: str
    object: str
    confidence: float


def written_triple(text: str) -> WrittenTriple | None:
    """
    Read no more of a fact's payload than its triple: walks read hundreds of them.

    Raises:
        CorruptionError: it cannot be read.
    """
    try:
        payload: dict[str, Any] = json.loads(text)
        if not (parts := payload.get("triple")):
            return None
        subject, predicate, object_ = parts
        confidence = payload.get("confidence", CONFIDENCE_CAP)
    except (AttributeError, TypeError, ValueError) as error:
        raise CorruptionError(f"the triple of a fact cannot be read: {error}") from error
    return WrittenTriple(subject, predicate, object_, confidence)
