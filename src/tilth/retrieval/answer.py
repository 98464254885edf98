"""From candidates to an answer: measured, ranked, grouped, cut, and judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilth.domain.recall import RecallOptions
from tilth.ports import CorpusStats, Place
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
    top = ranking.top(options.limit * _GROUPED_FACTOR)
    if options.is_grouped:
        asked = [lexicon.term_number(term) for term in question.terms]
        terms = {at: lexicon.terms_of(candidates.readings[at]) for at in top.order}
        grouped = group_statements(top, places, terms, asked, recipe)
    else:
        grouped = [Grouped(at, number) for number, at in enumerate(top.order)]
    chosen = collapse_documents(grouped, places)[: options.limit]
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
