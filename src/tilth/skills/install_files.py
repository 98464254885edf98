"""
The files of skills: written where hosts read them, and taken away again.

`.claude/skills` is read by Claude Code, opencode and Copilot, `.agents/skills` by Codex, Gemini
CLI and opencode; in a project, and in the user's home. A file of ours that somebody changed is
not what was approved: it is put aside beside the store, never deleted and never left.
"""

import os
from collections.abc import Collection, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, TilthError, UnavailableError
from tilth.core.io.atomic_file import Disk
from tilth.core.io.paths import users_home
from tilth.core.io.projects import scope_of_folder
from tilth.skills.model import Skill, SkillDraft, SkillState, digest_of

FILE = "SKILL.md"
# Of FOLDER/.claude/skills/NAME/SKILL.md.
_FOLDER_ABOVE = 3


class AsideFolder(Protocol):
    """A folder beside the store where a file is put that is nobody's to delete."""

    def put(self, name: str, text: str) -> None:
        """
        Write a file, whole and durably, in the place of one of that name.

        Raises:
            UnavailableError: it cannot be written.
        """
        ...

    def path_of(self, name: str) -> str:
        """Return where on this machine a file lies, or would; empty if nowhere."""
        ...


class Reader(StrEnum):
    """Whose folder of skills it is."""

    CLAUDE = "claude"
    AGENTS = "agents"


_FOLDERS = {Reader.CLAUDE: ".claude/skills", Reader.AGENTS: ".agents/skills"}


class Placed(StrEnum):
    """What was found at one place, and what was done there."""

    KEPT = "kept"
    WRITTEN = "written"
    REMOVED = "removed"
    ABSENT = "absent"
    PUT_ASIDE = "put aside"
    INSTALLED = "installed"
    MISSING = "missing"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Placing:
    """One file of a skill, what became of it, and where what somebody made of it was put."""

    path: str
    done: Placed
    aside: str = ""


def places_for(draft: SkillDraft, folder: str, readers: Sequence[Reader]) -> tuple[str, ...]:
    """
    Return the files of a skill: in the folder that its scope is of, or in the user's home.

    Raises:
        InvalidInputError: the skill is for one folder, and this is not it.
    """
    if draft.is_of_folder:
        if not folder:
            raise InvalidInputError(
                f"the skill is for {draft.scope} alone", hint="name its folder: --folder ."
            )
        if (here := scope_of_folder(folder)) != draft.scope:
            raise InvalidInputError(
                f"{folder!r} is no folder of {draft.scope}",
                hint=f"it is of {here}; name a folder in which sessions of {draft.scope} ran",
            )
    home, name = folder or users_home(os.environ), draft.name
    return tuple(os.path.join(home, _FOLDERS[one], name, FILE) for one in dict.fromkeys(readers))  # noqa: PTH118 - a text


def home_of(path: str) -> str:
    """Return FOLDER of the file of a skill, which is FOLDER/.claude/skills/NAME/SKILL.md."""
    return str(Path(path).parents[_FOLDER_ABOVE])


def check_free(skill: Skill, places: Sequence[str], *, known: Collection[str] = ()) -> None:
    """
    Refuse a place where a file of somebody else stands, or to which a link leads.

    Files with a *known* digest are ours as well.

    Raises:
        ConflictError: it is taken.
        ForbiddenError: it cannot be written.
    """
    disk = Disk()
    for path in places:
        here = Path(path)
        _refuse_link(skill, here, here.parent)
        found = disk.read(path)
        if found is not None and digest_of(found) not in {skill.digest, *known}:
            raise ConflictError(
                f"{path!r} is there already, and not ours", hint="move it away, and try again"
            )
        disk.check(path)


def _refuse_link(skill: Skill, *ours: Path) -> None:
    """
    Refuse links in place of what is *ours*, and others that lead a skill out of its folder.

    A user's own folder of skills may lie elsewhere; a repository is written by others.
    """
    links = [one for one in ours if one.is_symlink()]
    folder, above = ours[-1].parents[_FOLDER_ABOVE - 1], ours[-1].parents[: _FOLDER_ABOVE - 1]
    if skill.draft.is_of_folder and not ours[-1].resolve().is_relative_to(folder.resolve()):
        links += [one for one in above if one.is_symlink()]
    if links:
        raise ConflictError(
            f"{str(links[0])!r} is a link, and leads elsewhere",
            hint="remove the link, and try again",
        )


def install(skill: Skill, shelf: AsideFolder, *, is_new: bool = False) -> list[Placing]:
    """
    Make the files of a skill what they should be: its approved bytes, or nothing.

    A folder that somebody moved or removed is not made again, unless the approval *is_new*.

    Raises:
        ConflictError: a folder of it became a link.
        UnavailableError: a file cannot be read or written.
    """
    return [
        _install_one(skill, path, shelf)
        if is_new or Path(path).parents[_FOLDER_ABOVE].is_dir()
        else Placing(path, Placed.ABSENT)
        for path in skill.places
    ]


def find_files(skill: Skill) -> list[Placing]:
    """Return how the files of an approved skill are found, and touch none."""
    is_there = skill.state is SkillState.APPROVED
    return [Placing(path, _state_of(skill, path)) for path in skill.places if is_there]


def _state_of(skill: Skill, path: str) -> Placed:
    try:
        found = None if Path(path).is_symlink() else Disk().read(path)
    except TilthError:
        # A folder, or what this user may not read, is not what was approved.
        return Placed.CHANGED
    if found is None:
        return Placed.MISSING
    return Placed.INSTALLED if digest_of(found) == skill.digest else Placed.CHANGED


def _install_one(skill: Skill, path: str, shelf: AsideFolder) -> Placing:
    disk, here = Disk(), Path(path)
    _refuse_link(skill, here.parent)
    if here.is_symlink():
        # The link alone: what it leads to is somebody else's.
        here.unlink()
    is_wanted, found = skill.state is SkillState.APPROVED, disk.read(path)
    if found is None:
        if not is_wanted:
            return Placing(path, Placed.ABSENT)
        disk.write(path, skill.draft.text.encode())
        return Placing(path, Placed.WRITTEN)
    if digest_of(found) == skill.digest and is_wanted:
        return Placing(path, Placed.KEPT)
    is_ours, aside = digest_of(found) == skill.digest, ""
    if not is_ours:
        name = f"{skill.draft.name}-{digest_of(found)[:12]}.md"
        shelf.put(name, found.decode(errors="replace"))
        aside = shelf.path_of(name)
    if is_wanted:
        disk.write(path, skill.draft.text.encode())
    else:
        disk.remove(path, (str(here.parent),))
    return Placing(path, Placed.REMOVED if is_ours else Placed.PUT_ASIDE, aside)


def remove_if_same(path: str, digest: str) -> bool:
    """Remove a file that holds exactly what was approved there once; say whether it stood there."""
    disk, here = Disk(), Path(path)
    found = None if here.is_symlink() or here.parent.is_symlink() else disk.read(path)
    if found is None or digest_of(found) != digest:
        return False
    disk.remove(path, (str(here.parent),))
    return True


def names_at(places: Sequence[str]) -> set[str]:
    """Return the names of the skills whose files these are."""
    return {Path(path).parent.name for path in places}


def remove_erased(places: Sequence[str]) -> list[str]:
    """Remove the files of skills that were erased; return those that could not be removed."""
    left = []
    for path in places:
        try:
            Disk().remove(path, (str(Path(path).parent),))
        except UnavailableError:
            left.append(path)
    return left
