"""The model of edges: relations between nodes, of a closed list of kinds."""

from datetime import datetime
from functools import partial
from typing import TypeAlias

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, parse_word
from tilth.core.ids import EdgeId, EntityId, FactId
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.knowledge.vocabulary.registries import EdgeKind

NodeId: TypeAlias = EntityId | FactId


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeDraft:
    """An edge to be recorded."""

    source: NodeId
    kind: EdgeKind
    target: NodeId
    scope: Scope = GLOBAL

    def __post_init__(self) -> None:
        if self.source == self.target:
            raise InvalidInputError("an edge joins two nodes, not one with itself")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One recorded edge; in lists it has the names or words of its ends."""

    id: EdgeId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    source: NodeId
    kind: EdgeKind
    target: NodeId
    scope: Scope
    source_name: str = ""
    target_name: str = ""


parse_edge_kind = partial(parse_word, EdgeKind, noun="kind of edge")
