"""
Read pages of the web, and record what they say.

A page that is read is kept as a document at once, with its URL, its registered domain and the hash
of its text, so that what rests on it can be looked up when the page has changed or is gone
(`tilth.discovery.web.record_page`).
"""

from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.discovery.model import PageStore, SourceText, page_session
from tilth.discovery.rules import cluster_of
from tilth.discovery.web.domains import registered_domain
from tilth.discovery.web.fetch import Fetcher
from tilth.discovery.web.public_addresses import checked_url
from tilth.discovery.web.readable_text import TYPES, readable
from tilth.discovery.web.record_page import PageRecord, record_page
from tilth.discovery.web.robots import Robots
from tilth.privacy.redaction import scrub


@dataclass(frozen=True, slots=True)
class Web:
    """The way to the web: one for all brains of a program, so that sites are asked politely."""

    fetcher: Fetcher
    robots: Robots


@dataclass(frozen=True, slots=True)
class WebPages:
    """Reads pages, and records them as documents."""

    web: Web
    store: PageStore

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
            read_at=self.store.clock.now(),
            domain=domain,
            cluster=cluster_of(found.text),
            published=found.published,
        )
        kept = PageRecord(
            session_id=page_session(document.address),
            url=document.address,
            domain=domain,
            title=document.title,
            text=document.text,
            published=document.published,
        )
        record_page(self.store, kept)
        return document
