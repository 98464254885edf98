"""Results of searches and fetched pages, as lines for a person."""

from collections.abc import Iterator

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note, Paragraph
from tilth.discovery.model import FetchedPage, Finds


def finds(found: Finds) -> Iterator[Line]:
    """Yield what was found, with where it is."""
    for number, one in enumerate(found.found, 1):
        if number > 1:
            yield ""
        yield (Bold(f"{number:<2} {one.title}"), Dim(f"  ({one.provider})"))
        yield Dim(f"   {one.address}")
        if one.snippet:
            yield Paragraph(one.snippet)
    if not found.found:
        yield Note("nothing was found")
    yield from map(Note, found.notes)


def fetched(page: FetchedPage) -> Iterator[Line]:
    """Yield what a page is, and how it is read again."""
    day = f", published {written_day(page.published)}" if page.published else ""
    yield Bold(page.title)
    yield Dim(f"{page.address}{day}, {page.word_count:,} words")
    yield f"kept: tilth document show {page.slug}"
