"""
Write the blocks of pages in an opening brief.

Foundational pages are shown whole, before what sessions asked for. Other pages are named with their
state and those of their facts that no earlier block shows. Outdated facts are left out, and so is a
page whose facts are all shown elsewhere.
"""

from collections.abc import Iterator
from dataclasses import replace

from tilth.context.brief_sources import BriefInputs
from tilth.context.model import BriefItem, quoted
from tilth.core.ids import FactId
from tilth.pages.citations import cited_facts, is_told
from tilth.pages.document import as_of
from tilth.pages.model import Page
from tilth.pages.tables import Pages
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

FOUNDATIONAL_READ, PAGES_READ = 20, 6
_WHOLE_CHARS = 1_000_000


def foundational(inputs: BriefInputs) -> list[BriefItem]:
    """Return the pages that every session reads by a person's word, whole."""
    return [
        item
        for page in _opening(inputs, is_foundational=True)
        for item in (_head(page), *_lines(page, _holding(inputs, page), is_whole=True))
    ]


def compiled(inputs: BriefInputs) -> list[BriefItem]:
    """Return the other pages, the project's first: the state of each, and its facts."""
    items = []
    for page in _opening(inputs, is_foundational=False):
        holding = _holding(inputs, page)
        items += [replace(_head(page), heads=holding), *_lines(page, holding, is_whole=False)]
    return items


def _opening(inputs: BriefInputs, *, is_foundational: bool) -> list[Page]:
    limit = FOUNDATIONAL_READ if is_foundational else PAGES_READ
    pages = Pages(inputs.view)
    found = pages.opening(inputs.within, inputs.now, is_foundational=is_foundational, limit=limit)
    # Only these pages tell what was done. A brief has no time to compare them with new work.
    return [_in_doubt(pages, one) for one in found] if is_foundational else found


def _in_doubt(pages: Pages, page: Page) -> Page:
    """Return a page as stale if there was work in its project since it was read."""
    since = page.stale_since or pages.practised(page)
    return replace(page, is_stale=since is not None, stale_since=since)


def _head(page: Page) -> BriefItem:
    return BriefItem(f"page {quoted(page.title)}, {as_of(page)}", page.name)


def _holding(inputs: BriefInputs, page: Page) -> frozenset[str]:
    """Return the IDs of a page's facts that it may still state."""
    return frozenset(str(one.id) for one in cited_facts(inputs.view, page) if is_told(one))


def _lines(page: Page, holding: frozenset[str], *, is_whole: bool) -> Iterator[BriefItem]:
    """Yield the lines of a page; lines on tool runs only if *is_whole*."""
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
    return one_line(sanitized(text), _WHOLE_CHARS)
