"""Gaps as lines for a person."""

from collections.abc import Iterator, Mapping, Sequence

from tilth.core.event import Recorded
from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note, number_of, page_end
from tilth.gaps.events import GapMoved
from tilth.gaps.gaps import GapStory
from tilth.gaps.model import Gap, Trace, often
from tilth.gaps.record_gap import Noted
from tilth.gaps.scan import Pattern, Scanned
from tilth.gaps.schedule import GapRun
from tilth.gaps.todos import Filing
from tilth.privacy.terminal_text import inert, one_line

_QUOTE_CHARS = 100


def one(gap: Gap) -> Iterator[Line]:
    """Yield one gap on one line, with the place of its TODO."""
    yield _line(gap)
    yield from _todo(gap)


def many(gaps: Sequence[Gap], *, limit: int, offset: int) -> Iterator[Line]:
    """Yield gaps, one line each, and how to see more."""
    yield from map(_line, gaps)
    none = "there are none; look for some with: tilth gap scan"
    yield from page_end(gaps, none, limit=limit, offset=offset)


def noted(answer: Noted) -> Iterator[Line]:
    """Yield a gap that was recorded, or known already."""
    yield _line(answer.gap)
    if not answer.is_new:
        yield Note("it was known already")


def scanned(answer: Scanned) -> Iterator[Line]:
    """Yield what a scan found."""
    yield from map(_pattern_line, answer.patterns)
    if not answer.patterns:
        looked_at = number_of(answer.interaction_count, "message")
        yield Note(f"looked at {looked_at}, and found no gap that is new")


def story(answer: GapStory) -> Iterator[Line]:
    """Yield a gap, its evidence, and its history."""
    gap = answer.gap
    yield _line(gap)
    yield from _todo(gap)
    if gap.follows is not None:
        yield f"came again after {gap.follows}"
    if gap.merged_into is not None:
        yield f"is one with {gap.merged_into}"
    yield from (f"{merged.id} is one with it" for merged in answer.merged)
    yield from map(_trace_line, answer.trail)
    yield from (
        Dim(f"{event.recorded_at:%Y-%m-%d %H:%M}  {event.by.name}  {_done(event)}")
        for event in answer.history
    )


def gap_run(done: GapRun) -> Iterator[Line]:
    """Yield what one run over the gaps did."""
    if done.scanned is not None:
        yield from map(_pattern_line, done.scanned.patterns)
    drafted = "would draft" if done.is_dry_run else "drafted"
    for word, gaps in (("resolved", done.resolved), (drafted, done.drafted), ("filed", done.filed)):
        yield from ((f"{word}  ", *_line(gap)) for gap in gaps)
    yield from (f"left undone  {gap_id}  {code}" for gap_id, code in done.failed)
    if not done.is_due:
        yield Note(f"too early: the next one is due at {done.next_at:%Y-%m-%d %H:%M}; or --force")
    elif not any((done.resolved, done.drafted, done.filed, done.failed)):
        yield Note("no TODO is due")


def filing(chosen: Filing) -> Iterator[Line]:
    """Yield where the TODOs of a scope are filed."""
    yield (Bold(chosen.scope), f"  {chosen.way}  {inert(chosen.repository)}")


def filings(found: Sequence[Filing]) -> Iterator[Line]:
    """Yield where TODOs are filed, scope by scope."""
    for chosen in found:
        yield from filing(chosen)
    if not found:
        yield Note("TODOs stay in the outbox, beside the store")


def filing_ended(scope: str) -> Iterator[Line]:
    """Yield that a scope's TODOs are filed nowhere any more."""
    yield f"{scope}: TODOs stay in the outbox"


def stats(counts: Mapping[str, Mapping[str, int]]) -> Iterator[Line]:
    """Yield counts, a line each."""
    for group, counted in counts.items():
        for word, count in counted.items():
            yield f"{group:10}{word:18}{count:>8,}"


def _todo(gap: Gap) -> Iterator[Line]:
    if gap.todo_path:
        yield f"  its TODO lies in {inert(gap.todo_path)}"


def _line(gap: Gap) -> Sequence[str]:
    words = one_line(gap.description, _QUOTE_CHARS) or "(its words were erased)"
    told = f"  {gap.todo_ref}" if gap.todo_ref else ""
    return (
        Bold(gap.id),
        f"  {gap.how_often}  {gap.status}  {words}",
        Dim(f"  {gap.kind}{told}"),
    )


def _pattern_line(found: Pattern) -> Line:
    words = one_line(found.description, _QUOTE_CHARS)
    mark = "new" if found.is_new else f"again, now {often(found.frequency)}"
    return (Bold(found.gap_id or "(not noted)"), f"  {mark}  {words}", Dim(f"  {found.kind}"))


def _done(recorded: Recorded) -> str:
    """Return an event in words, with the new status and the reason."""
    event = recorded.event
    words = event.kind.replace("_", " ")
    if not isinstance(event, GapMoved):
        return words
    told = (str(event.status), one_line(event.note, _QUOTE_CHARS))
    return f"{words}: {', '.join(filter(None, told))}"


def _trace_line(trace: Trace) -> Line:
    evidence = trace.evidence
    if trace.episode is None:
        return (f"  {evidence.episode_id}", Dim("  erased"))
    said = trace.episode
    repeats = f"  repeats {evidence.root}" if evidence.root else ""
    where = said.conversation_id or said.session_id or ""
    return (
        f"  {said.id}  {one_line(trace.quote, _QUOTE_CHARS)}",
        Dim(f"  {written_day(said.occurred_at)}  {where}{repeats}"),
    )
