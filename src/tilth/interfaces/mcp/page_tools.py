"""The tools for pages, which a server offers when it is asked to: `tilth mcp --tools pages`."""

from typing import Annotated, Literal, TypeAlias, cast

from mcp_types import CallToolResult
from pydantic import Field

from tilth.core.scope import Scope, parse_scope
from tilth.interfaces.mcp.results import Shown, answer
from tilth.interfaces.mcp.service import Service, ToolFamily
from tilth.interfaces.mcp.tool_errors import ADDS, READS, CheckedTool, tool
from tilth.interfaces.to_json import to_json
from tilth.pages.document import source_count
from tilth.pages.model import Page
from tilth.privacy.sanitize import sanitized

_NONE = "There are no pages."
Kind: TypeAlias = Literal[
    "system-state",
    "pending-tasks",
    "topology",
    "summary",
    "event-log",
    "entity",
    "project",
    "topic",
]


class PageResult(Shown):
    """A page; *compiled_from* are the facts and episodes that it cites."""

    name: str
    kind: str
    title: str
    compiled_from: list[str]
    generated_at: str
    is_stale: bool


class PagesResult(Shown):
    """What a session begins with; *left_out* are pages for which there was no room."""

    tokens: int
    pages: list[str]
    stale: list[str]
    left_out: list[str]


class MadeResult(Shown):
    """How pages were made, in the order in which they were."""

    pages: list[dict[str, object]]


class PageTools(ToolFamily):
    """The tools for pages of one server."""

    def wiki(self, page_name: str, scope: str = "") -> Annotated[CallToolResult, PageResult]:
        """
        A page compiled from what is known, each line with what it cites.

        A stale one says so.
        """  # noqa: D401 - what agents read
        shown = self._brain.pages.get(page_name, scope=scope or None)
        return self._page(shown.page, shown.markdown)

    def wiki_start(
        self,
        budget: Annotated[int, Field(ge=50, le=8000, description="about so many tokens")] = 1000,
        scope: str = "",
    ) -> Annotated[CallToolResult, PagesResult]:
        """The pages to read when a session begins, within a budget of tokens."""  # noqa: D401 - what agents read
        where = scope or self._service.project.scope
        read = self._brain.pages.read(budget=budget, scope=where)
        text = self._service.evidence(
            [read.text or _NONE], "wiki", [one.name for one in read.pages]
        )
        result = PagesResult(
            tokens=read.tokens,
            pages=[one.name for one in read.pages],
            stale=[one.name for one in read.pages if one.is_stale],
            left_out=[*read.left_out],
        )
        return answer(result, text)

    def wiki_manifest(self, scope: str = "") -> Annotated[CallToolResult, MadeResult]:
        """Of each page its inputs, its version and what language models took for it."""
        made = self._brain.pages.manifest(scope=scope or None)
        rows = [
            f"{one.name} ({one.scope}): {one.kind}, {source_count(one.cites)}, version"
            f" {one.version}, {one.form}, {one.cost.calls} model calls, {one.cost.tokens} tokens"
            for one in made
        ]
        text = self._service.evidence(
            [sanitized("\n".join(rows)) or _NONE], "wiki", [one.name for one in made]
        )
        pages = cast("list[dict[str, object]]", to_json(made))
        return answer(MadeResult(pages=pages), text)

    def compile_wiki(  # noqa: PLR0913 - what an agent may ask, by name
        self,
        page_type: Kind,
        subject: Annotated[str, Field(description="of a page of an entity or a topic")] = "",
        *,
        page_name: str = "",
        area: str = "",
        environment: str = "",
        system: str = "",
        scope: str = "",
    ) -> Annotated[CallToolResult, PageResult]:
        """
        Compile a page from what is known now.

        Pages are never written: correct the facts that they cite.
        """
        made = self._brain.pages.compile(
            page_type,
            subject,
            name=page_name,
            area=area,
            environment=environment,
            system=system,
            scope=self._scope(page_type, scope),
        )
        shown = self._brain.pages.get(made.page.name, scope=made.page.scope)
        return self._page(shown.page, shown.markdown)

    def _scope(self, page_type: str, scope: str) -> Scope | None:
        if scope:
            return parse_scope(scope)
        return None if page_type == "entity" else self._service.project.scope

    def _page(self, page: Page, text: str) -> CallToolResult:
        said = self._service.evidence([sanitized(text)], "wiki", [*page.compiled_from])
        result = PageResult(
            name=page.name,
            kind=page.kind,
            title=sanitized(page.title),
            compiled_from=[*page.compiled_from],
            generated_at=page.generated_at.isoformat(),
            is_stale=page.is_stale,
        )
        return answer(result, said)


def page_tools(service: Service) -> list[CheckedTool]:
    """Return the tools for pages."""
    tools = PageTools(service)
    return [
        tool(tools.wiki, READS, "Page"),
        tool(tools.wiki_start, READS, "Pages to begin with"),
        tool(tools.wiki_manifest, READS, "How pages were made"),
        tool(tools.compile_wiki, ADDS, "Compile a page"),
    ]
