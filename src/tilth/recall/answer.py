"""
From candidates to an answer: measured, ranked, grouped, facts in their places, cut, and judged.

Ranking measures likeness, and an old statement is as like a question as the new one. Which of
the facts about one thing holds is known exactly, by slot and by succession: what holds comes
before what it superseded, and before what was said of it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

import numpy as np

from tilth.core.dataclass import dataclass
from tilth.core.lifecycle import Lifecycle
from tilth.episodes.episode import LaterNote, Place
from tilth.knowledge.facts.places import FactPlace
from tilth.ledger.search import CorpusStats
from tilth.recall.lexicon import Lexicon, Reading
from tilth.recall.model import RecallOptions
from tilth.recall.order.folding import answers_first, without_repetitions
from tilth.recall.order.newer import newest_first
from tilth.recall.order.ranking import (
    Grouped,
    Ranking,
    behind_later,
    collapse_documents,
    group_statements,
    rank,
    rank_sessions,
)
from tilth.recall.order.signals import Candidates, Floats, KnownFact, Signals, measure
from tilth.recall.question import Question
from tilth.recall.recaller import Recipe

# So many of the best change places among themselves, as those do that are compared.
_BEST = 10
# What holds, then what did, then what was only ever told.
_STANDING = {Lifecycle.CURRENT: 2, Lifecycle.SUPERSEDED: 1}


def chains(places: Iterable[FactPlace]) -> list[list[FactPlace]]:
    """
    Return the facts that share a slot or follow each other, in chains; what holds comes first.

    No fact comes before the one that superseded it, whatever their dates say. What
    stands alone is in no chain.
    """
    known = {place.seq: place for place in places}
    joined: dict[object, list[int]] = defaultdict(list)
    for place in known.values():
        if place.slot:
            joined[place.realm_no, place.slot].append(place.seq)
        if place.successor in known:
            joined[place.seq] += [place.seq, place.successor]
    members: dict[int, set[int]] = {}
    for together in joined.values():
        if len(together) > 1:
            united = set(together).union(*(members.get(seq, ()) for seq in together))
            members |= dict.fromkeys(united, united)
    distinct = {min(one): one for one in members.values()}
    return [_in_order([known[seq] for seq in one]) for one in distinct.values()]


def _in_order(chain: Sequence[FactPlace]) -> list[FactPlace]:
    known = {place.seq: place for place in chain}
    order: dict[int, FactPlace] = {}
    for place in sorted(
        chain, key=lambda one: (-_STANDING.get(one.lifecycle, 0), -one.valid_from, -one.seq)
    ):
        waiting = []
        at: FactPlace | None = place
        while at is not None and at.seq not in order and at not in waiting:
            waiting.append(at)
            at = known.get(at.successor)
        order |= {one.seq: one for one in reversed(waiting)}
    return list(order.values())


@dataclass(slots=True)
class Standings:
    """
    The order of an answer, in which facts find their places.

    Args:
        grouped: Every candidate that may be shown, best first, each fact by itself.
        seqs: The places of all candidates in the ledger.
        facts: Those of them that are facts.
    """

    grouped: Sequence[Grouped]
    seqs: Sequence[int]
    facts: Mapping[int, KnownFact]
    # By candidate: where it stands, its rank among those that stand there, its group.
    _at: dict[int, int] = field(init=False)
    _spot: dict[int, float] = field(init=False)
    _rank: dict[int, int] = field(init=False)
    _group: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """Note where each candidate stands to begin with."""
        self._at = {self.seqs[one.at]: one.at for one in self.grouped}
        self._spot = {one.at: float(number) for number, one in enumerate(self.grouped)}
        self._group = {one.at: one.group for one in self.grouped}
        self._rank = dict.fromkeys(self._spot, 0)

    def before_words(self, covered: Floats, recipe: Recipe) -> None:
        """Put each fact before what was said of it, if it covers enough of what that covers."""
        for seq, fact in self._shown():
            at = self._at[seq]
            for words, share in (
                (fact.evidence, recipe.fact_share),
                (fact.proposed, recipe.proposed_share),
            ):
                for said in self._among(words):
                    if covered[at] >= share * covered[said]:
                        self._spot[at] = min(self._spot[at], self._spot[said] - 0.5)

    def with_rivals(self) -> None:
        """Put what speaks against a fact right behind it, wherever it stood."""
        for seq, fact in self._shown():
            for rival in self._among(fact.rivals):
                self._spot[rival] = min(self._spot[rival], self._spot[self._at[seq]] + 0.25)

    def holding_first(self) -> None:
        """Give the places that a chain has to its members in their own order."""
        for chain in chains(fact.place for _, fact in self._shown()):
            members = [self._at[place.seq] for place in chain]
            spots = sorted(self._spot[at] for at in members)
            for number, (at, spot) in enumerate(zip(members, spots, strict=True)):
                self._spot[at], self._rank[at] = spot, number
                self._group[at] = self._group[members[0]]

    def current_first(self, covered: Floats) -> None:
        """
        Put what ended without a successor behind what holds and covers as much (OB-070).

        The best are looked at, so that what ended stays among them however many facts hold.
        """
        best = [
            (self._at[seq], fact.place.lifecycle)
            for seq, fact in self._shown()
            if self._spot[self._at[seq]] < _BEST
        ]
        holding = [at for at, lifecycle in best if lifecycle is Lifecycle.CURRENT]
        for ended in (at for at, lifecycle in best if lifecycle is Lifecycle.HISTORICAL):
            ahead = [self._spot[at] for at in holding if covered[at] >= covered[ended]]
            self._spot[ended] = max([self._spot[ended], *(spot + 0.25 for spot in ahead)])

    def told_once(self) -> frozenset[int]:
        """
        Put a statement where it or a value that was read from it stands; return these values.

        What came in the place of such a value comes before the statement, too.
        """
        told = set[int]()
        for seq, fact in self._shown():
            at = self._at[seq]
            for value in (self.facts[one] for one in fact.values if one in self.facts):
                own, later = self._at.get(value.place.seq), self._at.get(value.place.successor)
                if own is not None and value.place.lifecycle is fact.place.lifecycle:
                    self._spot[at] = min(self._spot[at], self._spot[own])
                    told.add(own)
                elif later is not None:
                    self._spot[at] = max(self._spot[at], self._spot[later] + 0.25)
        return frozenset(told)

    def order(self, without: frozenset[int] = frozenset()) -> list[Grouped]:
        """Return the candidates in order, without those at *without*."""
        kept = [one for one in self.grouped if one.at not in without]
        kept.sort(key=lambda one: (self._spot[one.at], self._rank[one.at]))
        return [Grouped(one.at, self._group[one.at]) for one in kept]

    def retold(self, terms_of: Callable[[int], frozenset[int]]) -> frozenset[int]:
        """Return the episodes that say no word more than a fact which rests on them."""
        return frozenset(
            said
            for seq, fact in self._shown()
            for said in self._among(fact.evidence)
            if terms_of(said) <= terms_of(self._at[seq])
        )

    def _shown(self) -> Iterable[tuple[int, KnownFact]]:
        return ((seq, fact) for seq, fact in self.facts.items() if seq in self._at)

    def _among(self, seqs: Iterable[int]) -> list[int]:
        return [self._at[seq] for seq in seqs if seq in self._at]


# Beyond the hits asked for, so that collapsed sections leave no gap.
_GROUPED_FACTOR = 4
_JUDGED_HITS = 5
# So many of the best are read whole.
READ = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What was found, best first, with everything it was decided by.

    `chosen` index into `places`, `signals` and `ranking`; `sessions` are
    session numbers; `left` are places in the ledger, of what documents hold no more, and `later`
    the notes that came in the place of others.
    """

    chosen: Sequence[Grouped]
    places: Sequence[Place]
    signals: Signals
    ranking: Ranking
    sessions: Sequence[int]
    confidence: float
    answerable: bool
    left: frozenset[int]
    later: Mapping[int, LaterNote]


