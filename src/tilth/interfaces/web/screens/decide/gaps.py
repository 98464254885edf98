"""Gaps: what was asked for and could not be done."""

from tilth.gaps.model import GapStatus
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen(
    "/gaps",
    title="Gaps",
    group="How work is done",
    place=48,
    lead="What somebody asked for and no agent could do.",
)
def gaps(ask: Ask) -> Told:
    """Gather gaps, those seen most first."""
    status = ask.maybe("status")
    found = ask.brain.gaps.list(status=status, limit=PAGE + 1, offset=ask.offset)
    return ask.page("gaps", found) | {"statuses": list(GapStatus), "status": status}


@screen("/gaps/{gap}", title="Gap")
def gap(ask: Ask) -> Told:
    """Gather a gap, the words that show it, and what became of it."""
    story = ask.brain.gaps.get(ask.brain.whole_id(ask.text("gap")))
    return {"story": story, "statuses": list(GapStatus), "heading": story.gap.description}
