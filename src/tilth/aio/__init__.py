"""
A brain that is served elsewhere, under the names of `Brain`, for asynchronous programs.

    async with tilth.aio.connect("http://127.0.0.1:8738", token=token) as brain:
        await brain.remember("We chose PostgreSQL for the ledger.", session_id="planning")
        answer = await brain.recall("Which database did we choose?")

Arguments, answers and errors are those of `Brain`, so code moves from one to the other with an
`await`. Verbs that show another shape than their result (such as `changes`) answer with JSON.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, timedelta
from typing import Any, Self

import httpx2

from tilth.aio.methods import Methods
from tilth.core.errors import InvalidInputError, TilthError, UnavailableError, error_of
from tilth.core.io.api_key import is_http
from tilth.core.io.endpoint import checked_key
from tilth.core.json import Json, canonical
from tilth.core.verb import Verb
from tilth.interfaces.from_json import from_json
from tilth.interfaces.to_json import to_json
from tilth.runtime.index import index

_MINUTE = timedelta(minutes=1)
# The server is busy or slow: the same request may be answered later.
_LATER = frozenset({408, 429, 503})
_JSON = {"content-type": "application/json"}


def connect(url: str, *, token: str, timeout: float = 30.0) -> "AsyncBrain":
    """
    Return the brain that is served at *url*; nothing is asked before its first method.

    Args:
        url: As `tilth serve` prints it, such as `http://127.0.0.1:8738`.
        token: What `tilth token add` printed.
        timeout: How many seconds one request may take.

    Raises:
        InvalidInputError: *url* is no address of a server, or *token* no token.
    """
    if not is_http(url):
        raise InvalidInputError(
            f"{url[:100]!r} is no address of a server",
            hint="as tilth serve prints it: http://127.0.0.1:8738",
        )
    headers = {"authorization": f"Bearer {checked_key(token.strip())}"}
    return AsyncBrain(httpx2.AsyncClient(base_url=url, headers=headers, timeout=timeout))


class AsyncBrain(Methods):
    """A served brain, with a coroutine for every verb that is offered over HTTP."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client
        self._names: Mapping[str, str] = index()["modules"]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections. Calling it twice does no harm."""
        await self._client.aclose()

    async def _run(self, verb: Verb, args: Sequence[object], told: Mapping[str, object]) -> Any:  # noqa: ANN401 - as its verb says
        given = {name: _to_json(name, one) for name, one in verb.named(args, told).items()}
        answer = await self._post(verb.python.replace(".", "/"), given)
        if verb.as_json is not None:
            return answer
        inner = answer[verb.key] if verb.key else answer
        return from_json(verb.returns, inner)

    async def _post(self, path: str, given: Mapping[str, Json]) -> Any:  # noqa: ANN401 - JSON
        if self._client.is_closed:
            raise InvalidInputError(
                "this brain is closed", hint="open it again: tilth.aio.connect()"
            )
        content = canonical(given).encode()
        try:
            answer = await self._client.post(f"/v1/{path}", content=content, headers=_JSON)
            told = answer.json()
        except (httpx2.HTTPError, ValueError) as error:
            raise UnavailableError(
                f"the server does not answer as one of ours: {type(error).__name__}",
                hint="start it: tilth serve",
            ) from error
        if answer.is_success:
            return told
        raise _refusal(answer.status_code, told)


def _refusal(status: int, told: Any) -> TilthError:  # noqa: ANN401 - JSON
    error = told.get("error") if isinstance(told, dict) else None
    if not isinstance(error, dict):
        return UnavailableError(f"the server answers {status}, and not as one of ours")
    message, hint = str(error.get("message", "")), str(error.get("hint", ""))
    if status in _LATER:
        return UnavailableError(message, hint=hint)
    return error_of(str(error.get("code", "")), message, hint)


def _to_json(name: str, value: object) -> Json:
    """
    Return an argument as JSON.

    Raises:
        InvalidInputError: it cannot be sent.
    """
    if isinstance(value, os.PathLike):
        value = os.fsdecode(value)
    match value:
        case date():  # an instant, too
            return value.isoformat()
        case timedelta():
            return f"{value // _MINUTE}m"
        case str() | None | bool() | int() | float():
            return value
        case Mapping():
            return {str(key): _to_json(name, one) for key, one in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return to_json(value)
        case Iterable() if not isinstance(value, bytes):
            return [_to_json(name, one) for one in value]
        case _:
            raise InvalidInputError(f"{name} cannot be sent to a server", hint="leave it out")
