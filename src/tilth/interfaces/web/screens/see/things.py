"""Things: entities, what holds of each at any moment, and what is around it."""

from tilth.core.errors import TilthError
from tilth.core.ids import ConversationId
from tilth.interfaces.web.rendering import page_of, path_part
from tilth.interfaces.web.screen import PAGE, Ask, Told, paged, screen
from tilth.interfaces.web.screens.see.projects import ticks_of
from tilth.knowledge.entities.entities import card_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.graph import neighbourhood_in
from tilth.knowledge.vocabulary.registries import EntityType

_SHOWN = 5


@screen(
    "/things",
    title="Things",
    group="What is known",
    place=26,
    lead="What is talked about: projects, tools, hosts, persons. Open one for all that is "
    "known of it.",
)
def things(ask: Ask) -> Told:
    """Gather entities, or those whose name is like the one asked for."""
    brain, text = ask.brain, ask.text("q")
    type_ = ask.word("type", EntityType)
    found = brain.entities.search(text, limit=PAGE) if text else ()
    after = ask.number("after", 0, most=10**12)
    listed, has_more = paged(brain.entities.list(type=type_, limit=PAGE + 1, after=after))
    return {
        "entities": [] if text else listed,
        "has_more": has_more and not text,
        "found": [one for one in found if type_ in {None, one.entity.type}],
        "types": list(EntityType),
    }


@screen("/things/{name:path}", title="Thing")
def thing(ask: Ask) -> Told:
    """Gather what is known about an entity, as of a moment on both times."""
    brain, name = ask.brain, ask.text("name")
    as_of, known_at = ask.moment("as_of"), ask.moment("known_at")
    about = brain.about(name, as_of=as_of, known_at=known_at, limit=100)
    sighted = about.card.entity.named
    named = sighted.session_ids if sighted else ()
    return {
        "about": about,
        "ticks": ticks_of(ask, about=about.card.entity.id),
        "heading": about.card.entity.name,
        "graph": about.graph,
        "sessions": [_named_in(ask, one) for one in reversed(named)],
        "around": {one.id: one for one in about.graph.nodes},
        "as_of": ask.text("as_of"),
        "known_at": ask.text("known_at"),
    }


def _named_in(ask: Ask, root: str) -> tuple[str, str]:
    """Return the address and the title of the session or conversation in which a thing is named."""
    if not root.startswith(ConversationId.prefix):
        return f"/sessions/{path_part(root)}", ask.title_of(root)
    try:
        topic = ask.brain.conversations.get(root).draft.topic
    except TilthError:  # It was erased since.
        topic = ""
    return page_of(root), topic or root


@screen("/merge", title="Merge", under="/things")
def merge(ask: Ask) -> Told:
    """Gather the two sides of a merge, and who may be meant."""
    entities = ask.brain.entities
    asked = ask.text("loser")
    winner = entities.get(ask.text("winner")) if ask.text("winner") else None
    # Looking through all names costs more than the rest; once two are compared, nobody asks.
    likely = entities.suggest(winner.entity.name, limit=6) if winner and not asked else ()
    told: dict[str, object] = {"winner": winner, "loser": None, "likely": likely, "asked": asked}
    if winner and asked:
        told["loser"] = loser = entities.get(asked)
        told["is_one"] = loser.entity.id == winner.entity.id
        told["sides"] = [_side(ask, one.entity.id) for one in (winner, loser)]
    return told


def _side(ask: Ask, entity: str) -> Told:
    """Gather what tells a thing from another; who mentions either is looked for by no merge."""
    parts = ask.brain.parts
    within = parts.within(None)
    with parts.store.read() as view:
        card = card_in(view, entity, within)
        which = FactFilter(within=within, about=card.entity.id, now=parts.clock.now())
        return {
            "card": card,
            "facts": ask.brain.excluded.shown(Facts(view).select(which, limit=_SHOWN)),
            "fact_count": Facts(view).count(which),
            "edges": len(neighbourhood_in(view, card.entity.id, within).edges),
        }
