"""What people do with playbooks: read them, confirm, veto, bring back, and tell how one did."""

from collections.abc import Sequence
from contextlib import suppress

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Quote
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.playbooks.events import PlaybookMoved, PlaybookUsed
from tilth.playbooks.model import (
    Playbook,
    PlaybookId,
    PlaybookState,
    SessionEnd,
    Told,
    check_move,
)
from tilth.playbooks.tables import Playbooks, PlaybookUse

PAGE_MAX = 1000


@dataclass(frozen=True, slots=True)
class PlaybookStory:
    """A playbook, what it was drafted from, and how each session after it ended."""

    playbook: Playbook
    uses: Sequence[PlaybookUse]
    quotes: Sequence[Quote] = ()


def story(store: Store, playbook_id: PlaybookId, within: Visibility) -> PlaybookStory:
    """
    Return one playbook with how it did.

    Raises:
        NotFoundError: there is none with this ID that may be seen.
    """
    with store.read() as view:
        books = Playbooks(view)
        playbook = books.get(playbook_id, within)
        return PlaybookStory(playbook, books.uses(playbook), _quotes(view, playbook, within))


def _quotes(view: Snapshot, playbook: Playbook, within: Visibility) -> list[Quote]:
    """Return what a playbook quotes, without what was erased or may not be seen."""
    found = []
    for one in playbook.draft.evidence:
        with suppress(NotFoundError):
            text = Episodes(view).get(one.episode_id, within).text
            found.append(Quote(one.episode_id, one.words(text)))
    return found


def move(
    store: Store, recorder: WriteContext, playbook_id: PlaybookId, state: PlaybookState, note: str
) -> Playbook:
    """
    Say what becomes of a playbook.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such playbook.
        ConflictError: it cannot become that from what it is.
    """
    require_human(recorder.by, "say what becomes of a playbook")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        check_move(Playbooks(tx).get(playbook_id, within), state)
        event = PlaybookMoved(playbook_id=playbook_id, state=state, note=note)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        return Playbooks(tx).get(playbook_id, within)


def confirm(
    store: Store, recorder: WriteContext, playbook_id: PlaybookId, digest: str, note: str
) -> Playbook:
    """
    Confirm a playbook in the words that were shown.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such playbook.
        ConflictError: its words are not those with this digest, or it was confirmed already.
    """
    require_human(recorder.by, "confirm a playbook")
    with store.read() as view:
        known = Playbooks(view).get(playbook_id, Visibility(recorder.owner))
    if digest and digest != known.digest:
        raise ConflictError(
            f"{playbook_id} says something else now",
            hint=f"read it again: tilth playbook show {playbook_id}",
        )
    return move(store, recorder, playbook_id, PlaybookState.CONFIRMED, note)


def report(
    store: Store,
    recorder: WriteContext,
    playbook_id: PlaybookId,
    ended: SessionEnd,
    root: SessionId,
) -> Playbook:
    """
    Note how a session ended that did what a playbook says; once a session.

    What tools show outweighs it, and it never promotes.

    Raises:
        NotFoundError: there is no such playbook.
    """
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        books = Playbooks(tx)
        playbook = books.get(playbook_id, within)
        same = [one for one in books.uses(playbook) if one.root == root]
        if not (same and (same[0].ended is ended or same[0].told is Told.OBSERVED)):
            event = PlaybookUsed(
                playbook_id=playbook_id, root=root, ended=ended, told=Told.REPORTED
            )
            tx.append(event, by=recorder.by, owner=recorder.owner)
        return books.get(playbook_id, within)


def shown_playbooks(view: Snapshot, within: Visibility) -> list[Playbook]:
    """Return the playbooks that a brief tells: those that a human confirmed, best first."""
    found = Playbooks(view).select(within, states={PlaybookState.CONFIRMED})
    return sorted(found, key=lambda one: (-one.evidence.success_least, -one.evidence.proven))
