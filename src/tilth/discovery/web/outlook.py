"""From what is set up to what searches the web and reads its pages."""

from collections.abc import Callable, Collection, Mapping, Sequence

from tilth.core.errors import TilthError, UnsupportedError
from tilth.core.outside.api import api_key
from tilth.discovery.model import Keeping, Outlook, Read, Search
from tilth.discovery.web.providers import ProviderChoice
from tilth.discovery.web.search import WebSearch


def outlook_of(
    choices: Sequence[ProviderChoice],
    environ: Mapping[str, str],
    *,
    is_fetching: bool,
    ports: Collection[int],
) -> Outlook:
    """Return what searches and reads the web; what cannot be used is told as a problem."""
    searches, problems = list[Search](), list[str]()
    for choice in choices:
        try:
            searches.append(WebSearch(choice, api_key(choice.key, environ)))
        except TilthError as error:
            problems.append(f"{choice.provider}: {error}")
    pages = None
    if is_fetching:
        try:
            pages = _pages(ports)
        except UnsupportedError as error:
            problems.append(f"{error}: {error.hint}")
    return Outlook(tuple(searches), pages, tuple(problems))


def _pages(ports: Collection[int]) -> Callable[[Keeping], Read]:
    """
    Return what makes readers of pages, which ask sites politely together.

    Raises:
        UnsupportedError: the extra is not installed.
    """
    try:
        from tilth.discovery.web.fetch import Fetcher  # noqa: PLC0415 - most fetch nothing
        from tilth.discovery.web.pages import Web, WebPages  # noqa: PLC0415
        from tilth.discovery.web.robots import Robots  # noqa: PLC0415
    except ImportError as error:
        raise UnsupportedError(
            "reading pages needs an extra",
            hint="install 'tilth[web]', by uv tool, pipx or pip",
        ) from error
    fetcher = Fetcher(ports=ports)
    web = Web(fetcher, Robots(fetcher))
    return lambda keeping: WebPages(web, keeping)
