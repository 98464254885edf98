"""Skills as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Exact, Line, Note, page_end
from tilth.playbooks import views as of_playbooks
from tilth.playbooks.model import PlaybookState
from tilth.privacy.terminal_text import inert, one_line
from tilth.skills.approval import SkillStory
from tilth.skills.change_playbook import PlaybookChange
from tilth.skills.install_files import Placed, Placing
from tilth.skills.model import Skill, SkillState

_NAME_CHARS, _NOTE_CHARS = 60, 200


def many(
    found: Sequence[Skill], *, limit: int, offset: int, state: SkillState | None = None
) -> Iterator[Line]:
    """Yield skills, a line each, and how to go on."""
    yield from map(_line, found)
    none = "there are none; a playbook that proved itself becomes one: tilth reflect"
    if state is not None:
        none = f"there is no {state} skill; for those of any state: tilth skill list"
    yield from page_end(found, none, limit=limit, offset=offset)


def one(skill: Skill) -> Iterator[Line]:
    """Yield one skill on one line."""
    yield _line(skill)


def story(told: SkillStory) -> Iterator[Line]:
    """Yield a skill: its file word for word, where it is, and who loaded it."""
    skill = told.skill
    yield _line(skill)
    yield from (Exact(inert(line)) for line in skill.draft.text.split("\n"))
    if skill.params:
        yield Dim(f"takes {', '.join(skill.params)}")
    if skill.note:
        by, day = skill.moved_by.name, written_day(skill.moved_at)
        yield Dim(f"{skill.state} by {by}, {day}: {one_line(skill.note, _NOTE_CHARS)}")
    yield from (Dim(f"rests on {source}") for source in skill.draft.derived_from)
    yield from (Dim(f"{one.root}  {one.ended}") for one in told.invocations)
    yield from files(told)
    if any(one.done is not Placed.INSTALLED for one in told.files):
        yield Note("where its folder is still there, it is made right by: tilth reflect")
    if told.newer:
        yield Note(f"the file of its playbook's new words waits: tilth skill show {told.newer.id}")
    yield from _next_steps(skill)


def _next_steps(skill: Skill) -> Iterator[Note]:
    if skill.state is SkillState.APPROVED:
        yield Note(f"to take its files away: tilth skill disable {skill.id}")
    if skill.state in {SkillState.APPROVED, SkillState.REVOKED}:
        return
    what = "approve" if skill.state is SkillState.CANDIDATE else "install again"
    where = " --folder ." if skill.draft.is_of_folder else ""
    command = f"tilth skill approve {skill.id} --digest {skill.digest}{where}"
    yield Note(f"to {what} exactly these bytes: {command}")


def files(told: SkillStory) -> Iterator[Line]:
    """Yield the files of a skill, and what became of each."""
    yield from placings(told.files)


def placings(found: Sequence[Placing]) -> Iterator[Line]:
    """Yield files of skills, what became of each, and where what somebody made of it lies."""
    for one in found:
        aside = f", to {inert(one.aside)}" if one.aside else ""
        yield f"{one.done}  {inert(one.path)}{aside}"


def moved(told: SkillStory) -> Iterator[Line]:
    """Yield a skill after a change, and its files."""
    yield _line(told.skill)
    yield from files(told)
    yield Note(f"to undo that: tilth undo {told.skill.moved_in}")


def playbook_changed(told: PlaybookChange) -> Iterator[Line]:
    """Yield a playbook after somebody said what becomes of it, and what its skills are now."""
    yield from of_playbooks.one(told.playbook)
    before = "in place of " if told.playbook.state is PlaybookState.CONFIRMED else "with it "
    for other in told.others:
        yield (before, *of_playbooks.line(other))
    for skill in told.skills:
        yield ("its skill ", *_line(skill))
    yield from placings(told.files)
    for skill in told.skills:
        if skill.state is SkillState.CANDIDATE:
            yield Note(f"to read and approve the skill: tilth skill show {skill.id}")
    yield Note(f"to undo that: tilth undo {told.playbook.moved_in}")


def _line(skill: Skill) -> Sequence[str]:
    found = skill.evidence
    counts = f"loaded {found.invoked}: {found.ok} ok, {found.failed} failed"
    told = [skill.state, skill.draft.scope, counts, *([skill.advice] if skill.advice else [])]
    return (
        Bold(one_line(skill.draft.name, _NAME_CHARS)),
        f"  {'  '.join(told)}  ",
        Dim(skill.id),
    )
