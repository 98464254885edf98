"""The verbs on pages."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import Actor, ActorKind, require_human
from tilth.core.io.paths import whole_path
from tilth.core.io.projects import scope_of_folder
from tilth.core.scope import Scope, parse_scope, scope_to_read
from tilth.core.verb import ANYONE, HUMANS, KNOWN, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.verbs import Needs as FactNeeds
from tilth.llm.verbs import Needs as ModelNeeds
from tilth.pages import read_pages, views
from tilth.pages.compile.compile_pages import (
    Compiler,
    PagesSwept,
    compile_page,
    recompile,
    sweep_pages,
)
from tilth.pages.compile.subjects import Wanted, subject_of
from tilth.pages.events import PageRemoved
from tilth.pages.lint import Finding, lint_pages
from tilth.pages.model import Compiled, Page, PageKind
from tilth.pages.read_pages import ManifestEntry, PageView, Reading, Rendered
from tilth.pages.tables import Pages

logger = logging.getLogger(__name__)

# The actor of a sweep, whoever starts it: what it compiles is no human's doing.
SWEEPER = Actor("pages", ActorKind.JOB)

noun("page", "documents compiled from what is known, each line with its source",
     section=Section.ASK, bare="list")  # fmt: skip

Name: TypeAlias = Annotated[
    str, Arg("the name of the page, or its title, as listed", metavar="NAME")
]


class Needs(FactNeeds, ModelNeeds, Protocol):
    """What pages need of a brain."""


@verb(
    "page compile",
    roles=KNOWN,
    view=views.compiled,
    examples=(
        "tilth page compile system-state --area Network",
        "tilth page compile project",
        "tilth page compile topic 'release process' --without draft",
    ),
)
def compile_(
    brain: Needs,
    kind: Annotated[PageKind, Arg("what kind of page", metavar="KIND")],
    what: Annotated[str, Arg("the entity or the topic", metavar="WHAT", is_words=True)] = "",
    *,
    name: Annotated[str, Arg("what it is called, if not after its subject")] = "",
    title: Annotated[str, Arg("its heading, if not its subject")] = "",
    area: Annotated[str, Arg("only facts of this area")] = "",
    environment: Annotated[str, Arg("only of this environment")] = "",
    system: Annotated[str, Arg("only of this system")] = "",
    without: Annotated[
        Sequence[str] | None, Arg("leave out facts that hold this term; may be repeated")
    ] = None,
    is_foundational: Annotated[
        bool | None, Arg("every session reads it, and whole; a person says that")
    ] = None,
    scope: Annotated[
        Scope | None, Arg("whose facts it states", metavar="SCOPE", parse=parse_scope)
    ] = None,
    folder: Annotated[
        str,
        Arg("of a project without a scope: a folder of it", parse=whole_path, unless_given="."),
    ] = "",
) -> Compiled:
    """
    Compile a page from what is known now.

    It states and cites facts of its scope alone that hold and are known or corroborated. A language
    model, if set, puts the facts into words; a sentence that cites nothing, or something that the
    model was not shown, is refused, and the page keeps its plain form.

    Returns:
        The page, and whether anything of it is new.

    Raises:
        ForbiddenError: the caller is anonymous, or is not a human and makes it foundational or
            makes a page again that a person removed.
        NotFoundError: nothing is known of its subject; an existing page stays as it is.
        InvalidInputError: an argument that the kind needs is missing.
    """
    if is_foundational is not None:
        require_human(brain.by, "say what every session reads")
    if kind is PageKind.PROJECT and scope is None and folder:
        scope = scope_to_read(scope_of_folder(folder))
    wanted = Wanted(
        kind=kind,
        what=what,
        scope=scope,
        name=name,
        title=title,
        area=area,
        environment=environment,
        system=system,
        without=without,
        is_foundational=is_foundational,
    )
    if scope is not None:
        brain.within(scope)
    with brain.store.read() as view:
        subject = subject_of(view, wanted, brain.recorder.owner, brain.clock.now())
    brain.within(subject.scope)
    return compile_page(_compiler(brain), subject)


@verb(
    "page refresh",
    roles=KNOWN,
    view=views.compiled,
    examples=("tilth page refresh network-state",),
)
def refresh(brain: Needs, name: Name, *, scope: Narrowed = None) -> Compiled:
    """
    Compile an existing page again.

    Returns:
        The page, and whether anything of it is new.

    Raises:
        NotFoundError: there is no such page, or nothing is known of it any more.
    """
    with brain.store.read() as view:
        page = Pages(view).get(name, brain.within(scope), brain.clock.now())
    return recompile(_compiler(brain), page)


@verb(
    "page list",
    roles=ANYONE,
    view=views.many,
    key="pages",
    examples=("tilth page list", "tilth page list --stale"),
)
def list_(
    brain: Context,
    *,
    kind: Annotated[PageKind | None, Arg("only of this kind")] = None,
    is_stale: Annotated[bool, Arg("only those that are stale")] = False,
    scope: Narrowed = None,
) -> Sequence[Page]:
    """
    List pages: the foundational ones first, then by scope and name.

    Returns:
        The visible pages.
    """
    seen = (brain.within(scope), brain.clock.now(), brain.excluded)
    with brain.store.read() as view:
        pages = read_pages.visible_pages(view, *seen, kind=kind)
    return brain.excluded.shown(read_pages.listed(pages, is_stale=is_stale))


@verb(
    "page show",
    python="pages.get",
    roles=ANYONE,
    view=views.page,
    examples=("tilth page show network-state",),
)
def show(brain: Context, name: Name, *, scope: Narrowed = None) -> PageView:
    """
    Show a page, each line with what it cites; a stale page says so.

    Returns:
        The page, its sources as they stand now, the pages that it leads to, and its markdown.

    Raises:
        NotFoundError: there is no such page, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    shown = read_pages.show_page(brain.store, brain.clock, name, within, brain.excluded)
    return brain.excluded.shown(shown)


