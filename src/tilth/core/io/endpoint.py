"""
Call a JSON API over HTTP, the only way to a remote model or search.

Nothing that is sent, the key or the answer, is logged or put into an error. Redirects are not
followed. Import this module only where an endpoint is configured: its HTTP client takes longer to
import than the rest of Tilth.
"""

import contextlib
import ssl
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx2

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, UnavailableError
from tilth.core.io.api_key import is_http

OK = 200
REFUSED_KEY = frozenset({401, 403})
REFUSED_CONTENT = frozenset({400, 413, 422})
_TRY_LATER = frozenset({408, 425, 429})  # as are all from 500 on
_SERVER_ERROR = 500


class UnreachedError(UnavailableError):
    """No connection was made, so nothing was sent."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer over HTTP."""

    status: int
    body: bytes
    retry_after_s: float | None

    @property
    def asks_to_try_later(self) -> bool:
        """Whether a later attempt may succeed."""
        return self.status in _TRY_LATER or self.status >= _SERVER_ERROR


class Endpoint:
    """
    One address of an API; safe to share between threads.

    Args:
        name: What it is, for messages.
        url: Where to post to; see `url_of`.
        headers: Sent with each request.
        answer_bytes_max: How much of an answer is read.
        transport: How requests are sent, where it is not over the network.
    """

    def __init__(
        self,
        name: str,
        url: str,
        headers: Mapping[str, str],
        *,
        answer_bytes_max: int,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._url = url
        self._answer_bytes_max = answer_bytes_max
        self._client = httpx2.Client(
            headers={"Content-Type": "application/json", **headers},
            transport=transport,
            # Loading trusted certificates takes 30 ms, which plain HTTP does not need.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if url.startswith("http://") else True,
        )
        self.said = f"the {name} {urlsplit(url).hostname!r}"

    def post(self, content: bytes, timeout_s: float) -> HttpAnswer:
        """
        Return the answer, within a time and a size.

        Raises:
            UnreachedError: no connection was made.
            UnavailableError: no complete answer came.
        """
        return self._sent(self._client.build_request("POST", self._url, content=content), timeout_s)

    def get(self, query: Mapping[str, str], timeout_s: float) -> HttpAnswer:
        """Return the answer to a query in the URL; see `post`."""
        return self._sent(self._client.build_request("GET", self._url, params=query), timeout_s)

    def _sent(self, request: httpx2.Request, timeout_s: float) -> HttpAnswer:
        deadline = time.monotonic() + timeout_s
        body = bytearray()
        try:
            request.extensions["timeout"] = httpx2.Timeout(timeout_s).as_dict()
            with contextlib.closing(self._client.send(request, stream=True)) as answer:
                for chunk in answer.iter_bytes():
                    body += chunk
                    if len(body) > self._answer_bytes_max or time.monotonic() > deadline:
                        raise self._silence(timeout_s)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise UnreachedError(
                f"{self.said} cannot be reached", hint="is it running, and is its URL right?"
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._silence(timeout_s) from error
        return HttpAnswer(answer.status_code, bytes(body), _seconds(answer.headers))

    def close(self) -> None:
        """Close the connection. Calling it twice does no harm."""
        self._client.close()

    def _silence(self, timeout_s: float) -> UnavailableError:
        return UnavailableError(
            f"{self.said} does not answer",
            hint=f"is it running, and quicker than {timeout_s:g} seconds?",
        )


def url_of(base_url: str, path: str) -> str:
    """
    Return the URL to post to; a base without a path means ``/v1``.

    Raises:
        InvalidInputError: *base_url* is no http:// or https:// URL.
    """
    if not is_http(base_url):
        raise InvalidInputError(
            "the base URL of an endpoint is http:// or https:// and a host",
            hint="such as http://localhost:11434/v1",
        )
    parts = urlsplit(base_url)
    return parts._replace(path=f"{parts.path.rstrip('/') or '/v1'}/{path}", fragment="").geturl()


def checked_key(key: str) -> str:
    """
    Return *key*.

    Raises:
        InvalidInputError: it has characters that no key has.
    """
    if not (key.isascii() and key.isprintable()):
        raise InvalidInputError(
            "the API key has characters that no key has", hint="was it copied whole?"
        )
    return key


def _seconds(headers: httpx2.Headers) -> float | None:
    """Return how long to wait, if a server gives it in seconds and not as a date."""
    told = headers.get("retry-after", "")
    return float(told) if told.isascii() and told.isdigit() and len(told) < len("10000") else None
