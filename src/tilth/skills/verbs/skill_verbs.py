"""The verbs on skills."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import require_human
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.io.paths import whole_path
from tilth.core.scope import GLOBAL, Visibility
from tilth.core.verb import ANYONE, HUMANS, WORKERS, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed, Place
from tilth.playbooks.model import PlaybookId, PlaybookState
from tilth.playbooks.tables import Playbooks
from tilth.skills import approval, views
from tilth.skills.approval import SkillStory, check_new, draft_of
from tilth.skills.derivation import outdated_in, successor_of
from tilth.skills.events import SkillDrafted
from tilth.skills.install_files import AsideFolder, Reader, find_files
from tilth.skills.model import Skill, SkillId, SkillState
from tilth.skills.tables import Skills

noun(
    "skill",
    "playbooks as files that agents load",
    section=Section.LOOK_AFTER,
    bare="list",
)

Which: TypeAlias = Annotated[SkillId, Arg("the skill's ID", id=SkillId.prefix, parse=SkillId.parse)]
Reason: TypeAlias = Annotated[str, Arg("why", metavar="TEXT")]


class Needs(Context, Protocol):
    """What skills need of a brain besides what every verb needs."""

    @property
    def outbox(self) -> AsideFolder:
        """The folder for files that somebody edited."""


@verb(
    "skill list",
    roles=ANYONE,
    view=views.many,
    key="skills",
    examples=("tilth skill list", "tilth skill list --state candidate"),
)
def list_(
    brain: Needs,
    *,
    state: Annotated[SkillState | None, Arg("only in this state")] = None,
    limit: Annotated[int, Arg("the most to return", least=1, most=approval.PAGE_MAX)] = 50,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
) -> Sequence[Skill]:
    """
    List skills, the newest first.

    Returns:
        The visible skills.
    """
    with brain.store.read() as view:
        states = frozenset(SkillState) if state is None else {state}
        within = brain.within(scope)
        found = Skills(view).select(within, states=states, limit=limit, offset=offset)
        outdated = outdated_in(view, found)
    now = brain.clock.now()
    return [one.advised(now, is_outdated=one.id in outdated) for one in found]


@verb(
    "skill show",
    python="skills.get",
    roles=ANYONE,
    view=views.story,
    examples=("tilth skill show skl_01KAR",),
)
def show(brain: Needs, skill_id: Which, *, scope: Narrowed = None) -> SkillStory:
    """
    Show a skill: its file word for word, its sources, and who loaded it.

    Returns:
        The skill, the sessions that loaded it, and how its files are found.

    Raises:
        NotFoundError: there is no such skill, or it cannot be seen from the scope.
    """
    with brain.store.read() as view:
        skills = Skills(view)
        skill = skills.get(skill_id, brain.within(scope))
        is_outdated = bool(outdated_in(view, [skill]))
        newer = successor_of(view, skill) if is_outdated else None
        told = SkillStory(skill, skills.uses(skill), find_files(skill), newer)
    advised = told.skill.advised(brain.clock.now(), is_outdated=is_outdated)
    return replace(told, skill=advised)


@verb(
    "skill draft",
    roles=HUMANS,
    view=views.one,
    key="skill",
    examples=(
        "tilth skill draft plb_01KAR",
        "tilth skill draft plb_01KAR --param env=production",
    ),
)
def draft(
    brain: Needs,
    playbook_id: Annotated[
        PlaybookId, Arg("the playbook's ID", id=PlaybookId.prefix, parse=PlaybookId.parse)
    ],
    *,
    params: Annotated[
        Sequence[str],
        Arg(
            "leave a value of its steps open under a name; may be repeated",
            metavar="NAME=VALUE",
            flags=("--param",),
        ),
    ] = (),
) -> Skill:
    """
    Draft a candidate skill from a playbook that has not proved itself yet.

    In the file, a parameter is its name in angle brackets, with the value as an example.

    Returns:
        The skill.

    Raises:
        NotFoundError: there is no such playbook.
        ConflictError: a skill of these bytes exists or existed, or the playbook is not in use.
        InvalidInputError: its words may not stand in a skill's file, or no step holds the value of
            a parameter.
    """
    named = dict(map(_parameter, params))
    require_human(brain.recorder.by, "draft a skill of a playbook")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        playbook = Playbooks(tx).get(playbook_id, within)
        if playbook.state not in {PlaybookState.CANDIDATE, PlaybookState.CONFIRMED}:
            raise ConflictError(f"{playbook_id} is {playbook.state}")
        made = draft_of(playbook, named)
        check_new(tx, made, within)
        recorded = tx.append(SkillDrafted(made), by=brain.recorder.by, owner=brain.recorder.owner)
        return Skills(tx).get(SkillId(recorded.recorded.made), within)


def _parameter(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark:
        raise InvalidInputError(f"{text[:60]!r} is no parameter", hint="NAME=VALUE: env=production")
    return name, value


@verb(
    "skill add",
    roles=WORKERS,
    view=views.one,
    key="skill",
    examples=('tilth skill add "$(cat SKILL.md)" --scope project:shop',),
)
def add(
    brain: Needs,
    text: Annotated[
        str, Arg("the words of the file, - reads standard input", metavar="TEXT", is_stdin=True)
    ] = "-",
    *,
    sources: Annotated[
        Sequence[str],
        Arg(
            "a playbook or fact that it rests on; may be repeated", metavar="ID", flags=("--from",)
        ),
    ] = (),
    scope: Place = GLOBAL,
) -> Skill:
    """
    Record a skill that somebody wrote, as a candidate.

    Its front matter has a name and a description, and no other keys.

    Returns:
        The skill.

    Raises:
        NotFoundError: nothing has the ID that it rests on.
        ConflictError: a skill of these bytes exists already, or a human revoked it.
        InvalidInputError: it is not a skill's file, or it rests on nothing and no human wrote it.
    """
    return approval.add(brain.store, brain.recorder, text, scope, sources)


@verb(
    "skill approve",
    roles=HUMANS,
    view=views.moved,
    examples=("tilth skill approve skl_01KAR --digest 5f2c",),
)
def approve(
    brain: Needs,
    skill_id: Which,
    *,
    digest: Annotated[
        str, Arg("the digest of the whole file that you read", metavar="SHA256", is_required=True)
    ],
    readers: Annotated[
        Sequence[Reader],
        Arg("for whose folder: .claude/skills or .agents/skills; else both", flags=("--for",)),
    ] = (),
    folder: Annotated[
        str, Arg("the project's folder, or another home", metavar="FOLDER", parse=whole_path)
    ] = "",
    note: Reason = "",
) -> SkillStory:
    """
    Approve exactly these bytes, and install the skill where agents read skills.

    A skill of a revised playbook replaces that of the older version, in the same folder.

    Returns:
        The skill and its files.

    Raises:
        ForbiddenError: the caller is not a human, or a folder may not be written.
        NotFoundError: there is no such skill.
        ConflictError: the digest is of other bytes, a place is taken, or the skill was revoked.
        InvalidInputError: the folder is not one of the skill's project.
        UnavailableError: a file cannot be written; reflection tries again.
    """
    return approval.approve(
        brain.store,
        brain.outbox,
        brain.recorder,
        skill_id,
        digest=digest,
        readers=readers or tuple(Reader),
        folder=folder,
        note=note,
    )


@verb(
    "skill disable",
    roles=HUMANS,
    view=views.moved,
    examples=("tilth skill disable skl_01KAR",),
)
def disable(brain: Needs, skill_id: Which, *, note: Reason = "") -> SkillStory:
    """
    Remove a skill's files until it is approved again.

    Returns:
        The skill and its files.

    Raises:
        NotFoundError: there is no such skill.
        ConflictError: it is not installed.
    """
    return _move(brain, skill_id, SkillState.DISABLED, note)


@verb(
    "skill revoke",
    roles=HUMANS,
    view=views.moved,
    examples=("tilth skill revoke skl_01KAR --note 'the script is gone'",),
)
def revoke(brain: Needs, skill_id: Which, *, note: Reason = "") -> SkillStory:
    """
    Revoke a skill for good, and remove its files.

    Returns:
        The skill and its files.

    Raises:
        NotFoundError: there is no such skill.
        ConflictError: it was revoked already.
    """
    return _move(brain, skill_id, SkillState.REVOKED, note)


def _move(brain: Needs, skill_id: SkillId, state: SkillState, note: str) -> SkillStory:
    return approval.move(brain.store, brain.outbox, brain.recorder, skill_id, state, note)
