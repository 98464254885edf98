"""Post a request to a model's API, and read its reply: errors, and counts of tokens."""

import json
from collections.abc import Callable
from typing import Any

from tilth.core.errors import InvalidInputError, TilthError, UnavailableError, UnsupportedError
from tilth.core.io.endpoint import (
    OK,
    REFUSED_CONTENT,
    REFUSED_KEY,
    Endpoint,
    HttpAnswer,
    UnreachedError,
)
from tilth.llm.budget import Usage
from tilth.llm.cancellation import Patience, while_patient
from tilth.llm.model import Again

ANSWER_BYTES_MAX = 8 << 20
# Templates and the words around tools; Anthropic's are some 500 tokens, chat templates fewer.
OVERHEAD_TOKENS = 1_024
# More than any model reads; a server that counts beyond it does not count.
_TOKENS_MAX = 100_000_000
# What reading an answer raises that is not one.
UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


def post_request(endpoint: Endpoint, body: object, patience: Patience) -> HttpAnswer | Again:
    """
    Post *body*, and return what came back, or that another time is better.

    Raises:
        UnavailableError: no whole answer came in time.
    """
    content = json.dumps(body).encode()
    try:
        answer = while_patient(lambda seconds: endpoint.post(content, seconds), patience)
    except UnreachedError as error:
        return Again(str(error), is_sent=False)
    if answer.asks_to_try_later:
        return Again(f"{endpoint.said} answers {answer.status}", answer.retry_after_s)
    return answer


def status_error(endpoint: Endpoint, model: str, status: int) -> TilthError:
    """Return the error for a status that is neither good nor passing."""
    said = f"{endpoint.said} answers {status}"
    if status in REFUSED_KEY:
        return UnsupportedError(f"{said}: it refuses the key", hint="name the right key")
    if status in REFUSED_CONTENT:
        return InvalidInputError(f"{said}: it refuses the question")
    return UnsupportedError(
        f"{said}: no model {model!r}, or no such API", hint="check the URL and the model's name"
    )


def read_body(
    endpoint: Endpoint, model: str, answer: HttpAnswer, read: Callable[[Any], Any]
) -> Any:  # noqa: ANN401 - whatever *read* returns
    """
    Return what *read* makes of the JSON of an answer.

    Raises:
        UnsupportedError: it refuses the key, or has no such model.
        InvalidInputError: it refuses the question.
        UnavailableError: it took the question, and what it says is no answer.
    """
    if answer.status != OK:
        raise status_error(endpoint, model, answer.status)
    try:
        return read(json.loads(answer.body))
    except UNREADABLE as error:
        raise UnavailableError(
            f"{endpoint.said} does not answer as such an API does", hint="check its URL"
        ) from error


def usage_of(input_tokens: object, output_tokens: object) -> Usage | None:
    """Return what was counted; None if it was not, or not in numbers that can be."""
    counts = (input_tokens, output_tokens)
    if all(type(count) is int and 0 <= count <= _TOKENS_MAX for count in counts):
        return Usage(*counts)  # type: ignore[arg-type] # integers, as the line above says
    return None
