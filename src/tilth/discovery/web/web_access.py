"""Make the search providers, the reader of pages and the feeds that settings choose."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.core.errors import TilthError, UnsupportedError
from tilth.core.io.api_key import api_key
from tilth.discovery.model import PageStore, Read, Search, WebAccess
from tilth.discovery.web.providers import Provider, ProviderChoice
from tilth.discovery.web.web_search import WebSearch

if TYPE_CHECKING:
    from tilth.discovery.web.feeds import Feeds
    from tilth.discovery.web.read_pages import Web

_Feed = Callable[[PageStore, Search], Search]


def web_access(
    choices: Sequence[ProviderChoice],
    environ: Mapping[str, str],
    *,
    is_fetching: bool,
    ports: Collection[int],
) -> WebAccess:
    """Return the access to the web that is set up; what cannot be used is listed as a problem."""
    searches, feeds, problems = list[Search](), list[_Feed](), list[str]()
    clients = _Clients(ports)
    for choice in choices:
        try:
            if choice.provider is Provider.FEED:
                feeds.append(clients.feed(choice.url))
                continue
            searches.append(WebSearch(choice, api_key(choice.key, environ)))
        except TilthError as error:
            problems.append(
                f"{choice.provider}: {error}"
                + (f" ({error.hint})" if error.hint and choice.provider is Provider.FEED else "")
            )
    pages = None
    if is_fetching:
        try:
            pages = clients.pages()
        except UnsupportedError as error:
            problems.append(f"{error}: {error.hint}")
    return WebAccess(tuple(searches), pages, tuple(problems), tuple(feeds))


class _Clients:
    """The clients that pages and feeds share, so that sites are asked politely."""

    def __init__(self, ports: Collection[int]) -> None:
        self._ports = ports

    @cached_property
    def _web(self) -> "Web":
        from tilth.discovery.web.fetch import Fetcher  # noqa: PLC0415 - most fetch nothing
        from tilth.discovery.web.read_pages import Web  # noqa: PLC0415
        from tilth.discovery.web.robots import Robots  # noqa: PLC0415

        fetcher = Fetcher(ports=self._ports)
        return Web(fetcher, Robots(fetcher))

    @cached_property
    def _feeds(self) -> "Feeds":
        from tilth.discovery.web.feeds import Feeds  # noqa: PLC0415

        return Feeds(self._web.fetcher, self._web.robots)

    def pages(self) -> Callable[[PageStore], Read]:
        """
        Return what makes readers of pages.

        Raises:
            UnsupportedError: the extra is not installed.
        """
        try:
            from tilth.discovery.web.read_pages import WebPages  # noqa: PLC0415

            web = self._web
        except ImportError as error:
            raise _without("pages") from error
        return lambda store: WebPages(web, store)

    def feed(self, url: str) -> _Feed:
        """
        Return what makes searches of a feed.

        Raises:
            UnsupportedError: the extra is not installed.
        """
        try:
            from tilth.discovery.web.feeds import FeedSearch  # noqa: PLC0415

            feeds = self._feeds
        except ImportError as error:
            raise _without("feeds") from error
        return lambda store, kept: FeedSearch(feeds, url, store, kept)


def _without(what: str) -> UnsupportedError:
    return UnsupportedError(
        f"reading {what} needs an extra", hint="install 'tilth[web]', by uv tool, pipx or pip"
    )
