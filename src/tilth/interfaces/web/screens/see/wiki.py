"""Pages: what was compiled from what is known, with its sources, and what is wrong with it."""

from collections.abc import Mapping

from tilth.interfaces.web.screen import Ask, Said, Told, act, screen
from tilth.pages.lint import lint_pages
from tilth.pages.model import Page, PageKind
from tilth.pages.read_pages import listed, manifest, visible_pages


@screen(
    "/pages",
    title="Pages",
    group="What is known",
    place=22,
    lead="What is known, written up from facts. Each line leads to what it rests on.",
)
def pages(ask: Ask) -> Told:
    """Gather pages: all, those of a kind or the stale; lint and manifest, if they are asked."""
    kind, scope = ask.word("kind", PageKind), ask.maybe("scope")
    lint, made, stale = (ask.is_on(name) for name in ("lint", "manifest", "stale"))
    parts, excluded = ask.brain.parts, ask.brain.excluded
    seen = (parts.within(scope), parts.clock.now(), excluded)
    with parts.store.read() as view:
        # Each page is compared with what it would say once, for all that is told of it here.
        pages = visible_pages(view, *seen, kind=None if lint or made else kind)
        # It reads what is known of everything, so it runs for those who ask.
        findings = lint_pages(view, pages, *seen) if lint else ()
    return {
        "pages": [_row(one) for one in excluded.shown(listed(pages, kind=kind, is_stale=stale))],
        "findings": excluded.shown(findings),
        "lint": lint,
        "manifest": excluded.shown(manifest(pages)) if made else (),
        "made": made,
        "kinds": list(PageKind),
        "kind": kind,
        "scope": scope,
        "stale": stale,
    }


def _row(one: Page) -> Mapping[str, object]:
    """Return what the list tells of a page; its words are on the page itself."""
    return {
        "name": one.name,
        "scope": one.scope,
        "kind": one.kind,
        "title": one.title,
        "sources": len(one.compiled_from),
        "is_foundational": one.is_foundational,
        "is_stale": one.is_stale,
        "stale_since": one.stale_since,
        "generated_at": one.generated_at,
        "version": one.version,
    }


@screen("/pages/{name}", title="Page")
def page(ask: Ask) -> Told:
    """Gather a page with its sources as they stand now, and the pages that it leads to."""
    shown = ask.brain.pages.get(ask.text("name"), scope=ask.maybe("scope"))
    return {
        "page": shown.page,
        "sources": shown.sources,
        "links": shown.links,
        "markdown": shown.markdown,
        "heading": shown.page.title,
    }


@act("page/edit")
def edit(ask: Ask) -> Said:
    """Propose what the page says otherwise, and say what waits for it now."""
    edited = ask.brain.pages.edit(ask.text("name"), ask.text("text"), scope=ask.maybe("scope"))
    count = len(edited.proposals)
    told = [f"“{one}” is in your words now." for one in edited.locked]
    told += [f"“{one}” is on this page no more." for one in edited.banned]
    if count:
        waits = "One change waits" if count == 1 else f"{count} changes wait"
        told.append(f"{waits} in the inbox.")
    return Said(
        " ".join(told)
        or "Nothing new waits. A line that you take out twice is not told here again."
    )
