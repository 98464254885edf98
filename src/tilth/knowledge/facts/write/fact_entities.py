"""What a fact hangs on: the entities that it is about, and the words that it rests on."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.ids import EntityId
from tilth.core.scope import GLOBAL, Scope, seen_from
from tilth.core.text.names import parse_name
from tilth.core.text.urn import other_names
from tilth.episodes.episode import Quote
from tilth.episodes.remember import Recorder
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entity import Entity, EntityDraft
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.entities.naming import called
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import ANCHORS_MAX, Evidence, FactDraft
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

_LOOKED_UP_MAX = 10
# What may be a name: words in capitals, together and one by one, and what people call machines.
_NAMES = re.compile(
    r"(?<!\w)(?:[^\W\d_a-z][\w.'-]*(?: [^\W\d_a-z][\w.'-]*){0,3}|[a-z]\w*(?:[-_.]\w+)+|[a-z]+\d+)"
)


def anchored(
    tx: Transaction, draft: FactDraft, recorder: Recorder
) -> tuple[tuple[EntityId, ...], str]:
    """
    Return the entities that *draft* is about, and the name of its subject or system.

    A name that no entity goes by becomes one. The object of a triple is an anchor only
    if it is known already.

    Raises:
        InvalidInputError: it is about nothing.
    """
    said = draft.said
    entities = [resolved(tx, name, draft.scope, recorder) for name in draft.about]
    name = said.taxonomy.system if said.taxonomy.component or said.triple is None else ""
    subject = name or (said.triple.subject if said.triple is not None else "")
    if subject:
        entities.insert(0, resolved(tx, subject, draft.scope, recorder))
    if not entities:
        raise InvalidInputError(
            "a fact is about something", hint="name it: --about NAME, --subject or --system"
        )
    known = entities[0].name if subject else ""
    if said.triple is not None:
        ends = (said.triple.object, *other_names(said.triple.object))
        found = (one for name in ends for one in find(tx, name, draft.scope, recorder)[:1])
        entities += list(found)[:1]
    return tuple(dict.fromkeys(entity.id for entity in entities)), known


def resolved(tx: Transaction, name: str, scope: Scope, recorder: Recorder) -> Entity:
    """Return the entity that *name* or an ID means in *scope*; a new one if none does."""
    within = seen_from(recorder.owner, scope)
    if name.startswith(EntityId.prefix):
        return Entities(tx).canonical(EntityId.parse(name), within)
    if known := find(tx, name, scope, recorder):
        return known[0]
    draft = EntityDraft(name=parse_name(name), type=EntityType.THING, scope=scope)
    event = tx.append(EntityRecorded(draft), by=recorder.by, owner=recorder.owner)
    return Entities(tx).get(EntityId.of(event.recorded.event_id), within)


def find(reader: Snapshot, name: str, scope: Scope, recorder: Recorder) -> list[Entity]:
    """Return what goes by exactly *name*, that in *scope* first; a name in disguise is nobody's."""
    found = called(reader, name, seen_from(recorder.owner, scope))
    return sorted(found, key=lambda entity: entity.scope != scope)


def located(
    reader: Snapshot, quotes: Sequence[Quote], scope: Scope, recorder: Recorder
) -> tuple[Evidence, ...]:
    """
    Return where the words of *quotes* stand.

    Raises:
        InvalidInputError: they do not stand there verbatim.
        NotFoundError: there is no such episode that may be seen.
        ForbiddenError: they come from a narrower scope, and no human says that they may leave it.
    """
    return tuple(_located(reader, quote, scope, recorder) for quote in quotes)


def _located(reader: Snapshot, quote: Quote, scope: Scope, recorder: Recorder) -> Evidence:
    episode = Episodes(reader).get(quote.episode_id, seen_from(recorder.owner, None))
    if episode.scope not in {GLOBAL, scope} and not recorder.by.is_human:
        raise ForbiddenError(
            f"{episode.id} belongs to {episode.scope}, and only a human widens that",
            hint=f"state the fact in {episode.scope}",
        )
    if not quote.text:
        return Evidence(quote.episode_id)
    start = episode.text.find(quote.text)
    if start < 0:
        raise InvalidInputError(
            f"{episode.id} does not say {quote.text[:60]!r}", hint="quote it word for word"
        )
    return Evidence(quote.episode_id, start, start + len(quote.text))


def unseen(known: Iterable[Evidence], more: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return what of *more* is not known yet."""
    have = set(known)
    return tuple(one for one in dict.fromkeys(more) if one not in have)


def mentioned(view: Snapshot, draft: FactDraft, words: str, recorder: Recorder) -> FactDraft:
    """
    Return *draft* as being about what *words* name too.

    Only what is known already counts: a name in passing makes no new thing.
    """
    names: dict[str, None] = {}
    for found in _NAMES.findall(words):
        names |= dict.fromkeys([found, *found.split()])
    known = [
        one
        for name in list(names)[:_LOOKED_UP_MAX]
        for one in find(view, name.strip(".'-"), draft.scope, recorder)[:1]
    ]
    about = dict.fromkeys([*draft.about, *(str(one.id) for one in known)])
    return replace(draft, about=tuple(about)[:ANCHORS_MAX])
