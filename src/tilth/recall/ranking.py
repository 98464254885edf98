"""From signals to one order: of episodes, and of sessions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tilth.episodes.episode import Place
from tilth.recall.recipe import Recipe
from tilth.recall.signals import Floats, Signals


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    The scores of all candidates, what each measure gave to them, and the best first.

    `parts` has an array for each measure; they add up to `scores`.
    """

    scores: Floats
    parts: Mapping[str, Floats]
    order: Sequence[int]

    def top(self, count: int) -> Self:
        """Return the same with only the *count* best in order."""
        return replace(self, order=self.order[:count])


def rank(places: Sequence[Place], signals: Signals, recipe: Recipe) -> Ranking:
    """Weigh the signals of *places*; of equal scores the newer episode comes first."""
    role = np.array([recipe.roles[place.role] for place in places])
    parts = {
        "coverage": recipe.coverage * role * _scaled(signals.coverage),
        "lexical": recipe.lexical * role * _scaled(signals.lexical),
        "session": recipe.session * _scaled(signals.session),
        "date": recipe.date * signals.date,
        "speaker": recipe.speaker * signals.speaker,
        # Only as far as it answers at all: what is liked but beside the point stays where it is.
        "feedback": recipe.feedback * signals.standing * np.clip(signals.covered, 0.0, 1.0),
        "vectors": role * _vectors(signals, recipe),
    }
    scores = np.sum(list(parts.values()), axis=0) if places else np.zeros(0)
    seqs = np.array([place.seq for place in places])
    return Ranking(scores, parts, [int(at) for at in np.lexsort((-seqs, -scores))])


def rank_sessions(places: Sequence[Place], ranking: Ranking, turns: int) -> list[int]:
    """Return the sessions, best first, by the mean score of the best *turns* episodes of each."""
    best: defaultdict[int, list[float]] = defaultdict(list)
    for at in ranking.order:
        scores = best[places[at].session_no]
        if len(scores) < turns:
            scores.append(float(ranking.scores[at]))
    best.pop(0, None)
    return sorted(best, key=lambda session: -sum(best[session]) / len(best[session]))


def _vectors(signals: Signals, recipe: Recipe) -> Floats:
    first = np.nan_to_num(signals.first)
    both = recipe.first_of_two * first + recipe.second_of_two * np.nan_to_num(signals.second)
    return np.where(np.isnan(signals.second), recipe.first_alone * first, both)


def _scaled(signal: Floats) -> Floats:
    largest = signal.max(initial=0.0)
    return signal / largest if largest > 0 else signal
