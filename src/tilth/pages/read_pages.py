"""Read pages: one with its links, all of them, and those for the start of a session."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TypeAlias

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EntityId, FactId, Id
from tilth.core.instant import written_days
from tilth.core.lifecycle import Lifecycle, freshness_of
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Outline
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edges import Edges
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.spending import Spending
from tilth.pages.citations import cited_facts, cited_places
from tilth.pages.compile.freshness import with_freshness, with_freshness_of_each
from tilth.pages.document import page_lines, section_lines, standing
from tilth.pages.model import Page, PageKind
from tilth.pages.tables import Pages
from tilth.playbooks.model import PlaybookId
from tilth.playbooks.tables import Playbooks
from tilth.playbooks.views import document
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.sanitize import sanitized, shortened
from tilth.privacy.terminal_text import inert
from tilth.recall.packing import token_estimate
from tilth.skills.model import SkillId
from tilth.skills.tables import Skills

# How many facts and edges of an entity are listed.
_INDEXED_MAX = 100
# In characters, how much of an episode is quoted on which a fact rests as a whole.
_QUOTED_CHARS = 200
_Document: TypeAlias = tuple[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Source:
    """A fact that a page cites, in its present state; `is_current` says that it still holds."""

    id: str
    text: str
    is_current: bool
    is_in_doubt: bool
    valid_from: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A page that another leads to, since it is about a thing of that page's facts."""

    name: str
    scope: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A page, the facts that it cites in their present state, and the pages that it leads to."""

    page: Page
    sources: Mapping[str, Source]
    links: Sequence[Link]
    markdown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A page for the start of a session: whole, or as much as fits."""

    name: str
    scope: str
    is_stale: bool
    stale_since: datetime | None
    is_foundational: bool
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """
    What a session reads of pages, within its budget.

    Foundational pages come first and whole, whatever the budget. `left_out` names those that did
    not fit.
    """

    text: str
    tokens: int
    pages: tuple[Opened, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestEntry:
    """
    The manifest entry of a page: what it was compiled from, its version and its cost.

    Attributes:
        name: Its name within the scope.
        scope: The scope of its facts.
        kind: What it is about.
        cites: The IDs that its sentences cite, which a reader can follow.
        inputs: The digest of all that it was compiled from.
        version: The place in the ledger of its text.
        read_to: The place in the ledger up to which it was read.
        form: `template`, or the language model that worded it.
        generated_at: When its text was compiled.
        is_stale: Whether something that it was compiled from has changed.
        cost: What language models cost; money in millionths.
    """

    name: str
    scope: Scope
    kind: PageKind
    cites: tuple[str, ...]
    inputs: str
    version: int
    read_to: int
    form: str
    generated_at: datetime
    is_stale: bool
    cost: Spending


def visible_pages(
    view: Snapshot,
    within: Visibility,
    now: datetime,
    excluded: Exclusion,
    *,
    kind: PageKind | None = None,
) -> list[Page]:
    """Return visible pages, of one kind or of all, each with whether it holds."""
    return with_freshness_of_each(view, Pages(view).select(within, now, kind=kind), now, excluded)


def listed(
    pages: Iterable[Page], *, kind: PageKind | None = None, is_stale: bool = False
) -> list[Page]:
    """Return those of *pages* that fit the filter: foundational ones first, otherwise in order."""
    found = (one for one in pages if kind is None or one.kind is kind)
    return sorted(
        (one for one in found if one.is_stale or not is_stale),
        key=lambda one: not one.is_foundational,
    )


def manifest(pages: Iterable[Page]) -> list[ManifestEntry]:
    """Return the manifest entries of *pages*, in the order of their versions."""
    return [
        ManifestEntry(
            name=one.name,
            scope=one.scope,
            kind=one.kind,
            cites=one.compiled_from,
            inputs=one.inputs,
            version=one.version,
            read_to=one.read_to,
            form=one.form,
            generated_at=one.generated_at,
            is_stale=one.is_stale,
            cost=one.cost,
        )
        for one in sorted(pages, key=lambda page: page.version)
    ]


def show_page(
    store: Store, clock: Clock, name: str, within: Visibility, excluded: Exclusion
) -> PageView:
    """
    Return a page with its sources and links.

    Raises:
        NotFoundError: no such page is visible.
        ConflictError: several scopes have one.
    """
    now = clock.now()
    with store.read() as view:
        page = with_freshness(view, Pages(view).get(name, within, now), now, excluded)
        cited = cited_facts(view, page)
        places = list(cited_places(view, page).values())
        outlines = Facts(view).outlines(places, Visibility(page.owner))
        links = links_of(page, outlines.values(), families(view, Pages(view).select(within, now)))
    sources = {
        str(one.id): Source(
            id=str(one.id),
            text=one.said.text,
            is_current=one.life.lifecycle is Lifecycle.CURRENT,
            is_in_doubt=one.is_in_doubt,
            valid_from=one.life.valid_from,
        )
        for one in cited
    }
    return PageView(
        page=page, sources=sources, links=links, markdown="\n".join(page_lines(page)) + "\n"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """The document for one ID, in the form of its kind; `text` is Markdown."""

    id: str
    kind: str
    title: str
    text: str


def render(
    store: Store, clock: Clock, which: str, within: Visibility, excluded: Exclusion
) -> Rendered:
    """
    Return the document for an entity, a fact, a playbook or a skill (KB-020).

    Raises:
        NotFoundError: nothing visible has this ID.
        InvalidInputError: the ID is of another kind.
    """
    kind = next((one for one in _RENDERED if which.startswith(one.prefix)), None)
    if kind is None:
        raise InvalidInputError(
            f"{which[:40]!r} names nothing that is a document",
            hint="give the ID of an entity, a fact, a playbook or a skill",
        )
    with store.read() as view:
        title, lines = _RENDERED[kind](view, which, within, clock.now())
    text = "\n".join(excluded.covered(line) for line in lines)
    return Rendered(
        id=which, kind=kind.noun.split()[-1], title=title, text=text.rstrip("\n") + "\n"
    )


def _entity_document(view: Snapshot, which: str, within: Visibility, now: datetime) -> _Document:
    """Return an index of all that is known of an entity: its facts and neighbours."""
    entity = Entities(view).canonical(EntityId.parse(which), within)
    lines = [f"# {inert(entity.name)}", f"_{entity.type} · {entity.scope}_"]
    lines += [f"Also: {inert(', '.join(entity.aliases))}"] if entity.aliases else []
    told = FactFilter(within=within, about=entity.id)
    facts = [one for one in Facts(view).select(told, limit=_INDEXED_MAX) if one.life.holds_at(now)]
    lines += ["", "## Known"] if facts else []
    lines += [f"- {inert(one.said.text)} ({one.grade}) [{one.id}]" for one in facts]
    edges = Edges(view).around(entity.id, within, limit=_INDEXED_MAX)
    lines += ["", "## Linked"] if edges else []
    for edge in edges:
        ends = (_name(view, one, within) for one in (edge.source, edge.target))
        lines.append("- " + f" {edge.kind.replace('_', ' ')} ".join(ends) + f" [{edge.id}]")
    return entity.name, lines


def _name(view: Snapshot, node: str, within: Visibility) -> str:
    """Return the name of a visible node, or its ID."""
    with suppress(NotFoundError):
        if node.startswith(FactId.prefix):
            return inert(Facts(view).get(FactId(node), within).said.text)
        return inert(Entities(view).canonical(EntityId(node), within).name)
    return node


def _fact_document(view: Snapshot, which: str, within: Visibility, now: datetime) -> _Document:
    """Return a fact with its state, and the words that it rests on."""
    fact = Facts(view).get(FactId.parse(which), within)
    life = fact.life
    stands = (
        life.lifecycle,
        fact.grade,
        life.review,
        freshness_of(now - fact.fresh_from),
        life.scope,
    )
    lines = [f"# {inert(fact.said.text)}", f"_{' · '.join(filter(None, map(str, stands)))}_"]
    lines += [f"Holds: {written_days(life.valid_from, life.valid_to)}"]
    about = [_name(view, one, within) for one in fact.about]
    lines += [f"About: {', '.join(about)}", "", "## Rests on"]
    for one in fact.evidence:
        # Words that were erased or are not visible are named by ID and not quoted.
        words = ""
        with suppress(NotFoundError):
            text = Episodes(view).get(one.episode_id, within).text
            words = text[one.start : one.end] or shortened(text, _QUOTED_CHARS)
        lines.append(f"- “{inert(' '.join(words.split()))}” [{one.episode_id}]")
    return fact.said.text, lines


def _playbook_document(view: Snapshot, which: str, within: Visibility, _: datetime) -> _Document:
    book = Playbooks(view).get(PlaybookId.parse(which), within)
    return book.draft.title, document(book)


def _skill_document(view: Snapshot, which: str, within: Visibility, _: datetime) -> _Document:
    skill = Skills(view).get(SkillId.parse(which), within)
    return skill.draft.name, skill.draft.text.split("\n")


_RENDERED: Mapping[type[Id], Callable[[Snapshot, str, Visibility, datetime], _Document]] = {
    EntityId: _entity_document,
    FactId: _fact_document,
    PlaybookId: _playbook_document,
    SkillId: _skill_document,
}


def read_for_session(
    store: Store, clock: Clock, within: Visibility, excluded: Exclusion, *, budget: int
) -> Reading:
    """Return the pages that a session begins with, of those visible from its scope."""
    now = clock.now()
    with store.read() as view:
        pages = visible_pages(view, within, now, excluded)
    pages.sort(key=_session_order)
    lines: list[str] = []
    opened: list[Opened] = []
    left_out: list[str] = []
    room = budget
    for page in pages:
        whole = [sanitized(line) for line in _agent_lines(page)]
        kept = whole if page.is_foundational else _fitting(whole, room)
        if not kept:
            left_out.append(page.name)
            continue
        lines += [*kept, ""]
        room -= sum(token_estimate(line + "\n") for line in kept)
        opened.append(_opened(page, is_whole=len(kept) == len(whole)))
    text = "\n".join(lines).strip()
    return Reading(
        text=text, tokens=token_estimate(text), pages=tuple(opened), left_out=tuple(left_out)
    )


def families(view: Snapshot, pages: Sequence[Page]) -> Mapping[int, Sequence[Page]]:
    """Return the pages about things, by the place of the thing and of those merged with it."""
    named = find_places(view.conn, (one.entity for one in pages if one.entity is not None))
    about = [(named[one.entity], one) for one in pages if one.entity in named]
    merged = Entities(view).merged_into({place for place, _ in about})
    found: defaultdict[int, list[Page]] = defaultdict(list)
    for place, one in about:
        for at in (place, *merged.get(place, ())):
            found[at].append(one)
    return found


def links_of(
    page: Page, cited: Iterable[Outline], known: Mapping[int, Sequence[Page]]
) -> list[Link]:
    """Return the links of a page with these citations to *known* pages; see `families`."""
    about = {place for one in cited for place in one.about}
    others = {(one.scope, one.name): one for place in about for one in known.get(place, ())}
    others.pop((page.scope, page.name), None)
    return [
        Link(name=name, scope=scope, title=one.title)
        for (scope, name), one in sorted(others.items())
    ]


def _session_order(page: Page) -> tuple[bool, bool, bool, float, str]:
    """Return the sort key for a session: foundational, of the project, compiled last."""
    is_project = page.kind is PageKind.PROJECT
    at = -page.generated_at.timestamp()
    return (not page.is_foundational, not is_project, page.scope == GLOBAL, at, page.name)


def _agent_lines(page: Page) -> list[str]:
    """Return a page as lines for an agent: its text and state, without web addresses."""
    lines = [f"# {page.title}", f"_{standing(page)}_"]
    for one in page.sections:
        if not one.arranged.is_told:
            continue
        if one.lock is not None:
            lines += section_lines(one)
        else:
            lines.append(f"## {one.section.title}")
            lines += one.section.lines
    return lines


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """Return as many *lines* as fit; none if not even one with content does."""
    kept: list[str] = []
    for line in lines:
        room -= token_estimate(line + "\n")
        if room < 0:
            break
        kept.append(line)
    while kept and kept[-1].startswith("## "):
        kept.pop()
    says = any(line.startswith("- ") or not line.startswith(("#", "_")) for line in kept)
    return kept if says else []


def _opened(page: Page, *, is_whole: bool) -> Opened:
    return Opened(
        name=page.name,
        scope=page.scope,
        is_stale=page.is_stale,
        stale_since=page.stale_since,
        is_foundational=page.is_foundational,
        is_whole=is_whole,
    )
