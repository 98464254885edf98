"""
Turn candidates into an answer: measure, rank, group, order facts, cut, and judge it.

Ranking measures likeness, and an old statement is as like a question as its successor. Slots and
supersession say exactly which fact holds: it comes before the one that it superseded, and before
what was said of that one.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

import numpy as np

from tilth.core.dataclass import dataclass
from tilth.core.lifecycle import Lifecycle
from tilth.episodes.episode import LaterNote, Place
from tilth.knowledge.facts.ranking_inputs import FactPlace
from tilth.ledger.search import CorpusStats
from tilth.recall.lexicon import Lexicon, Reading
from tilth.recall.model import RecallOptions
from tilth.recall.order.newest_first import newest_first
from tilth.recall.order.ranking import (
    Grouped,
    Ranking,
    collapse_documents,
    group_statements,
    notes_behind_replacements,
    rank,
    rank_sessions,
)
from tilth.recall.order.repetitions import answers_first, without_repetitions
from tilth.recall.order.signals import Candidates, Floats, KnownFact, Signals, measure
from tilth.recall.question import Question
from tilth.recall.recaller import Recipe

# How many of the best hits are reordered by comparing them.
_BEST = 10
# Rank by lifecycle: current facts, then superseded ones, then all others.
_LIFECYCLE_RANK = {Lifecycle.CURRENT: 2, Lifecycle.SUPERSEDED: 1}


def chains(places: Iterable[FactPlace]) -> list[list[FactPlace]]:
    """
    Return chains of facts that share a slot or supersede each other; current ones come first.

    No fact comes before the one that superseded it, whatever their dates. A fact without relations
    is in no chain.
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
        chain, key=lambda one: (-_LIFECYCLE_RANK.get(one.lifecycle, 0), -one.valid_from, -one.seq)
    ):
        waiting = []
        at: FactPlace | None = place
        while at is not None and at.seq not in order and at not in waiting:
            waiting.append(at)
            at = known.get(at.successor)
        order |= {one.seq: one for one in reversed(waiting)}
    return list(order.values())


@dataclass(slots=True)
class AnswerOrder:
    """
    The order of an answer, in which facts are moved to their proper positions.

    Args:
        grouped: Every candidate that may be shown, best first, each fact in a group of its own.
        seqs: The places of all candidates in the ledger.
        facts: Those of the candidates that are facts, by place.
    """

    grouped: Sequence[Grouped]
    seqs: Sequence[int]
    facts: Mapping[int, KnownFact]
    # For each candidate: its position, its rank at that position, and its group.
    _at: dict[int, int] = field(init=False)
    _spot: dict[int, float] = field(init=False)
    _rank: dict[int, int] = field(init=False)
    _group: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """Take the initial position of each candidate."""
        self._at = {self.seqs[one.at]: one.at for one in self.grouped}
        self._spot = {one.at: float(number) for number, one in enumerate(self.grouped)}
        self._group = {one.at: one.group for one in self.grouped}
        self._rank = dict.fromkeys(self._spot, 0)

    def facts_before_evidence(self, covered: Floats, recipe: Recipe) -> None:
        """Move each fact before its evidence, if it covers enough of what the evidence covers."""
        for seq, fact in self._shown():
            at = self._at[seq]
            for words, share in (
                (fact.evidence, recipe.fact_share),
                (fact.proposed, recipe.proposed_share),
            ):
                for said in self._among(words):
                    if covered[at] >= share * covered[said]:
                        self._spot[at] = min(self._spot[at], self._spot[said] - 0.5)

    def rivals_after_facts(self) -> None:
        """Move what contradicts a fact right behind it."""
        for seq, fact in self._shown():
            for rival in self._among(fact.rivals):
                self._spot[rival] = min(self._spot[rival], self._spot[self._at[seq]] + 0.25)

    def order_chains(self) -> None:
        """Reorder the members of each chain, on the positions that they have together."""
        for chain in chains(fact.place for _, fact in self._shown()):
            members = [self._at[place.seq] for place in chain]
            spots = sorted(self._spot[at] for at in members)
            for number, (at, spot) in enumerate(zip(members, spots, strict=True)):
                self._spot[at], self._rank[at] = spot, number
                self._group[at] = self._group[members[0]]

    def ended_after_current(self, covered: Floats) -> None:
        """
        Move facts that ended without a successor behind current ones that cover as much (OB-070).

        Only the best are considered, so that an ended fact stays among them however many facts
        hold.
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

    def merge_values(self) -> frozenset[int]:
        """
        Move a statement to the best position of itself and the values read from it.

        Return these values, which are not shown themselves. A successor of such a value comes
        before the statement, too.
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
        """Return the candidates in order, except those at *without*."""
        kept = [one for one in self.grouped if one.at not in without]
        kept.sort(key=lambda one: (self._spot[one.at], self._rank[one.at]))
        return [Grouped(one.at, self._group[one.at]) for one in kept]

    def restated_by_facts(self, terms_of: Callable[[int], frozenset[int]]) -> frozenset[int]:
        """Return the episodes all of whose words are in a fact that rests on them."""
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