def answer(
    question: Question,
    candidates: Candidates,
    corpus: CorpusStats,
    lexicon: Lexicon,
    recipe: Recipe,
    options: RecallOptions,
) -> Answer:
    """Return the best candidates for *question*. The lexicon's lock must be held."""
    places = candidates.places
    signals = measure(question, candidates, corpus, lexicon, recipe)
    ranking = rank(places, signals, recipe)
    top = ranking.top(options.limit * _GROUPED_FACTOR)
    if options.is_grouped:
        ordered = _grouped(question, top, candidates, lexicon, recipe)
    else:
        ordered = [Grouped(at, number) for number, at in enumerate(top.order)]
    if candidates.facts:
        # A fact that ranks below the best may take the place of one that does not.
        rest = enumerate(ranking.order[len(top.order) :], len(top.order))
        facts = [Grouped(at, n) for n, at in rest if places[at].seq in candidates.facts]
        terms = lexicon.terms_of if options.is_grouped else None
        ordered = _placed([*ordered, *facts], candidates, signals.covered, terms, recipe)
    if options.is_grouped:
        ordered = _compared(ordered, candidates, signals, question)
    chosen = collapse_documents(ordered, places, candidates.left, signals.covered)
    chosen = behind_later(chosen, places, candidates.later)
    # Of several that are of one exchange, one is told: those behind them move up.
    chosen = chosen if options.is_folded else chosen[: options.limit]
    confidence = _confidence(signals, [one.at for one in chosen[:_JUDGED_HITS]], recipe)
    return Answer(
        chosen=chosen,
        places=places,
        signals=signals,
        ranking=ranking,
        sessions=rank_sessions(places, ranking, recipe.session_turns),
        confidence=confidence,
        answerable=_is_answered(question, chosen, confidence, recipe),
        left=candidates.left,
        later=candidates.later,
    )