@verb(
    "render",
    roles=ANYONE,
    section=Section.ASK,
    view=views.rendered,
    examples=("tilth render fct_01KAR", "tilth render plb_01KAR > deploy.md"),
)
def render(
    brain: Context,
    which: Annotated[str, Arg("of an entity, a fact, a playbook or a skill", metavar="ID")],
    *,
    scope: Narrowed = None,
) -> Rendered:
    """
    Print an entity, a fact, a playbook or a skill as a document.

    An entity becomes an index of what is known of it, a fact a reference with its sources, a
    playbook a procedure, and a skill its file word for word. Nothing is recorded.

    Returns:
        The document, as markdown.

    Raises:
        NotFoundError: there is no such thing, or it cannot be seen from the scope.
        InvalidInputError: the ID is of another kind.
    """
    with brain.store.read() as view:
        whole = view.whole_id(brain.recorder.owner, which)
    return read_pages.render(brain.store, brain.clock, whole, brain.within(scope), brain.excluded)


@verb(
    "page read",
    roles=ANYONE,
    view=views.read,
    examples=("tilth page read --scope project:shop --budget 1000",),
)
def read(
    brain: Context,
    *,
    budget: Annotated[int, Arg("about this many tokens", metavar="TOKENS", least=1)] = 1000,
    scope: Narrowed = None,
) -> Reading:
    """
    Read the pages that a session begins with, within a budget of tokens.

    Foundational pages come first and whole, whatever the budget; then the project's page, then
    those compiled last. No language model is asked.

    Returns:
        Their text, which of them are stale, and which did not fit.
    """
    seen = (brain.store, brain.clock, brain.within(scope), brain.excluded)
    found = read_pages.read_for_session(*seen, budget=budget)
    return brain.excluded.shown(found)


@verb(
    "page remove",
    roles=HUMANS,
    view=views.removed,
    key="page",
    examples=("tilth page remove network-state",),
)
def remove(brain: Needs, name: Name, *, scope: Narrowed = None) -> Page:
    """
    Remove a page with its locked sections; the facts that it states stay.

    No sweep and no agent makes it anew; a person does, with `tilth page compile`. The lines that
    people took off it stay off every page of its subject.

    Returns:
        The page as it was.

    Raises:
        NotFoundError: there is no such page.
    """
    within = brain.within(scope)
    require_human(brain.recorder.by, "remove a page")
    with brain.store.begin() as tx:
        page = Pages(tx).get(name, within, brain.clock.now())
        event = PageRemoved(scope=page.scope, name=page.name, about=page.subject.bare)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
    logger.info("page removed")
    return page


@verb(
    "page lint",
    roles=ANYONE,
    view=views.findings,
    key="findings",
    examples=("tilth page lint", "tilth page lint --scope project:shop"),
)
def lint(brain: Context, *, scope: Narrowed = None) -> Sequence[Finding]:
    """
    Show what is wrong with the pages, and what mends it.

    It finds pages that are stale, cite a fact that no longer holds, contradict something or are
    linked from no page; dead links in people's words; and projects, things and topics that deserve
    a page and have none.

    Returns:
        The findings.
    """
    seen = (brain.within(scope), brain.clock.now(), brain.excluded)
    with brain.store.read() as view:
        found = lint_pages(view, read_pages.visible_pages(view, *seen), *seen)
    return brain.excluded.shown(found)


@verb(
    "page manifest",
    roles=ANYONE,
    view=views.manifest,
    key="pages",
    examples=("tilth page manifest", "tilth page manifest --json"),
)
def manifest(brain: Context, *, scope: Narrowed = None) -> Sequence[ManifestEntry]:
    """
    Show the inputs, the version and the cost of each page, in compile order.

    Returns:
        An entry for each visible page.
    """
    seen = (brain.within(scope), brain.clock.now(), brain.excluded)
    with brain.store.read() as view:
        pages = read_pages.visible_pages(view, *seen)
    return brain.excluded.shown(read_pages.manifest(pages))


@verb(
    "page sweep",
    roles=KNOWN,
    view=views.swept,
    examples=("tilth page sweep",),
)
def sweep(
    brain: Needs,
    *,
    at_most: Annotated[
        int, Arg("the most pages to return", least=0, metavar="N", setting="page_sweep")
    ],
) -> PagesSwept:
    """
    Compile stale pages, and make missing ones that nobody removed.

    Foundational pages come first and topics last, so that the pages that a topic gathers exist. The
    worker does it by itself. A page that is plain because the budget was spent or the model was
    away is put into words on another day.

    Returns:
        How many were stale, compiled and made.
    """
    thinker = replace(brain.thinker, recorder=replace(brain.recorder, by=SWEEPER))
    return sweep_pages(Compiler(thinker, brain.excluded), at_most=at_most)


def _compiler(brain: Needs) -> Compiler:
    return Compiler(brain.thinker, brain.excluded)
