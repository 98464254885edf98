"""From candidates to an answer: measured, ranked, grouped, cut, and judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tilth.episodes.episode import Place
from tilth.ledger.search import CorpusStats
from tilth.recall.currentness import Standings
from tilth.recall.lexicon import Lexicon, Reading
from tilth.recall.model import RecallOptions
from tilth.recall.question import Question
from tilth.recall.ranking import (
    Grouped,
    Ranking,
    collapse_documents,
    group_statements,
    rank,
    rank_sessions,
)
from tilth.recall.recipe import Recipe
from tilth.recall.signals import Candidates, Floats, Signals, measure

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


def _grouped(
    question: Question, top: Ranking, candidates: Candidates, lexicon: Lexicon, recipe: Recipe
) -> Sequence[Grouped]:
    """Group episodes by likeness. Nothing is like a fact: likeness never decides about one."""
    places, facts = candidates.places, candidates.facts
    asked = [lexicon.term_number(term) for term in question.terms]
    none = frozenset[int]()
    terms = {
        at: none if places[at].seq in facts else lexicon.terms_of(candidates.readings[at])
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
        return standings.order()
    standings.before_words(covered, recipe)
    standings.with_rivals()
    standings.holding_first()
    readings = candidates.readings
    return standings.order(without=standings.retold(lambda at: terms_of(readings[at])))


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
