"""
One GET of a public page, within a size, a time and a number of redirects.

Nothing is sent but the request: no cookies, no credentials, no proxy that the environment names.
Redirects are judged like the first URL. Nothing of an answer is logged or put into an error.
"""

import ssl
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field
from email.message import Message
from functools import cached_property

import httpcore2
import httpx2

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.discovery.model import RefusedError, UnreachableError
from tilth.discovery.web.network import Network, PublicBackend
from tilth.discovery.web.public_addresses import PORTS, checked_url

AGENT = "Tilth"
REDIRECTS_MAX = 3
BYTES_MAX = 2 << 20
TIMEOUT_S = 10.0
_OK = 200
NOT_MODIFIED = 304
_MOVED = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_LATER = frozenset({408, 425, 429})
_SERVER_ERROR = 500
# zlib's own sign: a header of gzip or of zlib, whichever stands there.
_ANY_HEADER = zlib.MAX_WBITS | 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """By what a server knows which form of a page one has: `ETag` and `Last-Modified`."""

    etag: str = ""
    modified: str = ""

    def headers(self) -> list[tuple[str, str]]:
        """Return what asks for the page only if it is another one by now."""
        told = (("If-None-Match", self.etag), ("If-Modified-Since", self.modified))
        return [(name, value) for name, value in told if value]


UNSEEN = Validators()


@dataclass(frozen=True, slots=True)
class Page:
    """What a URL holds: `url` is the last one after redirects, `body` is decompressed."""

    url: str
    status: int
    content_type: str
    charset: str
    body: bytes
    validators: Validators = field(default=UNSEEN)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    location: str
    page: Page


class Fetcher:
    """
    Fetches public pages; safe to share between threads.

    Args:
        ports: Which are allowed besides 80 and 443.
        timeout_s: How long one request may take in all.
        network: The way out.
    """

    def __init__(
        self,
        *,
        ports: Collection[int] = (),
        timeout_s: float = TIMEOUT_S,
        network: Network | None = None,
    ) -> None:
        self._ports = frozenset(ports)
        self._timeout_s = timeout_s
        self._network = network or Network()

    @cached_property
    def _ssl(self) -> ssl.SSLContext:
        return self._network.trust or httpx2.create_ssl_context(trust_env=False)

    def get(
        self,
        address: str,
        types: Collection[str],
        *,
        admit: Callable[[httpx2.URL], None],
        known: Validators = UNSEEN,
    ) -> Page:
        """
        Return what *address* holds.

        Args:
            address: A URL.
            types: The content types that are read.
            admit: Called with each URL before it is asked; raises if it may not be.
            known: Of the form that one has already; the same again comes as status 304 without
                a body.

        Raises:
            RefusedError: the URL or one that it leads to may not be read, is of another
                content type, is too large, or wants a key.
            NotFoundError: there is nothing any more.
            UnreachableError: no whole answer came.
        """
        page = self.ask(address, types, admit=admit, known=known)
        if page.status == NOT_MODIFIED and known != UNSEEN:
            return page
        return _check_type(page, checked_url(page.url, self._ports), types)

    def ask(
        self,
        address: str,
        types: Collection[str],
        *,
        admit: Callable[[httpx2.URL], None] = lambda _: None,
        known: Validators = UNSEEN,
    ) -> Page:
        """
        Return what answers at *address* in the end, whatever its status.

        Raises:
            RefusedError: the URL or one that it leads to may not be read, or is too large.
            UnreachableError: no whole answer came, or that the server failed.
        """
        url = checked_url(address, self._ports)
        for _ in range(REDIRECTS_MAX + 1):
            admit(url)
            answer = self._request(url, types, known)
            if not answer.location:
                return _check_available(answer.page, url)
            following = checked_url(str(url.join(answer.location)), self._ports)
            if url.scheme == "https" and following.scheme != "https":
                raise RefusedError(f"{url.host} leads from https to http")
            url = following
        raise RefusedError(f"{url.host} leads on more than {REDIRECTS_MAX} times")

    def _request(self, url: httpx2.URL, types: Collection[str], known: Validators) -> _Answer:
        headers = [
            ("Host", url.netloc.decode("ascii")),
            ("User-Agent", AGENT),
            ("Accept", ", ".join(sorted(types))),
            ("Accept-Encoding", "gzip"),
            ("Connection", "close"),
            *known.headers(),
        ]
        target = httpcore2.URL(
            scheme=url.raw_scheme,
            host=url.raw_host,
            port=url.port or PORTS[url.scheme],
            target=url.raw_path,
        )
        with PublicBackend(self._network, self._timeout_s) as backend:
            try:
                with (
                    httpcore2.ConnectionPool(self._ssl, network_backend=backend) as pool,
                    pool.stream("GET", target, headers=headers) as response,
                ):
                    answer = _read(url, response, types)
            except (httpcore2.NetworkError, httpcore2.TimeoutException) as error:
                raise self._no_answer(url) from error
            except (httpcore2.ProtocolError, zlib.error) as error:
                raise UnreachableError(f"{url.host} sends no whole answer") from error
            if backend.left_s < 0:  # It was cut, which looks like an end.
                raise self._no_answer(url)
        return answer

    def _no_answer(self, url: httpx2.URL) -> UnreachableError:
        return UnreachableError(
            f"{url.host} does not answer", hint=f"it has {self._timeout_s:g} seconds for all of it"
        )


