"""
Static vectors: a text is the weighted sum of its pieces' vectors.

No network of any kind runs, so a vector costs a fraction of a millisecond and comes with the write.
Each piece's vector is what MiniLM makes of that piece alone (`scripts/build_embedders.py`); its
weight is Arora et al. 2017's "smooth inverse frequency" (openreview.net, SyK00v5xx), with Zipf's
law over the vocabulary in place of counted words: BERT's vocabulary stands in order of frequency.
"""

import functools
import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.text.spelling import spelt_like
from tilth.embedding import bundled
from tilth.embedding.transformer import unit

# Longer than MiniLM's: more of a long text costs little here, and says what else it is about.
_MAX_PIECES = 512
_SMOOTHING = 1e-3  # Arora et al.'s a; on LoCoMo 1e-3 … 3e-3 find most, 1e-4 a fifth less
_EULER_GAMMA = 0.5772
_FIRST_CHARACTER = 999  # "!"; before it are the special and the unused tokens
_FIRST_FOREIGN_CHARACTER = 1063  # the first outside ASCII
_FIRST_WORD = 1996  # "the"
_FIRST_TAIL_CHARACTER = 29_612  # "##!"; from here on, single characters inside a word
# Shorter words are too near to others; what is spelt less alike is another word.
_CORRECTED_FROM, _CORRECTED = 6, 0.85
_UNRANKED = 0.5  # the importance of characters that stand in no order of frequency


@dataclass(frozen=True, slots=True)
class _Table:
    vectors: NDArray[np.int8]
    weight: NDArray[np.float32]  # of a piece in a sum: its row's scale times its importance


class StaticEmbedder:
    """
    Embeds texts and single words by a table in the package; safe to share between threads.

    The table is mapped on first use, and read only where it is looked at.
    """

    space = "static-256-v1"
    dimensions = 256

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector for each text; zeros where no piece of it is known."""
        table, tokenizer = _table(), bundled.tokenizer()
        sums = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(sums, texts, strict=True):
            if ids := tokenizer.pieces(text, limit=_MAX_PIECES):
                np.matmul(table.weight[ids], table.vectors[ids], out=row)
        return unit(sums)

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector for each word, of its pieces; zeros where none is known."""
        table, tokenizer = _table(), bundled.tokenizer()
        pieces = [tokenizer.pieces(word, limit=_MAX_PIECES) for word in words]
        sizes = np.array([len(one) for one in pieces], np.int64)
        ids = np.fromiter(chain.from_iterable(pieces), np.int64)
        sums = np.zeros((len(words), self.dimensions), np.float32)
        # All at once: words are short and many, unlike texts.
        if len(ids):
            weighted = table.vectors[ids] * table.weight[ids, None]
            begins = (np.cumsum(sizes) - sizes)[sizes > 0]
            sums[sizes > 0] = np.add.reduceat(weighted, begins)
        return unit(sums)

    def is_known(self, word: str) -> bool:
        """Say whether *word* stands in the table as a whole."""
        return bundled.tokenizer().is_whole(word)

    def corrected(self, word: str) -> str:
        """Return the word of the table that is spelt most like *word*, if it is nearly so."""
        return _corrected(word)


@functools.lru_cache(maxsize=4096)
def _corrected(word: str) -> str:
    if len(word) < _CORRECTED_FROM:
        return ""
    return "".join(spelt_like(word, _begun_with(word[0]), ratio=_CORRECTED))


@functools.cache
def _begun_with(letter: str) -> list[str]:
    return [*bundled.tokenizer().whole(letter)]


@functools.cache
def _table() -> _Table:
    vectors = bundled.mapped(bundled.STATIC_TABLE)
    scale = bundled.mapped(bundled.STATIC_SCALE)
    return _Table(vectors, scale * importance(len(scale)))


def importance(vocabulary_size: int) -> NDArray[np.float32]:
    """
    Return how much each piece of BERT's vocabulary counts in a sum, from 0 to 1.

    Smooth inverse frequency is a / (a + p); Zipf's law says p = 1 / (rank · H), where H, the sum of
    1 / rank, is ln(size) + Euler's gamma. Rank 1 is "the", and ASCII's characters count as little;
    special tokens, the unknown one among them, count nothing.
    """
    number = np.arange(vocabulary_size)
    rank = np.maximum(number - _FIRST_WORD + 1, 1)
    probability = 1 / (rank * (math.log(vocabulary_size) + _EULER_GAMMA))
    weight = _SMOOTHING / (_SMOOTHING + probability)
    weight[:_FIRST_CHARACTER] = 0
    weight[_FIRST_FOREIGN_CHARACTER:_FIRST_WORD] = _UNRANKED
    weight[_FIRST_TAIL_CHARACTER:] = _UNRANKED
    return weight.astype(np.float32)
