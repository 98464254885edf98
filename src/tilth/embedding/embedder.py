"""The models that turn texts into vectors, and those that answer in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilth.core.json import JsonObject
from tilth.llm.budget import Usage

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """
    One question to a language model.

    `instructions` are ours, `data` is what was recorded; a client keeps them
    apart wherever the wire has two places. `schema` is that of the answer.
    """

    instructions: str
    data: str
    schema: JsonObject
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """
    What a language model wrote.

    `usage` is None where it did not count; `millionths` is what it says that
    this cost, where it does. An answer that *is_cut* was longer than allowed;
    one that *is_declined* says that it will not.
    """

    text: str
    usage: Usage | None
    millionths: int = 0
    is_cut: bool = False
    is_declined: bool = False


@dataclass(frozen=True, slots=True)
class Again:
    """
    Nothing was made and no token spent; asking once more may help.

    `after_s` is how long the model wants to be left alone, if it said. Where
    the question did not even arrive, *is_sent* is false.
    """

    reason: str
    after_s: float | None = None
    is_sent: bool = True


class Patience(Protocol):
    """How long somebody waits, and whether they still do."""

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        ...

    def remaining_s(self) -> float:
        """Return the seconds that are left; 0 when they are over, or it was cancelled."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait so long, or as long as patience lasts."""
        ...


class Model(Protocol):
    """A language model. One call of `ask` is one request, so that it can be paid for."""

    @property
    def name(self) -> str:
        """The model's name, by which it is priced and reported."""
        ...

    @property
    def overhead_tokens(self) -> int:
        """How many tokens it reads besides what it is sent, at the most."""
        ...

    def ask(self, request: ModelRequest, patience: Patience) -> Reply | Again:
        """
        Answer once.

        Raises:
            UnavailableError: no answer came that can be read; what that cost, nobody knows.
            UnsupportedError: there is no such model, or it wants another key; that cost nothing.
            InvalidInputError: the question is not taken; that cost nothing.
        """
        ...
