"""
A linear layer whose weights stay the signed bytes that the package holds.

What a short text costs is reading the weights, and floats take four times as long to read. So bytes
become floats a few blocks at a time, which are multiplied before they leave a core's cache.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tilth.embedding.matmul import ONE_THREAD_MAX
from tilth.embedding.transformer import Floats

# Blocks that are so small are multiplied where they lie; to put larger ones in order first takes
# longer than to multiply them with a few rows.
_DEPTH, _WIDTH = 384, 32
# So many floats are made at once.
_AT_ONCE = 1 << 17
# From so many rows on, to multiply takes longer than to read.
_FEW = 85


class QuantizedLinear:
    """
    A linear layer: bytes with a scale and a bias for each output.

    Args:
        weight: The bytes, (inputs, outputs).
        scale: What each output is multiplied with.
        bias: What is added to it then.
    """

    def __init__(self, weight: NDArray[np.int8], scale: Floats, bias: Floats) -> None:
        inputs, outputs = weight.shape
        depth, width = math.gcd(inputs, _DEPTH), math.gcd(outputs, _WIDTH)
        blocks = weight.reshape(inputs // depth, depth, outputs // width, width)
        self._weight = weight
        # The same again, those of the same outputs together.
        self._blocks = np.ascontiguousarray(blocks.transpose(2, 0, 1, 3))
        self._scale, self._bias = scale, bias

    def __call__(self, values: Floats) -> Floats:
        """Return *values*, (tokens, inputs), through the layer."""
        is_few = len(values) < _FEW
        result = self._by_blocks(values) if is_few else values @ self._weight.astype(np.float32)
        result *= self._scale
        result += self._bias
        return result

    def _by_blocks(self, values: Floats) -> Floats:
        strips, deep, depth, width = self._blocks.shape
        made = np.empty((strips, len(values), width), np.float32)
        pieces = values.reshape(len(values), deep, depth).swapaxes(0, 1)
        height = max(ONE_THREAD_MAX // (depth * width), 1)
        count = max(_AT_ONCE // (deep * depth * width), 1)
        floats = np.empty((min(count, strips), deep, depth, width), np.float32)
        for side in range(0, strips, count):
            here = slice(side, side + count)
            some = floats[: len(self._blocks[here])]
            some[:] = self._blocks[here]
            for top in range(0, len(values), height):
                rows = slice(top, top + height)
                np.sum(pieces[:, rows] @ some, axis=1, out=made[here, rows])
        return made.swapaxes(0, 1).reshape(len(values), strips * width)
