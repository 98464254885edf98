"""
Answer a question from episodes and facts.

Every arm proposes candidates, their neighbours are added, and ranking weighs them all alike.
"""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TypeVar

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EntityId, EpisodeId, is_identifier
from tilth.core.instant import next_microsecond
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeKind, LaterNote, Passage, Place, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.resolve_name import entities_meant
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.ranking_inputs import FactPlace, FactPlaces
from tilth.knowledge.vocabulary.registries import Registry
from tilth.knowledge.vocabulary.tables import spellings
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.practice.model import CommandStats
from tilth.practice.practice import commands_asked
from tilth.recall.answer import Answer, answer, answer_by_time
from tilth.recall.candidates import Ask, Gathered, cosines, dated, gather, without_search
from tilth.recall.comparison import Compared
from tilth.recall.feedback import Votes, feedback_total
from tilth.recall.hits import hits_of
from tilth.recall.model import FETCH_MAX, Hit, Recall, RecallOptions, Tier
from tilth.recall.order.signals import Candidates
from tilth.recall.packing import packed, token_estimate
from tilth.recall.question import Question, parts_of, reduce_to_question, understand
from tilth.recall.recaller import Recaller

T = TypeVar("T")
logger = logging.getLogger(__name__)

# How many of the best bring how many neighbours on each side; low-ranking ones rarely need them. A
# hundred with four each find 0.2 in 100 more of pooled LoCoMo, and double what is read.
NEIGHBOURS = ((24, 4), (56, 2))
SESSIONS_MAX = 50
# The most episodes that are read for a question about a time alone.
TIMED_MAX = 5000
# How many of the latest episodes a worker reads before it answers; 0.3 s of work.
WARMED = 1000
# A memory that ended longer ago than this is asked about relative to its own end.
DORMANT = timedelta(days=60)
# The most commands in an answer: two ways, and one from another project.
_COMMANDS_MAX = 3
# The facts that recall shows; drafts wait, and archived or rejected facts are no memory.
_SHOWN_LIFECYCLES = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})
_NOT_REJECTED = frozenset(Review) - {Review.REJECTED}


def recall(
    store: Store, recaller: Recaller, asked: str, within: Visibility, options: RecallOptions
) -> Recall:
    """
    Answer a question from visible episodes and facts.

    Args:
        store: The store that is read.
        recaller: The embedders, the lexicon and the clock.
        asked: The question, in any words; nothing in it is syntax.
        within: The owner and scopes that may be read.
        options: How many hits, as of when, in which budget, and so on.

    Returns:
        The hits, best first, and whether they answer the question.

    Raises:
        InvalidInputError: the question is empty, or an ID: a wrong ID must not find what only
            reads like it (EM-061).
        NotFoundError: no visible entity has the given name.
    """
    if is_identifier(asked):
        raise InvalidInputError(
            f"{asked.strip()} is an id, and no question",
            hint="read it by its id: tilth episode show, tilth fact show",
        )
    now = recaller.clock.now()
    with store.read() as view:
        meant = entities_meant(view, options.entity, within) if options.entity is not None else []
        about = meant[0].id if meant else None
        which, facts = _filters(view, within, options, about)
        # As of a past time, "yesterday" is the day before that time.
        at, asks = options.as_of or now, list[Ask]()
        for part in parts_of(asked):
            asks.append(Ask(view, recaller, _read_question(view, part, which, at), which, facts))
        answers = [_answer(store.store_id, ask, options, now) for ask in asks]
        hits = _interleave_hits(
            [
                hits_of(ask, gathered, found, options, now)
                for ask, (gathered, found) in zip(asks, answers, strict=True)
            ]
        )[: options.limit]
        sessions = _interleave([found.sessions for _, found in answers])[:SESSIONS_MAX]
        session_ids = Episodes(view).session_ids(sessions, within)
        commands = _commands(asks, within) if options.has_commands else []
    every = [found for _, found in answers]
    logger.info("recalled: candidates=%d hits=%d", sum(len(one.places) for one in every), len(hits))
    return Recall(
        question=reduce_to_question(asked),
        hits=tuple(packed(hits, [*map(_cost, hits)], options.budget_tokens)),
        answerable=bool(commands) or any(one.answerable for one in every),
        confidence=max(one.confidence for one in every),
        sessions=tuple(session_ids),
        notes=_notes(asks, answers, meant),
        commands=tuple(commands),
    )


def _commands(asks: Sequence[Ask], within: Visibility) -> list[CommandStats]:
    """Return the commands that the questions ask for."""
    asked = (
        commands_asked(ask.view, ask.question.terms, within, limit=_COMMANDS_MAX) for ask in asks
    )
    return [one for found in asked for one in found]


