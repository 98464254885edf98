"""
What a site lets programs read, by its robots.txt (RFC 9309), and how long they are to wait.

A site without one lets everything be read; one that cannot be asked lets nothing.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import field

import httpx2
from protego import Protego

from tilth.core.dataclass import dataclass
from tilth.discovery.model import RefusedError, UnreachableError
from tilth.discovery.web.fetch import AGENT, Fetcher

_TEXT = ("text/plain",)
_CHARS_MAX = 500 << 10  # as much as RFC 9309 asks to be read
_KEPT_S = 24 * 60 * 60.0
_WAIT_S_MAX = 30.0


@dataclass(slots=True)
class _Site:
    """What a site said, and when; and from when on it may be asked again."""

    rules: Protego
    asked_at: float
    open_at: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Robots:
    """
    Asks each site once in a day; safe to share between threads.

    Args:
        fetcher: What fetches robots.txt.
        now: Seconds that never go back.
        sleep: What waits.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._fetcher = fetcher
        self._now = now
        self._sleep = sleep
        self._sites: dict[str, _Site] = {}

    def admit(self, url: httpx2.URL) -> None:
        """
        Return when *url* may be asked; the site's own pause between visits is kept.

        Raises:
            RefusedError: its robots.txt forbids it, or wants longer pauses than are kept.
            UnreachableError: the site does not answer for its robots.txt.
        """
        site = self._site(url)
        if not site.rules.can_fetch(str(url), AGENT):
            raise RefusedError(
                f"the robots.txt of {url.host} does not let programs read this page",
                hint="read it yourself, and tilth import what you save",
            )
        delay = float(site.rules.crawl_delay(AGENT) or 0.0)
        if delay > _WAIT_S_MAX:
            raise RefusedError(f"{url.host} wants {delay:g} seconds between visits")
        with site.lock:
            if (wait := site.open_at - self._now()) > 0:
                self._sleep(wait)
            site.open_at = self._now() + delay

    def _site(self, url: httpx2.URL) -> _Site:
        origin = f"{url.scheme}://{url.netloc.decode('ascii')}"
        site = self._sites.get(origin)
        if site is None or self._now() - site.asked_at > _KEPT_S:
            site = self._sites[origin] = _Site(self._asked(origin), self._now())
        return site

    def _asked(self, origin: str) -> Protego:
        try:
            page = self._fetcher.ask(f"{origin}/robots.txt", _TEXT)
        except UnreachableError as error:
            raise UnreachableError(f"robots.txt: {error}", hint=error.hint) from error
        return Protego.parse(page.body.decode("utf-8", "replace")[:_CHARS_MAX])
