"""The graph: what is connected most, or what is around a thing; drawn, and the same as a table."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.interfaces.web.screen import Ask, Told, screen
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.graph import edges_at
from tilth.knowledge.vocabulary.registries import EdgeKind

NODES_MAX = 150
DEPTH_MAX = 2
_EDGES_MAX = 1000
_SIZE = 1000
_RING = 200
# What stands on the outermost ring has its name below it, in the picture still.
_MARGIN = 100
_LABEL_CHARS = 20
# How many of the most connected stand in the middle, and in each ring around it.
_RINGS = (1, 12, 36)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A node as it is drawn: in which ring, how large, and how many edges it has."""

    id: str
    name: str
    type: str
    ring: int
    degree: int

    @property
    def label(self) -> str:
        """Its name as it has room in the picture; of a path the end, which tells it apart."""
        if len(self.name) <= _LABEL_CHARS:
            return self.name
        if "/" not in self.name:
            return f"{self.name[: _LABEL_CHARS - 1]}…"
        end = self.name[1 - _LABEL_CHARS :]
        return f"…{end[max(0, end.find('/')) :]}"


@dataclass(frozen=True, slots=True)
class _Found:
    """
    What is connected: the nodes and the edges that are shown, and how many nodes there are.

    `is_cut` says that not all edges were read, so that there may be more of either.
    """

    spots: Sequence[Spot] = ()
    edges: Sequence[Edge] = ()
    count: int = 0
    is_cut: bool = False


@screen(
    "/graph",
    title="Graph",
    group="What is known",
    place=30,
)
def graph(ask: Ask) -> Told:
    """Gather what is around a thing, up to a depth; without one, what is connected most."""
    name, depth = ask.text("name"), min(ask.number("depth", 1, least=1), DEPTH_MAX)
    told: dict[str, object] = {
        "name": name, "depth": depth, "kinds": list(EdgeKind),
        "kind": ask.word("kind", EdgeKind) or "",
        "scope": ask.text("scope"), "scopes": ask.scopes(),
        "hint": "", "as_of": ask.text("as_of"), "depths": range(1, DEPTH_MAX + 1),
    }  # fmt: skip
    try:
        found = _around(ask, name, depth) if name else _hubs(ask)
    except NotFoundError as error:  # What is unknown has nothing around it; the page says so.
        found = _Found()
        told["hint"] = error.hint or str(error)
    shown = found.spots[:NODES_MAX]
    places, size = drawn(shown)
    named = {one.id: one.name for one in found.spots}
    return told | {
        "spots": shown,
        "edges": found.edges,
        "names": named,
        "shown_as": named.get(name, name),
        "drawn": places,
        "size": size,
        "hidden": found.count - len(shown),
        "is_cut": found.is_cut,
    }


def _around(ask: Ask, name: str, depth: int) -> _Found:
    kinds = [ask.text("kind")] if ask.text("kind") else None
    around = ask.brain.entities.around(
        name, depth=depth, kinds=kinds, scope=ask.maybe("scope"), known_at=ask.moment("as_of")
    )
    degrees = _degrees(around.edges)
    spots = [
        Spot(
            id=one.id,
            name=one.name,
            type=one.type,
            ring=one.distance,
            degree=degrees.get(one.id, 0),
        )
        for one in around.nodes
    ]
    # The nearest stay in any case, and of those equally near what is connected most.
    spots.sort(key=lambda one: (one.ring, -one.degree))
    return _Found(spots, around.edges, len(spots), around.is_truncated)


def _hubs(ask: Ask) -> _Found:
    parts = ask.brain.parts
    within = parts.within(ask.maybe("scope"))
    with parts.store.read() as view:
        reader = edges_at(view, ask.moment("as_of"))
        hubs, count = reader.hubs(within, limit=NODES_MAX)
        edges = reader.among(hubs, within, limit=_EDGES_MAX)
        known = {one.id: one for one in Entities(view).all_of([*hubs], within)}
    spots = []
    for place, (id_, degree) in enumerate(hubs.items()):
        if (entity := known.get(id_)) is None:
            continue
        ring = next((at for at in range(len(_RINGS)) if place < sum(_RINGS[: at + 1])), len(_RINGS))
        spots.append(Spot(id=id_, name=entity.name, type=entity.type, ring=ring, degree=degree))
    kind = ask.text("kind")
    is_cut = len(edges) == _EDGES_MAX
    edges = [one for one in edges if not kind or one.kind == kind]
    return _Found(spots, edges, count, is_cut)


def _degrees(edges: Sequence[Edge]) -> Mapping[str, int]:
    degrees: dict[str, int] = {}
    for one in edges:
        for end in (one.source, one.target):
            degrees[end] = degrees.get(end, 0) + 1
    return degrees


def drawn(spots: Sequence[Spot]) -> tuple[Mapping[str, tuple[int, int]], int]:
    """
    Return where each node is drawn, and how wide the picture is.

    What matters most stands in the middle, a ring around it for each step; few need less room.
    """
    places: dict[str, tuple[int, int]] = {}
    last = max((one.ring for one in spots), default=0)
    step = min(_RING, (_SIZE / 2 - _MARGIN) / max(1, last))
    middle = step * last + _MARGIN
    for distance in range(last + 1):
        ring = [one for one in spots if one.ring == distance]
        for number, spot in enumerate(ring):
            angle = 2 * pi * number / len(ring) - pi / 2
            x, y = (
                middle + step * distance * cos(angle),
                middle + step * distance * sin(angle),
            )
            places[spot.id] = (round(x), round(y))
    return places, round(2 * middle)
