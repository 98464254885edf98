"""
Feeds as a place where material is found.

A feed answers no question. So it is taken in when one is asked: its entries that are new are kept
as documents, and those of them that answer are found as whatever the brain holds is. A feed is
asked once in a quarter of an hour, and then only for what changed; a file needs no network.
"""

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path
from urllib.parse import quote, urlsplit

from tilth.core.actor import FETCHER
from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError, TilthError
from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.discovery.model import DOCUMENT_ADDRESS, OWN, Found, PageStore, Search, UnreachableError
from tilth.discovery.web.domains import registered_domain
from tilth.discovery.web.feed_entries import Entry, FeedText, feed_text
from tilth.discovery.web.fetch import BYTES_MAX, NOT_MODIFIED, UNSEEN, Fetcher, Validators
from tilth.discovery.web.record_page import HOST, PageRecord, record_page
from tilth.discovery.web.robots import Robots
from tilth.episodes.episode import LABEL_CHARS_MAX
from tilth.episodes.session import FETCHED_SESSIONS, SessionInfo
from tilth.episodes.sessions import describe
from tilth.episodes.tables import Episodes
from tilth.privacy.redaction import scrub

TYPES = frozenset(
    {
        "application/atom+xml",
        "application/rdf+xml",
        "application/rss+xml",
        "application/xml",
        "text/xml",
    }
)
# As often as this a feed is asked at most, whether it answered or not.
_ASKED_EVERY_S = 15 * 60.0
_LOOKED_AT_MAX = 100
_ETAG, _MODIFIED = "etag ", "last-modified "


@dataclass(slots=True)
class _Visit:
    """When a feed was asked last, and what went wrong."""

    at: float
    error: TilthError | None = None


@dataclass(frozen=True, slots=True)
class Feeds:
    """What all feeds of a program share, so that sites are asked politely."""

    fetcher: Fetcher
    robots: Robots
    now: Callable[[], float] = time.monotonic
    visits: dict[tuple[str, str], _Visit] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A feed as it was read: its validators, and its entries."""

    validators: Validators
    feed: FeedText


@dataclass(frozen=True, slots=True)
class FeedSearch:
    """
    One feed; safe to share between threads.

    Args:
        feeds: The state that all feeds share.
        url: An http:// or https:// URL, or the path of a file.
        store: Where its entries are recorded.
        kept: The search of what is recorded.
    """

    feeds: Feeds
    url: str
    store: PageStore
    kept: Search

    @property
    def name(self) -> str:
        """See `tilth.discovery.model.Search`."""
        return f"feed {self._host or Path(self.url).name}"

    def search(self, question: str, *, limit: int) -> tuple[Found, ...]:
        """
        See `tilth.discovery.model.Search`.

        Raises:
            RefusedError: the feed may not be read, or is none.
            NotFoundError: nothing is there.
            UnreachableError: nothing whole came, now or within the last quarter of an hour.
        """
        self._visit()
        ours = f"{DOCUMENT_ADDRESS}{quote(f'{self._session}/', safe='')}"
        found = self.kept.search(question, limit=min(4 * limit, _LOOKED_AT_MAX))
        here = [one for one in found if one.address.startswith(ours)]
        return tuple(replace(one, provider=self.name) for one in here[:limit])

    @property
    def _host(self) -> str:
        return urlsplit(self.url).hostname or "" if "://" in self.url else ""

    @property
    def _session(self) -> str:
        """Return the session of the feed itself; those of its entries begin with it."""
        digest = hashlib.sha256(self.url.encode()).hexdigest()[:12]
        return f"{FETCHED_SESSIONS}{self.name[:100]} {digest}"

    def _visit(self) -> None:
        """Ask the feed, unless it was asked just now; an error of then is raised again."""
        key = (self.url, str(self.store.scope))
        with self.feeds.lock:
            last, now = self.feeds.visits.get(key), self.feeds.now()
            if last is None or now - last.at >= _ASKED_EVERY_S:
                last = self.feeds.visits[key] = _Visit(now)
                try:
                    self._ingest()
                except TilthError as error:
                    last.error = error
            if last.error is not None:
                raise last.error

    def _ingest(self) -> None:
        """Record the new entries of the feed, then its validators."""
        known = self._last_validators()
        taken = self._fetch(known) if self._host else self._read_file(known)
        if taken is None:
            return
        # The oldest first, so that what a feed lists first is the latest of the ledger.
        for entry in reversed(taken.feed.entries):
            self._keep(entry)
        tags = (_ETAG + taken.validators.etag, _MODIFIED + taken.validators.modified)
        info = SessionInfo(
            title=scrub(taken.feed.title).text or self.name,
            host=HOST,
            uri=self.url,
            tags=tuple(one for one in tags if one[-1] != " " and len(one) <= LABEL_CHARS_MAX),
        )
        recorder = replace(self.store.recorder, by=FETCHER)
        where, scope = SessionId(self._session), self.store.scope
        describe(self.store.store, where, info, scope=scope, recorder=recorder)

    def _last_validators(self) -> Validators:
        """Return the validators of the feed as it was read last, in whatever process."""
        scope = self.store.scope
        within = Visibility(self.store.recorder.owner, frozenset({scope}))
        try:
            with self.store.store.read() as view:
                tags = Episodes(view).session(SessionId(self._session), within).info.tags
        except NotFoundError:
            return UNSEEN
        told = {
            name: one.removeprefix(name)
            for name in (_ETAG, _MODIFIED)
            for one in tags
            if one.startswith(name)
        }
        return Validators(etag=told.get(_ETAG, ""), modified=told.get(_MODIFIED, ""))

    def _fetch(self, known: Validators) -> _Taken | None:
        """Return the feed as it is on the web; None if it is as it was."""
        admit = self.feeds.robots.admit
        page = self.feeds.fetcher.get(self.url, TYPES, admit=admit, known=known)
        if page.status == NOT_MODIFIED:
            return None
        kind = page.content_type + (f"; charset={page.charset}" if page.charset else "")
        return _Taken(page.validators, feed_text(page.body, self.name, content_type=kind))

    def _read_file(self, known: Validators) -> _Taken | None:
        """Return the feed as it lies in a file; None if its bytes are as they were."""
        path = Path(self.url)
        if not path.is_file():
            raise NotFoundError(f"no file {path}", hint="tilth settings set search_providers …")
        try:
            with path.open("rb") as file:
                body = file.read(BYTES_MAX + 1)
        except OSError as error:
            raise UnreachableError(f"{path} cannot be read: {error.strerror}") from error
        if len(body) > BYTES_MAX:
            raise UnreachableError(f"{path} has more than {BYTES_MAX >> 20} MB")
        validators = Validators(etag=hashlib.sha256(body).hexdigest()[:32])
        return None if validators == known else _Taken(validators, feed_text(body, self.name))

    def _keep(self, entry: Entry) -> None:
        digest = hashlib.sha256(entry.key.encode()).hexdigest()[:16]
        text = scrub(entry.text).text
        kept = PageRecord(
            session_id=SessionId(f"{self._session}/{digest}"),
            url=f"{self.url}#{digest}",
            domain=registered_domain(self._host) if self._host else OWN,
            title=scrub(entry.title).text or text.strip().splitlines()[0][:80],
            text=text,
            published=entry.published,
            page=entry.link,
        )
        record_page(self.store, kept)