# How many times the limit is kept, so that collapsed document sections leave no gap.
_GROUPED_FACTOR = 4
_JUDGED_HITS = 5
# How many of the best are read whole.
COMPARED_MAX = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """
    The candidates that were found, best first, with everything that decided their order.

    `chosen` index into `places`, `signals` and `ranking`; `sessions` are session numbers.
    `former_sections` are the places of former document sections, and `later_notes` the notes that
    replaced others.
    """

    chosen: Sequence[Grouped]
    places: Sequence[Place]
    signals: Signals
    ranking: Ranking
    sessions: Sequence[int]
    confidence: float
    answerable: bool
    former_sections: frozenset[int]
    later_notes: Mapping[int, LaterNote]


def answer(
    question: Question,
    candidates: Candidates,
    corpus: CorpusStats,
    lexicon: Lexicon,
    recipe: Recipe,
    options: RecallOptions,
) -> Answer:
    """Return the best candidates for *question*. The caller holds the lexicon's lock."""
    places = candidates.places
    signals = measure(question, candidates, corpus, lexicon, recipe)
    ranking = rank(places, signals, recipe)
    top = ranking.top(options.limit * _GROUPED_FACTOR)
    if options.is_grouped:
        ordered = _group_episodes(question, top, candidates, lexicon, recipe)
    else:
        ordered = [Grouped(at, number) for number, at in enumerate(top.order)]
    if candidates.facts:
        # A fact that ranks lower may move up past the best.
        rest = enumerate(ranking.order[len(top.order) :], len(top.order))
        facts = [Grouped(at, n) for n, at in rest if places[at].seq in candidates.facts]
        terms = lexicon.terms_of if options.is_grouped else None
        ordered = _order_facts([*ordered, *facts], candidates, signals.covered, terms, recipe)
    if options.is_grouped:
        ordered = _order_by_comparison(ordered, candidates, signals, question)
    chosen = collapse_documents(ordered, places, candidates.former_sections, signals.covered)
    chosen = notes_behind_replacements(chosen, places, candidates.later_notes)
    # Only one hit is shown of each exchange, so lower ones move up.
    chosen = chosen if options.is_folded else chosen[: options.limit]
    confidence = _confidence(signals, [one.at for one in chosen[:_JUDGED_HITS]], recipe)
    return Answer(
        chosen=chosen,
        places=places,
        signals=signals,
        ranking=ranking,
        sessions=rank_sessions(places, ranking, recipe.session_turns),
        confidence=confidence,
        # What happened at another time than the one asked for is no answer.
        answerable=not question.is_of_time
        and bool(chosen)
        and confidence >= _least_confidence(question, corpus, recipe, options),
        former_sections=candidates.former_sections,
        later_notes=candidates.later_notes,
    )


