"""
Finding what answers a question.

Every arm proposes candidates; their neighbours come along, and ranking weighs
them all alike.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EntityId, EpisodeId, SessionId, is_identifier
from tilth.core.lifecycle import Review, freshness_of
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeKind, Passage, Place, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.naming import pointed_at
from tilth.knowledge.facts.places import FactPlace, FactPlaces
from tilth.knowledge.vocabulary.registries import Registry
from tilth.knowledge.vocabulary.tables import spellings
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.recall.answer import Answer, answer
from tilth.recall.candidates import Ask, Gathered, Recaller, cosines, gather
from tilth.recall.fact_hits import Scores, fact_hit, facts_within, load_facts
from tilth.recall.feedback import standing
from tilth.recall.model import FETCH_MAX, Hit, Neighbour, Recall, RecallOptions, Tier
from tilth.recall.packing import packed, snippet, token_estimate
from tilth.recall.question import Question, understand
from tilth.recall.ranking import Grouped
from tilth.recall.signals import Candidates
from tilth.recall.tables import Votes

logger = logging.getLogger(__name__)

# How many of the best bring how many neighbours each way; what ranks low rarely needs them.
# A hundred with four each way find 0.2 in 100 more of pooled LoCoMo, and are twice as many to read.
NEIGHBOURS = ((24, 4), (56, 2))
SESSIONS_MAX = 50
# A memory that ended longer ago than this is asked about in its own time.
DORMANT = timedelta(days=60)
_INSTANT = timedelta(microseconds=1)


def recall(
    store: Store, recaller: Recaller, asked: str, within: Visibility, options: RecallOptions
) -> Recall:
    """
    Answer a question from the episodes and facts that may be seen.

    Args:
        store: Where they are.
        recaller: The embedders, the lexicon and the clock.
        asked: The question, in any words; nothing in it is syntax.
        within: Whose, in which scopes.
        options: How many, as of when, how long.

    Returns:
        The hits, best first, and whether they answer the question.

    Raises:
        InvalidInputError: the question is empty, or an ID: one that is wrong must not
            bring what only reads like it (EM-061).
        NotFoundError: no entity that may be seen goes by the name that was given.
    """
    if is_identifier(asked):
        raise InvalidInputError(
            f"{asked.strip()} is an id, and no question",
            hint="read it by its id: tilth episode show, tilth fact show",
        )
    now = recaller.clock.now()
    with store.read() as view:
        meant = pointed_at(view, options.entity, within) if options.entity else []
        about = meant[0].id if meant else None
        which = _filter(view, within, options, about)
        question = _dated(view, understand(asked, now), which, now)
        ask = Ask(view, recaller, question, which, facts_within(within, options, about))
        gathered, found = _answer(store.store_id, ask, options, now)
        hits = _hits(ask, gathered, found, options, now)
        sessions = _sessions(view, found, within)
    logger.info("recalled: candidates=%d hits=%d", len(found.places), len(hits))
    costs = [_cost(hit) for hit in hits]
    return Recall(
        question=question.text,
        hits=tuple(packed(hits, costs, options.budget_tokens)),
        answerable=found.answerable,
        confidence=found.confidence,
        sessions=tuple(sessions),
        notes=(*gathered.notes, *(_namesake(one) for one in meant[1:])),
    )


def fetch(store: Store, episode_ids: Sequence[str], within: Visibility) -> list[Episode]:
    """
    Return whole episodes by ID; those that are unknown or may not be seen are left out.

    Raises:
        InvalidInputError: more than twenty are asked for.
    """
    if len(episode_ids) > FETCH_MAX:
        raise InvalidInputError(f"fetch takes at most {FETCH_MAX} IDs, not {len(episode_ids)}")
    found = []
    with store.read() as view:
        for episode_id in dict.fromkeys(episode_ids):
            try:
                found.append(Episodes(view).get(EpisodeId(episode_id), within))
            except (NotFoundError, InvalidInputError):
                logger.debug("not fetched: episode=%s", episode_id)
    return found


def _namesake(entity: Entity) -> str:
    return f"{entity.id} goes by that name too; name it by its id to ask about it"


def _filter(
    view: Snapshot, within: Visibility, options: RecallOptions, about: EntityId | None
) -> EpisodeFilter:
    return EpisodeFilter(
        within=within,
        occurred_before=None if options.as_of is None else options.as_of + _INSTANT,
        recorded_before=None if options.known_at is None else options.known_at + _INSTANT,
        kinds=options.kinds,
        session_id=options.session_id,
        about=about,
        areas=None
        if options.area is None
        else spellings(view.conn, within.owner, Registry.AREA, options.area),
    )


def _dated(view: Snapshot, question: Question, which: EpisodeFilter, now: datetime) -> Question:
    """
    Read the times in a question from the end of the memory, if that lies long back.

    "In March", asked of a chat that ended two years ago, means its own March.
    """
    if not question.ranges:
        return question
    last = Episodes(view).sessions(which.within, limit=1)
    if not last or now - last[0].last_at < DORMANT:
        return question
    return understand(question.text, last[0].last_at + timedelta(days=1))


def _answer(
    store_id: str, ask: Ask, options: RecallOptions, now: datetime
) -> tuple[Gathered, Answer]:
    recaller, view = ask.recaller, ask.view
    lexicon = recaller.lexicon
    gathered = gather(ask)
    places = _places(ask, gathered) if Tier.EPISODE in options.tiers else []
    places = sorted([*places, *(_as_place(fact.place) for fact in gathered.facts.values())])
    with lexicon.lock:
        known = lexicon.readings(
            store_id,
            [place.seq for place in places],
            lambda seqs: _passages(ask, gathered, seqs),
        )
        places = [place for place in places if place.seq in known]
        readings = [known[place.seq] for place in places]
        candidates = Candidates(
            places,
            readings,
            *cosines(ask, gathered, places),
            _standing(view, places, now),
            gathered.facts,
        )
        found = answer(ask.question, candidates, gathered.corpus, lexicon, recaller.recipe, options)
    return gathered, found


def _passages(ask: Ask, gathered: Gathered, seqs: list[int]) -> list[Passage]:
    """Read what the candidates at *seqs* say."""
    said = [seq for seq in seqs if seq not in gathered.facts]
    passages = Episodes(ask.view).passages(said, ask.which)
    stated = [seq for seq in seqs if seq in gathered.facts]
    if stated and ask.facts is not None:
        passages += FactPlaces(ask.view).passages(stated, ask.facts)
    return passages


def _as_place(fact: FactPlace) -> Place:
    """Return where a fact stands among episodes: in no session, from when it holds."""
    return Place(fact.seq, 0, 0, fact.valid_from, EpisodeKind.NOTE, Role.USER)


def _standing(view: Snapshot, places: Sequence[Place], now: datetime) -> Mapping[int, float]:
    """Return what feedback on the candidates comes to, where there was any."""
    votes = Votes(view).at([place.seq for place in places])
    return {seq: standing(cast, now) for seq, cast in votes.items()}


def _places(ask: Ask, gathered: Gathered) -> list[Place]:
    """Return where everything that the arms brought stands, with the neighbours of the best."""
    best = iter(gathered.best(sum(count for count, _ in NEIGHBOURS)))
    found: set[Place] = set()
    for count, reach in NEIGHBOURS:
        found.update(Episodes(ask.view).places([*islice(best, count)], ask.which, reach=reach))
    rest = gathered.seqs - {place.seq for place in found}
    return sorted([*found, *Episodes(ask.view).places(sorted(rest), ask.which)])


def _hits(
    ask: Ask, gathered: Gathered, found: Answer, options: RecallOptions, now: datetime
) -> list[Hit]:
    """Return what was chosen, read whole."""
    seqs = [found.places[one.at].seq for one in found.chosen]
    stated = load_facts(ask.view, ask.facts, [seq for seq in seqs if seq in gathered.facts])
    episodes = {one.chosen.at: one for one in _loaded(ask, gathered, found, options)}
    hits = []
    for one, seq in zip(found.chosen, seqs, strict=True):
        scores = _scores(found, gathered, one.at)
        if fact := stated.facts.get(seq):
            hits.append(fact_hit(ask, one, fact, stated, scores, is_full=options.is_full))
        # What was erased since the lexicon read it is gone.
        elif loaded := episodes.get(one.at):
            hits.append(_hit(loaded, scores, now))
    return hits


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What was chosen, read whole, with its session and the text to show."""

    chosen: Grouped
    episode: Episode
    session: SessionInfo
    text: str
    around: tuple[Neighbour, ...]


