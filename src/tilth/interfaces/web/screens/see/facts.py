"""Facts: what is known, and everything that each one was."""

from tilth.core.lifecycle import Lifecycle, Review
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen(
    "/facts",
    title="Facts",
    group="What is known",
    place=24,
    lead="Single statements that hold now: what was decided, asked for or found out, each "
    "with its source.",
)
def facts(ask: Ask) -> Told:
    """Gather facts that fit the address."""
    lifecycle = ask.text("lifecycle")
    found = ask.brain.facts.list(
        limit=PAGE + 1,
        offset=ask.offset,
        scope=ask.maybe("scope"),
        as_of=ask.moment("as_of"),
        known_at=ask.moment("known_at"),
        lifecycles=[lifecycle] if lifecycle else None,
        reviews=[ask.text("review")] if ask.text("review") else None,
    )
    return ask.page("facts", found) | {
        "lifecycles": list(Lifecycle),
        "reviews": list(Review),
        "scopes": ask.scopes(),
    }


@screen("/facts/{fact}", title="Fact")
def fact(ask: Ask) -> Told:
    """Gather a fact, the words that it rests on, and who made it what it is."""
    brain = ask.brain
    why = brain.facts.why(brain.whole_id(ask.text("fact")), known_at=ask.moment("known_at"))
    return {"fact": why.fact, "supports": why.supports, "lives": why.lives, "chain": why.history}