def recount(
    question: Question,
    candidates: Candidates,
    corpus: CorpusStats,
    lexicon: Lexicon,
    recipe: Recipe,
) -> Answer:
    """Return *candidates* as they stand: their time answers. The lexicon's lock must be held."""
    places = candidates.places
    signals = measure(question, candidates, corpus, lexicon, recipe)
    return Answer(
        chosen=[Grouped(at, at) for at in range(len(places))],
        places=places,
        signals=signals,
        ranking=rank(places, signals, recipe),
        sessions=[number for number in dict.fromkeys(one.session_no for one in places) if number],
        confidence=1.0,
        answerable=True,
        left=candidates.left,
        later=candidates.later,
    )


def _compared(
    ordered: Sequence[Grouped], candidates: Candidates, signals: Signals, question: Question
) -> Sequence[Grouped]:
    """Put behind what holds what only repeats it, asks for it, or told of it before it changed."""
    places, facts = candidates.places, candidates.facts
    ordered = without_repetitions(ordered, places, candidates.readings)
    if candidates.compare is None:
        return ordered
    # Slots decide about facts; and nothing is newer than what a time is asked of.
    best = candidates.compare([one.at for one in ordered[:READ] if places[one.at].seq not in facts])
    ordered = answers_first(ordered, best, signals.covered, question)
    return ordered if question.ranges else newest_first(ordered, best, question, signals.met)


def _is_answered(
    question: Question, chosen: Sequence[Grouped], confidence: float, recipe: Recipe
) -> bool:
    # What happened in another time than the one that was asked for answers nothing.
    return not question.is_of_time and bool(chosen) and confidence >= recipe.answerable_from


def _grouped(
    question: Question, top: Ranking, candidates: Candidates, lexicon: Lexicon, recipe: Recipe
) -> Sequence[Grouped]:
    """Group episodes by likeness. Nothing is like a fact: likeness never decides about one."""
    places, facts = candidates.places, candidates.facts
    asked = [lexicon.term_number(term) for term in question.terms]
    none, stems = np.empty(0, np.int32), lexicon.stems()
    terms = {
        at: none if places[at].seq in facts else stems[candidates.readings[at].words]
        for at in top.order
    }
    return group_statements(top, places, terms, asked, recipe)


def _placed(
    every: Sequence[Grouped],
    candidates: Candidates,
    covered: Floats,
    terms_of: Callable[[Reading], frozenset[int]] | None,
    recipe: Recipe,
) -> Sequence[Grouped]:
    """Put facts where slots have them; where their evidence has them too, given *terms_of*."""
    standings = Standings(every, [place.seq for place in candidates.places], candidates.facts)
    if terms_of is None:
        standings.holding_first()
        return standings.order(without=standings.told_once())
    standings.before_words(covered, recipe)
    standings.with_rivals()
    standings.holding_first()
    standings.current_first(covered)
    readings = candidates.readings
    told = standings.told_once() | standings.retold(lambda at: terms_of(readings[at]))
    return standings.order(without=told)


def _confidence(signals: Signals, best: Sequence[int], recipe: Recipe) -> float:
    """
    Return how surely the best hits answer, from 0 to 1.

    Scores are relative to the candidates of one question, so they cannot tell;
    the largest share of the question that a hit covers, and the largest cosine, can.
    The first tier knows words by their pieces, and made-up ones too: where no word of the
    question stands in a hit, the second tier alone tells by its meaning.
    """
    if not best:
        return 0.0
    second = np.nan_to_num(signals.second[best]).max()
    is_unmet = signals.is_strange & ~signals.met[:, best].any(axis=1)
    has_words = signals.lexical[best].max() > 0
    known = 1 - signals.weights[is_unmet].sum() if has_words else 0.0
    cosine = max(known * np.nan_to_num(signals.first[best]).max(), second)
    by_words = (signals.covered[best].max() + cosine) / 2
    return float(np.clip(max(by_words, recipe.by_meaning * second), 0.0, 1.0))
