"""Batch texts of like length, as a transformer takes them."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tilth.embedding.transformer import Mask

_EMPTY = 2  # pieces of a text that says nothing: [CLS] and [SEP]


def batches(encoded: Sequence[Sequence[int]], tokens_max: int) -> Iterator[list[int]]:
    """
    Yield the places of all texts that say something, shortest first, a batch at a time.

    Args:
        encoded: The pieces of each text, special tokens included.
        tokens_max: How many tokens a batch holds, padding included; one text may have more.
    """
    lengths = [len(pieces) for pieces in encoded]
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[place] <= _EMPTY:
            continue
        if batch and (len(batch) + 1) * lengths[place] > tokens_max:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def padded(encoded: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], Mask]:
    """Return the pieces of several texts as one matrix, and where in it they are."""
    lengths = np.array([len(pieces) for pieces in encoded])
    ids = np.zeros((len(encoded), lengths.max()), dtype=np.int64)
    for row, pieces in zip(ids, encoded, strict=True):
        row[: len(pieces)] = pieces
    return ids, np.arange(ids.shape[1]) < lengths[:, None]
