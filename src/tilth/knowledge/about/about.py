"""Collect what is known about an entity: its names, current facts, links and mentions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime

from tilth.core.calls.paging import check_page
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.scope import Visibility
from tilth.core.text.promises import is_reported
from tilth.core.text.tokens import index_terms, split_sentences
from tilth.episodes.episode import PROSE, Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.about.traits import traits_now
from tilth.knowledge.entities.entities import Card, card_in
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import NOW, FactFilter, Moment, not_holding
from tilth.knowledge.facts.state import StateFact, with_freshness
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.graph import Neighbourhood, neighbourhood_in
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

LIMIT_MAX = 100
MENTIONS_MAX = 10
# How many episodes with the terms of a name are read, to see whether they contain the name.
_READ_MAX = 50
_SHOWN_CHARS = 200
# In characters, how much of a text is shown before the name.
_LEAD_CHARS = 60
# Line ends and quotation marks as programs escape them.
_LINE_END, _QUOTE = re.compile(r"\\[nrt]"), re.compile(r"\\([\"'])")
# The kind that distillation gives to a promise (`tilth.learning.candidate`).
_PROMISE = "commitment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An episode that names an entity, and the words around the name."""

    episode_id: EpisodeId
    session_id: SessionId | None
    occurred_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """
    What is known about an entity.

    `facts` are current, the one that began last first, out of `fact_count`; those in doubt, or that
    a proposal would replace, are also in `contested`. `told` are facts that are not current, such
    as imported ones. `mentions` are the latest messages that name it, or tool outputs if no message
    does. `contact` is the last episode with it, or from one of its addresses. `promises` were made
    by it or to it, and are neither ended nor reported as done. `profile` is its present state, by
    key.
    """

    card: Card
    facts: tuple[StateFact, ...]
    fact_count: int
    contested: tuple[Fact, ...]
    told: tuple[StateFact, ...]
    graph: Neighbourhood
    mentions: tuple[Mention, ...]
    contact: Mention | None
    promises: tuple[StateFact, ...]
    profile: Mapping[str, str] = field(default_factory=dict)


def about(
    store: Store,
    clock: Clock,
    word: str,
    within: Visibility,
    *,
    limit: int = 20,
    moment: Moment = NOW,
) -> About:
    """
    Return what is known about the entity with this ID or name, at *moment*.

    Raises:
        NotFoundError: no visible entity has it; the hint names similar ones.
        InvalidInputError: *limit* is not from 1 to 100.
    """
    check_page(limit, LIMIT_MAX)
    now = clock.now()
    with store.read() as view:
        card = card_in(view, word, within)
        which = FactFilter(within=within, about=card.entity.id, moment=moment, is_once=True)
        if moment.as_of is None:
            which = replace(which, now=moment.known_at or now)
        facts = Facts(view).select(which, limit=limit)
        told = (
            [] if moment.as_of is not None else Facts(view).select(not_holding(which), limit=limit)
        )
        facts, told = (Facts(view).with_beside(one, within, moment) for one in (facts, told))
        aged_facts = tuple(with_freshness(fact, moment.known_at or now) for fact in facts)
        aged_told = tuple(with_freshness(fact, moment.known_at or now) for fact in told)
        concerning = EpisodeFilter(within=within, about=card.entity.id)
        recent = Episodes(view).select(concerning, limit=_READ_MAX, newest_first=True)
        return About(
            card=card,
            facts=aged_facts,
            fact_count=Facts(view).count(which),
            contested=tuple(fact for fact in facts if fact.is_in_doubt),
            told=aged_told,
            graph=neighbourhood_in(view, card.entity.id, within, known_at=moment.known_at),
            mentions=tuple(_mentions(view, card.names, within)),
            contact=_contact(card, recent),
            # The profile is of now; its history tells what it was at another moment.
            profile=traits_now(view, card.entity.id, within) if moment == NOW else {},
            promises=tuple(
                one
                for one in (*aged_facts, *aged_told)
                if one.fact.metadata.get("kind") == _PROMISE and not _is_kept(one.fact, recent)
            ),
        )


def _is_kept(promise: Fact, recent: Sequence[Episode]) -> bool:
    """Say whether a later episode reports that a promise was kept."""
    later = (one for one in recent if one.occurred_at > promise.life.valid_from)
    return any(
        is_reported(promise.said.text, sentence)
        for one in later
        for sentence in split_sentences(one.text)
    )


def _contact(card: Card, recent: Sequence[Episode]) -> Mention | None:
    """Return the last episode with an entity, or from one of its addresses."""
    own = {card.entity.id, *(one.id for one in card.merged)}
    at = {(one.address.transport, one.address.address) for one in card.identities}
    said = [one for one in recent if one.entity_id in own or (one.transport, one.address) in at]
    return _mention(max(said, key=lambda one: one.occurred_at)) if said else None


def _mentions(view: Snapshot, names: Sequence[str], within: Visibility) -> Iterator[Mention]:
    """Yield the latest episodes that contain one of *names* word for word."""
    terms = [found for name in names if (found := index_terms(name))]
    which = EpisodeFilter(within=within)
    places = {
        scored.seq
        for sought in terms
        for scored in Search(view).lexical(sought, which, limit=_READ_MAX)
    }
    episodes = Episodes(view).at(sorted(places), within)
    naming = [one for one in episodes if _holds(index_terms(one.text), terms)]
    naming = [one for one in naming if one.kind in PROSE] or naming
    naming.sort(key=lambda one: one.occurred_at, reverse=True)
    for one in naming[:MENTIONS_MAX]:
        yield _mention(one, names)


def _mention(one: Episode, names: Sequence[str] = ()) -> Mention:
    text = one.text if one.kind in PROSE else _QUOTE.sub(r"\1", _LINE_END.sub(" ", one.text))
    return Mention(
        episode_id=one.id,
        session_id=one.session_id,
        occurred_at=one.occurred_at,
        text=_around(" ".join(text.split()), names),
    )


def _around(text: str, names: Sequence[str]) -> str:
    """Return the words of *text* around the first of *names* in it, or its beginning."""
    low = text.lower()
    found = [at for name in names if (at := low.find(" ".join(name.lower().split()))) >= 0]
    at = min(found, default=0)
    first = 0 if at < _SHOWN_CHARS - _LEAD_CHARS else text.rfind(" ", 0, at - _LEAD_CHARS) + 1
    first = max(first, at - 2 * _LEAD_CHARS)
    shown = text[first : first + _SHOWN_CHARS]
    return f"{'…' if first else ''}{shown}{'…' if first + _SHOWN_CHARS < len(text) else ''}"


def _holds(said: Sequence[str], names: Sequence[Sequence[str]]) -> bool:
    return any(said[at : at + len(name)] == name for name in names for at in range(len(said)))
