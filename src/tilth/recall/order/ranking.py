"""
Combine signals into one order of episodes and of sessions, and group similar statements.

Retrieval mostly ranks an old statement above the one that says what changed since. So within a
group the newest comes first and the others follow.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.embedding.matmul import multiply_rows
from tilth.episodes.episode import EpisodeKind, LaterNote, Place
from tilth.recall.order.signals import Floats, Signals
from tilth.recall.recaller import Recipe

_NO_TERMS = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    The scores of all candidates, the part of each measure, and the order.

    `parts` has an array for each measure; they add up to `scores`.
    """

    scores: Floats
    parts: Mapping[str, Floats]
    order: Sequence[int]

    def top(self, count: int) -> Self:
        """Return the same with only the *count* best in `order`."""
        return replace(self, order=self.order[:count])


def rank(places: Sequence[Place], signals: Signals, recipe: Recipe) -> Ranking:
    """Weigh the signals of *places*; of equal scores the newer episode comes first."""
    role = np.array([recipe.roles[place.role] for place in places])
    parts = {
        "coverage": recipe.coverage * role * _scaled(signals.coverage),
        "session": recipe.session * _scaled(signals.session),
        "date": signals.date_weight * signals.date,
        "speaker": recipe.speaker * signals.speaker,
        # Feedback counts only as far as a hit covers the question.
        "feedback": recipe.feedback * signals.feedback * np.clip(signals.covered, 0.0, 1.0),
        "vectors": role * _vectors(signals, recipe),
    }
    scores = np.sum(list(parts.values()), axis=0) if places else np.zeros(0)
    seqs = np.array([place.seq for place in places])
    return Ranking(scores, parts, [int(at) for at in np.lexsort((-seqs, -scores))])


def rank_sessions(places: Sequence[Place], ranking: Ranking, turns: int) -> list[int]:
    """Return the sessions, best first, by the mean score of the best *turns* episodes of each."""
    numbers = np.array([places[at].session_no for at in ranking.order], np.int64)
    scores = ranking.scores[ranking.order][numbers > 0] if len(numbers) else np.zeros(0)
    sessions, first, of = np.unique(numbers[numbers > 0], return_index=True, return_inverse=True)
    # Sort the scores of each session together, best first, and drop those beyond the best.
    together = np.argsort(of, kind="stable")
    counts = np.bincount(of, minlength=len(sessions))
    within = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = together[within < turns]
    means = np.bincount(of[kept], scores[kept], len(sessions)) / np.minimum(counts, turns)
    return [int(number) for number in sessions[np.lexsort((first, -means))]]


def _vectors(signals: Signals, recipe: Recipe) -> Floats:
    first = np.nan_to_num(signals.first)
    weight = recipe.second_of_two * (1 + signals.growth)
    both = recipe.first_of_two * first + weight * np.nan_to_num(signals.second)
    return np.where(np.isnan(signals.second), recipe.first_alone * first, both)


def _scaled(signal: Floats) -> Floats:
    largest = signal.max(initial=0.0)
    return signal / largest if largest > 0 else signal


# A present section comes before a former one of its document if it covers this share of that.
_HELD_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Grouped:
    """A candidate with the number of its group."""

    at: int
    group: int


def group_statements(
    ranking: Ranking,
    places: Sequence[Place],
    terms: Mapping[int, NDArray[np.int32]],
    asked: Collection[int],
    recipe: Recipe,
) -> list[Grouped]:
    """
    Return the order of *ranking* with each group together, its newest member first.

    A group takes the position of its best member. Nothing is added or lost.

    Args:
        ranking: The scores, and the initial order.
        places: The places of the candidates.
        terms: The numbers of the terms of each ordered candidate.
        asked: The numbers of the question's terms.
        recipe: The thresholds at which two statements are one.
    """
    groups: list[list[int]] = []
    leaders: list[int] = []
    are_one = _are_one(ranking, [terms[at] for at in ranking.order], asked, recipe).tolist()
    for number, at in enumerate(ranking.order):
        is_one = are_one[number]
        joined = next((group for group, leader in enumerate(leaders) if is_one[leader]), None)
        if joined is None:
            groups.append([at])
            leaders.append(number)
        else:
            groups[joined].append(at)
    return [
        Grouped(at, number)
        for number, members in enumerate(groups)
        for at in sorted(members, key=lambda at: (-places[at].occurred_at, -places[at].seq))
    ]


def collapse_documents(
    grouped: Sequence[Grouped],
    places: Sequence[Place],
    left: Collection[int],
    covered: Sequence[float] | Floats,
) -> list[Grouped]:
    """
    Keep the best present section of each document, and the best former one (*left*).

    A present section comes first if it covers half as much of the question as the former.
    """
    kept: dict[tuple[int, bool], Grouped] = {}
    for one in grouped:
        place = places[one.at]
        is_section = place.kind is EpisodeKind.DOCUMENT and place.session_no > 0
        kept.setdefault((place.session_no if is_section else -1 - one.at, place.seq in left), one)
    for document, is_left in [*kept] if left else ():
        gone, held = kept[document, is_left], kept.get((document, False))
        if is_left and held and _HELD_SHARE * covered[gone.at] <= covered[held.at]:
            order = [*kept.values()]
            if order.index(gone) < order.index(held):
                kept[document, True], kept[document, False] = held, gone
    return list(kept.values())


def notes_behind_replacements(
    chosen: Sequence[Grouped], places: Sequence[Place], later: Mapping[int, LaterNote]
) -> list[Grouped]:
    """Return *chosen* with each note behind the one that replaced it, if that was found."""
    order = list(chosen)
    # The last first, since a replaced note may itself replace another.
    for seq in sorted(later, reverse=True):
        at = {places[one.at].seq: number for number, one in enumerate(order)}
        old, new = at.get(seq), at.get(later[seq].seq)
        if old is not None and new is not None and old < new:
            order.insert(new, order.pop(old))
    return order


def _are_one(
    ranking: Ranking, terms: Sequence[NDArray[np.int32]], asked: Collection[int], recipe: Recipe
) -> NDArray[np.bool_]:
    """
    Say which candidates (columns) say the same as each one (row), or were changed since.

    Statements say the same if they share nearly all terms. One was changed since if both contain
    the same words of the question, score about equally, and share some other terms.
    """
    owners = np.repeat(np.arange(len(terms)), [len(one) for one in terms])
    known, column = np.unique(np.concatenate([_NO_TERMS, *terms]), return_inverse=True)
    # In single precision counts are exact, and their product takes half the time.
    holds = np.zeros((len(terms), len(known)), np.float32)
    holds[owners, column] = 1
    size, both = holds.sum(axis=1, dtype=np.float64), multiply_rows(holds, holds).astype(np.float64)
    shared = both / np.maximum(size[:, None] + size - both, 1)
    met = holds[:, np.isin(known, list(asked))]
    meets, same = met.sum(axis=1), met @ met.T
    is_met_alike = (same > 0) & (same == meets[:, None]) & (same == meets)
    scores = ranking.scores[list(ranking.order)]
    is_as_good = scores[:, None] >= recipe.changed_score * scores
    changed = (shared >= recipe.changed_since) & is_met_alike & is_as_good
    is_short = size <= recipe.same_statement_terms_max
    are_one: NDArray[np.bool_] = ((shared >= recipe.said_again) | changed) & is_short[:, None]
    return are_one
