"""Multiply matrices on one thread."""

import math

import numpy as np
from numpy.typing import NDArray

from tilth.embedding.embedder import Vector

# OpenBLAS takes further threads from here on, of as many multiplications. Each then waits for more
# work by spinning: on a busy machine that costs a hundred times what it saves.
ONE_THREAD_MAX = 1 << 18
# What is larger is worth the threads.
_TILES_MAX = 128


def multiply_rows(left: Vector, right: Vector, of: NDArray[np.int64] | None = None) -> Vector:
    """Return the products of the rows of *left* with those of *right*, or with *of* them alone."""
    length, others = max(left.shape[1], 1), len(right) if of is None else len(of)
    if len(left) * others * length > _TILES_MAX * ONE_THREAD_MAX:
        return np.asarray(left @ (right if of is None else right.take(of, axis=0)).T)
    height = max(min(len(left), math.isqrt(ONE_THREAD_MAX // length)), 1)
    width = max(ONE_THREAD_MAX // (length * height), 1)
    made = np.empty((len(left), others), np.float32)
    for side in range(0, others, width):
        here = slice(side, side + width)
        # What is taken is used before it leaves the cache.
        some = right[here] if of is None else right.take(of[here], axis=0)
        for top in range(0, len(left), height):
            made[top : top + height, here] = left[top : top + height] @ some.T
    return made
