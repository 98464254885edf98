"""
From signals to one order: of episodes, and of sessions; and statements that say nearly the same.

Retrieval puts an old statement above the one that says what changed since more often than not,
so within a group the newest comes first and the others follow it.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tilth.episodes.episode import EpisodeKind, Place
from tilth.recall.order.signals import Floats, Signals
from tilth.recall.recaller import Recipe


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
        "session": recipe.session * _scaled(signals.session),
        "date": signals.date_weight * signals.date,
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
    weight = recipe.second_of_two * (1 + signals.growth)
    both = recipe.first_of_two * first + weight * np.nan_to_num(signals.second)
    return np.where(np.isnan(signals.second), recipe.first_alone * first, both)


def _scaled(signal: Floats) -> Floats:
    largest = signal.max(initial=0.0)
    return signal / largest if largest > 0 else signal


@dataclass(frozen=True, slots=True)
class Grouped:
    """One candidate in its place, and the number of the group that it is in."""

    at: int
    group: int


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a candidate says: its terms, those of the question among them, and its score."""

    terms: frozenset[int]
    met: frozenset[int]
    score: float


def group_statements(
    ranking: Ranking,
    places: Sequence[Place],
    terms: Mapping[int, frozenset[int]],
    asked: Collection[int],
    recipe: Recipe,
) -> list[Grouped]:
    """
    Return the order of *ranking* so that each group stands together, newest first.

    A group stands where its best member stood. Nothing is added or lost.

    Args:
        ranking: The scores, and the order to start from.
        places: Where the candidates stand.
        terms: The numbers of the terms of each candidate that is in order.
        asked: The numbers of the question's terms.
        recipe: From when on two statements are one.
    """
    groups: list[list[int]] = []
    leaders: list[_Statement] = []
    for at in ranking.order:
        said = _Statement(terms[at], terms[at].intersection(asked), float(ranking.scores[at]))
        joined = _group_of(said, leaders, recipe)
        if joined is None:
            groups.append([at])
            leaders.append(said)
        else:
            groups[joined].append(at)
    return [
        Grouped(at, number)
        for number, members in enumerate(groups)
        for at in sorted(members, key=lambda at: (-places[at].occurred_at, -places[at].seq))
    ]


def collapse_documents(grouped: Sequence[Grouped], places: Sequence[Place]) -> list[Grouped]:
    """Keep the best section of each document."""
    seen: set[int] = set()
    kept = []
    for one in grouped:
        place = places[one.at]
        if place.kind is EpisodeKind.DOCUMENT and place.session_no:
            if place.session_no in seen:
                continue
            seen.add(place.session_no)
        kept.append(one)
    return kept


def _group_of(said: _Statement, leaders: Sequence[_Statement], recipe: Recipe) -> int | None:
    if not said.terms or len(said.terms) > recipe.same_statement_terms_max:
        return None
    size = len(said.terms)
    for number, leader in enumerate(leaders):
        other = len(leader.terms)
        share = min(size, other) / max(size, other, 1)  # No more of them is shared.
        may_change = share >= recipe.changed_since and bool(said.met) and said.met == leader.met
        if (may_change or share >= recipe.said_again) and _is_one(said, leader, recipe):
            return number
    return None


def _is_one(said: _Statement, leader: _Statement, recipe: Recipe) -> bool:
    """
    Say whether two statements are one, said again or changed since.

    Said again, they share nearly all of their terms. Changed since, they answer
    the question with the same words and about as well, and share some others.
    """
    shared = len(said.terms & leader.terms) / len(said.terms | leader.terms)
    if shared >= recipe.said_again:
        return True
    return (
        bool(said.met)
        and said.met == leader.met
        and shared >= recipe.changed_since
        and said.score >= recipe.changed_score * leader.score
    )
