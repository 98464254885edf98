"""From what is set up to what searches the web and reads its pages."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.core.errors import TilthError, UnsupportedError
from tilth.core.io.api_key import api_key
from tilth.discovery.model import Keeping, Outlook, Read, Search
from tilth.discovery.web.providers import Provider, ProviderChoice
from tilth.discovery.web.web_search import WebSearch

if TYPE_CHECKING:
    from tilth.discovery.web.feeds import Feeds
    from tilth.discovery.web.read_pages import Web

_Feed = Callable[[Keeping, Search], Search]


def outlook_of(
    choices: Sequence[ProviderChoice],
    environ: Mapping[str, str],
    *,
    is_fetching: bool,
    ports: Collection[int],
) -> Outlook:
    """Return what searches and reads the web; what cannot be used is told as a problem."""
    searches, feeds, problems = list[Search](), list[_Feed](), list[str]()
    way = _Way(ports)
    for choice in choices:
        try:
            if choice.provider is Provider.FEED:
                feeds.append(way.feed(choice.url))
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
            pages = way.pages()
        except UnsupportedError as error:
            problems.append(f"{error}: {error.hint}")
    return Outlook(tuple(searches), pages, tuple(problems), tuple(feeds))


class _Way:
    """One way to the web, for pages and feeds together, so that sites are asked politely."""

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

    def pages(self) -> Callable[[Keeping], Read]:
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
        return lambda keeping: WebPages(web, keeping)

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
        return lambda keeping, kept: FeedSearch(feeds, url, keeping, kept)


def _without(what: str) -> UnsupportedError:
    return UnsupportedError(
        f"reading {what} needs an extra", hint="install 'tilth[web]', by uv tool, pipx or pip"
    )
