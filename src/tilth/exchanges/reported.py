"""
What agents reported that is worth telling in another session: whole sentences, by their words.

Causes, limits and how things are stand in reports alone. An agent may be wrong, so a sentence is
told as reported, with its date, and not at all if somebody doubted the report or took back what it
tells of.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tilth.core.text.tokens import index_terms
from tilth.exchanges.model import Exchange

# What is longer is a review or a plan; and so much is read in all, for a brief must not wait.
_REPORT_CHARS, _READ_CHARS = 4_000, 24_000
# So much of one exchange is told; its card has the rest.
_OF_ONE = 2
# Two sentences that share more of the terms of the shorter one say the same.
_SAME = 0.5


class Reported(NamedTuple):
    """
    A sentence of a report with what belongs to it.

    How likely the sentence itself is worth telling is from 0 to 1.
    """

    text: str
    exchange: Exchange
    worth: float


def reported(
    work: Iterable[Exchange],
    told: Iterable[str],
    read: Callable[[str], Iterable[tuple[str, float]]],
) -> list[Reported]:
    """
    Return what reports of *work* say, what is worth most first, the newer before the older.

    Args:
        work: Exchanges, the newest first.
        told: What is told anyhow: what says the same is left out.
        read: Returns of a report what `sentences_of` does.
    """
    found = [
        Reported(whole, one, weight)
        for one, report in _read(work)
        for whole, weight in read(report)
    ]
    return list(_distinct(sorted(found, key=lambda one: -one.worth), told))


def _read(work: Iterable[Exchange]) -> Iterator[tuple[Exchange, str]]:
    """Yield what may be told of, each with as much of its report as is read."""
    left = _READ_CHARS
    for one in work:
        if left > 0 and not (one.is_doubted or one.is_taken_back):
            most = min(left, _REPORT_CHARS)
            left -= len(one.report[:most])
            # Of a line that breaks off nothing is told.
            is_whole = len(one.report) <= most
            yield one, one.report if is_whole else one.report[:most].rpartition("\n")[0]


def _distinct(found: Sequence[Reported], told: Iterable[str]) -> Iterator[Reported]:
    known = [frozenset(index_terms(one)) for one in told]
    count: Counter[str] = Counter()
    for one in found:
        terms = frozenset(index_terms(one.text))
        if count[one.exchange.id] < _OF_ONE and not any(_is_same(terms, each) for each in known):
            count[one.exchange.id] += 1
            known.append(terms)
            yield one


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) > _SAME * min(len(one), len(other))