def _loaded(ask: Ask, gathered: Gathered, found: Answer, options: RecallOptions) -> list[_Loaded]:
    chosen = [one for one in found.chosen if found.places[one.at].seq not in gathered.facts]
    places = [found.places[one.at] for one in chosen]
    episodes = Episodes(ask.view).at([place.seq for place in places], ask.which.within)
    sessions = Episodes(ask.view).sessions_of([place.session_no for place in places])
    by_seq = {episode.seq: episode for episode in episodes}
    around = _around(ask, places, options.around)
    loaded = []
    for one, place in zip(chosen, places, strict=True):
        if episode := by_seq.get(place.seq):
            text = episode.text if options.is_full else snippet(episode.text, ask.question.terms)
            session = sessions.get(place.session_no, SessionInfo())
            loaded.append(_Loaded(one, episode, session, text, around.get(place.seq, ())))
    return loaded


def _around(ask: Ask, places: Sequence[Place], reach: int) -> Mapping[int, tuple[Neighbour, ...]]:
    """Return up to *reach* neighbours each way of each of *places*, by its place."""
    if not reach:
        return {}
    near = Episodes(ask.view).places([place.seq for place in places], ask.which, reach=reach)
    told = Episodes(ask.view).at([place.seq for place in near], ask.which.within)
    episodes = {episode.seq: episode for episode in told}
    return {
        place.seq: tuple(
            _neighbour(episodes[one.seq], one.position - place.position)
            for one in near
            if one.session_no == place.session_no > 0
            and 0 < abs(one.position - place.position) <= reach
            and one.seq in episodes
        )
        for place in places
    }


