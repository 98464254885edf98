"""
The entries of a feed: RSS 0.9 to 2.0, RDF and Atom, read by feedparser.

It is given bytes as a stream, never as a string: a string that looks like a URL or a path it would
open itself. Of an entry plain text is left; nothing of its markup survives.
"""

import io
import re
from calendar import timegm
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import feedparser
from lxml import etree, html

from tilth.core.dataclass import dataclass
from tilth.discovery.model import RefusedError

# The newest are those that a feed lists first.
ENTRIES_MAX = 50
_TITLE_CHARS, _ID_CHARS = 200, 1_000
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure"}
    | {"footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "ol", "p", "pre"}
    | {"section", "table", "tr", "ul"}
)
_UNSHOWN = ("script", "style", "template", "noscript")
_GAPS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: `key` tells it from the others of its feed; `link` is empty if it has no page."""

    key: str
    link: str
    title: str
    text: str
    published: datetime | None = None


@dataclass(frozen=True, slots=True)
class FeedText:
    """What a feed says: its title, and its entries that say something, the newest first."""

    title: str
    entries: tuple[Entry, ...]


def feed_text(body: bytes, said: str, *, content_type: str = "application/xml") -> FeedText:
    """
    Return what a feed says.

    Args:
        body: Its bytes.
        said: How an error names it.
        content_type: As it was sent, with its character set.

    Raises:
        RefusedError: it is no feed.
    """
    try:
        parsed = feedparser.parse(
            io.BytesIO(body),
            response_headers={"content-type": content_type},
            sanitize_html=False,  # No markup is left in the end.
            resolve_relative_uris=False,
        )
        version = parsed.get("version", "")
    except (ValueError, LookupError, AttributeError, AssertionError, RecursionError) as error:
        raise _no_feed(said) from error
    if not version:
        raise _no_feed(said)
    title = _line(str(parsed.feed.get("title", "")))
    entries = (_entry(one) for one in parsed.entries[:ENTRIES_MAX])
    return FeedText(title, tuple(one for one in entries if one is not None))


def _no_feed(said: str) -> RefusedError:
    return RefusedError(
        f"{said} holds no feed",
        hint="name the address of an RSS or Atom feed, not of the page that links to it",
    )


def _entry(raw: Mapping[str, Any]) -> Entry | None:
    """Return an entry; None if it says nothing beyond its title."""
    text = max((_plain(one) for one in _texts(raw)), key=len, default="")
    link, title = str(raw.get("link", "")), _line(str(raw.get("title", "")))
    key = str(raw.get("id", "")) or link or title
    if not key or not any(char.isalnum() for char in text):
        return None
    return Entry(
        key=key[:_ID_CHARS],
        link=link if link.startswith(("http://", "https://")) else "",
        title=title[:_TITLE_CHARS],
        text=f"{text}\n",
        published=_published(raw),
    )


def _texts(raw: Mapping[str, Any]) -> Iterator[str]:
    """Yield the whole text of an entry, and its summary: feeds have one, the other or both."""
    yield from (str(one.get("value", "")) for one in raw.get("content", ()))
    yield str(raw.get("summary", ""))


def _published(raw: Mapping[str, Any]) -> datetime | None:
    told = raw.get("published_parsed") or raw.get("updated_parsed")
    try:
        return datetime.fromtimestamp(timegm(told), UTC) if told else None
    except (OverflowError, ValueError, OSError, TypeError):
        return None


def _line(markup: str) -> str:
    return " ".join(_plain(markup).split())


def _plain(markup: str) -> str:
    """Return the words of HTML, a paragraph a line, without what hides or turns or steers."""
    if not markup.strip():
        return ""
    if "<" in markup or "&" in markup:
        markup = _text_of(markup)
    shown = "".join(char for char in markup if char in "\n\t" or char.isprintable())
    lines = (" ".join(line.split()) for line in shown.splitlines())
    return _GAPS.sub("\n\n", "\n".join(lines)).strip()


def _text_of(markup: str) -> str:
    try:
        root = html.fragment_fromstring(markup, create_parent="div")
    except (etree.LxmlError, ValueError):  # such as a control character
        return ""
    etree.strip_elements(root, *_UNSHOWN, etree.Comment, with_tail=False)
    for element in root.iter(etree.Element):
        # A line that is broken in the markup goes on; one block ends where the next begins.
        end = "\n" if element.tag in _BLOCKS else ""
        element.text = end + (element.text or "").replace("\n", " ")
        element.tail = end + (element.tail or "").replace("\n", " ")
    return str(root.text_content())
