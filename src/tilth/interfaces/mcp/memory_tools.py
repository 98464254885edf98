"""
The nine tools of the reference memory server, over our store (`--compat memory`).

Names, arguments and answers are those that its clients know; what it deletes is
taken back here, and stays in the history.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent
from pydantic import Field

# The one of `typing` says too little about itself before Python 3.12 for schemas to be made of it.
from typing_extensions import TypedDict

import tilth
from tilth.core.errors import NotFoundError
from tilth.interfaces.mcp import memory_graph
from tilth.interfaces.mcp.memory_graph import Change, Graph, Kind
from tilth.interfaces.mcp.results import answer
from tilth.interfaces.mcp.tool_errors import ADDS, READS, CheckedTool, only_reading, tool
from tilth.privacy.redaction import scrub
from tilth.runtime.brain import Brain

SESSION = "compat:memory"
RESOURCE = "memory://knowledge-graph"
# Past this a client's context is full before it has read the graph.
ENTITIES_SHOWN_MAX = 2000
_PAGE = 1000
_QUERY_CHARS_MAX = 2048


class EntityItem(TypedDict):
    """An entity as clients know it."""

    name: str
    entityType: str
    observations: list[str]


RelationItem = TypedDict("RelationItem", {"from": str, "to": str, "relationType": str})


class Additions(TypedDict):
    """What is to be added to an entity."""

    entityName: str
    contents: list[str]


class Added(TypedDict):
    """What was added to an entity."""

    entityName: str
    addedObservations: list[str]


class Deletions(TypedDict):
    """What is to be taken from an entity."""

    entityName: str
    observations: list[str]


class Entities(TypedDict):
    """Entities."""

    entities: list[EntityItem]


class Relations(TypedDict):
    """Relations."""

    relations: list[RelationItem]


class Results(TypedDict):
    """What was added."""

    results: list[Added]


class GraphItem(Entities, Relations):
    """A graph, or a part of one."""


class Done(TypedDict):
    """That something is so now."""

    success: bool
    message: str


class MemoryTools:
    """The nine tools of one server. What clients call deleting takes back."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._lock = Lock()

    def create_entities(self, entities: list[EntityItem]) -> Annotated[CallToolResult, Entities]:
        """Add entities with their observations. Names that exist are kept."""
        with self._lock:
            graph, changes, names = self.graph(), [], []
            for name, kind, observed in _clean_entities(entities):
                if graph.apply(Change(Kind.ENTITY, (name, kind))):
                    names.append(name)
                    new = [Change(Kind.OBSERVATION, (name, text)) for text in observed]
                    changes += [Change(Kind.ENTITY, (name, kind)), *filter(graph.apply, new)]
            self._record(changes)
        created = [_entity(graph, name) for name in names]
        return _json_answer({"entities": created}, created)

    def create_relations(
        self, relations: list[RelationItem]
    ) -> Annotated[CallToolResult, Relations]:
        """Add relations between entities, in the active voice."""
        new = self._change(Change(Kind.RELATION, words) for words in _clean_relations(relations))
        created = [_relation(change.words) for change in new]
        return _json_answer({"relations": created}, created)

    def add_observations(self, observations: list[Additions]) -> Annotated[CallToolResult, Results]:
        """Add observations to entities that exist."""
        asked = [
            (scrub(one["entityName"]).text, [scrub(text).text for text in one["contents"]])
            for one in observations
        ]
        with self._lock:
            graph = self.graph()
            for name, _ in asked:
                if name not in graph.entities:
                    raise NotFoundError(f"Entity with name {name} not found")
            wanted = [
                (name, [Change(Kind.OBSERVATION, (name, text)) for text in texts])
                for name, texts in asked
            ]
            added = [(name, [*filter(graph.apply, changes)]) for name, changes in wanted]
            self._record([change for _, changes in added for change in changes])
        results = [
            Added(entityName=name, addedObservations=[change.words[1] for change in changes])
            for name, changes in added
        ]
        return _json_answer({"results": results}, results)

    def retract_entities(
        self,
        entityNames: list[str],  # noqa: N803 - as clients know it
    ) -> Annotated[CallToolResult, Done]:
        """Take entities out of the graph, with their relations."""
        self._change(Change(Kind.NO_ENTITY, (scrub(name).text,)) for name in entityNames)
        return _done("Entities deleted successfully")

    def retract_observations(self, deletions: list[Deletions]) -> Annotated[CallToolResult, Done]:
        """Take observations out of the graph."""
        self._change(
            Change(Kind.NO_OBSERVATION, (scrub(one["entityName"]).text, scrub(text).text))
            for one in deletions
            for text in one["observations"]
        )
        return _done("Observations deleted successfully")

    def retract_relations(self, relations: list[RelationItem]) -> Annotated[CallToolResult, Done]:
        """Take relations out of the graph."""
        self._change(Change(Kind.NO_RELATION, words) for words in _clean_relations(relations))
        return _done("Relations deleted successfully")

    def read_graph(self) -> Annotated[CallToolResult, GraphItem]:
        """Return all entities and relations."""
        return _graph_answer(self.graph())

    def search_nodes(
        self, query: Annotated[str, Field(max_length=_QUERY_CHARS_MAX)]
    ) -> Annotated[CallToolResult, GraphItem]:
        """Return entities with this text in name, type or observations."""
        return _graph_answer(self.graph().search(query))

    def open_nodes(self, names: list[str]) -> Annotated[CallToolResult, GraphItem]:
        """Return entities by their exact names, with their relations."""
        return _graph_answer(self.graph().about(scrub(name).text for name in names))

    def graph(self) -> Graph:
        """Return what the notes amount to."""
        graph, after = Graph(), 0
        while notes := self._brain.episodes.list(session_id=SESSION, limit=_PAGE, after=after):
            for note in notes:
                change = memory_graph.change_of(note.noted(memory_graph.METADATA_KEY))
                if change is not None:
                    graph.apply(change)
            after = notes[-1].seq
        return graph

    def _change(self, changes: Iterable[Change]) -> list[Change]:
        """Record those of *changes* that are not so already, and return them."""
        with self._lock:
            new = [*filter(self.graph().apply, changes)]
            self._record(new)
        return new

    def _record(self, changes: Sequence[Change]) -> None:
        self._brain.remember_many(
            [
                {
                    "text": change.text,
                    "kind": "note",
                    "role": "assistant",
                    "session_id": SESSION,
                    "metadata": memory_graph.to_metadata(change),
                }
                for change in changes
            ]
        )


