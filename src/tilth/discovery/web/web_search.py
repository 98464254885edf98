"""
Search providers: SearXNG, Brave, DuckDuckGo, and any API that answers in JSON.

Each is a URL, what it is asked with and a reader of its answers. A question goes to a provider as
it is asked; nothing else of the brain does. What is found is text of others, and data.
"""

import html
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, TilthError, UnavailableError, UnsupportedError
from tilth.core.io.endpoint import OK, REFUSED_KEY, Endpoint, HttpAnswer, checked_key
from tilth.discovery.model import Found, UnreachableError
from tilth.discovery.web.providers import Provider, ProviderChoice

QUESTION_CHARS_MAX = 400  # as many as Brave takes
TIMEOUT_S = 10.0
# One more try, after as long as the provider asks for, if it asks for no more than this.
_WAIT_S, _WAIT_S_MAX = 1.0, 5.0
_BYTES_MAX = 4 << 20
_TITLE_CHARS, _SNIPPET_CHARS = 200, 1_000
_NO_SUCH = frozenset({404, 405})
_UNPROCESSABLE = 422
_TAG = re.compile(r"<[^<>]{0,200}>")
# How APIs call a list of results, and what stands in each.
_LISTS = ("results", "items", "organic", "organic_results", "data", "hits", "webPages", "value")
_URLS = ("url", "link", "href", "FirstURL")
_TITLES = ("title", "name", "heading")
_SNIPPETS = ("snippet", "description", "content", "summary", "text", "body", "Text")

_Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Form:
    """How a provider is asked, and where its results stand."""

    name: str
    limit: str
    limit_max: int
    results: Callable[[Any], Iterator[_Result]]
    fixed: Mapping[str, str]


def _find_list(body: Any) -> Iterator[_Result]:  # noqa: ANN401 - JSON of others
    """Yield the results of the first list of them in an answer, however deep it stands."""
    while not isinstance(body, list):
        body = body[next((name for name in _LISTS if body.get(name) is not None), "results")]
    yield from body


def _brave(body: Any) -> Iterator[_Result]:  # noqa: ANN401 - JSON of others
    # A question without an answer on the web has no such part.
    yield from (body.get("web") or {"results": []})["results"]


def _instant_answer(body: Any) -> Iterator[_Result]:  # noqa: ANN401 - JSON of others
    """Yield an instant answer's abstract, its results, and the topics beside it."""
    if body["AbstractText"] and body["AbstractURL"]:
        yield {
            "url": body["AbstractURL"],
            "title": body.get("Heading", ""),
            "text": body["AbstractText"],
        }
    waiting = [*body["Results"], *body["RelatedTopics"]]
    for one in waiting:
        if "Topics" in one:
            waiting += one["Topics"]
        else:
            yield one


_FORMS = {
    Provider.SEARXNG: _Form("q", "", 100, lambda body: iter(body["results"]), {"format": "json"}),
    Provider.BRAVE: _Form("q", "count", 20, _brave, {"text_decorations": "false"}),
    Provider.DUCKDUCKGO: _Form(
        "q",
        "",
        100,
        _instant_answer,
        {"format": "json", "no_html": "1", "no_redirect": "1", "t": "tilth"},
    ),
    Provider.JSON: _Form("", "", 100, _find_list, {}),
}


