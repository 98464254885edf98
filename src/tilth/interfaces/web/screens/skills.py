"""Skills: playbooks as files that agents load, and the exact bytes that are approved."""

from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen("/skills", title="Skills", group="Decide", place=86)
def skills(ask: Ask) -> Told:
    """Gather skills, in every state."""
    return {"skills": ask.brain.skills.list(limit=PAGE)}


@screen("/skills/{skill}", title="Skill")
def skill(ask: Ask) -> Told:
    """Gather a skill, its bytes, its files and the sessions that loaded it."""
    story = ask.brain.skills.get(ask.brain.whole_id(ask.text("skill")))
    return {"story": story, "heading": story.skill.draft.name}
