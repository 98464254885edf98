"""Compare a skill with the playbooks that it was made of."""

from collections.abc import Sequence

from tilth.core.scope import Visibility
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.model import LIVE, Playbook, PlaybookId, PlaybookState
from tilth.playbooks.tables import Playbooks
from tilth.skills.model import Skill, SkillId, SkillState
from tilth.skills.tables import Skills

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
        if not is_waiting and (book.state is PlaybookState.ARCHIVED or _heir(view, book)):
            # A human approved these bytes, and takes them back by approving others. That nobody
            # heard of the playbook for long says nothing against them.
            continue
        if book.state not in LIVE:
            return f"its playbook is {book.state}"
        # What somebody wrote by hand has no signature, and is no copy of its playbook.
        if is_waiting and skill.draft.signature not in ("", book.digest):
            return "its playbook says something else by now"
    return ""


def _heir(view: Snapshot, book: Playbook) -> Playbook | None:
    return Playbooks(view).heir(book, Visibility(book.owner))


def outdated_in(view: Snapshot, skills: Sequence[Skill]) -> frozenset[SkillId]:
    """Return the installed skills among some whose playbook says something else by now."""
    return frozenset(
        one.id
        for one in skills
        if one.state is SkillState.APPROVED
        and any(_heir(view, book) for book in books_of(view, one))
    )


def successor_of(view: Snapshot, skill: Skill) -> Skill | None:
    """Return the skill that waits for approval in the place of an outdated one."""
    heirs = {heir.id for book in books_of(view, skill) if (heir := _heir(view, book))}
    waiting = Skills(view).select(Visibility(skill.owner), states={SkillState.CANDIDATE})
    return next((one for one in waiting if heirs.intersection(one.draft.derived_from)), None)


def has_come_back(view: Snapshot, skill: Skill) -> bool:
    """Say whether a candidate went with its playbook, and that is there again."""
    is_gone = skill.state is SkillState.RETIRED and not skill.places
    return is_gone and not why_over(view, skill)


def replaced_by(view: Snapshot, skill: Skill) -> list[Skill]:
    """Return the installed skills whose place one takes: those of an older version of it."""
    installed = Skills(view).select(Visibility(skill.owner), states={SkillState.APPROVED})
    return [
        one
        for one in installed
        for book in books_of(view, one)
        if (heir := _heir(view, book)) and heir.id in skill.draft.derived_from
    ]
