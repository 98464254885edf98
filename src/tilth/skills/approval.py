"""What people do with skills: draft, approve, disable, revoke; and what keeps their files right."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, TilthError
from tilth.core.ids import EventId, FactId, ulid_of
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.playbooks.model import Playbook, PlaybookId
from tilth.playbooks.tables import Playbooks
from tilth.privacy.redaction import scrub
from tilth.skills.derivation import replaced_by
from tilth.skills.events import SkillDrafted, SkillMoved
from tilth.skills.install_files import (
    AsideFolder,
    Placed,
    Placing,
    Reader,
    check_free,
    home_of,
    install,
    places_for,
    remove_if_same,
)
from tilth.skills.model import (
    Invocation,
    Skill,
    SkillDraft,
    SkillId,
    SkillState,
    check_move,
)
from tilth.skills.skill_file import front_of, problems, skill_text
from tilth.skills.tables import Skills

PAGE_MAX = 1000


@dataclass(frozen=True, slots=True)
class SkillStory:
    """
    A skill, the sessions that loaded it, and its files.

    `newer` waits for approval in its place, since its playbook was revised.
    """

    skill: Skill
    invocations: Sequence[Invocation]
    files: Sequence[Placing] = ()
    newer: Skill | None = None


def draft_of(playbook: Playbook, params: Mapping[str, str] = MappingProxyType({})) -> SkillDraft:
    """
    Return the skill that a playbook makes, with what *params* leave open.

    Raises:
        InvalidInputError: its words may not stand in the file of a skill, or a parameter is none.
    """
    text = skill_text(playbook.draft, params)
    return _checked(
        text, playbook.draft.scope, derived_from=(playbook.id,), signature=playbook.digest
    )


def _checked(
    text: str, scope: Scope, *, derived_from: tuple[str, ...] = (), signature: str = ""
) -> SkillDraft:
    if refused := list(problems(text)):
        raise InvalidInputError(
            f"this is no skill: {'; '.join(refused)}",
            hint="what is given is the words of the file: tilth skill add - < SKILL.md",
        )
    return SkillDraft(
        name=front_of(text)["name"],
        text=text,
        scope=scope,
        derived_from=derived_from,
        signature=signature,
    )


def check_new(view: Snapshot, made: SkillDraft, within: Visibility) -> None:
    """
    Refuse bytes of which there is a skill in their scope already.

    Raises:
        ConflictError: there is, or a human revoked it.
    """
    _check_not_revoked(view, made, within)
    in_use = {SkillState.CANDIDATE, SkillState.APPROVED, SkillState.DISABLED}
    for one in Skills(view).select(within, states=in_use):
        if one.is_of(made):
            raise ConflictError(
                f"there is a skill of exactly these bytes already, {one.id}",
                hint=f"see: tilth skill show {one.id}",
            )


def _check_not_revoked(view: Snapshot, made: SkillDraft, within: Visibility) -> None:
    """Refuse bytes that a human took back for good; an undo of that brings them back."""
    for one in Skills(view).select(within, states={SkillState.REVOKED}):
        if one.is_of(made):
            raise ConflictError(
                f"exactly these bytes were revoked, as {one.id}",
                hint=f"to undo that: tilth undo {one.moved_in}",
            )


def add(
    store: Store, recorder: WriteContext, text: str, scope: Scope, derived_from: Sequence[str]
) -> Skill:
    """
    Record a skill that somebody wrote. It is a candidate, whoever wrote it.

    Raises:
        ConflictError: there is one of these bytes already, or a human revoked it.
        InvalidInputError: it is no file of a skill, or rests on nothing and no human wrote it.
    """
    if not derived_from and not recorder.by.is_human:
        raise InvalidInputError(
            "a skill names what it rests on, unless a human wrote it",
            hint="give the ID of a playbook or a fact: --from plb_…",
        )
    within = Visibility(recorder.owner)
    made = _checked(text, scope, derived_from=tuple(derived_from))
    with store.begin() as tx:
        for source in derived_from:
            _check_source(tx, source, within)
        check_new(tx, made, within)
        recorded = tx.append(SkillDrafted(made), by=recorder.by, owner=recorder.owner)
        return Skills(tx).get(SkillId(recorded.recorded.made), within)


def _check_source(view: Snapshot, source: str, within: Visibility) -> None:
    if source.startswith(PlaybookId.prefix):
        Playbooks(view).get(PlaybookId.parse(source), within)
    elif source.startswith(FactId.prefix):
        Facts(view).get(FactId.parse(source), within)
    else:
        raise InvalidInputError(
            f"{source[:60]!r} is the ID of no playbook and of no fact",
            hint="they begin with plb_ and fct_",
        )


def approve(  # noqa: PLR0913 - who approves which bytes, for whom and where
    store: Store,
    shelf: AsideFolder,
    recorder: WriteContext,
    skill_id: SkillId,
    *,
    digest: str,
    readers: Sequence[Reader],
    folder: str,
    note: str,
) -> SkillStory:
    """
    Approve a skill, byte by byte, and write its files.

    It takes the place of an installed one of an older version of its playbook.

    Raises:
        ForbiddenError: the caller is not a human, or a folder may not be written.
        NotFoundError: there is no such skill.
        ConflictError: the digest is that of other bytes; a place is taken; it was revoked.
        InvalidInputError: the folder is not one of the skill's project.
    """
    require_human(recorder.by, "approve a skill")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        skill = Skills(tx).get(skill_id, within)
        if digest != skill.digest:
            raise ConflictError(
                f"{digest[:16]!r} is not the digest of {skill_id}",
                hint=f"read it, and approve what you read: tilth skill show {skill_id}",
            )
        check_move(skill, SkillState.APPROVED)
        _check_not_revoked(tx, skill.draft, within)
        older = replaced_by(tx, skill)
        known = (home_of(path) for one in older for path in one.places)
        places = places_for(skill.draft, folder or next(known, ""), readers)
        check_free(skill, places, known=[one.digest for one in older])
        _check_name(tx, skill, places, within, besides=[one.id for one in older])
        event = SkillMoved(
            skill_id=skill_id,
            state=SkillState.APPROVED,
            digest=skill.digest,
            places=places,
            note=scrub(note).text,
        )
        tx.append(event, by=recorder.by, owner=recorder.owner)
        skill = Skills(tx).get(skill_id, within)
        for one in older:
            gone = SkillMoved(
                skill_id=one.id,
                state=SkillState.RETIRED,
                note=f"{skill_id} took its place",
                because=skill.moved_in,
            )
            tx.append(gone, by=recorder.by, owner=recorder.owner)
        retired = [Skills(tx).get(one.id, within) for one in older]
    removed = [file for one in retired for file in install(one, shelf) if file.path not in places]
    return SkillStory(skill, (), [*install(skill, shelf, is_new=True), *removed])


def _check_name(
    tx: Snapshot,
    skill: Skill,
    places: Sequence[str],
    within: Visibility,
    *,
    besides: Collection[SkillId],
) -> None:
    for other in Skills(tx).select(within, states={SkillState.APPROVED}):
        if other.id not in {skill.id, *besides} and set(other.places) & set(places):
            raise ConflictError(
                f"{other.id} is installed there under the name {other.draft.name!r}",
                hint=f"take it back first: tilth skill disable {other.id}",
            )


def move(
    store: Store,
    shelf: AsideFolder,
    recorder: WriteContext,
    skill_id: SkillId,
    state: SkillState,
    note: str,
) -> SkillStory:
    """
    Say what becomes of a skill; its files follow.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such skill.
        ConflictError: it cannot become that from what it is.
    """
    require_human(recorder.by, "say what becomes of a skill")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        check_move(Skills(tx).get(skill_id, within), state)
        event = SkillMoved(skill_id=skill_id, state=state, note=scrub(note).text)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        skill = Skills(tx).get(skill_id, within)
    return SkillStory(skill, (), install(skill, shelf))


def keep_files(store: Store, shelf: AsideFolder, within: Visibility) -> list[Placing]:
    """
    Make the files of all skills what was approved, or nothing; return those that changed.

    Raises:
        TilthError: what stopped the first of them that could not be; all others are right.
    """
    with store.read() as view:
        skills = [one for one in Skills(view).select(within) if one.places]
        withdrawn = Skills(view).withdrawn(within.owner)
    # The newest says what stands at a place that several had.
    seen: set[str] = set()
    changed: list[Placing] = []
    stopped: list[TilthError] = []
    for skill in sorted(skills, key=lambda one: one.state is not SkillState.APPROVED):
        left = tuple(path for path in skill.places if path not in seen)
        try:
            done = install(replace(skill, places=left), shelf)
        except TilthError as error:
            stopped.append(error)
        else:
            changed += [one for one in done if one.done not in {Placed.KEPT, Placed.ABSENT}]
        seen |= set(skill.places)
    changed += [
        Placing(path, Placed.REMOVED)
        for path, digest in withdrawn
        if path not in seen and remove_if_same(path, digest)
    ]
    if stopped:
        raise stopped[0]
    return changed


def places_of(view: Snapshot, gone: Collection[EventId], within: Visibility) -> list[str]:
    """Return the files of the skills that are among what goes."""
    skills = [one for one in Skills(view).select(within) if one.places]
    return [path for one in skills if ulid_of(one.id) in gone for path in one.places]
