"""
Add, list and retire edges between nodes.

The kinds are a closed list, no edge joins a node with itself, and a repeated edge is the same edge.
An edge is only visible where both of its ends are.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.actor import require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EdgeId, EntityId, FactId
from tilth.core.scope import GLOBAL, Scope, Visibility, seen_from
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.resolve_name import entities_meant
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.fact_entities import resolve_entity
from tilth.knowledge.graph.edge import Edge, EdgeDraft, NodeId
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.events import EdgeRecorded
from tilth.knowledge.vocabulary.registries import EdgeKind, NodeKind
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction

logger = logging.getLogger(__name__)

_AROUND_MAX = 1000
# The length of an ID, so that another kind's ID is not taken for a name.
_ID_CHARS = 30
_OTHER_IDS = ("epi_", "edg_", "prp_", "rcp_")


@dataclass(frozen=True, slots=True)
class Joined:
    """An edge, and whether it is new."""

    edge: Edge
    is_new: bool


def add_edge(
    store: Store,
    ends: tuple[str, str],
    kind: EdgeKind,
    recorder: WriteContext,
    *,
    scope: Scope,
) -> Joined:
    """
    Join two nodes, given by name or ID; an unknown name becomes an entity.

    Raises:
        InvalidInputError: an end is no node, or both are the same.
        NotFoundError: an end is not visible from *scope*.
        ForbiddenError: the caller is anonymous.
    """
    with store.begin() as tx:
        joined = add_named_edge_in(tx, ends, kind, recorder, scope=scope)
        (edge,) = with_names(tx, [joined.edge], seen_from(recorder.owner, scope))
    logger.info("edge added: edge=%s new=%s", joined.edge.id, joined.is_new)
    return replace(joined, edge=edge)


def with_names(reader: Snapshot, edges: Sequence[Edge], within: Visibility) -> list[Edge]:
    """Return edges with the visible names of entities and texts of facts."""
    ends = dict.fromkeys(end for one in edges for end in (one.source, one.target))
    entities = [EntityId(end) for end in ends if end.startswith(EntityId.prefix)]
    facts = find_places(reader.conn, [end for end in ends if end.startswith(FactId.prefix)])
    names = {str(one.id): one.name for one in Entities(reader).all_of(entities, within)}
    for fact in Facts(reader).at(sorted(facts.values()), within):
        names[str(fact.id)] = fact.said.text
    return [
        replace(
            one,
            source_name=names.get(one.source, ""),
            target_name=names.get(one.target, ""),
        )
        for one in edges
    ]


def add_named_edge_in(
    tx: Transaction,
    ends: tuple[str, str],
    kind: EdgeKind,
    recorder: WriteContext,
    *,
    scope: Scope = GLOBAL,
) -> Joined:
    """Join two nodes, given by name or ID, in a transaction; see `add_edge`."""
    require_known(recorder.by, "join what is there")
    source, target = (_node(tx, end, scope, recorder) for end in ends)
    draft = EdgeDraft(source=source, kind=kind, target=target, scope=scope)
    if kind is EdgeKind.SUPERSEDES and source.startswith(FactId.prefix):
        raise InvalidInputError(
            "a fact supersedes another by being stated",
            hint=f"tilth fact add TEXT --supersedes {target}",
        )
    return add_edge_in(tx, draft, recorder)


def add_edge_in(tx: Transaction, draft: EdgeDraft, recorder: WriteContext) -> Joined:
    """Join two existing nodes, in a transaction."""
    return _known(tx, draft, recorder) or _recorded(tx, draft, recorder)


def node_in(reader: Snapshot, word: str, within: Visibility) -> NodeId:
    """
    Return the node that an ID or a name means.

    Raises:
        InvalidInputError: it is an ID of another kind.
        NotFoundError: it is not visible.
    """
    if len(word) == _ID_CHARS and word.startswith(_OTHER_IDS):
        raise InvalidInputError(
            f"{word} is no node", hint=f"edges join {', '.join(NodeKind)}; give its ID or a name"
        )
    if word.startswith(FactId.prefix):
        return Facts(reader).get(FactId.parse(word), within).id
    return entities_meant(reader, word, within)[0].id


def _node(tx: Transaction, word: str, scope: Scope, recorder: WriteContext) -> NodeId:
    is_id = len(word) == _ID_CHARS and word.startswith((*_OTHER_IDS, FactId.prefix))
    if is_id:
        return node_in(tx, word, seen_from(recorder.owner, scope))
    return resolve_entity(tx, word, scope, recorder).id


def _known(tx: Transaction, draft: EdgeDraft, recorder: WriteContext) -> Joined | None:
    within = Visibility(recorder.owner, frozenset({draft.scope, GLOBAL}))
    kinds = frozenset({draft.kind})
    around = Edges(tx).around(draft.source, within, kinds=kinds, limit=_AROUND_MAX)
    ends = (draft.source, draft.target)
    same = (edge for edge in around if (edge.source, edge.target) == ends)
    known = next((edge for edge in same if edge.scope == draft.scope), None)
    return None if known is None else Joined(known, is_new=False)


def _recorded(tx: Transaction, draft: EdgeDraft, recorder: WriteContext) -> Joined:
    event = tx.append(EdgeRecorded(draft), by=recorder.by, owner=recorder.owner)
    edge_id = EdgeId.of(event.recorded.event_id)
    within = seen_from(recorder.owner, draft.scope)
    return Joined(Edges(tx).get(edge_id, within), is_new=True)
