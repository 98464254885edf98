"""What a person says becomes of a playbook, and what follows in the same act for its skills."""

from collections.abc import Iterator, Sequence

from tilth.core.dataclass import dataclass
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.playbooks.keeping import moved_in
from tilth.playbooks.model import LIVE, Playbook, PlaybookId, PlaybookState
from tilth.playbooks.tables import Playbooks
from tilth.skills.events import SkillMoved
from tilth.skills.keeping import keep_files
from tilth.skills.model import Skill, SkillState
from tilth.skills.placing import AsideFolder, Placing
from tilth.skills.tables import Skills


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookChange:
    """
    What became of a playbook.

    `skills` are those of it that went or came with it, are installed or wait for approval, as
    they are now; `files` those of skills that this changed.
    """

    playbook: Playbook
    skills: Sequence[Skill] = ()
    files: Sequence[Placing] = ()


def say(  # noqa: PLR0913 - who says what of which, where
    store: Store,
    shelf: AsideFolder,
    recorder: WriteContext,
    playbook_id: PlaybookId,
    state: PlaybookState,
    note: str,
    *,
    digest: str | None = None,
) -> PlaybookChange:
    """
    Say what becomes of a playbook; its skills, and their files, follow.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such playbook.
        ConflictError: it says something else now, or cannot become that from what it is.
        UnavailableError: a file cannot be written or removed; reflection tries again.
    """
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        book = moved_in(tx, recorder, playbook_id, state, note, digest=digest)
        moved = _follow(tx, book, recorder)
        skills = [one for one in _skills(tx, book) if one.id in moved or _is_told(one)]
    files = keep_files(store, shelf, within) if moved else ()
    return PlaybookChange(playbook=book, skills=skills, files=files)


def _is_told(skill: Skill) -> bool:
    return skill.state in {SkillState.CANDIDATE, SkillState.APPROVED}


def _skills(view: Snapshot, book: Playbook) -> list[Skill]:
    """Return the skills that were made of a playbook."""
    made = Skills(view).select(Visibility(book.owner))
    return [one for one in made if book.id in one.draft.derived_from]


def _follow(tx: Transaction, book: Playbook, recorder: WriteContext) -> frozenset[str]:
    """Record what follows for the skills of a playbook; return the IDs of these."""
    moves = list(_moves(tx, _skills(tx, book)))
    for skill, state, note in moves:
        event = SkillMoved(skill_id=skill.id, state=state, note=note, because=book.moved_in)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return frozenset(skill.id for skill, *_ in moves)


def _moves(view: Snapshot, skills: Sequence[Skill]) -> Iterator[tuple[Skill, SkillState, str]]:
    for one in skills:
        if _is_told(one) and (note := why_over(view, one)):
            yield one, SkillState.RETIRED, note
        elif is_back(view, one):
            yield one, SkillState.CANDIDATE, BACK


BACK = "its playbook is back"


def books_of(view: Snapshot, skill: Skill) -> list[Playbook]:
    """Return the playbooks that a skill was made of."""
    within = Visibility(skill.owner)
    sources = [one for one in skill.draft.derived_from if one.startswith(PlaybookId.prefix)]
    return [Playbooks(view).get(PlaybookId(one), within) for one in sources]


def why_over(view: Snapshot, skill: Skill) -> str:
    """Return why a skill that waits or is installed is over with its playbook; empty if not."""
    is_waiting = skill.state is not SkillState.APPROVED
    for book in books_of(view, skill):
        if book.state not in LIVE:
            return f"its playbook is {book.state}"
        # What somebody wrote by hand has no signature, and is no copy of its playbook.
        if is_waiting and skill.draft.signature not in ("", book.digest):
            return "its playbook says something else by now"
    return ""


def is_back(view: Snapshot, skill: Skill) -> bool:
    """Say whether a candidate went with its playbook, and that is there again."""
    is_gone = skill.state is SkillState.RETIRED and not skill.places
    return is_gone and not why_over(view, skill)
