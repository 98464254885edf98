"""What several statements about one thing come to, without a model: their own words, in a row."""

from collections.abc import Sequence

import numpy as np

from tilth.embedding.embedder import Vector
from tilth.knowledge.likeness.amounts import read_amounts

# What is shorter says too little to be drawn together with anything (EM-071).
STATEMENT_CHARS_MIN = 20
SOURCES_MIN = 3
SOURCES_MAX = 20
# From here on two statements have to do with each other; a plan names them from there on too.
LIKENESS_MIN = 0.5
TEXT_CHARS_MAX = 2000


def in_a_row(name: str, texts: Sequence[str]) -> str:
    """
    Return *texts* as one statement about *name*, in the order in which they were said.

    What no longer fits is counted; a text that another one says whole is left out.
    """
    told = [" ".join(text.split()).rstrip(".;") for text in texts]
    kept = [
        text
        for at, text in enumerate(told)
        if not any(
            text in other and (text != other or at > here) for here, other in enumerate(told)
        )
    ]
    said = f"About {name}: "
    for at, text in enumerate(kept):
        more = f"{'; ' if at else ''}{text}"
        if len(said) + len(more) > TEXT_CHARS_MAX:
            return f"{said}; and {len(kept) - at} more"
        said += more
    return said


def clusters(vectors: Vector) -> list[list[int]]:
    """
    Return which of *vectors* belong together: each with the oldest that is free and near it.

    Of what is near to too few nothing is returned; no vector is in two clusters.
    """
    cosines = vectors @ vectors.T
    free = np.ones(len(vectors), bool)
    found = []
    for seed in range(len(vectors)):
        if not free[seed]:
            continue
        near = np.flatnonzero(free & (cosines[seed] >= LIKENESS_MIN))
        members = [int(at) for at in near[:SOURCES_MAX]]
        if len(members) >= SOURCES_MIN:
            free[members] = False
            found.append(members)
    return found


def invents_amounts(text: str, sources: Sequence[str]) -> bool:
    """Say whether *text* tells a number or a time that none of its *sources* does."""
    known = {(one.part, one.value) for source in sources for one in read_amounts(source)}
    return any((one.part, one.value) not in known for one in read_amounts(text))
