"""The interface of a language model."""

from typing import Protocol

from tilth.core.dataclass import dataclass
from tilth.core.json import JsonObject
from tilth.llm.budget import Usage
from tilth.llm.cancellation import Patience


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
