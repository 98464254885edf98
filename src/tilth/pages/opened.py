"""
What pages tell when a session begins.

Foundational pages are told whole, before what sessions asked for. Of the others each is named with
how it stands, and tells the facts that no block before it told. What holds no more is left out, and
a page all of whose facts the brief tells anyway is not named: what was done the repository tells.
"""

from collections.abc import Iterator
from dataclasses import replace

from tilth.context.brief_sources import BriefInputs
from tilth.context.model import BriefItem, quoted
from tilth.core.ids import FactId
from tilth.pages.citing import cited_facts, is_told
from tilth.pages.document import as_of
from tilth.pages.model import Page
from tilth.pages.tables import Pages
from tilth.privacy.defusing import defused
from tilth.privacy.inert import one_line

FOUNDATIONAL_READ, PAGES_READ = 20, 6
_WHOLE_CHARS = 1_000_000


def foundational(inputs: BriefInputs) -> list[BriefItem]:
    """Return the pages that a person wants every session to read, whole."""
    return [
        item
        for page in _opening(inputs, is_foundational=True)
        for item in (_head(page), *_lines(page, _holding(inputs, page), is_whole=True))
    ]


def compiled(inputs: BriefInputs) -> list[BriefItem]:
    """Return the other pages, that of the project first: how each stands, and its facts."""
    items = []
    for page in _opening(inputs, is_foundational=False):
        holding = _holding(inputs, page)
        items += [replace(_head(page), heads=holding), *_lines(page, holding, is_whole=False)]
    return items


def _opening(inputs: BriefInputs, *, is_foundational: bool) -> list[Page]:
    limit = FOUNDATIONAL_READ if is_foundational else PAGES_READ
    pages = Pages(inputs.view)
    found = pages.opening(inputs.within, inputs.now, is_foundational=is_foundational, limit=limit)
    # Only these tell what was done, too; there is no time to look whether it says anything new.
    return [_in_doubt(pages, one) for one in found] if is_foundational else found


def _in_doubt(pages: Pages, page: Page) -> Page:
    """Return a page as stale once something was done in its project since it was read."""
    since = page.stale_since or pages.practised(page)
    return replace(page, is_stale=since is not None, stale_since=since)


def _head(page: Page) -> BriefItem:
    return BriefItem(f"page {quoted(page.title)}, {as_of(page)}", page.name)


def _holding(inputs: BriefInputs, page: Page) -> frozenset[str]:
    """Return the facts of a page that it may still state."""
    return frozenset(str(one.id) for one in cited_facts(inputs.view, page) if is_told(one))


def _lines(page: Page, holding: frozenset[str], *, is_whole: bool) -> Iterator[BriefItem]:
    """Yield what a page tells; what tools did is told by other blocks, unless it is *is_whole*."""
    for one in page.sections:
        if not one.arranged.is_told:
            continue
        if one.lock is not None:
            lines = one.lock.text.split("\n")
            yield from (BriefItem(_line(line), page.name) for line in lines if line.strip())
            continue
        for line in one.section.sentences:
            facts = [id_ for id_ in line.cites if id_.startswith(FactId.prefix)]
            if (facts or is_whole) and holding.issuperset(facts):
                yield BriefItem(_line(line.text), line.cites[0])


def _line(text: str) -> str:
    return one_line(defused(text), _WHOLE_CHARS)
