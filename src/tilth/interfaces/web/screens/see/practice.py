"""Practice: the commands that work in a project, and failures with what overcame them."""

from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen("/practice", title="What works", group="See", place=55)
def practice(ask: Ask) -> Told:
    """Gather commands and fixes, of one project or of all."""
    scope = ask.maybe("scope")
    return {
        "commands": ask.brain.commands.list(scope=scope, limit=PAGE),
        "fixes": ask.brain.fixes.list(scope=scope, limit=PAGE),
        "scope": scope,
    }
