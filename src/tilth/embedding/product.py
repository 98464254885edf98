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
