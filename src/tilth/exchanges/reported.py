"""
Choose sentences of agents' reports that are worth telling in another session.

Only reports state causes, limits and how things are. An agent may be wrong, so a sentence is shown
as reported, with its date, and not at all if somebody doubted the report or undid its work.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tilth.core.text.tokens import index_terms
from tilth.exchanges.model import Exchange

# In characters: the longest report that is read (a longer one is a review or a plan), and how much
# is read for one brief.
_REPORT_CHARS, _READ_CHARS = 4_000, 24_000
# The most sentences of one exchange; its card has the rest.
_OF_ONE = 2
# Two sentences say the same if they share more than this part of the shorter one's terms.
_SAME = 0.5


class Reported(NamedTuple):
    """
    A sentence of a report with what belongs to it.

    Its worth, from 0 to 1, is that of the sentence alone.
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
    Return sentences from reports of *work*, the most worthy first, newer before older.

    Args:
        work: Exchanges, newest first.
        told: What is shown anyway; a sentence that says the same is left out.
        read: Reads a report as `sentences_of` does.
    """
    found = [
        Reported(whole, one, weight)
        for one, report in _read(work)
        for whole, weight in read(report)
    ]
    return list(_distinct(sorted(found, key=lambda one: -one.worth), told))


def _read(work: Iterable[Exchange]) -> Iterator[tuple[Exchange, str]]:
    """Yield exchanges whose reports may be shown, each with as much of the report as is read."""
    left = _READ_CHARS
    for one in work:
        if left > 0 and not (one.is_doubted or one.is_taken_back):
            most = min(left, _REPORT_CHARS)
            left -= len(one.report[:most])
            # A line that is cut off is dropped.
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
