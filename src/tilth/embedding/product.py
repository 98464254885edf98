"""Products of matrices that one thread makes."""

import math

import numpy as np

from tilth.embedding.embedder import Vector

# OpenBLAS takes further threads from here on, of as many multiplications. Each then waits for more
# work by spinning: on a busy machine that costs a hundred times what it saves.
_ALONE = 1 << 18
# What is larger is worth the threads.
_TILES_MAX = 128


def product(left: Vector, right: Vector) -> Vector:
    """Return the products of the rows of *left* with the rows of *right*, by tiles."""
    length = max(left.shape[1], 1)
    if len(left) * len(right) * length > _TILES_MAX * _ALONE:
        return np.asarray(left @ right.T)
    height = max(min(len(left), math.isqrt(_ALONE // length)), 1)
    width = max(_ALONE // (length * height), 1)
    made = np.empty((len(left), len(right)), np.float32)
    for top in range(0, len(left), height):
        for side in range(0, len(right), width):
            here = slice(top, top + height), slice(side, side + width)
            made[here] = left[here[0]] @ right[here[1]].T
    return made
