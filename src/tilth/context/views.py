"""Receipts, notes, projects and votes as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.context.context import ContextReceipt
from tilth.context.model import Project
from tilth.context.notes import KnownNote
from tilth.context.receipts import Shown, Trace
from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note, Row, number_of, page_end
from tilth.privacy.terminal_text import one_line
from tilth.recall.feedback import Feedback

_TEXT_CHARS, _NOTE_CHARS = 100, 300
_INDENT = "  "


def receipt_table(receipts: Sequence[ContextReceipt], *, limit: int, offset: int) -> Iterator[Line]:
    """Yield receipts, one row each, and how to see more."""
    yield from map(_row, receipts)
    yield from page_end(receipts, "no agent was shown anything", limit=limit, offset=offset)


def project_table(found: Sequence[Project]) -> Iterator[Line]:
    """Yield projects, one row each."""
    for one in found:
        yield from project(one)
    if not found:
        yield Note(
            "none is worked on; one comes with its first session, and archived ones are told by:"
            " tilth project list --state archived"
        )


def project(one: Project) -> Iterator[Line]:
    """Yield one project as a row."""
    yield Row((one.scope, one.state, number_of(one.episode_count, "episode")))


def moved(one: Project) -> Iterator[Line]:
    """Yield a project after a move, and what follows for whoever works there."""
    yield from project(one)
    if one.is_at_rest:
        yield Note("agents are told nothing of it unasked, and what is global all the same")
        yield Note(f"to take it up again: tilth project move {one.scope} active")


def note_table(notes: Sequence[KnownNote], *, limit: int, offset: int) -> Iterator[Line]:
    """Yield notes, two lines each, and how to see more."""
    for one in notes:
        over = f", over: {one.over}" if one.over else ""
        mark = ", always" if one.always else ""
        yield (
            Bold(written_day(one.at)),
            f"  {one.by}{mark}{over}",
            Dim(f"  {one.scope}  {one.id}"),
        )
        yield f"{_INDENT}{one_line(one.text, _NOTE_CHARS)}"
    none = "nothing was noted; note something with: tilth remember --scope . TEXT"
    yield from page_end(notes, none, limit=limit, offset=offset)


def noted(episode_id: str) -> Iterator[Line]:
    """Yield the ID of a new note."""
    yield episode_id


def vote(answer: Feedback) -> Iterator[Line]:
    """Yield a vote on one line."""
    yield f"{answer.target}: {answer.verdict}"


def vote_as_json(answer: Feedback) -> dict[str, object]:
    """Return a vote as its target and verdict."""
    return {"target": answer.target, "verdict": answer.verdict}


def _row(receipt: ContextReceipt) -> Row:
    context = receipt.context
    cells = (
        f"{receipt.at:%Y-%m-%d %H:%M:%S}",
        Bold(context.via or "-"),
        f"{len(context.items)} items",
        f"{context.tokens} tokens",
        context.session_id or "-",
        Dim(receipt.id),
    )
    return Row(cells)


def trace_as_json(trace: Trace) -> dict[str, object]:
    """Return a receipt with each item and the feedback on it."""
    shown = [
        {
            "block": one.block,
            "source": one.source,
            "text": one.text,
            "votes": one.votes,
            "named_by": one.named_by,
            "is_ignored": one.is_ignored,
            "ignored_because": one.ignored_because,
        }
        for one in trace.shown
    ]
    return {"receipt": trace.receipt, "asked": trace.asked, "shown": shown}


def traced(trace: Trace) -> Iterator[Line]:
    """Yield a receipt: its question, and what was shown."""
    receipt, context = trace.receipt, trace.receipt.context
    yield (Bold(context.via or "-"), Dim(f"  {receipt.at:%Y-%m-%d %H:%M:%S}  {receipt.id}"))
    yield Dim(f"{context.scope} · {context.session_id or 'no session'} · {context.tokens} tokens")
    if trace.asked is not None:
        yield (f"asked: {one_line(trace.asked.text, _TEXT_CHARS)}", Dim(f"  {trace.asked.id}"))
    for one in trace.shown:
        yield ""
        yield (Bold(one.block), Dim(f"  {one.source}  {_came_of(one)}"))
        yield f"  {one_line(one.text, _TEXT_CHARS) or 'no words that are there'}"


def _came_of(one: Shown) -> str:
    named = [f"named in {episode_id}" for episode_id in one.named_by]
    return (
        ", ".join([vote.verdict for vote in one.votes] + named) or f"ignored: {one.ignored_because}"
    )
