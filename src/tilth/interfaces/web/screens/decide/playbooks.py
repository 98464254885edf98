"""Playbooks: how a class of work is done here, what proves it, and the words that are confirmed."""

from tilth.interfaces.web.screen import PAGE, Ask, Done, Said, Told, act, screen
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
    return ask.page("playbooks", found) | {"states": list(PlaybookState), "state": state}


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


@act("playbook/revise")
def revise(ask: Ask) -> Said:
    """Put a playbook into the words of a form, a step and a pitfall on each line."""
    known = ask.brain.playbooks.get(ask.text("playbook_id")).playbook
    story = ask.brain.playbooks.revise(
        known.id,
        title=ask.text("title"),
        applies_when=ask.text("applies_when"),
        steps=_lines(ask.text("steps")),
        pitfalls=_lines(ask.text("pitfalls")),
        note=ask.text("note"),
    )
    made = story.playbook
    told = "These are its words now" if made.id == known.id else "A version with your words waits"
    undo = [Done(verb="undo", told={"operation": made.moved_in})]
    return Said(
        f"{told}: read them once more, and confirm them.", back=f"/playbooks/{made.id}", undo=undo
    )


def _lines(text: str) -> list[str]:
    return [one.strip() for one in text.splitlines() if one.strip()]
