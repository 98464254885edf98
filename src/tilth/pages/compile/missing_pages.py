"""
Find what deserves a page and has none, unless a person removed it.

A thing deserves one once enough lasting facts about it are known and facts or edges connect it with
others; a project, once anything is known in it; a topic, once enough facts with its tag also name
it and concern several things. A fact with an end date is a status, and earns no page.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId
from tilth.core.scope import GLOBAL, Scope, Visibility, key_of
from tilth.core.text.tokens import index_terms
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.vocabulary.registries import EntityType, NodeKind, word_key
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import Page, PageKind, Subject
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import Exclusion

# How many of the newest facts are read.
FACTS_READ = 2000
FACTS_LEAST, JOINED_LEAST = 5, 2
MISSING_MAX = 20
# The least confidence of a fact that counts as a connection in the order of pages; an edge always
# counts (XR-06).
SURE_LEAST = 0.75
# How many of the newest edges are read.
EDGES_READ = 500
# How many of the fullest tags, and of the newest facts of each, are read; what is to be done has a
# page of another kind.
_TAGS_READ, _FILED_READ = 50, 200
_NO_TOPICS = frozenset({"todo", "task", "pending"})
# A scope, and the place of an entity in the ledger.
_Thing: TypeAlias = tuple[Scope, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPage:
    """
    A subject without a page: a project, a thing or a topic, with its number of facts.

    `name` is that of the thing or topic.
    """

    kind: PageKind
    scope: Scope
    facts: int
    entity: EntityId | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class _AboutFact:
    """A fact, with the places of the entities that it is about."""

    fact: Fact
    about: frozenset[int]


def find_missing_pages(
    view: Snapshot, pages: Sequence[Page], within: Visibility, now: datetime, excluded: Exclusion
) -> list[MissingPage]:
    """
    Return what deserves a page but has none of *pages*: projects, then things, then topics.

    Things that sure facts and edges connect with most others come first, then those with most
    facts: a page is compiled before those that gather it. What a person removed is not missing.
    """
    settled = [*(one.subject for one in pages), *Pages(view).removed(within)]
    known = [
        one
        for one in _facts_to_read(view, within, now, settled)
        if one.grade is not Grade.CANDIDATE
        and one.life.valid_to is None
        and not excluded.hides(one.said.words)
    ]
    there = {(one.scope, one.entity) for one in settled if one.entity is not None}
    found = [*_projects(known, settled), *_things(view, known, within)]
    found = [one for one in found if one.entity is None or (one.scope, one.entity) not in there]
    topics = _topics(view, within, now, excluded, settled)
    return list(islice(chain(found, topics), MISSING_MAX))


def _facts_to_read(
    view: Snapshot, within: Visibility, now: datetime, settled: Sequence[Subject]
) -> Sequence[Fact]:
    """Return facts of what may deserve a page, newest first; only these are read whole."""
    facts = Facts(view)
    newest = facts.placed(FactFilter(within=within, now=now), limit=FACTS_READ)
    paged = {one.scope for one in settled if one.kind is PageKind.PROJECT}
    lacking = {one for _, one in newest if one.startswith("project:")} - paged
    named = find_places(view.conn, (one.entity for one in settled if one.entity is not None))
    things = {(one.scope, named[one.entity]) for one in settled if one.entity in named}
    crowds = facts.crowds([place for place, _ in newest], FACTS_LEAST)
    enough = {place for scope, entity, place in crowds if (scope, entity) not in things}
    wanted = [place for place, scope in newest if scope in lacking or place in enough]
    position = {place: at for at, place in enumerate(wanted)}
    return sorted(facts.at(wanted, within), key=lambda one: position[one.seq])


def _projects(known: Sequence[Fact], settled: Sequence[Subject]) -> Iterator[MissingPage]:
    there = {one.scope for one in settled if one.kind is PageKind.PROJECT}
    counts = Counter(one.life.scope for one in known)
    for scope, count in counts.most_common():
        if scope.startswith("project:") and scope not in there:
            yield MissingPage(kind=PageKind.PROJECT, scope=scope, facts=count)


def _things(view: Snapshot, known: Sequence[Fact], within: Visibility) -> Iterator[MissingPage]:
    places = find_places(view.conn, (entity for one in known for entity in one.about))
    told = [_AboutFact(one, frozenset(places[entity] for entity in one.about)) for one in known]
    about: defaultdict[_Thing, list[_AboutFact]] = defaultdict(list)
    for one in told:
        for place in one.about:
            about[one.fact.life.scope, place].append(one)
    about = defaultdict(
        list, {thing: facts for thing, facts in about.items() if len(facts) >= FACTS_LEAST}
    )
    entities = _entities(view, {place for _, place in about}, within)
    linked = _linked(view, about, within)
    sure = {
        thing: linked[thing] | _entities_beside(thing, facts, surer=SURE_LEAST)
        for thing, facts in about.items()
    }
    for thing, facts in sorted(
        about.items(), key=lambda told: (-len(sure[told[0]]), -len(told[1]))
    ):
        entity = entities.get(thing[1])
        if entity and _is_project(entity, thing[0]):
            # The project's own page says all that is known of it.
            continue
        if entity and len(linked[thing] | _entities_beside(thing, facts)) >= JOINED_LEAST:
            yield MissingPage(
                kind=PageKind.ENTITY,
                scope=thing[0],
                facts=len(facts),
                entity=entity.id,
                name=entity.name,
            )


def _is_project(entity: Entity, scope: Scope) -> bool:
    """Say whether a thing is the project to which its facts belong."""
    return entity.type is EntityType.PROJECT and entity.name == key_of(scope)


def _entities_beside(thing: _Thing, facts: Iterable[_AboutFact], *, surer: float = 0.0) -> set[int]:
    """Return the other entities of facts about a thing, if the facts are sure enough."""
    sure = (one for one in facts if one.fact.confidence.value >= surer)
    return {other for one in sure for other in one.about} - {thing[1]}


def _linked(
    view: Snapshot, about: Mapping[_Thing, Sequence[_AboutFact]], within: Visibility
) -> Mapping[_Thing, set[int]]:
    """Return the entities to which edges connect things: edges of things, and of facts on them."""
    told = {one.fact.seq: one.about for facts in about.values() for one in facts}
    places = {*told, *(place for _, place in about)}
    joins = Edges(view).joins(places, within, limit=EDGES_READ) if places else set()
    ends = {place for _, *both in joins for kind, place in both if kind is NodeKind.FACT}
    outlines = Facts(view).outlines(sorted(ends - told.keys()), within)
    meant = dict.fromkeys(ends, frozenset[int]())
    meant |= {place: one.about for place, one in outlines.items()} | told
    linked: defaultdict[_Thing, set[int]] = defaultdict(set)
    for at, *both in joins:
        source, target = (meant.get(place, frozenset({place})) for _, place in both)
        for here, there in ((source, target), (target, source)):
            for scope, place in about:
                if place in here and at in {scope, GLOBAL}:
                    linked[scope, place] |= there - {place}
    return linked


def _topics(
    view: Snapshot,
    within: Visibility,
    now: datetime,
    excluded: Exclusion,
    settled: Sequence[Subject],
) -> Iterator[MissingPage]:
    """Yield topics with enough tagged facts, the fullest first, scope by scope."""
    facts = Facts(view)
    there = {(one.scope, word_key(one.topic)) for one in settled if one.topic}
    filed = facts.filed(FactFilter(within=within, now=now), only="tag")
    for shelf in [one for one in filed if one.count >= FACTS_LEAST][:_TAGS_READ]:
        if shelf.key in _NO_TOPICS:
            continue
        which = FactFilter(within=within, now=now, tags=(shelf.key,))
        by_scope: defaultdict[Scope, list[Fact]] = defaultdict(list)
        for one in _facts_of_scopes_without_page(
            facts, which, {scope for scope, key in there if key == shelf.key}
        ):
            if _names_topic(one, shelf.key) and not excluded.hides(one.said.words):
                by_scope[one.life.scope].append(one)
        for scope, told in by_scope.items():
            things = {entity for one in told for entity in one.about}
            is_enough = len(told) >= FACTS_LEAST and len(things) >= JOINED_LEAST
            if is_enough and (scope, shelf.key) not in there:
                name = next(tag for tag in told[0].said.taxonomy.tags if word_key(tag) == shelf.key)
                yield MissingPage(kind=PageKind.TOPIC, scope=scope, facts=len(told), name=name)


def _facts_of_scopes_without_page(
    facts: Facts, which: FactFilter, paged: Collection[Scope]
) -> Sequence[Fact]:
    """Return the newest facts of scopes without a page, if they may be enough."""
    found = [one for one in facts.placed(which, limit=_FILED_READ) if one[1] not in paged]
    counts = Counter(scope for _, scope in found)
    enough = [place for place, scope in found if counts[scope] >= FACTS_LEAST]
    return facts.at(enough, which.within)


def _names_topic(fact: Fact, topic: str) -> bool:
    """Say whether a fact is known, lasts and names a topic, whose page is found by words."""
    if fact.grade is Grade.CANDIDATE or fact.life.valid_to is not None:
        return False
    terms = set(index_terms(topic))
    return bool(terms) and terms <= set(index_terms(fact.said.words))


def _entities(view: Snapshot, places: Collection[int], within: Visibility) -> Mapping[int, Entity]:
    found = Entities(view).at(sorted(places), within)
    return {one.seq: one for one in found if one.merged_into is None}
