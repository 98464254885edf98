"""Measure how near texts are to a prompt: the share of its words they contain, and cosines."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from tilth.core.text.tokens import index_terms
from tilth.embedding.embedder import Embedder


def term_weights(prompt: str, among: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the weight of each term of *prompt*: higher if fewer texts *among* contain it."""
    counts = Counter(term for terms in among for term in terms)
    return {term: math.log(1 + len(among) / (1 + counts[term])) for term in index_terms(prompt)}


def covered_share(terms: frozenset[str], weights: Mapping[str, float]) -> float:
    """Return the share of a prompt's weight that *terms* cover, from 0 to 1."""
    total = sum(weights.values())
    return sum(weights[term] for term in terms & weights.keys()) / total if total else 0.0


def cosines(
    texts: Sequence[str], prompt: str, embedder: Embedder, *, is_centred: bool = True
) -> list[float]:
    """Return the cosine of each text with *prompt*; if *is_centred*, without their common mean."""
    vectors = embedder.embed([*texts, prompt])
    vectors = vectors - vectors[:-1].mean(axis=0) if is_centred else vectors
    lengths = np.linalg.norm(vectors, axis=1)
    found = vectors[:-1] @ vectors[-1] / (lengths[:-1] * lengths[-1] + 1e-9)
    return [float(one) for one in found]
