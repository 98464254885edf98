"""The verbs on edges and triples."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, TypeAlias, TypedDict, Unpack, cast

from tilth.core.actor import require_human, require_known
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.ids import EdgeId, FactId, ProposalId, SessionId, parse_session_id
from tilth.core.instant import parse_end
from tilth.core.scope import GLOBAL, Visibility
from tilth.core.text.names import index_key
from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed, Place
from tilth.episodes.episode import Quote
from tilth.episodes.remember import scrubbed_id
from tilth.knowledge.entities.resolve_name import entities_meant
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.events import FactRetired
from tilth.knowledge.facts.fact import CONFIDENCES, Fact, FactFields, parse_confidence, parse_stated
from tilth.knowledge.facts.fact_lifecycle import removal_in
from tilth.knowledge.facts.facts import check_stated
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.triples import StatedTriple, Triples
from tilth.knowledge.facts.verbs import FactArg, KnownAt, Needs, Reason
from tilth.knowledge.facts.views import stated
from tilth.knowledge.facts.write.aggregates import RATIONALE, check_rationale
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import (
    Stated,
    as_episode,
    embedded,
    record_words,
    state_in,
)
from tilth.knowledge.graph import graph as walks
from tilth.knowledge.graph import kg, record_edge, views
from tilth.knowledge.graph.edge import Edge, parse_edge_kind
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.events import EdgeRetired
from tilth.knowledge.graph.graph import Neighbourhood, neighbourhood_in
from tilth.knowledge.graph.kg import Closed, Graph, Stats, Walk
from tilth.knowledge.graph.record_edge import Joined, node_in, with_names
from tilth.knowledge.vocabulary.registries import Channel, EdgeKind, WriteMode
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.snapshot import Snapshot
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

_FACTS_MAX = 1000
_PHASE = "phase"
_WORKING_ON = "working_on"

noun(
    "edge",
    "typed links between entities, facts and episodes",
    section=Section.ADVANCED,
    bare="list",
)
noun("kg", "the knowledge graph: triples, paths and neighbours", section=Section.ADVANCED)

Node: TypeAlias = Annotated[str, Arg("a node: an ID, or the name of an entity", metavar="NODE")]
Thing: TypeAlias = Annotated[str, Arg("a URN, or any name of the thing", metavar="NAME")]
OfChannel: TypeAlias = Annotated[
    str | None, Arg("only this channel", choices=(*Channel, "*"), metavar="CHANNEL")
]


Kinds: TypeAlias = Annotated[
    frozenset[EdgeKind] | None,
    Arg("only edges of this kind; may be repeated", flags=("--kind",), parse=parse_edge_kind),
]


class Narrowing(TypedDict, total=False):
    """The fields by which a timeline and counts may be filtered."""

    channel: OfChannel
    predicate: Annotated[str | None, Arg("only this predicate", metavar="WORD")]
    since: Annotated[datetime | None, Arg("only triples that began at this instant or later")]
    known_at: KnownAt
    scope: Narrowed


@verb(
    "edge add",
    roles=ANYONE,
    view=views.joined,
    examples=("tilth edge add checkout depends_on postgres",),
)
def add_edge(
    brain: Context,
    source: Node,
    kind: Annotated[EdgeKind, Arg("how they relate", metavar="KIND", parse=parse_edge_kind)],
    target: Node,
    *,
    scope: Place = GLOBAL,
) -> Joined:
    """
    Add an edge between two nodes.

    An unknown name becomes a new entity.

    Returns:
        The edge, and whether it is new.

    Raises:
        InvalidInputError: an end is not a node, or both ends are the same.
        NotFoundError: an end does not exist, or cannot be seen from the scope.
        ForbiddenError: the name of an end holds an excluded term.
    """
    ends = (source, target)
    brain.excluded.refuse(ends, "an edge")
    return record_edge.add_edge(brain.store, ends, kind, brain.recorder, scope=scope)


@verb(
    "edge list",
    roles=ANYONE,
    view=views.edge_list,
    key="edges",
    examples=("tilth edge list", "tilth edge list postgres --kind depends_on"),
)
def list_edges(
    brain: Context,
    node: Annotated[Node | None, Arg("only those of this node")] = None,
    *,
    kinds: Kinds = None,
    limit: Annotated[int, Arg("the most to return", least=1)] = 100,
    after: Annotated[
        int, Arg("only items after this place in the ledger", metavar="SEQ", least=0)
    ] = 0,
    scope: Narrowed = None,
) -> Sequence[Edge]:
    """
    List edges, of everything or of one node, oldest first.

    Returns:
        The edges, with their ends as they are now.

    Raises:
        NotFoundError: there is no such node, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    check_page(limit, PAGE_MAX)
    with brain.store.read() as view:
        if node is None:
            found = Edges(view).select(within, kinds=kinds, limit=limit, after=after)
            return with_names(view, found, within)
        found = Edges(view).around(node_in(view, node, within), within, kinds=kinds, limit=limit)
        return with_names(view, sorted(found, key=lambda edge: edge.seq)[:limit], within)


