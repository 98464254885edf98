"""Playbooks: how a class of work is done here, what proves it, and the words that are confirmed."""

from tilth.interfaces.web.screen import PAGE, Ask, Told, paged, screen
from tilth.playbooks.model import PlaybookState

_SKILLS_READ = 1000


@screen(
    "/playbooks",
    title="Playbooks",
    group="How work is done",
    place=44,
    lead="How a class of work is done here, drawn from sessions that went well. Agents are "
    "told of one once you confirm its words.",
)
def playbooks(ask: Ask) -> Told:
    """Gather playbooks, by what became of them."""
    state = ask.maybe("state")
    found = ask.brain.playbooks.list(state=state, limit=PAGE + 1, offset=ask.offset)
    told, has_more = paged(found)
    return {
        "playbooks": told,
        "has_more": has_more,
        "states": list(PlaybookState),
        "state": state,
        "offset": ask.offset,
        "page_size": PAGE,
    }


@screen("/playbooks/{playbook}", title="Playbook")
def playbook(ask: Ask) -> Told:
    """Gather a playbook, what it rests on, the sessions that it did well in, and its skills."""
    story = ask.brain.playbooks.get(ask.brain.whole_id(ask.text("playbook")))
    skills = ask.brain.skills.list(limit=_SKILLS_READ)
    return {
        "story": story,
        "titles_since": {one.root: ask.title_of(one.root) for one in story.uses},
        "titles": {one: ask.title_of(one) for one in story.playbook.draft.sessions},
        "skills": [one for one in skills if story.playbook.id in one.draft.derived_from],
        "heading": story.playbook.draft.title,
    }
