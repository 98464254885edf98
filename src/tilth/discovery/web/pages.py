"""
Reading pages of the web, and keeping what they said.

A page that is read is kept as a document at once, with its URL, its registered domain and the hash
of its text, so that what rests on it can be looked up when the page has changed or is gone. It is
recorded as an import, whoever asked for it: it tells what somebody published, and has no authority.
It is spoken by "fetched: DOMAIN", which every answer that quotes it shows, and its session's ID
begins with `fetched:`, by which briefs leave it out.
"""

import hashlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tilth.core.actor import Actor, ActorKind
from tilth.core.json import JsonObject
from tilth.core.scope import Visibility
from tilth.discovery.model import FETCHED, Keeping, SourceText, page_session
from tilth.discovery.rules import cluster_of
from tilth.discovery.web.domains import registered_domain
from tilth.discovery.web.fetch import Fetcher
from tilth.discovery.web.public import checked_url
from tilth.discovery.web.readable import TYPES, Readable, readable
from tilth.discovery.web.robots import Robots
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import remember
from tilth.episodes.session import SessionInfo
from tilth.episodes.sessions import describe
from tilth.episodes.tables import Episodes
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)
FETCHER = Actor("fetcher", ActorKind.IMPORT)
HOST = "web"
_PIECE_CHARS = 8_000
_REST_CHARS = 400  # Less makes no piece of its own.
_CUTS = ("\n\n", "\n", ". ", " ")


@dataclass(frozen=True, slots=True)
class Web:
    """The way to the web: one for all brains of a program, so that sites are asked politely."""

    fetcher: Fetcher
    robots: Robots


@dataclass(frozen=True, slots=True)
class WebPages:
    """Reads pages, and keeps them as documents."""

    web: Web
    keeping: Keeping

    def read(self, address: str) -> SourceText:
        """
        Return what a page says, and keep it.

        A page that says what it said when it was kept last is not kept again.

        Raises:
            RefusedError: the page may not be read, or has no text.
            NotFoundError: nothing is there any more.
            UnreachableError: no whole answer came.
        """
        page = self.web.fetcher.get(address, TYPES, admit=self.web.robots.admit)
        url = checked_url(page.url).copy_with(fragment=None)
        found = readable(page)
        # What is removed before anything is kept is removed from what is quoted, too.
        found = replace(found, text=scrub(found.text).text, title=scrub(found.title).text)
        domain = registered_domain(url.host)
        document = SourceText(
            address=str(url),
            title=found.title or str(url),
            text=found.text,
            read_at=self.keeping.clock.now(),
            domain=domain,
            cluster=cluster_of(found.text),
            published=found.published,
        )
        self._keep(document, found)
        return document

    def _keep(self, document: SourceText, found: Readable) -> None:
        session_id = page_session(document.address)
        sha256 = hashlib.sha256(document.text.encode()).hexdigest()
        origin: JsonObject = {"url": document.address, "domain": document.domain, "sha256": sha256}
        keeping = self.keeping
        within = Visibility(keeping.recorder.owner, frozenset({keeping.scope}))
        which = EpisodeFilter(within=within, session_id=session_id)
        with keeping.store.read() as view:
            last = Episodes(view).select(which, limit=1, newest_first=True)
        if last and last[0].metadata.get(FETCHED) == origin:
            return
        # Two programs that fetch it at once make the same keys, and keep it once.
        after = last[0].id if last else ""
        told = f"{session_id} {keeping.scope} {after} {sha256} {found.published}"
        key = hashlib.sha256(told.encode()).hexdigest()
        recorder = replace(keeping.recorder, by=FETCHER)
        info = SessionInfo(title=document.title, host=HOST, uri=document.address)
        describe(keeping.store, session_id, info, scope=keeping.scope, recorder=recorder)
        drafts = [
            EpisodeDraft(
                text=piece,
                kind=EpisodeKind.DOCUMENT,
                speaker=f"fetched: {document.domain}",
                session_id=session_id,
                occurred_at=found.published,
                scope=keeping.scope,
                transport="web",
                metadata={"line": line, FETCHED: origin},
                idempotency_key=f"fetched:{key}:{line}",
            )
            for line, piece in _pieces(document.text)
        ]
        remember(keeping.store, keeping.first, drafts, recorder=recorder)
        logger.info("page kept: session=%s pieces=%d", session_id, len(drafts))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield *text* in pieces that can be found and read by themselves, each with its line."""
    begin, line = 0, 1
    while begin < len(text):
        end = _end(text, begin)
        piece = text[begin:end]
        yield line, piece
        line += max(1, piece.count("\n"))
        begin = end


def _end(text: str, begin: int) -> int:
    limit = begin + _PIECE_CHARS
    if limit + _REST_CHARS >= len(text):
        return len(text)
    for cut in _CUTS:
        # Not so early that the rest of the room stays empty.
        if (at := text.rfind(cut, begin + _PIECE_CHARS // 2, limit)) > 0:
            return at + len(cut)
    return limit
