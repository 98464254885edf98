"""Which search providers there are, and how settings choose them."""

from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.io.api_key import check_key_place, is_http


class Provider(StrEnum):
    """By which API the web is searched."""

    SEARXNG = "searxng"
    BRAVE = "brave"
    DUCKDUCKGO = "duckduckgo"
    JSON = "json"
    FEED = "feed"


_URLS = {
    Provider.BRAVE: "https://api.search.brave.com/res/v1/web/search",
    Provider.DUCKDUCKGO: "https://api.duckduckgo.com/",
}
_SEARXNG_PATH = "/search"
_PATH_SIGNS = ("/", "~")
_HINT = (
    "PROVIDER [URL] [key=VARIABLE-OR-FILE], and a provider is one of"
    f" {', '.join(Provider)}; see docs/howto/web.md"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderChoice:
    """
    A provider, its URL, and where its key is: a variable of the environment, or a file.

    The URL of a feed may be the path of a file.
    """

    provider: Provider
    url: str
    key: str = ""


def parse_provider(text: str) -> ProviderChoice:
    """
    Read a choice such as ``searxng http://localhost:8888`` or ``brave key=BRAVE_KEY``.

    Raises:
        InvalidInputError: the provider is unknown, or a part is missing or too many.
    """
    words = text.split()
    if not words or words[0] not in list(Provider):
        raise InvalidInputError(f"unknown search provider {text[:30]!r}", hint=_HINT)
    provider, url, key = Provider(words[0]), "", ""
    for word in words[1:]:
        if word.startswith("key=") and not key:
            key = word.removeprefix("key=")
        elif _is_place(provider, word) and not url:
            url = word
        else:
            raise InvalidInputError("a search provider has one URL and one key", hint=_HINT)
    check_key_place(key, _HINT)
    if provider is Provider.BRAVE and not key:
        raise InvalidInputError("brave needs a key", hint=_HINT)
    if provider is Provider.FEED and key:
        raise InvalidInputError("a feed is read without a key", hint=_HINT)
    return ProviderChoice(provider=provider, url=_url(provider, url), key=key)


def _is_place(provider: Provider, word: str) -> bool:
    return "://" in word or (provider is Provider.FEED and word.startswith(_PATH_SIGNS))


def _url(provider: Provider, url: str) -> str:
    if provider is Provider.FEED and url.startswith(_PATH_SIGNS):
        return str(Path(url).expanduser())
    url = url or _URLS.get(provider, "")
    if not is_http(url):
        raise InvalidInputError(
            f"{provider} needs an http:// or https:// URL"
            + (", or a file" if provider is Provider.FEED else ""),
            hint=_HINT,
        )
    parts = urlsplit(url)
    if provider is Provider.SEARXNG and not parts.path.rstrip("/").endswith(_SEARXNG_PATH):
        return parts._replace(path=parts.path.rstrip("/") + _SEARXNG_PATH).geturl()
    if provider is Provider.JSON and "{question}" not in parts.query:
        raise InvalidInputError("the URL of json has {question} in its query", hint=_HINT)
    return url
