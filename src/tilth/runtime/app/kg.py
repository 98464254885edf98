"""The graph of triples."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypedDict, Unpack, cast

from tilth.core.ids import parse_session_id
from tilth.knowledge.changes import close_work_item as closing
from tilth.knowledge.changes.close_work_item import Closed
from tilth.knowledge.facts.fact import Telling, parse_channel, parse_fact
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.triples import StatedTriple
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.graph import kg
from tilth.knowledge.graph.kg import Adding, Graph, Stats, Walk
from tilth.runtime.parts import Parts, within


class TripleTelling(TypedDict, total=False):
    """What a caller may tell about a triple besides its parts; see `tilth.knowledge.facts.fact`."""

    confidence: float | str
    scope: str
    valid_from: datetime | None
    valid_to: datetime | None
    supersedes: str | None


class Narrowing(TypedDict, total=False):
    """What a timeline and counts may be narrowed to; `since`: what began then or later."""

    channel: str | None
    predicate: str | None
    since: datetime | None
    known_at: datetime | None
    scope: str | None


class Kg:
    """The triples of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def add(
        self,
        channel: str,
        subject: str,
        predicate: str,
        object: str,  # noqa: A002 - the word for it
        *,
        session_id: str | None = None,
        rationale: str = "",
        **telling: Unpack[TripleTelling],
    ) -> Stated:
        """State a triple in a channel; see `tilth.knowledge.graph.kg.add_triple`."""
        parts = self._parts
        told = {"subject": subject, "predicate": predicate, "object": object, **telling}
        told["channel"] = parse_channel(channel)
        adding = Adding(
            draft=parse_fact("", cast("Telling", told)),
            session=None if session_id is None else parse_session_id(session_id),
            rationale=rationale,
        )
        return kg.add_triple(parts.store, adding, parts.writing)

    def archive(self, item: str, *, reason: str = "") -> Closed:
        """End what is said of a work item; see `close_work_item.close_work`."""
        parts = self._parts
        return closing.close_work(parts.store, item, parts.recorder, reason=reason)

    def query(
        self,
        entity: str,
        *,
        depth: int = 1,
        channel: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        scope: str | None = None,
    ) -> Walk:
        """Return the triples around a thing; see `tilth.knowledge.graph.kg.query`."""
        parts = self._parts
        which = self._which(channel, Moment(as_of, known_at), scope)
        return kg.query(parts.store, parts.clock, entity, which, depth=depth)

    def explore(
        self, entity: str, *, depth: int = 3, channel: str | None = None, scope: str | None = None
    ) -> Graph:
        """Return the graph around a thing; see `tilth.knowledge.graph.kg.explore`."""
        parts = self._parts
        which = self._which(channel, Moment(), scope)
        return kg.explore(parts.store, parts.clock, entity, which, depth=depth)

    def timeline(
        self,
        entity: str,
        *,
        limit: int = 100,
        **narrowing: Unpack[Narrowing],
    ) -> Sequence[StatedTriple]:
        """Return what was so of a thing, and when; see `tilth.knowledge.graph.kg.timeline`."""
        parts = self._parts
        which = self._narrowed(narrowing)
        return kg.timeline(parts.store, parts.clock, entity, which, limit=limit)

    def stats(self, **narrowing: Unpack[Narrowing]) -> Stats:
        """Count triples by channel and predicate; see `tilth.knowledge.graph.kg.stats`."""
        return kg.stats(self._parts.store, self._narrowed(narrowing))

    def _narrowed(self, narrowing: Narrowing) -> FactFilter:
        moment = Moment(known_at=narrowing.get("known_at"))
        return replace(
            self._which(narrowing.get("channel"), moment, narrowing.get("scope")),
            predicate=narrowing.get("predicate"),
            began_from=narrowing.get("since"),
        )

    def _which(self, channel: str | None, moment: Moment, scope: str | None) -> FactFilter:
        return FactFilter(
            within=within(self._parts, scope),
            moment=moment,
            channel=None if channel in {None, "", "*"} else parse_channel(str(channel)),
        )