def answer_by_time(
    question: Question,
    candidates: Candidates,
    corpus: CorpusStats,
    lexicon: Lexicon,
    recipe: Recipe,
) -> Answer:
    """Return *candidates* in their order, as they answer by their time; the lock must be held."""
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
        former_sections=candidates.former_sections,
        later_notes=candidates.later_notes,
    )


def _order_by_comparison(
    ordered: Sequence[Grouped], candidates: Candidates, signals: Signals, question: Question
) -> Sequence[Grouped]:
    """Move repetitions, mere questions, and statements from before a change behind what holds."""
    places, facts = candidates.places, candidates.facts
    ordered = without_repetitions(ordered, places, candidates.readings)
    if candidates.compare is None:
        return ordered
    # Slots decide about facts. In a question about a time, newer statements do not win.
    best = candidates.compare(
        [one.at for one in ordered[:COMPARED_MAX] if places[one.at].seq not in facts]
    )
    ordered = answers_first(ordered, best, signals.covered, question)
    return ordered if question.ranges else newest_first(ordered, best, question, signals.met)


def _group_episodes(
    question: Question, top: Ranking, candidates: Candidates, lexicon: Lexicon, recipe: Recipe
) -> Sequence[Grouped]:
    """Group episodes by likeness; each fact is a group of its own."""
    places, facts = candidates.places, candidates.facts
    asked = [lexicon.term_number(term) for term in question.terms]
    none, stems = np.empty(0, np.int32), lexicon.stems()
    terms = {
        at: none if places[at].seq in facts else stems[candidates.readings[at].words]
        for at in top.order
    }
    return group_statements(top, places, terms, asked, recipe)


def _order_facts(
    every: Sequence[Grouped],
    candidates: Candidates,
    covered: Floats,
    terms_of: Callable[[Reading], frozenset[int]] | None,
    recipe: Recipe,
) -> Sequence[Grouped]:
    """Order facts by their slots and, given *terms_of*, by their evidence."""
    order = AnswerOrder(every, [place.seq for place in candidates.places], candidates.facts)
    if terms_of is None:
        order.order_chains()
        return order.order(without=order.merge_values())
    order.facts_before_evidence(covered, recipe)
    order.rivals_after_facts()
    order.order_chains()
    order.ended_after_current(covered)
    readings = candidates.readings
    told = order.merge_values() | order.restated_by_facts(lambda at: terms_of(readings[at]))
    return order.order(without=told)


def _least_confidence(
    question: Question, corpus: CorpusStats, recipe: Recipe, options: RecallOptions
) -> float:
    """
    Return from which confidence on a question counts as answered.

    A session, or a time that the question names, is a small part of the store, whatever its size.
    """
    is_narrow = bool(question.ranges) or options.session_id is not None
    times = 1.0 if is_narrow else corpus.episode_count / recipe.answerable_texts
    return recipe.answerable_from + recipe.answerable_growth * math.log(max(1.0, times))


def _confidence(signals: Signals, best: Sequence[int], recipe: Recipe) -> float:
    """
    Return how surely the best hits answer, from 0 to 1.

    Scores only compare candidates of one question. The largest share of the question that a hit
    covers, and the largest cosine, compare across questions. The first tier makes vectors even of
    made-up words, from their pieces; so if no hit contains a word of the question, only the second
    tier counts.
    """
    if not best:
        return 0.0
    second = np.nan_to_num(signals.second[best]).max()
    is_unmet = signals.is_unknown & ~signals.met[:, best].any(axis=1)
    has_words = signals.lexical[best].max() > 0
    known = 1 - signals.weights[is_unmet].sum() if has_words else 0.0
    cosine = max(known * np.nan_to_num(signals.first[best]).max(), second)
    by_words = (signals.covered[best].max() + cosine) / 2
    return float(np.clip(max(by_words, recipe.by_meaning * second), 0.0, 1.0))
