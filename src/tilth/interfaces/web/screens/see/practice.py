"""Practice: the commands that work in a project, and failures with what overcame them."""

from itertools import groupby

from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen(
    "/practice",
    title="What works",
    group="How work is done",
    place=42,
    lead="Commands that agents ran, by how they ended, and failures that were overcome.",
)
def practice(ask: Ask) -> Told:
    """Gather commands and fixes, of one project or of all."""
    scope = ask.maybe("scope")
    found = ask.brain.commands.list(scope=scope, limit=PAGE)
    return {
        "commands": [(kind, list(ones)) for kind, ones in groupby(found, lambda one: one.kind)],
        "fixes": ask.brain.fixes.list(scope=scope, limit=PAGE),
        "scope": scope,
    }
