"""Pages: what was compiled from what is known, with its sources, and what is wrong with it."""

from tilth.interfaces.web.screen import Ask, Said, Told, act, screen
from tilth.pages.model import PageKind


@screen(
    "/pages",
    title="Pages",
    group="What is known",
    place=22,
    lead="What is known, written up from facts. Each line leads to what it rests on.",
)
def pages(ask: Ask) -> Told:
    """Gather pages: all, those of a kind or the stale; lint and manifest, if they are asked."""
    kind, scope = ask.maybe("kind"), ask.maybe("scope")
    lint, made = (ask.text(name) == "on" for name in ("lint", "manifest"))
    return {
        "pages": ask.brain.pages.list(kind=kind, is_stale=ask.text("stale") == "on", scope=scope),
        # It reads what is known of everything, so it runs for those who ask.
        "findings": ask.brain.pages.lint(scope=scope) if lint else (),
        "lint": lint,
        "manifest": ask.brain.pages.manifest(scope=scope) if made else (),
        "made": made,
        "kinds": list(PageKind),
        "kind": kind,
        "scope": scope,
        "stale": ask.text("stale") == "on",
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
    if count:
        waits = "One change waits" if count == 1 else f"{count} changes wait"
        told.append(f"{waits} in the inbox.")
    return Said(
        " ".join(told)
        or "Nothing new waits. A line that you take out twice is not told here again."
    )
