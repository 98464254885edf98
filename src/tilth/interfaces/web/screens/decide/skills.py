"""Skills: playbooks as files that agents load, and the exact bytes that are approved."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from tilth.core.errors import NotFoundError
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen
from tilth.playbooks.model import PlaybookId
from tilth.skills.model import SkillDraft


@screen(
    "/skills",
    title="Skills",
    group="How work is done",
    place=46,
    lead="Playbooks as files that agents load. A file is installed only when you approve it "
    "byte for byte.",
)
def skills(ask: Ask) -> Told:
    """Gather skills, in every state."""
    return ask.page("skills", ask.brain.skills.list(limit=PAGE + 1, offset=ask.offset))


@screen("/skills/{skill}", title="Skill")
def skill(ask: Ask) -> Told:
    """Gather a skill, its bytes, its files and the sessions that loaded it."""
    story = ask.brain.skills.get(ask.brain.whole_id(ask.text("skill")))
    draft = story.skill.draft
    return {
        "story": story,
        "heading": draft.name,
        "titles": {one.root: ask.title_of(one.root) for one in story.invocations},
        "sources": list(_sources(ask, draft.derived_from)),
        "is_of_folder": draft.is_of_folder,
        "folder": _folder(ask, draft),
    }


def _sources(ask: Ask, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the playbooks and facts that a skill rests on, each with its page; not what went."""
    for one in ids:
        with suppress(NotFoundError):
            if one.startswith(PlaybookId.prefix):
                yield f"/playbooks/{one}", ask.brain.playbooks.get(one).playbook.draft.title
            else:
                yield f"/facts/{one}", ask.brain.facts.get(one).said.text


def _folder(ask: Ask, draft: SkillDraft) -> str:
    """Return where the last session of its scope ran; nothing for what is not of one folder."""
    if not draft.is_of_folder:
        return ""
    last = ask.brain.sessions.list(scope=draft.scope, limit=1)
    return (last[0].info.folder or "") if last else ""
