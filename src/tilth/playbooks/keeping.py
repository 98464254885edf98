"""What people do with playbooks: read them, confirm, veto, bring back, and tell how one did."""

from collections.abc import Sequence
from contextlib import suppress

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.scope import Scope, Visibility
from tilth.episodes.episode import Quote
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.playbooks.events import PlaybookMoved
from tilth.playbooks.model import (
    Playbook,
    PlaybookId,
    PlaybookState,
    check_move,
)
from tilth.playbooks.tables import Playbooks, PlaybookUse
from tilth.privacy.redaction import scrub

PAGE_MAX = 1000
# The kinds of scope, the widest first.
_WIDTHS = {"global": 0, "domain": 1, "project": 2}


@dataclass(frozen=True, slots=True)
class Earlier:
    """A playbook that another was lifted from, or that was vetoed before it, and why it was."""

    id: PlaybookId
    scope: Scope
    state: PlaybookState
    note: str


@dataclass(frozen=True, slots=True)
class PlaybookStory:
    """A playbook, what it was drafted from and after, and how each session after it ended."""

    playbook: Playbook
    uses: Sequence[PlaybookUse]
    quotes: Sequence[Quote] = ()
    earlier: Sequence[Earlier] = ()


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
        )


def _earlier(books: Playbooks, playbook: Playbook, within: Visibility) -> list[Earlier]:
    """Return what a playbook was lifted from, or was vetoed before it, as far as it is seen."""
    draft, found = playbook.draft, []
    for one in (*draft.lifted_from, *filter(None, [draft.follows])):
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


def moved_in(
    tx: Transaction,
    recorder: WriteContext,
    playbook_id: PlaybookId,
    state: PlaybookState,
    note: str,
    *,
    digest: str | None = None,
) -> Playbook:
    """
    Say what becomes of a playbook; with a *digest*, only if that is of the words that it says.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such playbook.
        ConflictError: it says something else now, or cannot become that from what it is.
    """
    require_human(recorder.by, "say what becomes of a playbook")
    within = Visibility(recorder.owner)
    known = Playbooks(tx).get(playbook_id, within)
    if digest not in (None, known.digest):
        raise ConflictError(
            f"{playbook_id} says something else now",
            hint=f"read it again: tilth playbook show {playbook_id}",
        )
    check_move(known, state)
    event = PlaybookMoved(playbook_id=playbook_id, state=state, note=scrub(note).text)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return Playbooks(tx).get(playbook_id, within)


def shown_playbooks(view: Snapshot, within: Visibility) -> list[Playbook]:
    """
    Return the playbooks that a brief tells: those that a human confirmed, best first.

    What says the same for a project, its domain and all is told once, for the narrowest of them.
    """
    confirmed = Playbooks(view).select(within, states={PlaybookState.CONFIRMED})
    by_words = {
        one.digest: one
        for one in sorted(confirmed, key=lambda one: _WIDTHS[one.draft.scope.partition(":")[0]])
    }
    found = by_words.values()
    return sorted(found, key=lambda one: (-one.evidence.success_least, -one.evidence.proven))