def build_memory_server(brain: Brain, *, is_read_only: bool = False) -> MCPServer:
    """Return a server that clients of the reference memory server can use in its place."""
    tools = MemoryTools(brain)
    offered = _offered(tools)
    server = MCPServer(
        "tilth",
        title="Tilth, as a memory server",
        version=tilth.__version__,
        tools=[*(only_reading(offered) if is_read_only else offered)],
        subscriptions=False,
        log_level="WARNING",
    )

    @server.resource(
        RESOURCE,
        title="Knowledge graph",
        description="All entities and relations.",
        mime_type="application/json",
    )
    def knowledge_graph() -> str:
        return _safe_json(_graph_item(tools.graph()))

    return server


def _offered(tools: MemoryTools) -> list[CheckedTool]:
    return [
        tool(tools.create_entities, ADDS, "Create entities"),
        tool(tools.create_relations, ADDS, "Create relations"),
        tool(tools.add_observations, ADDS, "Add observations"),
        tool(tools.retract_entities, ADDS, "Delete entities", "delete_entities"),
        tool(tools.retract_observations, ADDS, "Delete observations", "delete_observations"),
        tool(tools.retract_relations, ADDS, "Delete relations", "delete_relations"),
        tool(tools.read_graph, READS, "Read graph"),
        tool(tools.search_nodes, READS, "Search nodes"),
        tool(tools.open_nodes, READS, "Open nodes"),
    ]


def _clean_entities(entities: Sequence[EntityItem]) -> Iterable[tuple[str, str, list[str]]]:
    for one in entities:
        observed = [scrub(text).text for text in one["observations"]]
        yield scrub(one["name"]).text, scrub(one["entityType"]).text, observed


def _clean_relations(relations: Sequence[RelationItem]) -> Iterable[tuple[str, str, str]]:
    for one in relations:
        yield scrub(one["from"]).text, scrub(one["to"]).text, scrub(one["relationType"]).text


def _entity(graph: Graph, name: str) -> EntityItem:
    entity = graph.entities[name]
    return EntityItem(name=entity.name, entityType=entity.type, observations=[*entity.observations])


def _relation(relation: tuple[str, ...]) -> RelationItem:
    begin, end, kind = relation
    return RelationItem({"from": begin, "to": end, "relationType": kind})


def _graph_item(graph: Graph) -> GraphItem:
    return GraphItem(
        entities=[_entity(graph, name) for name in graph.entities],
        relations=[_relation(one) for one in graph.relations],
    )


def _graph_answer(graph: Graph) -> CallToolResult:
    """Answer with *graph*, or with as much of it as a client can read."""
    names = [*graph.entities]
    kept = graph if len(names) <= ENTITIES_SHOWN_MAX else graph.about(names[:ENTITIES_SHOWN_MAX])
    item = _graph_item(kept)
    told = _json_answer(item, item)
    if kept is not graph:
        left = len(names) - ENTITIES_SHOWN_MAX
        notice = f"{left} entities more are not shown: use search_nodes or open_nodes."
        told.content.append(TextContent(type="text", text=notice))
    return told


def _done(message: str) -> CallToolResult:
    return answer({"success": True, "message": message}, message)


def _json_answer(structured: Mapping[str, object], text: object) -> CallToolResult:
    return answer(structured, _safe_json(text))


def _safe_json(value: object) -> str:
    """Write JSON in which no tag, image or control character is in force; it reads the same."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    safe = text.replace("<", "\\u003c").replace("![", "\\u0021[")
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in safe
    )