def _cost(hit: Hit) -> int:
    return token_estimate(hit.text) + sum(token_estimate(near.text) for near in hit.around)


def _neighbour(episode: Episode, offset: int) -> Neighbour:
    return Neighbour(
        id=episode.id,
        offset=offset,
        role=episode.role,
        speaker=episode.speaker,
        text=episode.text,
    )


def _hit(loaded: _Loaded, scores: Scores, now: datetime) -> Hit:
    episode = loaded.episode
    return Hit(
        id=episode.id,
        tier=Tier.EPISODE,
        text=loaded.text,
        word_count=len(episode.text.split()),
        is_snippet=loaded.text != episode.text,
        score=scores.score,
        signals=scores.signals,
        parts=scores.parts,
        group=loaded.chosen.group,
        session_id=episode.session_id,
        session_title=loaded.session.title,
        session_tags=loaded.session.tags,
        episode_ids=(episode.id,),
        kind=episode.kind,
        role=episode.role,
        speaker=episode.speaker,
        scope=episode.scope,
        valid_from=episode.occurred_at,
        valid_to=None,
        recorded_at=episode.recorded_at,
        lifecycle=episode.lifecycle,
        review=Review.UNREVIEWED,
        freshness=freshness_of(now - episode.occurred_at),
        around=loaded.around,
    )


def _scores(found: Answer, gathered: Gathered, at: int) -> Scores:
    return Scores(
        score=float(found.ranking.scores[at]),
        signals=_raw(found, gathered, at),
        parts={name: float(part[at]) for name, part in found.ranking.parts.items()},
    )


def _raw(found: Answer, gathered: Gathered, at: int) -> Mapping[str, float]:
    """Return the raw signals of a candidate, and its rank in each arm that brought it."""
    signals, seq = found.signals, found.places[at].seq
    raw = {
        "bm25": float(signals.lexical[at]),
        "covered": float(signals.covered[at]),
        "session_bm25": float(signals.session[at]),
        "date": float(signals.date[at]),
        "speaker": float(signals.speaker[at]),
        "cosine_first": float(signals.first[at]),
        "cosine_second": float(signals.second[at]),
    }
    ranks = {f"rank_{arm}": float(rank) for arm, rank in gathered.ranks_of(seq).items()}
    known = {name: value for name, value in raw.items() if not math.isnan(value)}
    return known | ranks | {"arms": float(len(ranks))}


def _sessions(view: Snapshot, found: Answer, within: Visibility) -> Sequence[SessionId]:
    """Return the sessions of what was found, best first."""
    return Episodes(view).session_ids(found.sessions[:SESSIONS_MAX], within)