def _read(url: httpx2.URL, response: httpcore2.Response, types: Collection[str]) -> _Answer:
    said = {name.lower(): value.decode("latin-1") for name, value in reversed(response.headers)}
    parsed = Message()
    parsed["Content-Type"] = said.get(b"content-type", "")
    location = said.get(b"location", "") if response.status in _MOVED else ""
    kind = parsed.get_content_type() if b"content-type" in said else ""
    # What is not asked for is not read.
    wanted = response.status == _OK and kind in types
    encoding = said.get(b"content-encoding", "").strip().lower()
    body = b"".join(_decoded(response.iter_stream(), encoding, url)) if wanted else b""
    charset = parsed.get_content_charset() or ""
    validators = Validators(etag=said.get(b"etag", ""), modified=said.get(b"last-modified", ""))
    page = Page(str(url), response.status, kind, charset, body, validators)
    return _Answer(response.status, location, page)


def _decoded(chunks: Iterable[bytes], encoding: str, url: httpx2.URL) -> Iterator[bytes]:
    """Yield what was sent, decompressed; never more than the limit is held at once."""
    if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
        raise RefusedError(f"{url.host} sends a page in {encoding[:20]!r}, which nobody asked for")
    decoder = zlib.decompressobj(_ANY_HEADER) if encoding not in {"", "identity"} else None
    room = BYTES_MAX
    for chunk in chunks:
        plain = decoder.decompress(chunk, room + 1) if decoder else chunk
        room -= len(plain)
        if room < 0:
            raise RefusedError(f"a page of {url.host} has more than {BYTES_MAX >> 20} MB")
        yield plain
    if decoder and not decoder.eof:
        raise UnreachableError(f"{url.host} sends no whole answer")


def _check_available(page: Page, url: httpx2.URL) -> Page:
    if page.status in _LATER or page.status >= _SERVER_ERROR:
        raise UnreachableError(f"{url.host} answers {page.status}", hint="try again later")
    return page


def _check_type(page: Page, url: httpx2.URL, types: Collection[str]) -> Page:
    if page.status == _OK and page.content_type in types:
        return page
    said = f"{url.host} answers {page.status}"
    if page.status in _GONE:
        raise NotFoundError(f"{said}: nothing is there")
    if page.status != _OK:
        raise RefusedError(said, hint="a person may be able to read it in a browser")
    raise RefusedError(
        f"{url.host} sends {page.content_type[:60] or 'something'!r}, which is not read",
        hint=f"what is read: {', '.join(sorted(types))}",
    )
