"""From candidates to an answer: measured, ranked, grouped, cut, and judged."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tilth.domain.recall import RecallOptions
from tilth.ports import CorpusStats, Place
from tilth.retrieval.currentness import Standings
from tilth.retrieval.grouping import Grouped, collapse_documents, group_statements
from tilth.retrieval.lexicon import Lexicon
from tilth.retrieval.question import Question
from tilth.retrieval.ranking import Ranking, rank, rank_sessions
from tilth.retrieval.recipe import Recipe
from tilth.retrieval.signals import Candidates, Signals, measure

# Beyond the hits asked for, so that collapsed sections leave no gap.
_GROUPED_FACTOR = 4
_JUDGED_HITS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What was found, best first, with everything it was decided by.

    `chosen` index into `places`, `signals` and `ranking`; `sessions` are
    session numbers.
    """

    chosen: Sequence[Grouped]
    places: Sequence[Place]
    signals: Signals
    ranking: Ranking
    sessions: Sequence[int]
    confidence: float
    answerable: bool


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
    shown = _shown(ranking, candidates, options)
    if options.is_grouped:
        asked = [lexicon.term_number(term) for term in question.terms]
        terms = {at: lexicon.terms_of(candidates.readings[at]) for at in shown.order}
        ordered = _grouped(shown, candidates, terms, asked, signals, recipe)
    else:
        ordered = _ungrouped(shown, candidates)
    chosen = collapse_documents(ordered, places)[: options.limit]
    confidence = _confidence(signals, [one.at for one in chosen[:_JUDGED_HITS]])
    return Answer(
        chosen=chosen,
        places=places,
        signals=signals,
        ranking=ranking,
        sessions=rank_sessions(places, ranking, recipe.session_turns),
        confidence=confidence,
        answerable=bool(chosen) and confidence >= recipe.answerable_from,
    )


def _shown(ranking: Ranking, candidates: Candidates, options: RecallOptions) -> Ranking:
    """Return *ranking* with the best alone in order, and every fact: one may lead another up."""
    top = ranking.top(options.limit * _GROUPED_FACTOR)
    if not candidates.facts:
        return top
    rest = ranking.order[len(top.order) :]
    facts = (at for at in rest if candidates.places[at].seq in candidates.facts)
    return replace(top, order=[*top.order, *facts])


def _grouped(
    shown: Ranking,
    candidates: Candidates,
    terms: Mapping[int, frozenset[int]],
    asked: Collection[int],
    signals: Signals,
    recipe: Recipe,
) -> Sequence[Grouped]:
    """Group episodes by likeness, and put facts where their slots and evidence have them."""
    places, facts = candidates.places, candidates.facts
    if not facts:
        return group_statements(shown, places, terms, asked, recipe)
    # Nothing is like a fact: likeness never decides about one.
    told = {at: frozenset[int]() if places[at].seq in facts else terms[at] for at in shown.order}
    standings = _standings(group_statements(shown, places, told, asked, recipe), candidates)
    standings.before_words(signals.covered, recipe.fact_share)
    standings.with_rivals()
    standings.holding_first()
    return standings.order(without=standings.retold(terms))


def _ungrouped(shown: Ranking, candidates: Candidates) -> Sequence[Grouped]:
    """Leave every candidate to its score; still no fact comes before its successor."""
    alone = [Grouped(at, number) for number, at in enumerate(shown.order)]
    if not candidates.facts:
        return alone
    standings = _standings(alone, candidates)
    standings.holding_first()
    return standings.order()


def _standings(grouped: Sequence[Grouped], candidates: Candidates) -> Standings:
    return Standings(grouped, [place.seq for place in candidates.places], candidates.facts)


def _confidence(signals: Signals, best: Sequence[int]) -> float:
    """
    Return how surely the best hits answer, from 0 to 1.

    Scores are relative to the candidates of one question, so they cannot tell;
    the largest share of the question that a hit covers, and the largest cosine, can.
    """
    if not best:
        return 0.0
    cosine = np.fmax(signals.first[best], signals.second[best])
    return float(np.clip((signals.covered[best].max() + np.nan_to_num(cosine).max()) / 2, 0.0, 1.0))
