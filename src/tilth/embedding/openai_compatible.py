"""
Embedding by an endpoint that speaks OpenAI's ``/v1/embeddings``.

Ollama, llama.cpp, vLLM and many hosted services do. The texts are sent, and nothing of them is
logged or put into an error; nor is the endpoint's answer, which may quote them.
"""

import json
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilth.core.errors import InvalidInputError, TilthError, UnavailableError, UnsupportedError
from tilth.core.io.endpoint import (
    OK,
    REFUSED_CONTENT,
    REFUSED_KEY,
    Endpoint,
    HttpAnswer,
    checked_key,
    url_of,
)
from tilth.embedding.transformer import unit

_TEXTS_MAX = 64  # in one request
_CHARACTERS_MAX = 8_000  # of a text: about 2,000 tokens, what most models read
_ANSWER_BYTES_MAX = 64 << 20  # 64 vectors of 4,096 numbers take 6 MB
_MATRIX = 2  # dimensions of an array


class OpenAiCompatibleEmbedder:
    """
    Embeds texts by asking an endpoint; safe to share between threads.

    The first answer tells how long the vectors are, so `space` and `dimensions` may ask too.

    Args:
        base_url: Such as ``http://localhost:11434`` or ``https://example.org/api/v1``; without a
            path, ``/v1`` is meant.
        model: The model's name, as the endpoint knows it.
        api_key: Sent as a bearer token.
        timeout_s: How long one request may take in all.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout_s: float = 30,
    ) -> None:
        if not model:
            raise InvalidInputError("an embedding endpoint needs a model's name")
        self._model = model
        self._timeout_s = timeout_s
        self._endpoint = Endpoint(
            "embedding endpoint",
            url_of(base_url, "embeddings"),
            {"Authorization": f"Bearer {checked_key(api_key)}"} if api_key else {},
            answer_bytes_max=_ANSWER_BYTES_MAX,
        )
        self._lock = threading.Lock()
        self._learnt_dimensions: int | None = None

    @property
    def space(self) -> str:
        """The model's name and the length of its vectors, wherever it runs."""
        return f"openai:{self._model}:{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """The length of a vector; asks the endpoint when it has not answered yet."""
        if self._learnt_dimensions is None:
            self._ask(["dimensions"])
        assert self._learnt_dimensions is not None
        return self._learnt_dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """
        Return one unit vector for each text, of its first 8,000 characters.

        Raises:
            UnavailableError: the endpoint does not answer, or asks to try again later.
            UnsupportedError: what answers is no such endpoint, has no such model, or needs a key.
            InvalidInputError: the endpoint refuses the texts.
        """
        places = [place for place, text in enumerate(texts) if text.strip()]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for first in range(0, len(places), _TEXTS_MAX):
            batch = places[first : first + _TEXTS_MAX]
            vectors[batch] = unit(self._ask([_sendable(texts[place]) for place in batch]))
        return vectors

    def close(self) -> None:
        """Close the connection. Calling it twice does no harm."""
        self._endpoint.close()

    def _ask(self, texts: list[str]) -> NDArray[np.float32]:
        content = json.dumps({"model": self._model, "input": texts}).encode()
        answer = self._endpoint.post(content, self._timeout_s)
        if answer.status != OK:
            raise self._refusal(answer)
        vectors = _vectors_in(answer.body, len(texts))
        if vectors is None:
            raise UnsupportedError(
                f"{self._endpoint.said} does not answer as an embeddings endpoint does",
                hint="check that its base URL is that of an OpenAI-compatible API",
            )
        self._learn(vectors.shape[1])
        return vectors

    def _learn(self, dimensions: int) -> None:
        with self._lock:
            known = self._learnt_dimensions or dimensions
            self._learnt_dimensions = known
        if known != dimensions:
            raise UnsupportedError(
                f"{self._model!r} now gives vectors of {dimensions} numbers instead of {known}",
                hint="the endpoint's model was changed: give the new one its own name",
            )

    def _refusal(self, answer: HttpAnswer) -> TilthError:
        """Return the error for an answer that is not 200."""
        said = f"{self._endpoint.said} answers {answer.status}"
        if answer.asks_to_try_later:
            return UnavailableError(said, hint="try again later, or see its log")
        if answer.status in REFUSED_KEY:
            return UnsupportedError(f"{said}: it refuses the key", hint="set the right API key")
        if answer.status in REFUSED_CONTENT:
            return InvalidInputError(
                f"{said}: it refuses the texts",
                hint=f"does {self._model!r} make embeddings, and of texts this long?",
            )
        return UnsupportedError(
            f"{said}: no model {self._model!r}, or no such API",
            hint="check the base URL and the model's name; a local server may have to pull it",
        )


def _sendable(text: str) -> str:
    """Return what of *text* is sent: its beginning, without lone surrogates, which no JSON has."""
    return text[:_CHARACTERS_MAX].encode("utf-8", "replace").decode()


def _vectors_in(body: bytes, count: int) -> NDArray[np.float32] | None:
    """Return the vectors of an answer in the order of the texts, or None if it is no answer."""
    try:
        items = sorted(json.loads(body)["data"], key=lambda item: item["index"])
        order = [item["index"] for item in items]
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
            vectors = np.array([item["embedding"] for item in items], dtype=np.float32)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    is_whole = order == list(range(count)) and vectors.ndim == _MATRIX and vectors.shape[1] > 0
    return vectors if is_whole and bool(np.isfinite(vectors).all()) else None
