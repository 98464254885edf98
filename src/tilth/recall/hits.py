"""Make the hits of an answer: read the chosen episodes and facts whole."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review, freshness_of, may_contradict
from tilth.episodes.episode import Episode, Place, Role
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import Exchange, Span
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.facts.tables import Facts
from tilth.recall.answer import Answer
from tilth.recall.candidates import Ask, Gathered
from tilth.recall.model import Card, Hit, Neighbour, RecallOptions, Tier
from tilth.recall.order.ranking import Grouped
from tilth.recall.packing import snippet


@dataclass(frozen=True, slots=True)
class _Scores:
    """What ranking says of one candidate."""

    score: float
    signals: Mapping[str, float]
    parts: Mapping[str, float]
    group: int


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A chosen episode with its session and the text to show."""

    episode: Episode
    session: SessionInfo
    text: str
    around: tuple[Neighbour, ...]
    card: Card | None = None


def hits_of(
    ask: Ask, gathered: Gathered, found: Answer, options: RecallOptions, now: datetime
) -> list[Hit]:
    """Return the chosen candidates as hits; those erased since the ranking are left out."""
    hits: list[Hit] = []
    shown_exchanges, left = _ShownExchanges(), list(found.chosen)
    # Lower candidates are read only if several of the first belong to one exchange.
    while left and (lacking := options.limit - len(hits)) > 0:
        some = replace(found, chosen=left[: options.limit])
        shown_exchanges.spans = _spans(ask, gathered, some, options)
        count = shown_exchanges.count_for(
            [found.places[one.at].seq for one in some.chosen], lacking
        )
        some, left = replace(found, chosen=left[:count]), left[count:]
        hits += _make_hits(ask, gathered, some, options, shown_exchanges, now)
    return hits[: options.limit]


@dataclass(slots=True)
class _ShownExchanges:
    """The exchanges of the next candidates, and those already shown, by their first message."""

    spans: Mapping[int, Span] = field(default_factory=dict)
    shown: set[int] = field(default_factory=set)

    def is_shown(self, seq: int) -> bool:
        """Say whether the exchange of the episode at *seq* was shown."""
        return seq in self.spans and self.spans[seq].asks[0] in self.shown

    def count_for(self, seqs: Sequence[int], lacking: int) -> int:
        """Return how many of *seqs* give the *lacking* hits, if none was erased."""
        new = set[tuple[bool, int]]()
        for count, seq in enumerate(seqs, 1):
            if not self.is_shown(seq):
                span = self.spans.get(seq)
                new.add((False, seq) if span is None else (True, span.asks[0]))
            if len(new) == lacking:
                return count
        return len(seqs)


def _make_hits(
    ask: Ask,
    gathered: Gathered,
    found: Answer,
    options: RecallOptions,
    shown_exchanges: _ShownExchanges,
    now: datetime,
) -> Iterator[Hit]:
    """Yield hits, one for each exchange that was not shown yet."""
    seqs = [found.places[one.at].seq for one in found.chosen]
    facts, rivals = _facts(ask, [seq for seq in seqs if seq in gathered.facts])
    places = [found.places[one.at] for one in found.chosen]
    spoken = [one for one in places if one.seq not in gathered.facts]
    untold, spans = (
        [one for one in spoken if not shown_exchanges.is_shown(one.seq)],
        shown_exchanges.spans,
    )
    own = {one.seq: spans[one.seq] for one in untold if one.seq in spans}
    exchanges = _exchanges(ask, own, options)
    fresh = _first_of_each(untold, exchanges)
    shown_exchanges.shown.update(one.ask_seq for one in exchanges.values())
    episodes = _episodes(ask, fresh, options, exchanges)
    for one, seq in zip(found.chosen, seqs, strict=True):
        scores = _scores(found, gathered, one)
        if fact := facts.get(seq):
            said = fact.said.text
            shown = said if options.is_full else snippet(said, ask.question.terms)
            yield _fact_hit(ask, fact, shown, rivals.get(seq, ()), scores)
        elif loaded := episodes.get(seq):
            hit = _episode_hit(loaded, scores, now)
            later = found.later_notes.get(seq)
            if later is not None or seq in found.former_sections:
                successor = None if later is None else later.id
                hit = replace(hit, lifecycle=Lifecycle.SUPERSEDED, successor=successor)
            yield hit


