"""Things: entities, what holds of each at any moment, and what is around it."""

from tilth.interfaces.web.screen import PAGE, Ask, Told, screen
from tilth.knowledge.vocabulary.registries import EntityType


@screen("/things", title="Things", group="See", place=60)
def things(ask: Ask) -> Told:
    """Gather entities, or those whose name is like the one asked for."""
    brain, text = ask.brain, ask.text("q")
    found = brain.entities.search(text, limit=PAGE) if text else ()
    listed = brain.entities.list(
        type=ask.maybe("type"), limit=PAGE, after=ask.number("after", 0, most=10**12)
    )
    return {"entities": [] if text else listed, "found": found, "types": list(EntityType)}


@screen("/things/{name:path}", title="Thing")
def thing(ask: Ask) -> Told:
    """Gather what is known about an entity, as of a moment on both times."""
    brain, name = ask.brain, ask.text("name")
    about = brain.about(name, as_of=ask.maybe("as_of"), known_at=ask.maybe("known_at"), limit=100)
    now = brain.about(name, limit=100)
    began = sorted({one.fact.life.valid_from for one in now.facts})
    return {
        "about": about,
        "ticks": began,
        "heading": about.card.entity.name,
        "graph": about.graph,
        "as_of": ask.text("as_of"),
        "known_at": ask.text("known_at"),
    }
