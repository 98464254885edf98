"""What people do with playbooks: read them, confirm, veto, bring back, and tell how one did."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope, Visibility
from tilth.episodes.episode import Quote
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.playbooks.events import PlaybookDrafted, PlaybookMoved, PlaybookRevised
from tilth.playbooks.gate import commands_of, problems_of_words
from tilth.playbooks.model import (
    BY_HAND,
    LIVE,
    Playbook,
    PlaybookId,
    PlaybookState,
    check_move,
)
from tilth.playbooks.revision import Change, changes_between
from tilth.playbooks.tables import Playbooks, PlaybookUse
from tilth.privacy.redaction import scrub

PAGE_MAX = 1000


@dataclass(frozen=True, slots=True)
class Earlier:
    """A playbook that another was lifted from or revises, or that was vetoed before it, and why."""

    id: PlaybookId
    scope: Scope
    state: PlaybookState
    note: str


@dataclass(frozen=True, slots=True)
class PlaybookStory:
    """
    A playbook, what it was drafted from and after, and how each session after it ended.

    `changes` are those since the version that it revises. `newer` is the version that took its
    place, or waits for a human's word to do so.
    """

    playbook: Playbook
    uses: Sequence[PlaybookUse]
    quotes: Sequence[Quote] = ()
    earlier: Sequence[Earlier] = ()
    changes: Sequence[Change] = ()
    newer: Playbook | None = None


def story(store: Store, playbook_id: PlaybookId, within: Visibility) -> PlaybookStory:
    """
    Return one playbook with how it did.

    Raises:
        NotFoundError: there is none with this ID that may be seen.
    """
    with store.read() as view:
        books = Playbooks(view)
        playbook = books.get(playbook_id, within)
        return PlaybookStory(
            playbook,
            books.uses(playbook),
            _quotes(view, playbook, within),
            _earlier(books, playbook, within),
            _changes(books, playbook, within),
            books.heir(playbook, within) or books.revision_of(playbook, within),
        )


def _changes(books: Playbooks, playbook: Playbook, within: Visibility) -> list[Change]:
    with suppress(NotFoundError):
        if playbook.draft.revises is not None:
            older = books.get(playbook.draft.revises, within).draft
            return changes_between(older, playbook.draft)
    return []


def _earlier(books: Playbooks, playbook: Playbook, within: Visibility) -> list[Earlier]:
    """Return what a playbook was lifted from, or was vetoed before it, as far as it is seen."""
    draft, found = playbook.draft, []
    for one in (*draft.lifted_from, *filter(None, [draft.follows, draft.revises])):
        with suppress(NotFoundError):
            book = books.get(one, within)
            found.append(Earlier(book.id, book.draft.scope, book.state, book.note))
    return found


def _quotes(view: Snapshot, playbook: Playbook, within: Visibility) -> list[Quote]:
    """Return what a playbook quotes, without what was erased or may not be seen."""
    found = []
    for one in playbook.draft.evidence:
        with suppress(NotFoundError):
            text = Episodes(view).get(one.episode_id, within).text
            found.append(Quote(one.episode_id, one.words(text)))
    return found


def move_in(
    tx: Transaction,
    recorder: WriteContext,
    playbook_id: PlaybookId,
    state: PlaybookState,
    note: str,
    *,
    digest: str | None = None,
) -> list[Playbook]:
    """
    Say what becomes of a playbook; with a *digest*, only if that is of the words that it says.

    A revision that is confirmed takes the place of what it revises, and one that waits is vetoed
    with that.

    Returns:
        The playbook as it is now, and the other versions that went with that.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such playbook.
        ConflictError: it says something else now, or cannot become that from what it is.
    """
    require_human(recorder.by, "say what becomes of a playbook")
    within, books = Visibility(recorder.owner), Playbooks(tx)
    known = books.get(playbook_id, within)
    if digest not in (None, known.digest):
        raise ConflictError(
            f"{playbook_id} says something else now",
            hint=f"read it again: tilth playbook show {playbook_id}",
        )
    check_move(known, state)
    _check_no_heir(books, known, within)
    event = PlaybookMoved(playbook_id=playbook_id, state=state, note=scrub(note).text)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    book = books.get(playbook_id, within)
    moved = [book]
    for other, becomes, why in _along(books, book, within):
        with_it = PlaybookMoved(
            playbook_id=other.id, state=becomes, note=why, because=book.moved_in
        )
        tx.append(with_it, by=recorder.by, owner=recorder.owner)
        moved.append(books.get(other.id, within))
    return moved


def _check_no_heir(books: Playbooks, known: Playbook, within: Visibility) -> None:
    if heir := books.heir(known, within):
        raise ConflictError(
            f"{heir.id} took the place of {known.id}",
            hint=f"to go back to that: tilth undo {heir.moved_in}",
        )


def _along(
    books: Playbooks, book: Playbook, within: Visibility
) -> Iterator[tuple[Playbook, PlaybookState, str]]:
    """Yield the versions for which something follows from what became of one, and why."""
    if book.state is PlaybookState.CONFIRMED and book.draft.revises is not None:
        base = books.get(book.draft.revises, within)
        if base.state is PlaybookState.CONFIRMED:
            yield base, PlaybookState.RETIRED, f"{book.id} took its place"
    elif book.state is PlaybookState.VETOED and (waiting := books.revision_of(book, within)):
        yield waiting, PlaybookState.VETOED, f"{book.id} is vetoed"


def revise(  # noqa: PLR0913 - the parts of a playbook
    store: Store,
    recorder: WriteContext,
    playbook_id: PlaybookId,
    *,
    title: str | None,
    applies_when: str | None,
    steps: Sequence[str] | None,
    pitfalls: Sequence[str] | None,
    why: str,
) -> PlaybookStory:
    """
    Put a playbook into other words; nobody has confirmed them yet. What is None stays as it is.

    A candidate says them at once. Of a confirmed one they are a version beside it, which takes
    its place once it is confirmed.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such playbook.
        ConflictError: it is neither in use nor a candidate, or a revision of it waits already.
        InvalidInputError: it says that already, or the words are no playbook.
    """
    require_human(recorder.by, "revise a playbook")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        books = Playbooks(tx)
        book = books.get(playbook_id, within)
        _check_revisable(books, book, within)
        known = book.draft
        new_steps = _reworded_parts(steps, known.steps)
        draft = replace(
            known,
            title=_reworded(title, known.title),
            applies_when=_reworded(applies_when, known.applies_when),
            steps=new_steps,
            pitfalls=_reworded_parts(pitfalls, known.pitfalls),
            uses=tuple(dict.fromkeys(one for step in new_steps for one in commands_of(step))),
            drafter=BY_HAND,
            not_worded="",
            why=scrub(why).text or known.why,
        )
        if draft.texts == book.draft.texts:
            raise InvalidInputError(f"{playbook_id} says that already")
        if refused := list(problems_of_words(draft)):
            raise InvalidInputError(f"this is no playbook: {'; '.join(refused)}")
        event: PlaybookRevised | PlaybookDrafted
        if book.state is PlaybookState.CANDIDATE:
            event = PlaybookRevised(playbook_id=book.id, draft=draft)
        else:
            proven = [one.root for one in books.uses(book) if one.is_proven]
            sessions = tuple(map(SessionId, dict.fromkeys((*draft.sessions, *proven))))
            beside = replace(
                draft,
                sessions=sessions,
                failures=book.evidence.missed,
                follows=None,
                revises=book.id,
            )
            event = PlaybookDrafted(beside)
        done = tx.append(event, by=recorder.by, owner=recorder.owner)
        made = PlaybookId(done.recorded.made or book.id)
    return story(store, made, within)


def _check_revisable(books: Playbooks, book: Playbook, within: Visibility) -> None:
    _check_no_heir(books, book, within)
    if book.state not in LIVE:
        raise ConflictError(
            f"{book.id} is {book.state}",
            hint=f"to bring it back first: tilth playbook restore {book.id}",
        )
    if waiting := books.revision_of(book, within):
        raise ConflictError(
            f"a revision of {book.id} waits already, {waiting.id}",
            hint=f"read it, then confirm, veto or revise that: tilth playbook show {waiting.id}",
        )


def _reworded(new: str | None, known: str) -> str:
    return known if new is None else scrub(new).text.strip()


def _reworded_parts(new: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    return known if new is None else tuple(filter(None, (scrub(one).text.strip() for one in new)))
