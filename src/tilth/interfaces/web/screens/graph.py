"""The graph around a thing: few nodes, close by, and the same as a table."""

from collections.abc import Mapping
from math import cos, pi, sin

from tilth.interfaces.web.screen import Ask, Told, screen
from tilth.knowledge.graph.graph import Neighbourhood
from tilth.knowledge.vocabulary.registries import EdgeKind

NODES_MAX = 150
_SIZE = 1000
_RING = 190


@screen("/graph", title="Graph", group="See", place=65)
def graph(ask: Ask) -> Told:
    """Gather what is around a thing, up to a depth, by some kinds of edge or all."""
    brain, name = ask.brain, ask.text("name")
    depth = ask.number("depth", 1, most=3)
    told: dict[str, object] = {
        "name": name, "depth": depth, "kinds": list(EdgeKind), "kind": ask.text("kind"),
        "around": None, "drawn": None, "hidden": 0, "size": _SIZE,
    }  # fmt: skip
    if name:
        kinds = [ask.text("kind")] if ask.text("kind") else None
        around = brain.entities.around(name, depth=depth, kinds=kinds)
        told |= {
            "around": around,
            "drawn": drawn(around),
            "hidden": max(0, len(around.nodes) - NODES_MAX),
        }
    return told


def drawn(around: Neighbourhood) -> Mapping[str, tuple[int, int]]:
    """Return where each node is drawn: the thing in the middle, a ring for each step from it."""
    places: dict[str, tuple[int, int]] = {}
    nodes = around.nodes[:NODES_MAX]
    for distance in sorted({one.distance for one in nodes}):
        ring = [one for one in nodes if one.distance == distance]
        for number, node in enumerate(ring):
            angle = 2 * pi * number / len(ring) - pi / 2
            reach = _RING * distance
            x, y = _SIZE / 2 + reach * cos(angle), _SIZE / 2 + reach * sin(angle)
            places[node.id] = (round(x), round(y))
    return places
