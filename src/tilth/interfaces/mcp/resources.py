"""The resources, the prompts and the completions of the MCP server."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from urllib.parse import quote

import anyio
from mcp.server.mcpserver import MCPServer, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from tilth.context.model import BriefRequest
from tilth.core.errors import NotFoundError, TilthError
from tilth.core.instant import written_minute
from tilth.core.view import number_of
from tilth.episodes.episode import Episode
from tilth.interfaces.mcp.results import label
from tilth.interfaces.mcp.service import Service
from tilth.interfaces.to_json import to_json
from tilth.knowledge.about.about import About
from tilth.privacy.sanitize import as_block, sanitized, shortened

# Not markdown: nothing that was recorded is rendered.
_MIME = "text/plain"
_SESSIONS_MAX = 100
_DOCUMENTS_MAX = 100
_EPISODES_MAX = 1000
_PAGE_CHARS = 24_000
_EPISODE_CHARS = 2_000
_TITLE_CHARS = 120
# "A completion has at most 100 values" (MCP, completion/complete).
_COMPLETED_MAX = 100
# Identifiers are looked up, never used as paths.
_SESSION = ResourceSecurity(exempt_params={"session_id"})
_SCOPE = ResourceSecurity(exempt_params={"scope"})
_NAME = ResourceSecurity(exempt_params={"name"})


def add_resources(server: MCPServer, service: Service) -> None:
    """Let *server* show sessions and episodes under `tilth://`."""

    @server.resource(
        "tilth://sessions",
        title="Sessions",
        description="The sessions that were active last, each with the address to read it.",
        mime_type=_MIME,
    )
    @_as_resource_errors
    def sessions() -> str:
        known = service.brain.sessions.list(limit=_SESSIONS_MAX)
        lines = [
            f"tilth://session/{quote(one.id, safe='')} · {written_minute(one.last_at)}"
            f" · {number_of(one.episode_count, 'episode')} · {one.scope}"
            f" · {label(one.info.title or one.info.folder, _TITLE_CHARS)}"
            for one in known
        ]
        return service.evidence(["\n".join(lines) or "There are no sessions."], "sessions", ())

    @server.resource(
        "tilth://session/{session_id}",
        title="Session",
        description="What was said in a session, from its beginning.",
        mime_type=_MIME,
        security=_SESSION,
    )
    @_as_resource_errors
    def session(session_id: str) -> str:
        service.check_session(session_id, None)
        told = service.brain.episodes.list(session_id=session_id, limit=_EPISODES_MAX)
        blocks = [*_page(service, told)]
        shown = [
            one.id for one, block in zip(told, blocks, strict=False) if block.startswith(one.id)
        ]
        return service.evidence(blocks, "session", shown)

    @server.resource(
        "tilth://episode/{episode_id}",
        title="Episode",
        description="One episode, word for word.",
        mime_type=_MIME,
    )
    @_as_resource_errors
    def episode(episode_id: str) -> str:
        told = _episode_text(service, service.brain.episodes.get(episode_id), _PAGE_CHARS)
        return service.evidence([told], "episode", [episode_id])


def add_documents(server: MCPServer, service: Service) -> None:
    """Let *server* show documents, whole or by section."""

    @server.resource(
        "tilth://documents",
        title="Documents",
        description="The documents that were imported, each section with the address to read it.",
        mime_type=_MIME,
    )
    @_as_resource_errors
    def documents() -> str:
        lines = [
            f"tilth://document/{document.slug}/{section.slug}"
            f" · {label(document.title, _TITLE_CHARS)}"
            for document, sections in service.brain.documents.list(limit=_DOCUMENTS_MAX)
            for section in sections
        ]
        return service.evidence(["\n".join(lines) or "There are no documents."], "documents", ())

    @server.resource(
        "tilth://document/{name}/{section}",
        title="Section of a document",
        description="What a section says, word for word.",
        mime_type=_MIME,
    )
    @_as_resource_errors
    def section(name: str, section: str) -> str:
        _, sections = service.brain.documents.read(name, section)
        pieces = [piece for one in sections for piece in one.pieces]
        blocks = [_episode_text(service, piece, _PAGE_CHARS) for piece in pieces]
        return service.evidence(blocks, "document", [piece.id for piece in pieces])


def add_brief(server: MCPServer, service: Service) -> None:
    """Let *server* show what a session begins with."""

    @server.resource(
        "tilth://brief/{scope}",
        title="Brief",
        description="What a session in this scope (project:KEY, global) begins with.",
        mime_type=_MIME,
        security=_SCOPE,
    )
    @_as_resource_errors
    def brief(scope: str) -> str:
        made = service.brain.brief(BriefRequest(via="mcp/brief"), scope=scope)
        service.keep_receipt(made.context)
        return made.text or service.evidence(["Nothing is known here yet."], "brief", ())


def add_about(server: MCPServer, service: Service) -> None:
    """Let *server* say what is known about a thing."""

    @server.resource(
        "tilth://about/{name}",
        title="About",
        description="What is known about a thing, by any of its names: facts, edges, mentions.",
        mime_type=_MIME,
        security=_NAME,
    )
    @_as_resource_errors
    def about(name: str) -> str:
        known = service.brain.about(name)
        facts = [one.fact.id for one in known.facts]
        return service.evidence([*_about(known)], "about", facts)


def _about(known: About) -> Iterator[str]:
    """Return what is known, with the IDs that it rests on."""
    yield shortened(
        sanitized(f"{', '.join(known.card.names)} · {known.card.entity.type}"), _PAGE_CHARS
    )
    contested = {fact.id for fact in known.contested}
    for one in known.facts:
        doubt = ", contested" if one.fact.id in contested else ""
        doubt += ", overtaken" if one.fact.is_overtaken else ""
        stands = f"{one.freshness}, {one.fact.life.review}, {one.fact.grade}{doubt}"
        yield f"{one.fact.id} · {stands}\n\n{as_block(sanitized(one.fact.said.text))}"
        for value in one.fact.beside:
            what = "value" if value.is_value else "said in"
            words = " ".join(sanitized(value.words).split())
            yield f"{what}: {shortened(words, _PAGE_CHARS)} · {value.id} · {value.lifecycle}"
    names = {node.id: " ".join(sanitized(node.name).split()) for node in known.graph.nodes}
    edges = [f"{names[edge.source]} {edge.kind} {names[edge.target]}" for edge in known.graph.edges]
    if edges:
        yield "\n".join(edges)
    for mention in known.mentions:
        yield f"{mention.episode_id}\n\n{as_block(sanitized(mention.text))}"
    if known.card.namesakes:
        others = ", ".join(f"tilth://about/{one}" for one in known.card.namesakes)
        yield f"Others go by that name, and nothing of them is said here: {others}"


def add_growth(server: MCPServer, service: Service) -> None:
    """Let *server* tell how much was recorded and learned, in the numbers of every surface."""

    @server.resource(
        "tilth://growth",
        title="Growth",
        description="How much was recorded and learned by day, and how much of it holds.",
        mime_type="application/json",
    )
    @_as_resource_errors
    def growth() -> str:
        # Numbers and dates alone: nothing that somebody wrote is in it.
        return json.dumps(to_json(service.brain.growth()))


def add_prompts(server: MCPServer) -> None:
    """Let *server* offer ways to begin."""

    @server.prompt(
        name="recall-first",
        title="Recall first",
        description="Begin with what is remembered about a topic.",
    )
    def recall_first(topic: str) -> str:
        return (
            "Before you answer or change anything, call recall with two or three different"
            f" questions about this topic: {topic}\n"
            "Then tell me in a few sentences what is known, with the ids it rests on, what is"
            " older than 90 days and should be checked, and what the memory does not know."
        )

    @server.prompt(
        name="summarise-session",
        title="Summarise a session",
        description="Read a recorded session and sum it up.",
    )
    def summarise_session(session_id: str) -> str:
        return (
            f"Read the resource tilth://session/{quote(session_id, safe='')}, and where it is cut"
            " recall the rest with its session_id. Then sum the session up: the objective, what"
            " was decided and why, what failed, what is open. Cite the id of an episode for each"
            " point, and add nothing that no episode says."
        )


def add_completion(server: MCPServer, service: Service) -> None:
    """Let *server* complete the IDs of sessions."""

    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator] # the SDK's
    async def complete(
        _about: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _context: CompletionContext | None,
    ) -> Completion | None:
        if argument.name != "session_id":
            return None
        found = await anyio.to_thread.run_sync(service.session_ids, argument.value)
        return Completion(
            values=found[:_COMPLETED_MAX],
            total=len(found),
            has_more=len(found) > _COMPLETED_MAX,
        )


def _as_resource_errors(read: Callable[..., str]) -> Callable[..., str]:
    """Turn our errors into those that reach the client with their words."""

    @wraps(read)
    def refused(*args: str, **kwargs: str) -> str:
        try:
            return read(*args, **kwargs)
        except TilthError as error:
            words = sanitized(f"{error} ({error.code}) {error.hint}".strip())
            kind = ResourceNotFoundError if isinstance(error, NotFoundError) else ResourceError
            raise kind(words) from error

    return refused


def _page(service: Service, episodes: Sequence[Episode]) -> Iterator[str]:
    """Yield episodes as long as there is room, and then how many are left."""
    room = _PAGE_CHARS
    for number, episode in enumerate(episodes):
        block = _episode_text(service, episode, _EPISODE_CHARS)
        room -= len(block)
        if room < 0:
            yield f"{len(episodes) - number} or more follow: recall with session_id."
            return
        yield block


def _episode_text(service: Service, episode: Episode, chars: int) -> str:
    text = shortened(sanitized(episode.text), chars)
    service.echoes.shown(episode.id, episode.scope, episode.text, text)
    who = label(episode.author or episode.role, _TITLE_CHARS)
    return f"{episode.id} · {written_minute(episode.occurred_at)} · {who}\n\n{as_block(text)}"
