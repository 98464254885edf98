"""Linear layers whose weights are bytes."""

import numpy as np
import pytest

from tilth.embedding.quantized import QuantizedLinear


@pytest.mark.parametrize(
    ("count", "inputs", "outputs"),
    [(12, 384, 1152), (40, 1536, 384), (80, 384, 384), (200, 384, 384), (3, 10, 7), (0, 384, 64)],
)
def test_a_layer_of_bytes_multiplies_scales_and_adds(count, inputs, outputs):
    rng = np.random.default_rng(0)
    # Of small numbers and powers of two, in which sums are exact.
    rows = rng.integers(0, 3, (count, inputs)).astype(np.float32)
    weight = rng.integers(-2, 3, (inputs, outputs)).astype(np.int8)
    scale = 2.0 ** -rng.integers(0, 5, outputs).astype(np.float32)
    bias = rng.integers(-9, 9, outputs).astype(np.float32)

    made = QuantizedLinear(weight, scale, bias)(rows)

    assert np.array_equal(made, (rows @ weight.astype(np.float32)) * scale + bias)
