"""
Decide what a statement from a session is about: only names make entities.

A subject becomes an entity if the text uses it as a name, if it is known, or if another session
states something of it. Somebody with a stated relation is a person.
"""

import re
from dataclasses import replace

from tilth.core.actor import DISTILLER
from tilth.core.scope import Visibility, key_of
from tilth.episodes.episode import Role
from tilth.episodes.lineage import root_of
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.exchanges.sentences import names_something
from tilth.knowledge.entities.entities import record_entity
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.facts.fact import ANCHORS_MAX, FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.fact_entities import find_entities
from tilth.knowledge.facts.write.normalise_fact import as_written
from tilth.knowledge.vocabulary.registries import Channel, EntityType, Words
from tilth.learning.filter import Found
from tilth.learning.text.triples import is_of_person
from tilth.learning.values.claims import USER, anchor
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

_OTHER_CHANNEL = {
    Channel.ENTITY: Channel.RELATIONSHIP,
    Channel.RELATIONSHIP: Channel.ENTITY,
}
# The most statements on a subject whose sessions are compared.
_TOLD_MAX = 20


def default_subject(found: Found) -> str:
    """Return the subject of a statement without one: its speaker, unless that is the user."""
    episode = found.turn.episode
    is_told_to_user = found.turn.people or episode.entity_id is not None
    return (episode.speaker if is_told_to_user else "") or anchor(episode)


def about_named_subject(
    view: Snapshot, draft: FactDraft, found: Found, recorder: WriteContext
) -> FactDraft:
    """
    Return *draft*, about its subject if that is a name, is known, or is named elsewhere.

    Otherwise it is about the project or the speaker: a description in one session makes no entity.
    """
    triple = draft.said.triple
    if triple is None:
        return draft
    name = triple.subject
    is_thing = (
        found.is_certain
        or name == USER
        or has_form_of_name(name, found.turn.episode.text)
        or find_entities(view, name, draft.scope, recorder)
        or _is_told_elsewhere(view, name, found)
    )
    if is_thing:
        return replace(draft, about=(name, *draft.about)[:ANCHORS_MAX])
    return draft if draft.about else replace(draft, about=(default_subject(found),))


def _is_told_elsewhere(view: Snapshot, name: str, found: Found) -> bool:
    """Say whether another session itself states something of *name*."""
    episode = found.turn.episode
    within = Visibility(episode.owner, frozenset({episode.scope}))
    which = FactFilter(within=within, subject=name)
    known = Facts(view).select(which, limit=_TOLD_MAX)
    rests_on = [rest.episode_id for fact in known for rest in fact.evidence]
    own = root_of(view, episode.session_id, within)
    told = Episodes(view).all_of(rests_on, within)
    return any(one.session_id and root_of(view, one.session_id, within) != own for one in told)


def record_people(
    tx: Transaction, draft: FactDraft, people: frozenset[str], recorder: WriteContext
) -> None:
    """
    Record those of *people* that a fact is about as persons, unless their name is known.

    The same goes for a user who types to an agent, and for somebody whose relation to another is
    stated.
    """
    triple = draft.said.triple
    named = {*draft.about, *((triple.subject, triple.object) if triple else ())}
    persons = (people | {USER}) & named
    if triple is not None and triple.subject in draft.about and is_of_person(draft.said):
        persons |= {triple.subject} - {key_of(draft.scope)}
    for name in sorted(persons):
        if not find_entities(tx, name, draft.scope, recorder):
            person = EntityDraft(name=name, type=EntityType.PERSON, scope=draft.scope)
            record_entity(tx, person, replace(recorder, by=DISTILLER))


def in_known_channel(view: Snapshot, draft: FactDraft, found: Found, words: Words) -> FactDraft:
    """
    Return *draft* in the channel in which its subject already has such a value.

    Forms of speech file the location of a thing and of a person in different channels. In a channel
    of its own, a new value would stand beside the one that it replaces. What an agent writes down
    names its channel itself.
    """
    episode = found.turn.episode
    is_filed = found.is_certain and episode.role is not Role.USER
    said = draft.said
    other = _OTHER_CHANNEL.get(said.channel) if said.channel is not None else None
    triple = None if said.triple is None else as_written(said.triple, words)
    if triple is None or other is None or is_filed:
        return draft
    which = FactFilter(
        within=Visibility(episode.owner, frozenset({draft.scope})),
        subject=triple.subject,
        predicate=triple.predicate,
    )
    known = Facts(view).select(which, limit=_TOLD_MAX)
    held = {fact.said.channel for fact in known if fact.slot}
    is_elsewhere = other in held and said.channel not in held
    return replace(draft, said=replace(said, channel=other)) if is_elsewhere else draft


_JOINTS = frozenset({"&", "and", "de", "der", "du", "for", "la", "of", "the", "van", "von"})
# Words before a common noun, and before no bare name.
_DETERMINED = re.compile(
    r"(?:\b(?:the|an?|our|my|your|his|her|their|its|this|that|these|those|all|both|each|every|any"
    r"|some|no|which|what|\d+)|['\u2019]s)\s+$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"(?:^|[.!?:;\n]|[-*]\s)[\s\"'`(\u2018\u201c]*$")
_QUOTES = re.compile(r"[`\"\u201c]$")
# Words after a single thing.
_OF_ONE = re.compile(
    r"\s+(?:(?:now|also|only|always|still|just)\s+)?"
    r"(?!(?:this|across|less|its|as|us|plus)\b)(?:\w+[^\Ws]s|is|was|has|does|will)\b"
)
_DOING = re.compile(r"[a-z]+ing$", re.IGNORECASE)


def has_form_of_name(name: str, text: str) -> bool:
    """
    Say whether a text uses *name* as a name.

    It is an identifier, or quoted, or each of its words is capitalised without need; or it is one
    word for one thing without an article, which only a name is.
    """
    words = name.split()
    if not words:
        return False
    if len(words) == 1 and names_something(name):
        return True
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    if not places:
        return _is_proper(words)
    return any(_is_name_at(at, name, words, text) for at in places)


def _is_name_at(at: int, name: str, words: list[str], text: str) -> bool:
    before, after = text[:at], text[at + len(name) :]
    if _QUOTES.search(before) and _QUOTES.match(after[:1]):
        return True
    is_first = _OPENS.search(before) is not None
    if _is_proper(words) and (len(words) > 1 or not is_first):
        return True
    is_bare = len(words) == 1 and not _DETERMINED.search(before) and not _DOING.fullmatch(name)
    return is_bare and _OF_ONE.match(after) is not None


def _is_proper(words: list[str]) -> bool:
    """Say whether each word but small joints is capitalised, a number or an identifier."""
    telling = [word for word in words if word not in _JOINTS]
    return any(map(_has_capital, telling)) and all(
        _has_capital(word) or word[0].isdigit() or names_something(word) for word in telling
    )


def _has_capital(word: str) -> bool:
    return word[0].isupper()
