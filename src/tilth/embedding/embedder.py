"""The models that turn texts into vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

# numpy takes longer to load than most commands run, and many use what only names a vector.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
else:
    Vector = Any


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

    def is_known(self, word: str) -> bool:
        """Say whether *word* has a vector of its own, and none put together of its pieces."""
        ...

    def corrected(self, word: str) -> str:
        """Return the known word of which *word* is a slip of the finger, or nothing."""
        ...


class FirstTier(Embedder, WordVectors, Protocol):
    """The embedder that is in step with every write; it knows single words too."""
