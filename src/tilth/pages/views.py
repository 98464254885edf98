"""Pages as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.view import UNDO_BY_NAME, Bold, Dim, Line, Note
from tilth.llm.budget import MILLIONTHS
from tilth.pages.compile.compile_pages import PagesSwept
from tilth.pages.document import cited_line, page_lines, source_count, standing
from tilth.pages.lint import Finding
from tilth.pages.model import Compiled, Edited, Page, Sentence
from tilth.pages.read_pages import ManifestEntry, PageView, Reading, Rendered, Source
from tilth.privacy.terminal_text import inert, one_line

_CHARS, _DIGEST_CHARS = 100, 12


def many(found: Sequence[Page]) -> Iterator[Line]:
    """Yield pages, one line each."""
    yield from map(_line, found)
    if not found:
        yield Note("there are none; what deserves one: tilth page lint")


def one(page_: Page) -> Iterator[Line]:
    """Yield a page as a document."""
    cited = {cited_line(line): line for each in page_.sections for line in each.section.sentences}
    for text in page_lines(page_):
        yield _read(cited[text]) if text in cited else Bold(text) if text[:1] == "#" else text
    yield from _pending(page_)


def removed(page_: Page) -> Iterator[Line]:
    """Yield which page is gone, and what becomes of its subject."""
    yield ("removed  ", *_line(page_))
    yield Note("its facts stay, and no sweep makes it anew: a person does, with tilth page compile")
    yield Note(f"to have it back as it was: {UNDO_BY_NAME}")


def page(shown: PageView) -> Iterator[Line]:
    """Yield a page as a document, with proposed texts beside it and its links."""
    yield from one(shown.page)
    doubted = [source for source in shown.sources.values() if source.is_in_doubt]
    ended = [source for source in shown.sources.values() if not source.is_current]
    if shown.links or doubted or ended:
        yield ""
    yield from (f"See also: {link.name}  {link.title}" for link in shown.links)
    yield from (_source("in doubt", source) for source in doubted)
    yield from (_source("holds no more", source) for source in ended)
    if shown.page.left_out:
        yield Note(f"what more is known: tilth fact list --scope {shown.page.scope}")
    if shown.page.is_stale:
        yield Note(f"it is stale; compile it again: tilth page refresh {shown.page.name}")


def compiled(told: Compiled) -> Iterator[Line]:
    """Yield a page that was compiled."""
    yield from one(told.page)
    if told.is_back:
        yield Note("a person had removed it; the lines that people banned from it stay off it")
    if not told.is_new:
        yield Note("nothing of it is new")


def read(told: Reading) -> Iterator[Line]:
    """Yield what a session reads of pages."""
    yield from inert(told.text).split("\n") if told.text else ()
    if told.left_out:
        yield Note(f"no room for {', '.join(told.left_out)}")
    if not told.text and not told.left_out:
        yield Note("there are no pages; what deserves one: tilth page lint")


def rendered(told: Rendered) -> Iterator[Line]:
    """Yield a document line by line."""
    yield from map(inert, told.text.rstrip("\n").split("\n"))


def edited(told: Edited) -> Iterator[Line]:
    """Yield the result of an edit."""
    yield from (f"proposed: {proposal}" for proposal in told.proposals)
    yield from (f"locked: {section}" for section in told.locked)
    yield from (f"stands last: {inert(line)}" for line in told.moved)
    yield from (f"is on this page no more: {inert(line)}" for line in told.banned)
    if told.moved:
        yield Note("whoever takes it off again within thirty days takes it off for good")
    if told.banned:
        yield Note(f"to have it back: {UNDO_BY_NAME}")
    if told.proposals:
        yield Note("a human decides: tilth review list")
    if not (told.proposals or told.locked or told.moved or told.banned):
        yield Note("it says the same")


def findings(found: Sequence[Finding]) -> Iterator[Line]:
    """Yield flaws of pages, each with its remedy."""
    for each in found:
        yield (
            Bold(f"{each.flaw}"),
            f"  {each.page or each.scope}  {one_line(each.detail, _CHARS)}",
        )
        yield Dim(f"  {each.fix}")
    if not found:
        yield Note("nothing is wrong with the pages, and none is missing")


def manifest(entries: Sequence[ManifestEntry]) -> Iterator[Line]:
    """Yield the inputs, version and cost of each page."""
    for each in entries:
        cost = each.cost
        took = f"{cost.calls} calls, {cost.tokens} tokens, {cost.millionths / MILLIONTHS:.4f}"
        state = "stale" if each.is_stale else "fresh"
        sources = source_count(each.cites)
        yield (Bold(each.name), f"  {each.kind}  {sources}, inputs {each.inputs[:_DIGEST_CHARS]}")
        yield Dim(
            f"  {each.scope} · version {each.version} · read to {each.read_to} · {each.form}"
            f" · {state} · {took if cost.calls else 'no model call'}"
        )
    if not entries:
        yield Note("there are no pages; what deserves one: tilth page lint")


def swept(told: PagesSwept) -> Iterator[Line]:
    """Yield what a sweep did."""
    yield f"{told.compiled} of {told.stale} stale pages compiled, {told.made} made"
    if told.next_at is not None:
        yield Note(f"the next is due at {told.next_at:%Y-%m-%d %H:%M}; at once: tilth page refresh")


def _source(stands: str, source: Source) -> Line:
    return Dim(f"{stands}: {one_line(source.text, _CHARS)} [{source.id}]")


def _line(page_: Page) -> Sequence[str]:
    marks = " foundational" if page_.is_foundational else ""
    return (
        Bold(page_.name),
        f"  {page_.kind}{marks}  ",
        one_line(page_.title, _CHARS),
        Dim(f"  {standing(page_)}"),
    )


def _read(line: Sentence) -> Line:
    """Return a line for reading, with its first citation; the Markdown has all of them."""
    first, *more = line.cites
    return (f"- {inert(line.text)} ", Dim(f"[{first}{f' +{len(more)}' if more else ''}]"))


def _pending(page_: Page) -> Iterator[Line]:
    for each in page_.sections:
        if each.lock is not None and each.lock.pending:
            slug = each.section.slug
            yield ""
            yield f"Would be compiled in the locked section {slug}:"
            yield from (f"- {inert(line.text)}" for line in each.lock.pending)
            yield Note(f"tilth page take {page_.name} {slug} --signature {each.lock.signature}")
            yield Note(f"tilth page decline {page_.name} {slug} --signature {each.lock.signature}")
