"""People, and the conversations with them."""

from tilth.interfaces.web.screen import PAGE, Ask, Said, Told, act, paged, screen
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.identity import LinkConfidence
from tilth.knowledge.entities.tables import Entities
from tilth.people.tables import People

# So many addresses the form has room for; the page of a person takes more.
_ADDRESSES = 3


@screen(
    "/people",
    title="People",
    group="What is known",
    place=28,
    lead="Who is known, by what addresses, and what was said with them.",
)
def people(ask: Ask) -> Told:
    """Gather persons, and the conversations that were active last."""
    brain, parts = ask.brain, ask.brain.parts
    found = brain.entities.list(
        type="person", limit=PAGE + 1, after=ask.number("after", 0, most=10**12)
    )
    persons, has_more_persons = paged(found)
    threads, has_more = paged(brain.conversations.list(limit=PAGE + 1, offset=ask.offset))
    within = parts.within(None)
    with parts.store.read() as view:
        identities, people, entities = Identities(view), People(view), Entities(view)
        known = {
            one: entities.canonical(one, within).name
            for one in {thread.draft.entity_id for thread in threads}
        }
        rows = [
            (one, identities.of(one.id, within), people.tally(one.id, within))
            for one in persons
            if one.merged_into is None
        ]
    return {
        "persons": rows,
        "after": persons[-1].seq if has_more_persons else None,
        "conversations": [(one, known[one.draft.entity_id]) for one in threads],
        "has_more": has_more,
        "offset": ask.offset,
        "page_size": PAGE,
        "transports": sorted(parts.recorder.transports),
        "address_count": _ADDRESSES,
    }


@act("people/add")
def add_person(ask: Ask) -> Said:
    """Record a person with names and addresses, all of it or nothing, as `entity add` does."""
    ways = zip(ask.many("transport"), ask.many("address"), strict=True)
    # A transport is chosen whether or not an address stands beside it.
    addresses = [f"{transport} {address}" for transport, address in ways if address.strip()]
    is_theirs = ask.text("theirs") == "on"
    told = ask.brain.people.introduce(
        ask.text("name"),
        type="person",
        aliases=[name for name in map(str.strip, ask.text("aliases").splitlines()) if name],
        addresses=addresses,
        confidence=LinkConfidence.CONFIRMED if is_theirs else LinkConfidence.SUGGESTED,
        is_namesake=ask.text("namesake") == "on",
    )
    entity = told.added.entity
    return Said(f"{entity.name} is known.", back=f"/people/{entity.id}")


@screen("/people/{name:path}", title="Person")
def person(ask: Ask) -> Told:
    """Gather what is known of a person: profile, promises, threads, what was said last."""
    brain, name = ask.brain, ask.text("name")
    about = brain.about(name, limit=PAGE)
    card = about.card
    threads = brain.conversations.list(entity_id=card.entity.id, limit=PAGE)
    before = [one for one in brain.people.history(name) if not one.is_current]
    return {
        "card": card,
        "promises": about.promises,
        "last": about.contact,
        "threads": [
            (one, brain.conversations.reply_context(one.id, recent=1).pending) for one in threads
        ],
        "before": {
            key: [one for one in before if one.key == key] for key in {one.key for one in before}
        },
        "heading": card.entity.name,
        "identities": brain.people.identities(name),
        "profile": brain.people.profile(name),
        "contact": brain.people.interactions(name, limit=15),
        "facts": [one.fact for one in about.facts],
        "transports": sorted(brain.parts.recorder.transports),
    }


@screen("/conversations/{conversation}", title="Conversation", under="/people")
def conversation(ask: Ask) -> Told:
    """Gather one thread: its summaries and its last messages."""
    brain = ask.brain
    thread = brain.conversations.get(ask.text("conversation"))
    context = brain.conversations.reply_context(thread.id, recent=30)
    return {
        "conversation": thread,
        "summaries": brain.conversations.summaries(thread.id),
        "context": context,
        "heading": thread.draft.topic or f"{context.name} by {thread.draft.transport}",
    }
