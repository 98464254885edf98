"""The tools for triples, which a server offers when it is asked to: `tilth mcp --tools kg`."""

from typing import Annotated, Literal, TypeAlias

from mcp_types import CallToolResult
from pydantic import Field

# The one of `typing` says too little about itself before Python 3.12 for schemas to be made of it.
from typing_extensions import TypedDict

from tilth.core.instant import parse_instant
from tilth.core.lifecycle import Lifecycle
from tilth.interfaces.mcp.results import Shown, answer, label
from tilth.interfaces.mcp.service import Service, ToolFamily
from tilth.interfaces.mcp.tool_errors import ADDS, READS, CheckedTool, tool
from tilth.knowledge.facts.fact import CONFIDENCE_CAP
from tilth.knowledge.facts.triples import StatedTriple
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.graph.kg import DEPTH_MAX
from tilth.privacy.sanitize import sanitized

Memory: TypeAlias = Literal[
    "intent", "entity", "decision", "milestone", "agent_diary", "relationship"
]
Channels: TypeAlias = Literal[
    "*", "intent", "entity", "decision", "milestone", "agent_diary", "relationship"
]
_PART_CHARS = 200
_NO_TRIPLE = (
    "No triple says anything of that. What else is known of it: recall, or tilth://about/{name}."
)


class TripleItem(TypedDict):
    """
    One triple. *source* is the session or episode.

    *status* is its lifecycle, review and grade, and whether it is contested.
    """

    id: str
    channel: str
    subject: str
    predicate: str
    object: str
    confidence: float
    source: str
    freshness: str
    age_days: int
    status: str
    depth: int


class KgQueryResult(Shown):
    """Triples, nearest first; *truncated*: there are more; *is_clamped*: it went less far."""

    triples: list[TripleItem]
    depth: int
    is_clamped: bool
    truncated: bool


class KgAddResult(TypedDict):
    """The triple, and what became of it: recorded, reinforced, superseded or proposed."""

    id: str
    verdict: str
    retired: str
    proposal_id: str
    warnings: list[str]


class KgTools(ToolFamily):
    """The tools for triples of one server."""

    def kg_query(
        self,
        entity: str,
        *,
        depth: Annotated[int, Field(ge=1, description=f"at most {DEPTH_MAX}")] = 1,
        channel: Channels = "*",
        as_of: Annotated[str, Field(description="ISO date: what held then")] = "",
        known_at: Annotated[str, Field(description="ISO date: as known then")] = "",
        scope: str = "",
    ) -> Annotated[CallToolResult, KgQueryResult]:
        """
        What is said of a thing, as triples.

        Each further depth adds what is said of the URNs named there, and what mentions what was
        reached before.
        """  # noqa: D401 - what agents read
        walk = self._brain.kg.query(
            entity,
            depth=depth,
            channel=channel,
            as_of=parse_instant(as_of) if as_of else None,
            known_at=parse_instant(known_at) if known_at else None,
            scope=scope or None,
        )
        result = KgQueryResult(
            triples=[_item(one) for one in walk.triples],
            depth=walk.depth,
            is_clamped=walk.is_clamped,
            truncated=walk.truncated,
        )
        # Edges and facts in words are no triples, and an agent takes this for all that is known.
        blocks = [_line(item) for item in result["triples"]] or [_NO_TRIPLE]
        blocks += ["There is more: narrow it by channel or depth."] if walk.truncated else []
        blocks += [f"No walk goes further than {walk.depth} hops."] if walk.is_clamped else []
        ids = [one.id for one in walk.triples]
        return answer(result, self._service.evidence(["\n".join(blocks)], "kg_query", ids, entity))

    def kg_add(  # noqa: PLR0913 - what an agent may tell, by name
        self,
        channel: Memory,
        subject: str,
        predicate: str,
        object: str,  # noqa: A002 - the word of seed 002
        *,
        confidence: Annotated[float, Field(ge=0, le=1)] = CONFIDENCE_CAP,
        session_id: str = "",
        rationale: Annotated[str, Field(description="why; a decision needs it")] = "",
        supersedes: str = "",
        scope: str = "",
    ) -> Annotated[CallToolResult, KgAddResult]:
        """
        State a triple.

        Name things by URN, such as urn:client:acme. Where a predicate has one value, the new comes
        in the place of the old, or waits for a human.
        """
        stated = self._brain.kg.add(
            channel,
            subject,
            predicate,
            object,
            confidence=confidence,
            session_id=session_id or None,
            rationale=rationale,
            supersedes=supersedes or None,
            scope=self._service.write_scope(scope),
        )
        result = KgAddResult(
            id=stated.fact.id,
            verdict=stated.verdict,
            retired=stated.retired or "",
            proposal_id=stated.proposal_id or "",
            warnings=[sanitized(one) for one in stated.warnings],
        )
        return answer(result, "\n".join([_outcome_text(stated), *result["warnings"]]))


def _outcome_text(stated: Stated) -> str:
    """Say what became of a triple: what waits must not read like what holds."""
    fact_id = stated.fact.id
    if stated.fact.life.lifecycle is Lifecycle.DRAFT:
        command = f"show {stated.proposal_id}" if stated.proposal_id else "list"
        return (
            f"{fact_id} is a draft, and holds only once the user confirms it, who runs:"
            f" tilth review {command}"
        )
    if stated.retired:
        return f"{fact_id} is recorded, and supersedes {stated.retired}."
    if stated.verdict == "reinforced":
        return f"{fact_id} says that already, and is reinforced."
    return f"{fact_id} is recorded."


def kg_tools(service: Service) -> list[CheckedTool]:
    """Return the tools for triples."""
    tools = KgTools(service)
    return [
        tool(tools.kg_query, READS, "Query triples"),
        tool(tools.kg_add, ADDS, "Add a triple"),
    ]


def _item(one: StatedTriple) -> TripleItem:
    return TripleItem(
        id=one.id,
        channel=one.channel,
        subject=label(one.subject, _PART_CHARS),
        predicate=label(one.predicate, _PART_CHARS),
        object=label(one.object, _PART_CHARS),
        confidence=round(one.confidence, 3),
        source=label(one.source, _PART_CHARS),
        freshness=one.freshness,
        age_days=one.age_days,
        status=_status(one),
        depth=one.depth,
    )


def _status(one: StatedTriple) -> str:
    doubt = ", contested" if one.is_contested else ""
    return f"{one.lifecycle}, {one.review}, {one.grade}{doubt}"


def _line(item: TripleItem) -> str:
    said = f"{item['subject']} {item['predicate']} {item['object']}"
    return f"{said} · {item['channel']}, {item['freshness']}, {item['status']} · {item['id']}"
