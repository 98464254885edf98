"""Playbooks as lines for a person, and as a document."""

from collections.abc import Iterator, Sequence

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note, number_of, page_end
from tilth.playbooks.curate import PlaybookStory
from tilth.playbooks.model import LIVE, Playbook, PlaybookState
from tilth.privacy.terminal_text import inert, one_line

_TITLE_CHARS = 90
_NOTE_CHARS = 200
_WHY_CHARS = 400


def many(
    found: Sequence[Playbook], *, limit: int, offset: int, state: PlaybookState | None = None
) -> Iterator[Line]:
    """Yield playbooks, a line each, and how to go on."""
    yield from map(line, found)
    none = "there are none; draft some from what sessions did with: tilth reflect"
    if state is not None:
        none = f"there is no {state} playbook; for those of any state: tilth playbook list"
    yield from page_end(found, none, limit=limit, offset=offset)


def one(playbook: Playbook) -> Iterator[Line]:
    """Yield one playbook on one line."""
    yield line(playbook)


def story(told: PlaybookStory) -> Iterator[Line]:
    """Yield a playbook as a document, with what it rests on and how it did."""
    book, draft = told.playbook, told.playbook.draft
    yield line(book)
    yield from document(book)
    yield from _changes(told)
    for one in told.earlier:
        why = f": “{one_line(one.note, _NOTE_CHARS)}”" if one.note else ""
        if one.id == draft.revises:
            # Its changes tell of it.
            continue
        if one.id == draft.follows:
            yield f"vetoed before, as {one.id}{why}; new sessions bring it up once more"
        else:
            yield f"lifted from {one.scope}, {one.id}"
    if book.note:
        by, day = book.moved_by.name, written_day(book.moved_at)
        yield Dim(f"{book.state} by {by}, {day}: {one_line(book.note, _NOTE_CHARS)}")
    if draft.not_worded:
        yield Dim(f"not put into words by a model: {one_line(draft.not_worded, _WHY_CHARS)}")
    yield from (Dim(f"{one.episode_id}  “{one_line(one.text, 120)}”") for one in told.quotes)
    yield from (
        Dim(f"{written_day(use.used_at)}  {use.root}  {use.ended}, {use.told}") for use in told.uses
    )
    yield from _next_steps(book) if told.newer is None else _newer(told.newer)


def revised(told: PlaybookStory) -> Iterator[Line]:
    """Yield a playbook in its new words, what they change, and what comes next."""
    yield line(told.playbook)
    yield from document(told.playbook)
    yield from _changes(told)
    yield from _next_steps(told.playbook)


def _changes(told: PlaybookStory) -> Iterator[Line]:
    draft = told.playbook.draft
    if told.changes:
        states = (one.state for one in told.earlier if one.id == draft.revises)
        yield f"What it changes of {draft.revises}, which is {next(states, 'gone')}:"
        yield from (
            f"{'+' if one.is_added else '-'} {one.part}: {inert(one.text)}" for one in told.changes
        )
    if draft.why:
        yield f"Why: {one_line(draft.why, _WHY_CHARS)}"


def _newer(newer: Playbook) -> Iterator[Note]:
    if newer.state is PlaybookState.CONFIRMED:
        yield Note(f"another version took its place: tilth playbook show {newer.id}")
        yield Note(f"to go back to this one: tilth undo {newer.moved_in}")
    else:
        yield Note(f"a revision of it waits for you: tilth playbook show {newer.id}")


def _next_steps(book: Playbook) -> Iterator[Note]:
    if book.state is PlaybookState.CANDIDATE:
        yield Note(
            f"to confirm these words: tilth playbook confirm {book.id} --digest {book.digest}"
        )
        yield Note(f"to refuse them: tilth playbook veto {book.id}")
    if book.state in LIVE:
        yield Note(f"to put it into other words: tilth playbook revise {book.id} --step …")
    else:
        yield Note(f"to bring it back: tilth playbook restore {book.id}")


def document(playbook: Playbook) -> Iterator[str]:
    """Yield the lines of a playbook as a standard operating procedure."""
    draft = playbook.draft
    yield f"# {inert(draft.title)}"
    yield f"Applies when: {inert(draft.applies_when)}"
    yield from (f"{number}. {inert(step)}" for number, step in enumerate(draft.steps, start=1))
    if draft.pitfalls:
        yield "Pitfalls:"
        yield from (f"- {inert(one)}" for one in draft.pitfalls)


def line(book: Playbook) -> Sequence[str]:
    """Return a playbook on one line: what it is, where it holds, and how it did."""
    found = book.evidence
    counts = f"{number_of(found.proven, 'session')} came through, {found.missed} failed"
    if found.unseen:
        counts += f", {number_of(found.unseen, 'report')} of success"
    revises = f", revises {book.draft.revises}" if book.is_waiting_revision else ""
    return (
        Bold(one_line(book.draft.title, _TITLE_CHARS)),
        f"  {book.state}{revises}  {book.draft.scope}  {counts}  ",
        Dim(book.id),
    )
