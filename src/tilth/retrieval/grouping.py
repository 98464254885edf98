"""
Statements that say nearly the same: said again, or changed since.

Retrieval puts the old statement above the new one more often than not, so
within a group the newest comes first and the others follow it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tilth.domain.episode import EpisodeKind
from tilth.ports import Place
from tilth.retrieval.lexicon import Reading
from tilth.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Grouped:
    """One candidate in its place, and the number of the group that it is in."""

    at: int
    group: int


def group_statements(
    order: Sequence[int],
    places: Sequence[Place],
    readings: Sequence[Reading],
    recipe: Recipe,
    limit: int,
) -> list[Grouped]:
    """
    Return the first *limit* of *order* so that each group stands together, newest first.

    A group stands where its best member stood. Nothing is added or lost.
    """
    groups: list[list[int]] = []
    leaders: list[frozenset[int]] = []
    for at in order[:limit]:
        terms = frozenset(readings[at].terms.tolist())
        joined = _group_of(terms, leaders, recipe)
        if joined is None:
            groups.append([at])
            leaders.append(terms)
        else:
            groups[joined].append(at)
    return [
        Grouped(at, number)
        for number, members in enumerate(groups)
        for at in sorted(members, key=lambda at: _age(places[at]), reverse=True)
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


def similarity(one: frozenset[int], other: frozenset[int]) -> float:
    """Return the share of their terms that two statements have in common (Jaccard)."""
    return len(one & other) / max(len(one | other), 1)


def _group_of(
    terms: frozenset[int], leaders: Sequence[frozenset[int]], recipe: Recipe
) -> int | None:
    if not terms or len(terms) > recipe.same_statement_terms_max:
        return None
    for number, leader in enumerate(leaders):
        if similarity(terms, leader) >= recipe.same_statement:
            return number
    return None


def _age(place: Place) -> tuple[int, int]:
    return place.occurred_at, place.seq
