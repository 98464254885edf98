"""
Record the things that several sessions of a project name: programs, packages, services, files.

They become entities of their type, joined to their project. So do persons who speak in several
sessions, wherever they speak. Nobody is asked, and no sentence is read.
"""

from tilth.core.dataclass import dataclass
from tilth.core.scope import Scope, Visibility, key_of
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.entities import record_entity, tell_more
from tilth.knowledge.entities.entity import Entity, EntityDraft
from tilth.knowledge.entities.sighting import SIGHTED, Sighted, sighted_in, worked_with
from tilth.knowledge.entities.sightings import Sightings
from tilth.knowledge.facts.write.fact_entities import find_entities, resolve_entity
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.graph.record_edge import add_edge_in
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType
from tilth.ledger.realms import realms_after
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.privacy.exclusion import Exclusion

_PROJECT = "project:"
# Types that a project uses; for a file the edge goes the other way.
_USED = frozenset({EntityType.TOOL, EntityType.TECH, EntityType.SERVICE})


@dataclass(frozen=True, slots=True)
class Acquainted:
    """How many scopes were read, up to which place in the ledger, and the new entities."""

    scope_count: int
    cursor: int
    new: list[Entity]


def record_next_sightings(
    store: Store, recorder: WriteContext, excluded: Exclusion, *, after: int, limit: int
) -> Acquainted:
    """
    Record what sessions of the next scopes name, until something new is found.

    Distillation does this for each session that it reads; this is for scopes that an older version
    recorded.

    Args:
        store: The store.
        recorder: The recorder.
        excluded: The excluded terms.
        after: The cursor of the last time; 0 to begin.
        limit: The most scopes to read.
    """
    with store.read() as view:
        scopes = realms_after(view.conn, recorder.owner, after, limit=limit)
    cursor, seen = after, 0
    for cursor, scope in scopes:
        seen += 1
        if new := record_sightings(store, recorder, scope, excluded):
            return Acquainted(seen, cursor, new)
    return Acquainted(seen, cursor, [])


def record_sightings(
    store: Store, recorder: WriteContext, scope: Scope, excluded: Exclusion
) -> list[Entity]:
    """Record the unknown things that sessions of a scope name; return the new entities."""
    within = Visibility(recorder.owner, frozenset({scope}))
    with store.read() as view:
        found = worked_with(sighted_in(Sightings(view).last(within)))
        fit = [one for one in found if _is_fit(one, scope) and excluded.shown(one.name) == one.name]
        if not any(_is_new(view, one, scope, recorder) for one in fit):
            return []
    with store.begin() as tx:
        new = [one for one in fit if _is_new(tx, one, scope, recorder)]
        return [_recorded(tx, one, scope, recorder) for one in new]


def _is_fit(one: Sighted, scope: Scope) -> bool:
    """Say whether a thing is recorded in a scope; outside of a project only persons are."""
    is_own = key_of(scope).rpartition("/")[2] in one.name.split("/") and one.type is EntityType.TECH
    return one.type is EntityType.PERSON or (scope.startswith(_PROJECT) and not is_own)


def _is_new(view: Snapshot, one: Sighted, scope: Scope, recorder: WriteContext) -> bool:
    """Say whether nothing has its name, except an entity without a type."""
    known = find_entities(view, one.name, scope, recorder)
    return not known or known[0].type is EntityType.THING


def _recorded(tx: Transaction, one: Sighted, scope: Scope, recorder: WriteContext) -> Entity:
    draft = EntityDraft(name=one.name, type=one.type, scope=scope, metadata={SIGHTED: True})
    known = find_entities(tx, one.name, scope, recorder)
    entity = (
        tell_more(tx, known[0], draft, recorder) if known else record_entity(tx, draft, recorder)
    )
    if scope.startswith(_PROJECT) and one.type is not EntityType.PERSON:
        project = resolve_entity(tx, key_of(scope), scope, recorder)
        add_edge_in(tx, _joining(project, entity, scope), recorder)
    return entity


def _joining(project: Entity, entity: Entity, scope: Scope) -> EdgeDraft:
    if entity.type in _USED:
        return EdgeDraft(source=project.id, kind=EdgeKind.USES, target=entity.id, scope=scope)
    return EdgeDraft(source=entity.id, kind=EdgeKind.PART_OF, target=project.id, scope=scope)
