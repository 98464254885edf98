"""
What deserves a page and has none.

A thing deserves one once enough is known of it that lasts and it is joined to others; a project,
once anything is known there. What holds until a date is a status, and earns no page.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tilth.core.ids import EntityId
from tilth.core.scope import Scope, Visibility
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import Page, PageKind
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import Exclusion

# The newest so many facts are looked at.
FACTS_READ = 2000
FACTS_LEAST, JOINED_LEAST = 5, 2
MISSING_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Worthy:
    """What deserves a page and has none: a project, or a thing of which so many facts hold."""

    kind: PageKind
    scope: Scope
    facts: int
    entity: EntityId | None = None
    name: str = ""


def worthy(view: Snapshot, within: Visibility, now: datetime, excluded: Exclusion) -> list[Worthy]:
    """Return what deserves a page and has none, that of which most is known first."""
    pages = Pages(view).select(within, now)
    known = [
        one
        for one in _likely(view, within, now, pages)
        if one.grade is not Grade.CANDIDATE
        and one.life.valid_to is None
        and not excluded.hides(one.said.words)
    ]
    there = {(one.scope, one.entity) for one in pages if one.entity is not None}
    found = [*_projects(known, pages), *_things(view, known, within)]
    return [one for one in found if one.entity is None or (one.scope, one.entity) not in there][
        :MISSING_MAX
    ]


def _likely(
    view: Snapshot, within: Visibility, now: datetime, pages: Sequence[Page]
) -> Sequence[Fact]:
    """Return the facts, the newest first, of what may deserve a page; only these are read whole."""
    facts = Facts(view)
    places = facts.places(FactFilter(within=within, now=now), limit=FACTS_READ)
    outlines = facts.outlines(places, within)
    lacking = {one.scope for one in outlines.values() if one.scope.startswith("project:")}
    lacking -= {one.scope for one in pages if one.kind is PageKind.PROJECT}
    things = {
        (one.scope, at)
        for one in pages
        if one.entity is not None and (at := find_place(view.conn, one.entity)) is not None
    }
    counts = Counter((one.scope, at) for one in outlines.values() for at in one.about)
    enough = {one for one, count in counts.items() if count >= FACTS_LEAST} - things
    wanted = [
        place
        for place in places
        if (one := outlines.get(place)) is not None
        and (one.scope in lacking or any((one.scope, at) in enough for at in one.about))
    ]
    position = {place: at for at, place in enumerate(wanted)}
    return sorted(facts.at(wanted, within), key=lambda one: position[one.seq])


def _projects(known: Sequence[Fact], pages: Sequence[Page]) -> Iterator[Worthy]:
    there = {one.scope for one in pages if one.kind is PageKind.PROJECT}
    counts = Counter(one.life.scope for one in known)
    for scope, count in counts.most_common():
        if scope.startswith("project:") and scope not in there:
            yield Worthy(kind=PageKind.PROJECT, scope=scope, facts=count)


def _things(view: Snapshot, known: Sequence[Fact], within: Visibility) -> Iterator[Worthy]:
    about: defaultdict[tuple[Scope, EntityId], list[Fact]] = defaultdict(list)
    for one in known:
        for entity_id in one.about:
            about[one.life.scope, entity_id].append(one)
    enough = {entity for (_, entity), facts in about.items() if len(facts) >= FACTS_LEAST}
    entities = _entities(view, enough, within)
    for (scope, entity_id), facts in sorted(about.items(), key=lambda item: -len(item[1])):
        joined = {other for one in facts for other in one.about} - {entity_id}
        entity = entities.get(entity_id)
        if entity and len(joined) >= JOINED_LEAST:
            yield Worthy(
                kind=PageKind.ENTITY,
                scope=scope,
                facts=len(facts),
                entity=entity_id,
                name=entity.name,
            )


def _entities(view: Snapshot, ids: set[EntityId], within: Visibility) -> Mapping[EntityId, Entity]:
    found = Entities(view).all_of(sorted(ids), within)
    return {one.id: one for one in found if one.merged_into is None}
