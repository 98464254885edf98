"""The models that turn texts into vectors."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def space(self) -> str:
        """The space's name; vectors of different spaces are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """
        Return one unit vector a text, of shape (texts, dimensions); zeros for an empty text.

        Raises:
            UnavailableError: the model does not answer.
        """
        ...


class WordVectors(Protocol):
    """Knows the meaning of single words."""

    def word_vectors(self, words: Sequence[str]) -> Vector:
        """Return one unit vector a word, of shape (words, dimensions); zeros where unknown."""
        ...
