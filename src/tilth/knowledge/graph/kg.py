"""
The graph of triples: stating triples, and walking from entity to entity.

A triple is a fact, stated and decided like any other; here it is read as a step. Walks follow URNs
only: a plain word such as `client` is a value, which does not relate those that share it. Depth 1
is what is said of an entity. Each further depth adds what is said of the entities named there, and
what mentions those of the depth before.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from tilth.core.calls.paging import check_page
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId, ProposalId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.text.urn import is_urn, node_key, other_names, part_key
from tilth.knowledge.entities.resolve_name import entities_named
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import check_part
from tilth.knowledge.facts.triples import End, Hop, PredicateCount, StatedTriple, Triples
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

DEPTH_MAX = 5
FAN_OUT = 100
TRIPLES_MAX = 1000
TIMELINE_MAX = 1000
# Facts that ever held, without drafts and rejected ones.
_TOLD = frozenset(
    {Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL, Lifecycle.ARCHIVED}
)


@dataclass(frozen=True, slots=True)
class Closed:
    """The facts that ended with a work item, and the proposals that wait."""

    ended: tuple[FactId, ...]
    proposed: tuple[ProposalId, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """
    The triples around an entity, nearest first.

    `depth` is how far the walk went; `is_clamped` says that more was asked for, `truncated` that
    there are more triples.
    """

    triples: tuple[StatedTriple, ...]
    depth: int
    is_clamped: bool
    truncated: bool


@dataclass(frozen=True, slots=True)
class Join:
    """Two nodes that are names of one thing, or of its parts; a whole is the other of its part."""

    name: str
    other: str


@dataclass(frozen=True, slots=True)
class Graph:
    """
    A connected part of the graph.

    `nodes` are entities and values as the triples in `links` call them, those of the thing itself
    first. `joins` connect the names that are of one thing, such as those of a merged entity, and
    `urn:client:acme/CTO` with `urn:client:acme`.
    """

    nodes: tuple[str, ...]
    links: tuple[StatedTriple, ...]
    joins: tuple[Join, ...]
    depth: int
    is_clamped: bool
    truncated: bool


@dataclass(frozen=True, slots=True)
class Stats:
    """How many triples are current, by channel and predicate."""

    count: int
    predicates: tuple[PredicateCount, ...]


def query(store: Store, clock: Clock, name: str, which: FactFilter, *, depth: int) -> Walk:
    """Return the triples about an entity and, through its URNs, those around it."""
    hops = _hops(depth)
    with store.read() as view:
        triples, truncated = _walked(view, clock, name, which, depth=hops, lag=1)
    return Walk(tuple(triples), hops, depth > hops, truncated)


def explore(store: Store, clock: Clock, name: str, which: FactFilter, *, depth: int) -> Graph:
    """Return the graph around an entity; mentions of it are as near as its own triples."""
    hops = _hops(depth)
    with store.read() as view:
        links, truncated = _walked(view, clock, name, which, depth=hops, lag=0)
        sought = {node_key(one) for one in _names(view, name, which)}
    ends = dict.fromkeys(end for link in links for end in (link.subject, link.object))
    nodes = sorted(ends, key=lambda end: (node_key(end) not in sought, bool(part_key(end))))
    joins = _joined(nodes, sought)
    return Graph(tuple(nodes), tuple(links), tuple(joins), hops, depth > hops, truncated)


def timeline(
    store: Store, clock: Clock, name: str, which: FactFilter, *, limit: int
) -> Sequence[StatedTriple]:
    """Return everything that ever held of an entity, oldest first."""
    check_page(limit, TIMELINE_MAX)
    told = replace(which, lifecycles=_TOLD, reviews=frozenset(Review) - {Review.REJECTED})
    at = which.moment.known_at or clock.now()
    with store.read() as view:
        found = {
            triple.id: triple
            for one in _names(view, name, which)
            for triple in Triples(view).timeline(one, told, at, limit=limit)
        }
    return sorted(found.values(), key=lambda one: (one.valid_from, one.recorded_at))[-limit:]


def _hops(depth: int) -> int:
    if depth < 1:
        raise InvalidInputError(f"depth is 1 to {DEPTH_MAX}, not {depth}")
    return min(depth, DEPTH_MAX)


def _walked(
    view: Snapshot, clock: Clock, name: str, which: FactFilter, *, depth: int, lag: int
) -> tuple[list[StatedTriple], bool]:
    """Walk; mentions of an entity come *lag* depths after what is said of it."""
    moment = which.moment
    now = clock.now()
    which = which if moment.as_of is not None else replace(which, now=now)
    at = moment.known_at or now
    frontiers = [_names(view, name, which)]
    passed = set(frontiers[0]) | {node_key(one) for one in frontiers[0] if not part_key(one)}
    found: dict[FactId, StatedTriple] = {}
    truncated = False
    for level in range(1, depth + 1):
        steps = [(End.SUBJECT, level - 1), (End.OBJECT, level - 1 - lag)]
        more: list[StatedTriple] = []
        for end, index in steps:
            names = frontiers[index] if index >= 0 else []
            for triples in Triples(view).around(names, which, Hop(end, level, FAN_OUT, at)):
                truncated |= len(triples) > FAN_OUT
                more += triples[:FAN_OUT]
        new = list({one.id: one for one in more if one.id not in found}.values())
        room = TRIPLES_MAX - len(found)
        truncated |= len(new) > room
        found |= {one.id: one for one in new[:room]}
        # The last triples are not followed.
        frontiers.append(_crossed(new[:room], passed) if level < depth else [])
    return list(found.values()), truncated


def _crossed(triples: Iterable[StatedTriple], passed: set[str]) -> list[str]:
    """Return the entities that these triples lead to and the walk has not passed."""
    crossed: list[str] = []
    read: set[str] = set()
    for triple in triples:
        for end in (triple.object, triple.subject):
            if end in read:
                continue
            read.add(end)
            if is_urn(end) and (node := node_key(end)) not in passed:
                passed.add(node)
                crossed.append(node)
    return crossed


def _joined(nodes: Iterable[str], sought: Collection[str]) -> Iterator[Join]:
    """Yield which nodes are of a thing that an earlier node is of; *sought* are keys of one."""
    first: dict[str, str] = {}
    for node in nodes:
        key = node_key(node)
        if key not in sought and not is_urn(node):
            # A value, which two things may share.
            continue
        other = first.setdefault("" if key in sought else key, node)
        if other != node:
            yield Join(node, other)


def _names(view: Snapshot, name: str, which: FactFilter) -> list[str]:
    """Return *name* and the other names of its entity, including merged ones."""
    check_part("name", name)
    names: Collection[str] = [name]
    if not part_key(name):
        names = [name, *other_names(name)]
        known = Entities(view)
        for entity in entities_named(view, name, which.within) or known.of_urn(name, which.within):
            merged = known.merged(entity.id, which.within)
            names = [
                *names,
                *(one for each in (entity, *merged) for one in (each.name, *each.aliases)),
            ]
    return list({part_key(one) or node_key(one): one for one in names}.values())
