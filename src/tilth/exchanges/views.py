"""Exchanges as cards for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.instant import written_minute
from tilth.core.view import Bold, Dim, Line, Paragraph, list_end
from tilth.exchanges.model import Ending, Exchange
from tilth.privacy.terminal_text import one_line

_TITLE_CHARS, _END_CHARS = 120, 160


def cards(exchanges: Sequence[Exchange], *, limit: int) -> Iterator[Line]:
    """Yield exchanges, three lines each: what was asked, how it ended, and where."""
    for one in exchanges:
        yield (Bold(one_line(one.ask, _TITLE_CHARS)),)
        yield f"  {one_line(one.report, _END_CHARS)}" if one.report else f"  {one.ending}"
        yield Dim(f"  {_when(one)}  {one.id}")
    none = "nobody asked anything here, or nothing was answered: tilth session list"
    yield from list_end(exchanges, none, limit=limit)


def card(one: Exchange) -> Iterator[Line]:
    """Yield one exchange whole."""
    if one.question:
        yield Dim(f"after: {one_line(one.question, _END_CHARS)}")
    yield (Bold("asked"),)
    yield Paragraph(one.ask)
    for name, done in (
        ("changed", one.files),
        ("ran", one.commands),
        ("committed", one.commits),
    ):
        if done:
            yield (Bold(name),)
            yield from (f"  {line}" for line in done)
    yield (Bold(one.ending),)
    if one.report:
        yield Paragraph(one.report)
    ids = one.id if one.report_id is None else f"{one.id} to {one.report_id}"
    yield Dim(f"{_when(one)}  {one.session_id}  {ids}")


def _when(one: Exchange) -> str:
    ending = "" if one.ending is Ending.REPORTED else f"  {one.ending}"
    undone = "  taken back later" if one.is_taken_back else ""
    return f"{written_minute(one.began_at)}{ending}{undone}  {one.scope}"
