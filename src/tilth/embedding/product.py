"""Products of matrices that one thread makes."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.embedding.embedder import Vector

Floats = NDArray[np.floating[Any]]

# OpenBLAS takes further threads from here on, of as many multiplications. Each then waits for more
# work by spinning: on a busy machine that costs a hundred times what it saves.
_ALONE = 1 << 18
# What is larger is worth the threads.
_TILES_MAX = 128
# Blocks of a layer's weights that are so small are multiplied where they lie; to put larger ones
# in order first takes longer than to multiply them with a few rows.
_DEPTH, _WIDTHS = 192, (64, 32, 16)


def product(left: Vector, right: Vector, of: NDArray[np.int64] | None = None) -> Vector:
    """Return the products of the rows of *left* with those of *right*, or with *of* them alone."""
    length, others = max(left.shape[1], 1), len(right) if of is None else len(of)
    if len(left) * others * length > _TILES_MAX * _ALONE:
        return np.asarray(left @ (right if of is None else right.take(of, axis=0)).T)
    height = max(min(len(left), math.isqrt(_ALONE // length)), 1)
    width = max(_ALONE // (length * height), 1)
    made = np.empty((len(left), others), np.float32)
    for side in range(0, others, width):
        here = slice(side, side + width)
        # What is taken is used before it leaves the cache.
        some = right[here] if of is None else right.take(of[here], axis=0)
        for top in range(0, len(left), height):
            made[top : top + height, here] = left[top : top + height] @ some.T
    return made


def through(rows: Floats, weight: Floats) -> Floats:
    """Return the product of *rows* with *weight*, (inputs, outputs), of few rows by blocks."""
    count, (inputs, outputs) = len(rows), weight.shape
    depth = math.gcd(inputs, _DEPTH)
    for width in (math.gcd(outputs, one) for one in _WIDTHS):
        if count * depth * width <= _ALONE:
            blocks = weight.reshape(inputs // depth, depth, outputs // width, width)
            pieces = rows.reshape(count, inputs // depth, 1, depth).transpose(1, 2, 0, 3)
            made: Floats = (pieces @ blocks.swapaxes(1, 2)).sum(axis=0)
            return made.swapaxes(0, 1).reshape(count, outputs)
    return np.asarray(rows @ weight)
