"""What a person says becomes of a playbook, and what follows in the same act for its skills."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import EventId
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.playbooks.curate import move_in
from tilth.playbooks.model import Playbook, PlaybookId, PlaybookState
from tilth.skills.approval import check_new, draft_of, keep_files
from tilth.skills.derivation import BACK, has_come_back, outdated_in, why_over
from tilth.skills.events import SkillDrafted, SkillMoved
from tilth.skills.install_files import AsideFolder, Placing
from tilth.skills.model import Advice, Skill, SkillId, SkillState
from tilth.skills.skill_file import param_values
from tilth.skills.tables import Skills

_IN_USE = frozenset({SkillState.CANDIDATE, SkillState.APPROVED})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookChange:
    """
    What became of a playbook.

    `others` are the versions of it that went with that: the one whose place it took, or the
    revision that waited. `skills` are those of it that went or came with it, are installed or
    wait for approval, as they are now; `files` those of skills that this changed.
    """

    playbook: Playbook
    others: Sequence[Playbook] = ()
    skills: Sequence[Skill] = ()
    files: Sequence[Placing] = ()


def change_playbook(  # noqa: PLR0913 - who says what of which, where
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
        book, *others = move_in(tx, recorder, playbook_id, state, note, digest=digest)
        because = book.moved_in
        moved = {id_ for one in (book, *others) for id_ in _follow(tx, one, recorder, because)}
        moved |= {id_ for one in others for id_ in _draft_anew(tx, one, book, recorder)}
        skills = [
            one
            for one in Skills(tx).select(within)
            if one.id in moved or (one.state in _IN_USE and book.id in one.draft.derived_from)
        ]
        outdated = outdated_in(tx, skills)
    files = keep_files(store, shelf, within) if moved else ()
    return PlaybookChange(
        playbook=book,
        others=others,
        skills=[
            replace(one, advice=Advice.OUTDATED) if one.id in outdated else one for one in skills
        ],
        files=files,
    )


def _skills_of(view: Snapshot, book: Playbook) -> list[Skill]:
    """Return the skills that were made of a playbook."""
    made = Skills(view).select(Visibility(book.owner))
    return [one for one in made if book.id in one.draft.derived_from]


def _follow(
    tx: Transaction, book: Playbook, recorder: WriteContext, because: EventId
) -> list[SkillId]:
    """Record what follows for the skills of a playbook; return the IDs of these."""
    moves: list[tuple[Skill, SkillState, str]] = []
    for one in _skills_of(tx, book):
        if one.state in _IN_USE and (note := why_over(tx, one)):
            moves.append((one, SkillState.RETIRED, note))
        elif has_come_back(tx, one):
            moves.append((one, SkillState.CANDIDATE, BACK))
    for skill, state, note in moves:
        event = SkillMoved(skill_id=skill.id, state=state, note=note, because=because)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return [skill.id for skill, *_ in moves]


def _draft_anew(
    tx: Transaction, older: Playbook, book: Playbook, recorder: WriteContext
) -> Iterator[SkillId]:
    """
    Draft the skill of a playbook anew in the words that took its place, if it has one.

    What it leaves open stays open, as long as a step holds the value.
    """
    if book.state is not PlaybookState.CONFIRMED:
        return
    for skill in _skills_of(tx, older):
        if skill.state not in {SkillState.APPROVED, SkillState.DISABLED, SkillState.RETIRED}:
            continue
        # What may not stand in a file, or was revoked, is drafted by nobody.
        with suppress(InvalidInputError, ConflictError):
            made = draft_of(book, param_values(skill.draft.text))
            check_new(tx, made, Visibility(recorder.owner))
            event = SkillDrafted(made, because=book.moved_in)
            done = tx.append(event, by=recorder.by, owner=recorder.owner)
            yield SkillId(done.recorded.made)
            yield skill.id
            return