def _spans(
    ask: Ask, gathered: Gathered, found: Answer, options: RecallOptions
) -> Mapping[int, Span]:
    """Return the answered exchanges of the chosen episodes, by the episodes' places."""
    # For a question about a time, what happened is shown message by message.
    if not options.is_folded or ask.question.is_of_time:
        return {}
    every = (found.places[one.at] for one in found.chosen)
    places = [one for one in every if one.seq not in gathered.facts]
    spans = Exchanges(ask.view, ask.which.within).around(places, are_answered=True)
    # An exchange whose report lies outside of the question's bounds in time does not count.
    ends = {one.report for one in spans.values() if one.report is not None}
    if not ends:
        return {}
    seen = {one.seq for one in Episodes(ask.view).places(sorted(ends), ask.which)}
    return {seq: one for seq, one in spans.items() if one.report in seen}


def _exchanges(
    ask: Ask, spans: Mapping[int, Span], options: RecallOptions
) -> Mapping[int, Exchange]:
    """Return the exchanges of *spans*, by the same places, without erased ones."""
    # A card shows neither what came before the ask nor the next ask.
    spans_alone = dict.fromkeys(replace(one, before=None, after=None) for one in spans.values())
    reader = Exchanges(ask.view, ask.which.within, ask.episodes)
    read = reader.read(spans_alone, is_whole=options.has_cards)
    if not options.has_cards:
        gone = reader.taken_back(read)
        read = [replace(one, is_taken_back=one.id in gone) for one in read]
    by_ask = {one.ask_seq: one for one in read}
    return {seq: by_ask[one.asks[0]] for seq, one in spans.items() if one.asks[0] in by_ask}


def _first_of_each(places: Sequence[Place], exchanges: Mapping[int, Exchange]) -> list[Place]:
    """Return *places* with only the first of each exchange."""
    first: dict[tuple[bool, int], Place] = {}
    for place in places:
        exchange = exchanges.get(place.seq)
        name = (False, place.seq) if exchange is None else (True, exchange.ask_seq)
        first.setdefault(name, place)
    return list(first.values())


def _facts(
    ask: Ask, seqs: Sequence[int]
) -> tuple[Mapping[int, Fact], Mapping[int, Sequence[FactId]]]:
    """Return the facts at *seqs*, and the contradicting facts of those in doubt."""
    which = ask.facts
    if which is None or not seqs:
        return {}, {}
    reader = Facts(ask.view)
    read = reader.at(seqs, which.within, which.moment)
    facts = {one.seq: one for one in reader.with_beside(read, which.within, which.moment)}
    found = FactPlaces(ask.view).rivals(list(facts), which.moment)
    others = sorted({seq for rivals in found.values() for seq in rivals})
    known = {one.seq: one for one in reader.at(others, which.within, which.moment)}
    return facts, {
        seq: [known[one].id for one in rivals if one in known and _is_rival(known[one], facts[seq])]
        for seq, rivals in found.items()
    }


def _is_rival(other: Fact, fact: Fact) -> bool:
    """Say whether *other* contradicts *fact*; a draft does if it would replace it."""
    return fact.is_in_doubt or may_contradict(other.life.lifecycle, other.life.review)


def _episodes(
    ask: Ask,
    places: Sequence[Place],
    options: RecallOptions,
    exchanges: Mapping[int, Exchange],
) -> dict[int, _Loaded]:
    """Return the episodes at *places* with their exchanges and neighbours."""
    reader = Episodes(ask.view)
    # A message that only asks is shown by its answer.
    told = {
        place.seq: answer
        for place in places
        if place.role is Role.USER and (answer := _answer_to(exchanges.get(place.seq)))
    }
    seqs = [told.get(place.seq, place.seq) for place in places]
    by_seq = {one.seq: one for one in ask.episodes(set(seqs))}
    sessions = reader.sessions_of([place.session_no for place in places])
    around = _neighbours(ask, places, options.around)
    loaded = {}
    for place, seq in zip(places, seqs, strict=True):
        if episode := by_seq.get(seq):
            text = episode.text if options.is_full else snippet(episode.text, ask.question.terms)
            session = sessions.get(place.session_no, SessionInfo())
            card = _card(ask, exchanges.get(place.seq), episode, options)
            loaded[place.seq] = _Loaded(episode, session, text, around.get(place.seq, ()), card)
    return loaded


def _answer_to(exchange: Exchange | None) -> int | None:
    """Return the place of the report, if everything said before it was a question."""
    return exchange.report_seq if exchange is not None and exchange.is_question else None


