"""People, and the conversations with them."""

from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen(
    "/people",
    title="People",
    group="What is known",
    place=28,
    lead="Who is known, by what addresses, and what was said with them.",
)
def people(ask: Ask) -> Told:
    """Gather persons, and the conversations that were active last."""
    brain = ask.brain
    return {
        "persons": brain.entities.list(
            type="person", limit=PAGE, after=ask.number("after", 0, most=10**12)
        ),
        "conversations": brain.conversations.list(limit=PAGE, offset=ask.offset),
        "offset": ask.offset,
        "page_size": PAGE,
    }


@screen("/people/{name:path}", title="Person")
def person(ask: Ask) -> Told:
    """Gather what is known of a person: names, addresses, profile, last contact."""
    brain, name = ask.brain, ask.text("name")
    card = brain.entities.get(name)
    return {
        "card": card,
        "heading": card.entity.name,
        "identities": brain.people.identities(name),
        "profile": brain.people.profile(name),
        "contact": brain.people.interactions(name, limit=15),
        "facts": brain.facts.list(about=card.entity.id, limit=PAGE),
    }


@screen("/conversations/{conversation}", title="Conversation", under="/people")
def conversation(ask: Ask) -> Told:
    """Gather one thread: its summaries and its last messages."""
    brain, wanted = ask.brain, ask.text("conversation")
    thread = brain.conversations.get(wanted)
    return {
        "conversation": thread,
        "summaries": brain.conversations.summaries(wanted),
        "context": brain.conversations.reply_context(wanted, recent=30),
        "heading": thread.draft.topic or thread.draft.transport,
    }