class WebSearch:
    """
    One provider; safe to share between threads.

    Args:
        choice: Which, and where.
        key: Its key, if it wants one.
        sleep: What waits before the second try.
    """

    def __init__(
        self, choice: ProviderChoice, key: str, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.name = choice.provider.value
        self._hint = _HINTS[choice.provider]
        self._form = _FORMS[choice.provider]
        parts = urlsplit(choice.url)
        # What the URL itself asks is sent with each question; the words in braces are filled in.
        self._query = dict(parse_qsl(parts.query, keep_blank_values=True))
        self._key = checked_key(key) if key else ""
        self._endpoint = Endpoint(
            f"search provider {self.name} at",
            parts._replace(query="", fragment="").geturl(),
            {"Accept": "application/json", **_key_headers(choice, self._key)},
            answer_bytes_max=_BYTES_MAX,
        )
        self._sleep = sleep

    def search(self, question: str, *, limit: int) -> tuple[Found, ...]:
        """See `tilth.discovery.model.Search`."""
        words = " ".join(question.split())
        if not words or len(words) > QUESTION_CHARS_MAX:
            raise InvalidInputError(f"a question has 1 to {QUESTION_CHARS_MAX} characters")
        answer = self._request(self._build_query(words, limit))
        if answer.status != OK:
            raise self._refusal(answer)
        try:
            results = [*self._form.results(json.loads(answer.body))]
            found = dict(_parse_result(one, self.name) for one in results if _is_page(one))
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
        ) as error:
            raise UnreachableError(
                f"{self._endpoint.said} answers in no form that is known",
                hint="is its URL that of its JSON API?",
            ) from error
        return tuple(found.values())[:limit]

    def close(self) -> None:
        """Close the connection. Calling it twice does no harm."""
        self._endpoint.close()

    def _build_query(self, words: str, limit: int) -> Mapping[str, str]:
        form, count = self._form, str(min(limit, self._form.limit_max))
        told = {"{question}": words, "{limit}": count, "{key}": self._key}
        query = {name: told.get(value, value) for name, value in self._query.items()}
        query |= form.fixed
        if form.name:
            query[form.name] = words
        if form.limit:
            query[form.limit] = count
        return query

    def _request(self, query: Mapping[str, str]) -> HttpAnswer:
        try:
            answer = self._endpoint.get(query, TIMEOUT_S)
            wait = answer.retry_after_s if answer.retry_after_s is not None else _WAIT_S
            if answer.asks_to_try_later and wait <= _WAIT_S_MAX:
                self._sleep(wait)
                answer = self._endpoint.get(query, TIMEOUT_S)
        except UnavailableError as error:
            raise UnreachableError(str(error), hint=error.hint) from error
        return answer

    def _refusal(self, answer: HttpAnswer) -> TilthError:
        said = f"{self._endpoint.said} answers {answer.status}"
        if answer.asks_to_try_later:
            return UnreachableError(
                f"{said}: it is busy, or its quota is used up", hint="try again later"
            )
        # Brave says so of a key that it does not know.
        if answer.status in REFUSED_KEY | {_UNPROCESSABLE}:
            return UnsupportedError(f"{said}: it refuses the key or the form", hint=self._hint)
        if answer.status in _NO_SUCH:
            return UnsupportedError(f"{said}: no such API", hint="check its URL")
        return UnreachableError(said)


_HINTS = {
    Provider.SEARXNG: "let it answer in JSON: search.formats in its settings.yml",
    Provider.BRAVE: "is the key right, and its plan one for web search?",
    Provider.DUCKDUCKGO: "try again later, or choose another provider",
    Provider.JSON: "is the key right?",
}


def _key_headers(choice: ProviderChoice, key: str) -> Mapping[str, str]:
    if not key or "{key}" in choice.url:
        return {}
    if choice.provider is Provider.BRAVE:
        return {"X-Subscription-Token": key}
    return {"Authorization": f"Bearer {key}"}


def _is_page(one: _Result) -> bool:
    return _first_text(one, _URLS).startswith(("http://", "https://"))


def _parse_result(one: _Result, provider: str) -> tuple[str, Found]:
    url, snippet = _first_text(one, _URLS), _plain(_first_text(one, _SNIPPETS))
    title = _plain(_first_text(one, _TITLES)) or snippet
    return url, Found(
        address=url,
        title=title[:_TITLE_CHARS],
        snippet=snippet[:_SNIPPET_CHARS],
        provider=provider,
    )


def _first_text(one: _Result, names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := one.get(name), str)), "")


def _plain(text: str) -> str:
    """Return *text* without markup, and without characters that hide or turn it."""
    words = html.unescape(_TAG.sub("", text))
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())
