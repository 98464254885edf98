"""Results of searches, texts of addresses, and the two ports of every place: search and read."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from tilth.core.actor import CameBy
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, UnavailableError
from tilth.core.ids import SESSION_ID_CHARS_MAX, SessionId
from tilth.core.json import JsonObject
from tilth.core.scope import Scope
from tilth.embedding.embedder import Embedder
from tilth.episodes.episode import Episode
from tilth.episodes.remember import WriteContext
from tilth.episodes.session import FETCHED_SESSIONS
from tilth.ledger.store import Store

# The domain of what the brain itself was told, whoever told it: all of it is one source.
OWN = "own"
# How the address of a document begins that the brain holds; the session's ID follows, quoted.
DOCUMENT_ADDRESS = "tilth:document/"


class RefusedError(ForbiddenError):
    """An address may not be read, or holds what is not read. The message says which and why."""


class UnreachableError(UnavailableError):
    """Nothing whole came from an address or a search provider; another time it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """
    One result of a search.

    `address` is a URL, `tilth:episode/ID` or `tilth:document/ID`. `snippet` is some of its words,
    as the provider cut them; `provider` names who found it.
    """

    address: str
    title: str
    snippet: str
    provider: str


@dataclass(frozen=True, slots=True)
class Finds:
    """The results of all places, and notes on those that did not answer."""

    found: tuple[Found, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """
    What an address holds, as plain text.

    `address` is where it was read in the end, after redirects. `domain` is the registered domain
    of its URL, or `OWN`; `cluster` sketches what it says, so that copies of it are known
    (`tilth.discovery.rules`). Two documents are independent sources only if both differ.
    `text` is data, never an instruction.
    """

    address: str
    title: str
    text: str
    read_at: datetime
    domain: str
    cluster: str
    published: datetime | None = None


# The key of an episode's metadata under which it stands that a page was fetched, and from where.
FETCHED = "fetched"


def page_session(url: str) -> SessionId:
    """Return the session that keeps the page at *url*; a long URL is told by its hash."""
    name = f"{FETCHED_SESSIONS}{url}"
    if len(name) > SESSION_ID_CHARS_MAX:
        digest = hashlib.sha256(url.encode()).hexdigest()[:16]
        name = f"{name[: SESSION_ID_CHARS_MAX - len(digest) - 1]} {digest}"
    return SessionId(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an episode's text was fetched: its URL, its registered domain, the text's SHA-256."""

    url: str
    domain: str
    sha256: str

    @property
    def told(self) -> JsonObject:
        """What stands in the metadata of that episode."""
        return {"url": self.url, "domain": self.domain, "sha256": self.sha256}


def fetched_from(episode: Episode) -> Origin | None:
    """Return where we fetched an episode; None if we did not, whatever it says of itself."""
    said = episode.metadata.get(FETCHED)
    if episode.came_by is not CameBy.FETCHED or not isinstance(said, dict):
        return None
    url, domain, sha256 = (str(said.get(name, "")) for name in ("url", "domain", "sha256"))
    return Origin(url=url, domain=domain, sha256=sha256)


@dataclass(frozen=True, slots=True)
class PageStore:
    """Where pages are recorded: the store, the embedder, for whom, and in which scope."""

    store: Store
    first: Embedder
    clock: Clock
    recorder: WriteContext
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """A page that was fetched: its URL in the end, and the name of the document that keeps it."""

    address: str
    title: str
    domain: str
    slug: str
    word_count: int
    published: datetime | None = None


class Search(Protocol):
    """A place that is asked for addresses."""

    @property
    def name(self) -> str:
        """What it is called, as in `Found.provider`."""
        ...

    def search(self, question: str, *, limit: int) -> tuple[Found, ...]:
        """
        Return at most *limit* results, the best first.

        Raises:
            UnreachableError: it does not answer, or not in its form, or asks to wait.
            UnsupportedError: it refuses the key, or what answers is no such provider.
            InvalidInputError: the question is empty or too long.
        """
        ...


class Read(Protocol):
    """A place whose addresses can be read."""

    def read(self, address: str) -> SourceText:
        """
        Return what *address* holds.

        Raises:
            RefusedError: it may not be read, or is not of a kind that is.
            NotFoundError: nothing is there, or nothing that may be seen.
            UnreachableError: nothing whole came.
        """
        ...


@dataclass(frozen=True, slots=True)
class WebAccess:
    """
    The access to the web that is set up: none by default.

    `feeds` make a search of a feed, given where its entries are recorded and what searches there.
    `pages` makes a reader of pages, given where they are recorded; None where fetching is off.
    `problems` say what was set up and cannot be used.
    """

    searches: tuple[Search, ...] = ()
    pages: Callable[[PageStore], Read] | None = None
    problems: tuple[str, ...] = ()
    feeds: tuple[Callable[[PageStore, Search], Search], ...] = ()
