"""Decide whether two documents are one source: of one domain, or copies of one another (T5)."""

import heapq
from collections.abc import Iterable
from hashlib import blake2b

from tilth.core.text.tokens import index_terms

# A sketch has the smallest hashes of two sets: of runs of so many terms, and of single terms. Two
# sketches share about as many of theirs as the texts share of all their runs, or terms.
_RUN = 3
_RUN_HASHES, _TERM_HASHES = 32, 64
_HASH_CHARS = 8
# A page that was posted elsewhere has other lines around it. Two reports of one event share
# names and figures, and hardly any runs.
COPIED_FROM = 0.4
# What was rephrased has other runs and most of the terms. Of 250 PEPs one pair in a thousand shares
# 0.31 of its terms; two of which one was made from the other share 0.58.
REPHRASED_FROM = 0.5


def cluster_of(text: str) -> str:
    """Return a sketch of what *text* says, of at most 769 characters; `:` if it has no terms."""
    terms = index_terms(text)
    runs = (" ".join(terms[at : at + _RUN]) for at in range(max(1, len(terms) - _RUN + 1)))
    return f"{_smallest(runs, _RUN_HASHES)}:{_smallest(terms, _TERM_HASHES)}"


def is_copy(one: str, other: str) -> bool:
    """Say whether of two texts one is a copy of the other, or rephrases it, by their sketches."""
    (runs, _, terms), (other_runs, _, other_terms) = one.partition(":"), other.partition(":")
    return (
        _shared(runs, other_runs, _RUN_HASHES) >= COPIED_FROM
        or _shared(terms, other_terms, _TERM_HASHES) >= REPHRASED_FROM
    )


def independent_count(sources: Iterable[tuple[str, str]]) -> int:
    """
    Return how many independent sources there are.

    Args:
        sources: The domain and the sketch of each document (`SourceText.domain`, `.cluster`).

    Returns:
        How many groups they fall into, where documents of one domain, and copies, are together.
    """
    groups: list[list[tuple[str, str]]] = []
    for domain, cluster in dict.fromkeys(sources):
        joined = [(domain, cluster)]
        apart = []
        for group in groups:
            is_same = any(domain == of or is_copy(cluster, sketch) for of, sketch in group)
            if is_same:
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return len(groups)


def _smallest(words: Iterable[str], count: int) -> str:
    hashes = {blake2b(one.encode(), digest_size=4).hexdigest() for one in words if one}
    return "".join(heapq.nsmallest(count, hashes))


def _shared(one: str, other: str, count: int) -> float:
    """Return how much two sets share, from 0 to 1, by their smallest hashes."""
    here, there = _hashes(one), _hashes(other)
    least = heapq.nsmallest(count, here | there)
    return len(here & there & set(least)) / len(least) if least else 0.0


def _hashes(sketch: str) -> set[str]:
    return {sketch[at : at + _HASH_CHARS] for at in range(0, len(sketch), _HASH_CHARS)}
