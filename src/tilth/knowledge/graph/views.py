"""Edges and triples as lines for a person."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from tilth.core.ids import FactId
from tilth.core.instant import written_days
from tilth.core.view import UNDO_BY_NAME, Bold, Dim, Line, Note, Row
from tilth.knowledge.facts.triples import StatedTriple
from tilth.knowledge.facts.views import waiting
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.graph import Neighbourhood
from tilth.knowledge.graph.kg import Closed, Graph, Stats, Walk
from tilth.knowledge.graph.record_edge import Joined
from tilth.privacy.terminal_text import one_line

_CHARS = 80


def joined(answer: Joined) -> Iterator[Line]:
    """Yield an edge, and whether it is new."""
    yield from one_edge(answer.edge)
    if not answer.is_new:
        yield Note("they were joined already")


def one_edge(edge: Edge) -> Iterator[Line]:
    """Yield one edge."""
    source, target = _node(edge.source, edge.source_name), _node(edge.target, edge.target_name)
    yield (f"{source} {edge.kind} {target}", Dim(f"  {edge.id}  {edge.scope}"))


def retired_edge(edge: Edge) -> Iterator[Line]:
    """Yield an edge that is no more, and how it comes back."""
    yield from (("retired  ", *line) for line in one_edge(edge))
    yield Note(f"to have it back: {UNDO_BY_NAME}")


def _node(id_: str, name: str) -> str:
    """Return what an edge joins as a person reads it; of a fact its words, with its ID."""
    if not name:
        return id_
    return f"“{one_line(name, _CHARS)}” ({id_})" if id_.startswith(FactId.prefix) else name


def edge_list(edges: Sequence[Edge], *, node: str | None, limit: int, after: int) -> Iterator[Line]:
    """Yield edges, and how to go on."""
    for edge in edges:
        yield from one_edge(edge)
    if not edges:
        yield Note("that was all" if after else "there is no edge; add one: tilth edge add")
    if len(edges) == limit and node is None:
        yield Note(f"there may be more: --after {edges[-1].seq}")


def closed(answer: Closed) -> Iterator[Line]:
    """Yield what ended with a work item, and what waits."""
    yield from (("ended  ", fact_id) for fact_id in answer.ended)
    for proposal_id in answer.proposed:
        yield from waiting(proposal_id)
    if not (answer.ended or answer.proposed):
        yield Note("nobody works on it, and it is in no phase")


def walk(answer: Walk, *, as_of: datetime | None, known_at: datetime | None) -> Iterator[Line]:
    """Yield the triples around a thing, as they are or were at a time."""
    yield from triples(answer.triples, is_past=bool(as_of or known_at))
    yield from _how_far(answer)


def graph(answer: Graph) -> Iterator[Line]:
    """Yield the links of a graph."""
    yield from triples(answer.links)
    yield from _how_far(answer)


def neighbourhood(answer: Neighbourhood, *, depth: int) -> Iterator[Line]:
    """Yield the edges around a node."""
    yield from _walked(answer, depth, "no edge leads to it; add one: tilth edge add")


def impact(answer: Neighbourhood, *, depth: int) -> Iterator[Line]:
    """Yield the edges by which others depend on a node."""
    yield from _walked(answer, depth, "no edge says that something depends on it")


def _walked(answer: Neighbourhood, depth: int, without: str) -> Iterator[Line]:
    yield from edges_of(answer)
    if not answer.edges:
        yield Note(without)
    if answer.depth < depth:
        yield Note(f"a walk goes {answer.depth} hops and no further")
    if answer.is_truncated:
        yield Note("there is more around one of them than is shown")


def edges_of(answer: Neighbourhood) -> Iterator[Line]:
    """Yield edges with the names of their ends."""
    names = {node.id: node.name for node in answer.nodes}
    for edge in answer.edges:
        ends = Bold(names[edge.source]), f" {edge.kind} ", Bold(names[edge.target])
        yield (*ends, Dim(f"  {edge.id}"))


def counts(answer: Stats, *, known_at: datetime | None) -> Iterator[Line]:
    """Yield how many triples there are under each predicate."""
    for one in answer.predicates:
        yield Row((one.channel, one.predicate, str(one.count)))
    if not answer.predicates:
        yield _none(is_past=known_at is not None)


def timeline(
    found: Sequence[StatedTriple], *, limit: int, known_at: datetime | None
) -> Iterator[Line]:
    """Yield what held, the oldest first, and how to see what was before it."""
    yield from triples(found, is_past=known_at is not None)
    if len(found) == limit:
        yield Note("there may be earlier ones: --limit N shows more")


def triples(found: Sequence[StatedTriple], *, is_past: bool = False) -> Iterator[Line]:
    """Yield triples, two lines each; *is_past* says that they are those of an earlier time."""
    for one in found:
        words = (one_line(part, _CHARS) for part in (one.subject, one.predicate, one.object))
        yield (Bold("  ".join(words)),)
        doubt = ", contested" if one.is_contested else ""
        yield Dim(
            f"  {one.channel}  {one.lifecycle}, {one.grade}, {one.review}, {one.freshness}{doubt}"
            f"  {written_days(one.valid_from, one.valid_to)}  {one.id}"
        )
    if not found:
        yield _none(is_past=is_past)


def _none(*, is_past: bool) -> Note:
    """Say that there is no triple; nobody can state one in the past."""
    if is_past:
        return Note("no triple said anything of that then; to see what holds now, give no time")
    return Note("no triple says anything of that; state one: tilth kg add")


def _how_far(answer: Walk | Graph) -> Iterator[Line]:
    if answer.is_clamped:
        yield Note(f"depth {answer.depth} is the limit, so the walk ended there")
    if answer.truncated:
        yield Note("there is more than is shown: narrow it with --channel, or a smaller --depth")