def _card(
    ask: Ask, exchange: Exchange | None, shown: Episode, options: RecallOptions
) -> Card | None:
    if exchange is None:
        return None
    terms = ask.question.terms
    has_ask = options.has_cards and shown.id != exchange.id
    has_report = options.has_cards and shown.id != exchange.report_id
    return Card(
        id=exchange.id,
        asked=snippet(exchange.ask, terms) if has_ask else "",
        reported=snippet(exchange.report, terms) if has_report else "",
        ending=exchange.ending,
        files=exchange.files,
        commands=exchange.commands,
        commits=exchange.commits,
        is_taken_back=exchange.is_taken_back,
    )


def _neighbours(
    ask: Ask, places: Sequence[Place], reach: int
) -> Mapping[int, tuple[Neighbour, ...]]:
    """Return up to *reach* neighbours on each side of each of *places*, by place."""
    if not reach:
        return {}
    near = Episodes(ask.view).places([place.seq for place in places], ask.which, reach=reach)
    episodes = {one.seq: one for one in ask.episodes(place.seq for place in near)}
    return {
        place.seq: tuple(
            Neighbour(
                id=said.id,
                offset=one.position - place.position,
                role=said.role,
                speaker=said.author,
                text=said.text,
            )
            for one in near
            if one.session_no == place.session_no > 0
            and 0 < abs(one.position - place.position) <= reach
            and (said := episodes.get(one.seq))
        )
        for place in places
    }


def _episode_hit(loaded: _Loaded, scores: _Scores, now: datetime) -> Hit:
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
        group=scores.group,
        session_id=episode.session_id,
        session_title=loaded.session.title,
        session_tags=loaded.session.tags,
        episode_ids=(episode.id,),
        kind=episode.kind,
        role=episode.role,
        speaker=episode.author,
        scope=episode.scope,
        valid_from=episode.occurred_at,
        recorded_at=episode.recorded_at,
        lifecycle=episode.lifecycle,
        review=Review.UNREVIEWED,
        # An episode cannot have happened after it was recorded, even if a clock was wrong.
        freshness=freshness_of(now - min(episode.occurred_at, episode.recorded_at)),
        around=loaded.around,
        exchange=loaded.card,
    )


def _fact_hit(ask: Ask, fact: Fact, shown: str, rivals: Sequence[FactId], scores: _Scores) -> Hit:
    # A fact known at a past time is as old as it was then.
    known_at = None if ask.facts is None else ask.facts.moment.known_at
    now, life = known_at or ask.recaller.clock.now(), fact.life
    return Hit(
        id=fact.id,
        tier=Tier.FACT,
        text=shown,
        word_count=len(fact.said.text.split()),
        is_snippet=shown != fact.said.text,
        score=scores.score,
        signals=scores.signals,
        parts=scores.parts,
        group=scores.group,
        episode_ids=tuple(dict.fromkeys(one.episode_id for one in fact.evidence)),
        scope=life.scope,
        valid_from=life.valid_from,
        valid_to=life.valid_to,
        recorded_at=fact.recorded_at,
        lifecycle=life.lifecycle,
        review=life.review,
        freshness=freshness_of(now - fact.fresh_from),
        confidence=fact.confidence,
        authority=life.authority,
        grade=fact.grade,
        successor=life.successor,
        rivals=tuple(rivals),
        is_contested=fact.is_contested,
        beside=fact.beside,
    )


def _scores(found: Answer, gathered: Gathered, chosen: Grouped) -> _Scores:
    """Return the score, its parts, the raw signals, and the ranks by arm."""
    signals, at = found.signals, chosen.at
    raw = {
        "bm25": float(signals.lexical[at]),
        "covered": float(signals.covered[at]),
        "session_bm25": float(signals.session[at]),
        "date": float(signals.date[at]),
        "speaker": float(signals.speaker[at]),
        "cosine_first": float(signals.first[at]),
        "cosine_second": float(signals.second[at]),
    }
    arms = gathered.ranks_of(found.places[at].seq)
    ranks = {f"rank_{arm}": float(rank) for arm, rank in arms.items()}
    known = {name: value for name, value in raw.items() if not math.isnan(value)}
    return _Scores(
        score=float(found.ranking.scores[at]),
        signals=known | ranks | {"arms": float(len(ranks))},
        parts={name: float(part[at]) for name, part in found.ranking.parts.items()},
        group=chosen.group,
    )
