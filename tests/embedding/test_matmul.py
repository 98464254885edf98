"""Products of matrices, by tiles."""

import numpy as np
import pytest

from tilth.embedding.matmul import multiply_rows


@pytest.mark.parametrize(
    ("rows", "others", "length"),
    [(3, 2, 5), (300, 290, 256), (10, 3000, 256), (2, 3, 300_000), (900, 900, 300), (0, 4, 7)],
)
def test_a_product_by_tiles_is_the_product(rows, others, length):
    rng = np.random.default_rng(0)
    # Of single precision, in which counts are exact.
    left = rng.integers(0, 2, (rows, length)).astype(np.float32)
    right = rng.integers(0, 2, (others, length)).astype(np.float32)

    assert np.array_equal(multiply_rows(left, right), left @ right.T)


def test_nothing_has_products_of_nothing():
    nothing = np.empty((2, 0), np.float32)

    assert np.array_equal(multiply_rows(nothing, nothing), np.zeros((2, 2)))
