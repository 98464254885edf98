"""Products of matrices, by tiles."""

import numpy as np
import pytest

from tilth.embedding.product import product, through


@pytest.mark.parametrize(
    ("rows", "others", "length"),
    [(3, 2, 5), (300, 290, 256), (10, 3000, 256), (2, 3, 300_000), (900, 900, 300), (0, 4, 7)],
)
def test_a_product_by_tiles_is_the_product(rows, others, length):
    rng = np.random.default_rng(0)
    # Of single precision, in which counts are exact.
    left = rng.integers(0, 2, (rows, length)).astype(np.float32)
    right = rng.integers(0, 2, (others, length)).astype(np.float32)

    assert np.array_equal(product(left, right), left @ right.T)


def test_nothing_has_products_of_nothing():
    nothing = np.empty((2, 0), np.float32)

    assert np.array_equal(product(nothing, nothing), np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("count", "inputs", "outputs"),
    [(12, 384, 1152), (40, 1536, 384), (80, 384, 384), (200, 384, 384), (3, 10, 7), (0, 384, 64)],
)
def test_what_a_layer_makes_by_blocks_is_the_product(count, inputs, outputs):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (count, inputs)).astype(np.float32)
    weight = rng.integers(-2, 3, (inputs, outputs)).astype(np.float32)

    assert np.array_equal(through(rows, weight), rows @ weight)
