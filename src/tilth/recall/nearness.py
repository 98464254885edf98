"""How near texts are to a prompt: which share of its words they have, and how alike they are."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from tilth.core.text.tokens import index_terms
from tilth.embedding.embedder import Embedder


def weights_of(prompt: str, among: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return what each term of *prompt* weighs: the more, the fewer *among* the texts have it."""
    counts = Counter(term for terms in among for term in terms)
    return {term: math.log(1 + len(among) / (1 + counts[term])) for term in index_terms(prompt)}


def covered(terms: frozenset[str], weights: Mapping[str, float]) -> float:
    """Return which share of a prompt's weight *terms* have, from 0 to 1."""
    total = sum(weights.values())
    return sum(weights[term] for term in terms & weights.keys()) / total if total else 0.0


def cosines(
    texts: Sequence[str], prompt: str, embedder: Embedder, *, is_centred: bool = True
) -> list[float]:
    """Return the cosine of each text and *prompt*; if *is_centred*, less what all texts share."""
    vectors = embedder.embed([*texts, prompt])
    vectors = vectors - vectors[:-1].mean(axis=0) if is_centred else vectors
    lengths = np.linalg.norm(vectors, axis=1)
    found = vectors[:-1] @ vectors[-1] / (lengths[:-1] * lengths[-1] + 1e-9)
    return [float(one) for one in found]