def _notes(
    asks: Sequence[Ask], answers: Sequence[tuple[Gathered, Answer]], meant: Sequence[Entity]
) -> tuple[str, ...]:
    """Return notes on the answer: parts without an answer, and namesakes."""
    notes = [note for gathered, _ in answers for note in gathered.notes]
    if any(found.answerable for _, found in answers):
        notes += [
            f"nothing here answers: {ask.question.text}"
            for ask, (_, found) in zip(asks, answers, strict=True)
            if not found.answerable
        ]
    notes += [
        f"{other.id} goes by that name too; name it by its id to ask about it"
        for other in meant[1:]
    ]
    return tuple(dict.fromkeys(notes))


def _cost(hit: Hit) -> int:
    """Return the tokens of a hit with its neighbours."""
    return sum(map(token_estimate, (*hit.words, *(near.text for near in hit.around))))


def _interleave_hits(found: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Return the hits of several questions, alternating, best first; groups stay apart."""
    apart = found
    if len(found) > 1:
        apart = [
            [replace(hit, group=hit.group * len(found) + number) for hit in hits]
            for number, hits in enumerate(found)
        ]
    kept: dict[str, Hit] = {}
    for hit in _interleave(apart):
        kept.setdefault(hit.id, hit)
    return list(kept.values())


def _interleave(several: Sequence[Sequence[T]]) -> list[T]:
    """Return the first of each list, then the second of each, and so on."""
    return [one for row in zip_longest(*several) for one in row if one is not None]


def warm(store: Store, recaller: Recaller, within: Visibility) -> None:
    """Read the latest episodes, so that no question waits for the vectors of their words."""
    which = EpisodeFilter(within=within)
    with store.read() as view, recaller.lexicon.lock:
        latest = Episodes(view).select(which, limit=WARMED, newest_first=True)
        said = [Passage(one.seq, one.speaker, one.text) for one in latest]
        recaller.lexicon.readings(store.store_id, [one.seq for one in said], lambda _: said)
        recaller.lexicon.stems()


def fetch(store: Store, episode_ids: Sequence[str], within: Visibility) -> list[Episode]:
    """
    Return whole episodes by ID; unknown and invisible ones are left out.

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


def _filters(
    view: Snapshot, within: Visibility, options: RecallOptions, about: EntityId | None
) -> tuple[EpisodeFilter, FactFilter | None]:
    """Return the filters of episodes and of facts; None for facts if none may answer."""
    episodes = EpisodeFilter(
        within=within,
        occurred_before=None if options.as_of is None else next_microsecond(options.as_of),
        recorded_before=None if options.known_at is None else next_microsecond(options.known_at),
        kinds=options.kinds,
        session_id=options.session_id,
        about=about,
        areas=None
        if options.area is None
        else spellings(view.conn, within.owner, Registry.AREA, options.area),
    )
    facts = FactFilter(
        within=within,
        moment=Moment(options.as_of, options.known_at),
        lifecycles=_SHOWN_LIFECYCLES,
        reviews=_NOT_REJECTED,
        about=about,
        area=options.area,
    )
    return episodes, facts if options.has_facts else None


def _read_question(view: Snapshot, asked: str, which: EpisodeFilter, now: datetime) -> Question:
    """
    Read a question; its times are relative to the end of a memory that ended long ago.

    "In March", asked of a chat that ended two years ago, means its own March.
    """
    question = understand(asked, now)
    if not question.ranges:
        return question
    last = Episodes(view).sessions(which.within, limit=1)
    if not last or now - last[0].last_at < DORMANT:
        return question
    return understand(asked, last[0].last_at + timedelta(days=1))


def _answer(
    store_id: str, ask: Ask, options: RecallOptions, now: datetime
) -> tuple[Gathered, Answer]:
    recaller, question = ask.recaller, ask.question
    lexicon, recipe = recaller.lexicon, recaller.recipe
    of_time = _episodes_of_time(ask, options)
    gathered = without_search(ask) if of_time else gather(ask)
    places = of_time or _places(ask, gathered, options)
    with lexicon.lock:
        candidates = _candidates(store_id, ask, gathered, places, now)
        if of_time:
            found = answer_by_time(question, candidates, gathered.corpus, lexicon, recipe)
        else:
            found = answer(question, candidates, gathered.corpus, lexicon, recipe, options)
    return gathered, found


def _episodes_of_time(ask: Ask, options: RecallOptions) -> list[Place]:
    """Return what happened in the time of a question that asks nothing else."""
    if not (ask.question.is_of_time and options.is_grouped and Tier.EPISODE in options.tiers):
        return []
    times = (dated(ask, asked, TIMED_MAX) for asked in ask.question.ranges)
    return timeline([*dict.fromkeys(chain.from_iterable(times))], options.limit)


def _candidates(
    store_id: str, ask: Ask, gathered: Gathered, places: Sequence[Place], now: datetime
) -> Candidates:
    lexicon = ask.recaller.lexicon
    known = lexicon.readings(
        store_id, [place.seq for place in places], lambda new: _passages(ask, gathered, new)
    )
    places = [place for place in places if place.seq in known]
    votes = Votes(ask.view).at([place.seq for place in places])
    first, second = cosines(ask, gathered, places)
    readings = [known[place.seq] for place in places]
    return Candidates(
        places=places,
        readings=readings,
        first=first,
        second=second,
        feedback={seq: feedback_total(cast, now) for seq, cast in votes.items()},
        facts=gathered.facts,
        former_sections=_former_sections(ask, places),
        later_notes=_later_notes(ask, places),
        compare=partial(Compared.of, ask, places, readings),
    )


def _former_sections(ask: Ask, places: Sequence[Place]) -> frozenset[int]:
    """Return former document sections; empty for a question about an earlier time."""
    documents = [one.seq for one in places if one.kind is EpisodeKind.DOCUMENT]
    if not documents or _is_about_the_past(ask):
        return frozenset()
    return Episodes(ask.view).left_documents(documents, ask.which.within.owner)


def _later_notes(ask: Ask, places: Sequence[Place]) -> Mapping[int, LaterNote]:
    """Return the notes that replaced others; empty for a question about an earlier time."""
    apart = [one.seq for one in places if one.session_no == 0]
    return {} if not apart or _is_about_the_past(ask) else Episodes(ask.view).later_notes(apart)


def _is_about_the_past(ask: Ask) -> bool:
    return bool(ask.which.recorded_before or ask.which.occurred_before)


def _passages(ask: Ask, gathered: Gathered, seqs: list[int]) -> list[Passage]:
    """Return the texts of the candidates at *seqs*."""
    said = [seq for seq in seqs if seq not in gathered.facts]
    passages = Episodes(ask.view).passages(said, ask.which)
    stated = [seq for seq in seqs if seq in gathered.facts]
    if stated and ask.facts is not None:
        passages += FactPlaces(ask.view).passages(stated, ask.facts)
    return passages


def _as_place(fact: FactPlace) -> Place:
    """Return a fact as a place among episodes: in no session, at the start of its validity."""
    return Place(fact.seq, 0, 0, fact.valid_from, EpisodeKind.NOTE, Role.USER)


def _places(ask: Ask, gathered: Gathered, options: RecallOptions) -> list[Place]:
    """Return the places of all candidates, with the neighbours of the best."""
    facts = [_as_place(fact.place) for fact in gathered.facts.values()]
    if Tier.EPISODE not in options.tiers:
        return sorted(facts)
    best = iter(gathered.best(len(gathered.seqs)))
    seeds = [([*islice(best, count)], reach) for count, reach in NEIGHBOURS]
    places = Episodes(ask.view).around([*seeds, ([*best], 0)], ask.which)
    return sorted([*places, *facts]) if facts else places


def timeline(places: Sequence[Place], limit: int) -> list[Place]:
    """
    Return at most *limit* of *places*, by the start of their session, then in turn.

    Likeness cannot tell what matters of a day. So each session has a share: a person's first ask,
    the last report, then other words of people. If there are more sessions than room, those with
    most words are chosen.
    """
    sessions: dict[int, list[Place]] = defaultdict(list)
    for place in sorted(places, key=lambda one: (one.occurred_at, one.seq)):
        sessions[place.session_no or -place.seq].append(place)
    chosen = sorted(sessions.values(), key=lambda one: (-len(one), -one[-1].seq))[:limit]
    shares = zip_longest(*map(_asks_and_reports_first, chosen))
    kept = set(islice((one for one in chain.from_iterable(shares) if one), limit))
    in_order = sorted(chosen, key=lambda one: (one[0].occurred_at, one[0].seq))
    return [place for session in in_order for place in session if place in kept]


def _asks_and_reports_first(session: Sequence[Place]) -> list[Place]:
    asked = [one for one in session if one.role is Role.USER]
    reported = [one for one in reversed(session) if one.role is Role.ASSISTANT]
    best = [*asked[:1], *reported[:1], *asked[1:], *reported[1:]]
    return best + [one for one in session if one not in best]
