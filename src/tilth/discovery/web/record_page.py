"""
Record fetched pages as documents.

A page is recorded as an import, whoever asked for it: it tells what somebody published, and has no
authority. Its speaker is "fetched: DOMAIN", which every answer that quotes it shows, and its
session's ID begins with `fetched:`, by which briefs leave it out.
"""

import hashlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from tilth.core.actor import FETCHER
from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.discovery.model import FETCHED, Origin, PageStore, fetched_from
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import remember
from tilth.episodes.session import SessionInfo
from tilth.episodes.sessions import describe
from tilth.episodes.tables import Episodes

logger = logging.getLogger(__name__)
HOST = "web"
_PIECE_CHARS = 8_000
_REST_CHARS = 400  # Less makes no piece of its own.
_CUTS = ("\n\n", "\n", ". ", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """
    A page to record: its session, its address, its domain, and its words without secrets.

    `page` is where a browser shows it, if that is not `url`.
    """

    session_id: SessionId
    url: str
    domain: str
    title: str
    text: str
    published: datetime | None
    page: str = ""


def record_page(pages: PageStore, record: PageRecord) -> bool:
    """
    Record a page as a document, unless it says what it said when it was recorded last.

    Returns:
        Whether it was recorded.
    """
    sha256 = hashlib.sha256(record.text.encode()).hexdigest()
    origin = Origin(url=record.url, domain=record.domain, sha256=sha256)
    within = Visibility(pages.recorder.owner, frozenset({pages.scope}))
    which = EpisodeFilter(within=within, session_id=record.session_id)
    with pages.store.read() as view:
        last = Episodes(view).select(which, limit=1, newest_first=True)
    if last and fetched_from(last[0]) == origin:
        return False
    # Two programs that fetch it at once make the same keys, and keep it once.
    after = last[0].id if last else ""
    told = f"{record.session_id} {pages.scope} {after} {sha256} {record.published}"
    key = hashlib.sha256(told.encode()).hexdigest()
    recorder = replace(pages.recorder, by=FETCHER)
    info = SessionInfo(title=record.title, host=HOST, uri=record.page or record.url)
    describe(pages.store, record.session_id, info, scope=pages.scope, recorder=recorder)
    drafts = [
        EpisodeDraft(
            text=piece,
            kind=EpisodeKind.DOCUMENT,
            speaker=f"fetched: {record.domain}",
            session_id=record.session_id,
            occurred_at=record.published,
            scope=pages.scope,
            transport="web",
            metadata={"line": line, FETCHED: origin.told},
            idempotency_key=f"fetched:{key}:{line}",
        )
        for line, piece in _pieces(record.text)
    ]
    remember(pages.store, pages.first, drafts, recorder=recorder)
    logger.info("page kept: session=%s pieces=%d", record.session_id, len(drafts))
    return True


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