@verb(
    "edge retire",
    roles=ANYONE,
    view=views.retired_edge,
    key="edge",
    examples=("tilth edge retire edg_01KAR --reason 'moved to sqlite'",),
)
def retire_edge(
    brain: Context,
    edge_id: Annotated[
        EdgeId, Arg("the edge's ID, as listed", id=EdgeId.prefix, parse=EdgeId.parse)
    ],
    *,
    reason: Reason = "",
) -> Edge:
    """
    End an edge.

    Returns:
        The edge as it was.

    Raises:
        NotFoundError: there is no such edge.
    """
    with brain.store.begin() as tx:
        within = Visibility(brain.recorder.owner)
        (edge,) = record_edge.with_names(tx, [Edges(tx).get(edge_id, within)], within)
        if edge.by != brain.recorder.by:
            require_human(brain.recorder.by, "retire what somebody else joined")
        event = EdgeRetired(edge_id=edge_id, reason=scrub(reason).text)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
    logger.info("edge retired: edge=%s", edge_id)
    return edge


@verb(
    "entity around",
    roles=ANYONE,
    view=views.neighbourhood,
    examples=("tilth entity around DNS --depth 2",),
)
def around(
    brain: Context,
    name: Node,
    *,
    depth: Annotated[int, Arg("hops, at most 2", least=1)] = 1,
    kinds: Kinds = None,
    known_at: KnownAt = None,
    scope: Narrowed = None,
) -> Neighbourhood:
    """
    Show what is around a node.

    Returns:
        The nodes that edges lead to, and the edges.

    Raises:
        NotFoundError: there is no such node, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        start = node_in(view, name, within)
        return neighbourhood_in(view, start, within, depth=depth, kinds=kinds, known_at=known_at)


@verb(
    "entity impact",
    roles=ANYONE,
    view=views.impact,
    examples=("tilth entity impact nas",),
)
def impact(
    brain: Context,
    name: Node,
    *,
    depth: Annotated[int, Arg("hops, at most 5", least=1)] = 3,
    scope: Narrowed = None,
) -> Neighbourhood:
    """
    Show what depends on a node.

    Returns:
        The nodes that depend on it, directly or through others, and the edges.

    Raises:
        NotFoundError: there is no such node, or it cannot be seen from the scope.
    """
    return walks.impact(brain.store, name, brain.within(scope), depth=depth)


@verb(
    "kg add",
    python="kg.add",
    roles=ANYONE,
    view=stated,
    examples=(
        "tilth kg add entity urn:service:api listens_on 9090",
        "tilth kg add decision project:shop uses postgres --rationale 'row-level security'",
    ),
)
def add(
    brain: Needs,
    channel: Annotated[
        str, Arg("the channel of a triple", choices=tuple(Channel), metavar="CHANNEL")
    ],
    subject: Annotated[str, Arg("a name or URN", metavar="SUBJECT")],
    predicate: Annotated[str, Arg("how the two are joined", metavar="PREDICATE")],
    object: Annotated[str, Arg("a value, a name or a URN", metavar="OBJECT")],
    *,
    session_id: Annotated[
        SessionId | None,
        Arg(
            "the session it comes from", flags=("--session",), metavar="ID", parse=parse_session_id
        ),
    ] = None,
    rationale: Annotated[str, Arg("why; decisions need it", metavar="TEXT")] = "",
    confidence: Annotated[
        float | None,
        Arg(f"0 to 1, or {', '.join(CONFIDENCES)}", metavar="NUMBER", parse=parse_confidence),
    ] = None,
    scope: Place = GLOBAL,
    valid_from: Annotated[datetime | None, Arg("when it began, if not now")] = None,
    valid_to: Annotated[
        datetime | None, Arg("when it ends, if it does; a day ends with it", parse=parse_end)
    ] = None,
    supersedes: Annotated[FactArg | None, Arg("the fact that it supersedes")] = None,
) -> Stated:
    """
    State a triple in a channel.

    If its predicate has one value, it supersedes the current triple or waits for a human, as the
    rule of the predicate says.

    Returns:
        The fact, what was done with it, and the waiting proposal, if any.

    Raises:
        InvalidInputError: a part is missing, or the triple breaks the channel's rule.
    """
    told = {"subject": subject, "predicate": predicate, "object": object, "channel": channel}
    rest = {
        "scope": scope,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "supersedes": supersedes,
    } | ({} if confidence is None else {"confidence": confidence})
    draft = parse_stated("", cast("FactFields", {**told, **rest}))
    check_stated([draft], brain.excluded)
    writing = brain.writing
    draft, rationale = scrubbed_fact(draft), scrub(rationale).text
    if rationale:
        draft = replace(draft, metadata={**draft.metadata, RATIONALE: rationale})
    check_rationale(draft, rationale)
    vectors = embedded([draft], writing.embedder)
    with brain.store.begin() as tx:
        if (session := scrubbed_id(session_id)) is not None:
            said = replace(as_episode(draft), session_id=session)
            quote = Quote(record_words(tx, said, vectors[1], writing))
            draft = replace(draft, quotes=(*draft.quotes, quote))
        words = KnownWords(tx).known(writing.recorder.owner)
        stated = state_in(tx, draft, writing, words=words, vectors=vectors, reason=None)
    logger.info("triple stated: fact=%s verdict=%s", stated.fact.id, stated.verdict)
    return stated


@verb(
    "kg archive",
    python="kg.archive",
    roles=ANYONE,
    view=views.closed,
    examples=("tilth kg archive urn:task:checkout",),
)
def archive(
    brain: Context,
    item: Annotated[str, Arg("a URN, or any name of the work item", metavar="NAME")],
    *,
    reason: Annotated[Reason, Arg("why, if not simply over")] = "",
) -> Closed:
    """
    Close a work item: end who works on it, and its phase.

    `tilth fact undo ID` brings back a fact that ended. A fact that a human confirmed waits for a
    human.

    Returns:
        The facts that ended, and the waiting proposals.

    Raises:
        NotFoundError: nothing visible has that name.
    """
    require_known(brain.recorder.by, "end what is said of a work item")
    within = Visibility(brain.recorder.owner)
    why = scrub(reason).text or f"the work item {item} is archived"
    ended: list[FactId] = []
    proposed: list[ProposalId] = []
    with brain.store.begin() as tx:
        known = KnownWords(tx).known(brain.recorder.owner)
        for fact in _open(tx, item, within):
            predicate = known.predicate(fact.said.triple.predicate) if fact.said.triple else None
            is_auto = predicate is not None and predicate.mode is WriteMode.AUTO
            if brain.recorder.by.is_human or (is_auto and not fact.is_vouched):
                event = FactRetired(fact_id=fact.id, reason=why)
                tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
                ended.append(fact.id)
            else:
                asked = removal_in(tx, fact, why, brain.recorder).proposal_id
                proposed += [asked] if asked is not None else []
    logger.info("work item closed: ended=%d proposed=%d", len(ended), len(proposed))
    return Closed(tuple(ended), tuple(proposed))


def _open(reader: Snapshot, item: str, within: Visibility) -> Iterator[Fact]:
    """Yield the facts on who works on an item and on its phase, under any of its names."""
    entity, *_ = entities_meant(reader, item, within)
    names = {index_key(name): name for name in Entities(reader).bearer(entity.id, within).names}
    for name in names.values():
        for which in (
            FactFilter(within=within, predicate=_WORKING_ON, object=name),
            FactFilter(within=within, predicate=_PHASE, subject=name),
        ):
            yield from Facts(reader).select(which, limit=_FACTS_MAX)


@verb(
    "kg query",
    python="kg.query",
    roles=ANYONE,
    view=views.walk,
    examples=("tilth kg query Acme --depth 2",),
)
def query(
    brain: Context,
    entity: Thing,
    *,
    depth: Annotated[int, Arg("hops, at most 5", least=1)] = 1,
    channel: OfChannel = None,
    as_of: Annotated[datetime | None, Arg("facts that held at this instant")] = None,
    known_at: KnownAt = None,
    scope: Narrowed = None,
) -> Walk:
    """
    Show the triples about a thing, and around it.

    A depth of 2 or more also follows the URNs in the answer, to triples about them and triples that
    point at them.

    Returns:
        The triples, nearest first, and how far the walk went.
    """
    which = _which(brain, channel, Moment(as_of, known_at), scope)
    return kg.query(brain.store, brain.clock, entity, which, depth=depth)


@verb(
    "kg explore",
    python="kg.explore",
    roles=ANYONE,
    view=views.graph,
    examples=("tilth kg explore Acme",),
)
def explore(
    brain: Context,
    entity: Thing,
    *,
    depth: Annotated[int, Arg("hops, at most 5", least=1)] = 3,
    channel: OfChannel = None,
    scope: Narrowed = None,
) -> Graph:
    """
    Show the graph around a thing.

    Returns:
        Its nodes, and the triples that link them.
    """
    which = _which(brain, channel, Moment(), scope)
    return kg.explore(brain.store, brain.clock, entity, which, depth=depth)


@verb(
    "kg timeline",
    python="kg.timeline",
    roles=ANYONE,
    view=views.timeline,
    key="triples",
    examples=("tilth kg timeline Acme --predicate phase",),
)
def timeline(
    brain: Context,
    entity: Thing,
    *,
    limit: Annotated[int, Arg("the most to return", least=1)] = 100,
    **narrowing: Unpack[Narrowing],
) -> Sequence[StatedTriple]:
    """
    Show the triples of a thing and when they held, oldest first.

    If there are more than `limit`, those that began last are shown.

    Returns:
        The triples that hold and those that held.
    """
    which = _narrowed(brain, narrowing)
    return kg.timeline(brain.store, brain.clock, entity, which, limit=limit)


@verb("kg stats", python="kg.stats", roles=ANYONE, view=views.counts, examples=("tilth kg stats",))
def stats(brain: Context, **narrowing: Unpack[Narrowing]) -> Stats:
    """
    Count triples by channel and predicate.

    Returns:
        How many hold in all, and under each predicate.
    """
    with brain.store.read() as view:
        counts = tuple(Triples(view).counts(_narrowed(brain, narrowing)))
    return Stats(sum(one.count for one in counts), counts)


def _narrowed(brain: Context, narrowing: Narrowing) -> FactFilter:
    moment = Moment(known_at=narrowing.get("known_at"))
    return replace(
        _which(brain, narrowing.get("channel"), moment, narrowing.get("scope")),
        predicate=narrowing.get("predicate"),
        began_from=narrowing.get("since"),
    )


def _which(brain: Context, channel: str | None, moment: Moment, scope: str | None) -> FactFilter:
    return FactFilter(
        within=brain.within(scope),
        moment=moment,
        channel=None if channel in {None, "", "*"} else Channel(str(channel)),
    )
