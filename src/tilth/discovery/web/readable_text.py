"""
The text of a page that people read, without menus, banners and scripts.

trafilatura finds it. What it gives is plain text with the title and the day of publishing that the
page names; nothing of the markup survives, so nothing in it can become an element or an address
that is asked.
"""

import logging
from datetime import UTC, datetime

import trafilatura

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import is_word_for_nothing
from tilth.core.instant import parse_instant
from tilth.discovery.model import RefusedError
from tilth.discovery.web.fetch import Page

HTML = frozenset({"text/html", "application/xhtml+xml"})
TYPES = HTML | {"text/plain", "text/markdown"}
_TITLE_CHARS = 200
# Of pages that say nothing it complains once each.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
logging.getLogger("htmldate").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Readable:
    """What a page says, its title, and when it was published, if it says so."""

    title: str
    text: str
    published: datetime | None = None


def readable(page: Page) -> Readable:
    """
    Return what *page* says.

    Raises:
        RefusedError: there is nothing to read on it, such as on one that only scripts fill.
    """
    plain = _decoded(page)
    found = _of_html(plain, page.url) if page.content_type in HTML else Readable("", plain)
    text, title = _shown(found.text).strip(), " ".join(_shown(found.title).split())
    if is_word_for_nothing(text) or not any(char.isalnum() for char in text):
        raise RefusedError(
            "the page has no text that can be read", hint="it may need a browser to fill it"
        )
    return Readable(title[:_TITLE_CHARS], text + "\n", found.published)


def _shown(text: str) -> str:
    """Return *text* without characters that hide or turn it, or steer a terminal."""
    return "".join(char for char in text if char in "\n\t" or char.isprintable())


def _decoded(page: Page) -> str:
    if page.charset:
        try:
            return page.body.decode(page.charset, "replace")
        except LookupError:  # a character set that nobody knows
            return page.body.decode("utf-8", "replace")
    if page.content_type in HTML:  # It may say so itself.
        return trafilatura.utils.decode_file(page.body)
    return page.body.decode("utf-8", "replace")


def _of_html(html: str, url: str) -> Readable:
    found = trafilatura.bare_extraction(
        html,
        url=url,
        with_metadata=True,
        include_comments=False,
        date_extraction_params={"extensive_search": False, "original_date": True},
    )
    if found is None or isinstance(found, dict):
        return Readable("", "")
    return Readable(found.title or "", found.text or "", _published(found.date or ""))


def _published(day: str) -> datetime | None:
    try:
        return parse_instant(day).astimezone(UTC) if day else None
    except InvalidInputError:
        return None
