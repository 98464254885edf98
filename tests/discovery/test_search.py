"""
Search providers, against a server that answers as their documentation says.

None of them was asked live: what stands here is what is known of their answers.
"""

import json
import logging
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.discovery.internet import Answers
from tilth.core.errors import InvalidInputError, UnsupportedError
from tilth.discovery.model import UnreachableError
from tilth.discovery.web.providers import parse_provider
from tilth.discovery.web.web_access import web_access
from tilth.discovery.web.web_search import QUESTION_CHARS_MAX, WebSearch

KEY = "a-key-nobody-should-see"
SEARXNG = {
    "query": "wal",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://www.sqlite.org/wal.html",
            "title": "Write-Ahead Logging",
            "content": "The default method is the rollback journal.",
            "engine": "brave",
            "engines": ["brave", "qwant"],
            "score": 4.0,
            "category": "general",
        },
        {"url": "https://example.org/b", "title": "Second", "content": ""},
        {"url": "magnet:?xt=urn:btih:1", "title": "No page", "content": ""},
    ],
    "answers": [],
    "suggestions": [],
    "unresponsive_engines": [],
}
BRAVE = {
    "type": "search",
    "query": {"original": "wal", "more_results_available": True},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Write-Ahead Logging",
                "url": "https://www.sqlite.org/wal.html",
                "description": "The <strong>WAL</strong> &amp; its checkpoints",
                "page_age": "2024-01-01T00:00:00",
                "profile": {"name": "SQLite"},
            }
        ],
    },
}
DUCKDUCKGO = {
    "Abstract": "A log.",
    "AbstractText": "A family of techniques.",
    "AbstractSource": "Wikipedia",
    "AbstractURL": "https://en.wikipedia.org/wiki/Write-ahead_logging",
    "Heading": "Write-ahead logging",
    "Results": [{"FirstURL": "https://www.sqlite.org/", "Text": "Official site", "Result": "<a>"}],
    "RelatedTopics": [
        {"FirstURL": "https://duckduckgo.com/Journaling", "Text": "Journaling file system"},
        {"Name": "See also", "Topics": [{"FirstURL": "https://duckduckgo.com/ARIES", "Text": "A"}]},
    ],
    "Type": "A",
}
GENERIC = {"data": {"items": [{"link": "https://example.org/", "name": "Home", "snippet": "x"}]}}
JSON = {"Content-Type": "application/json"}


def answering(internet, body, **how):
    """Let every path of every site answer so."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    internet.otherwise = Answers(body=raw, headers=JSON | how.pop("headers", {}), **how)


def a_search(internet, provider, path="", key=""):
    choice = parse_provider(f"{provider} http://127.0.0.1:{internet.port}{path} key=KEY")
    slept = []
    search = WebSearch(choice, key, sleep=slept.append)
    search.slept = slept
    return search


def asked(internet):
    url, headers = internet.requests[-1]
    return urlsplit(url).path, {n: v[0] for n, v in parse_qs(urlsplit(url).query).items()}, headers


@pytest.mark.row("GA-015")
def test_searxng_is_asked_for_json_and_read(internet):
    answering(internet, SEARXNG)
    search = a_search(internet, "searxng", "/searx")

    found = search.search("how does  the WAL work", limit=5)

    path, query, _ = asked(internet)
    assert (path, query) == ("/searx/search", {"q": "how does the WAL work", "format": "json"})
    assert [one.address for one in found] == [
        "https://www.sqlite.org/wal.html",
        "https://example.org/b",
    ]
    assert found[0].title == "Write-Ahead Logging"
    assert found[0].snippet == "The default method is the rollback journal."
    assert found[0].provider == "searxng"


@pytest.mark.row("GA-015")
def test_brave_is_asked_with_its_key_and_read_without_markup(internet):
    answering(internet, BRAVE)

    found = a_search(internet, "brave", key=KEY).search("wal", limit=40)

    _, query, headers = asked(internet)
    assert query == {"q": "wal", "count": "20", "text_decorations": "false"}
    assert headers["X-Subscription-Token"] == KEY
    assert found[0].snippet == "The WAL & its checkpoints"


def test_brave_may_have_found_nothing(internet):
    answering(internet, {"type": "search", "query": {"original": "x"}})

    assert a_search(internet, "brave", key=KEY).search("x", limit=3) == ()


@pytest.mark.row("GA-015")
def test_the_instant_answers_of_duckduckgo_are_read_with_their_topics(internet):
    answering(internet, DUCKDUCKGO, headers={"Content-Type": "application/x-javascript"})

    found = a_search(internet, "duckduckgo", "/").search("wal", limit=9)

    assert asked(internet)[1]["format"] == "json"
    assert [one.address for one in found] == [
        "https://en.wikipedia.org/wiki/Write-ahead_logging",
        "https://www.sqlite.org/",
        "https://duckduckgo.com/Journaling",
        "https://duckduckgo.com/ARIES",
    ]
    assert found[0].title == "Write-ahead logging"
    assert found[0].snippet == "A family of techniques."


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    "body",
    [
        GENERIC,
        [{"href": "https://example.org/", "title": "Home"}],
        {"results": [{"url": "https://example.org/", "title": "Home"}]},
    ],
)
def test_any_api_that_lists_pages_in_json_is_read(body, internet):
    answering(internet, body)
    search = a_search(internet, "json", "/find?query={question}&n={limit}&lang=en", key=KEY)

    found = search.search("a & b", limit=3)

    path, query, headers = asked(internet)
    assert (path, query) == ("/find", {"query": "a & b", "n": "3", "lang": "en"})
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (found[0].address, found[0].title) == ("https://example.org/", "Home")


def test_a_key_may_stand_in_the_url_instead(internet):
    answering(internet, {"results": []})

    a_search(internet, "json", "/find?q={question}&key={key}", key=KEY).search("x", limit=3)

    _, query, headers = asked(internet)
    assert query["key"] == KEY
    assert "Authorization" not in headers


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, UnsupportedError, "refuses the key"),
        (403, UnsupportedError, "refuses the key"),
        (422, UnsupportedError, "refuses the key"),
        (404, UnsupportedError, "no such API"),
        (429, UnreachableError, "quota is used up"),
        (503, UnreachableError, "busy"),
        (302, UnreachableError, "answers 302"),
    ],
)
@pytest.mark.parametrize("provider", ["searxng", "brave", "duckduckgo"])
def test_a_refusal_is_told_with_what_to_do_and_without_the_key(
    provider, status, error, said, internet
):
    answering(internet, {"error": {"detail": f"no {KEY}"}}, status=status)

    with pytest.raises(error, match=said) as refused:
        a_search(internet, provider, key=KEY).search("wal", limit=3)
    assert provider in str(refused.value)
    assert KEY not in str(refused.value) + refused.value.hint


def test_a_busy_provider_is_asked_once_more_and_no_more(internet):
    answering(internet, {}, status=429, headers={"Retry-After": "2"})
    search = a_search(internet, "searxng")

    with pytest.raises(UnreachableError):
        search.search("wal", limit=3)
    assert len(internet.requests) == 2
    assert search.slept == [2.0]


def test_a_provider_that_asks_for_a_long_wait_is_not_waited_for(internet):
    answering(internet, {}, status=429, headers={"Retry-After": "600"})
    search = a_search(internet, "searxng")

    with pytest.raises(UnreachableError):
        search.search("wal", limit=3)
    assert len(internet.requests) == 1
    assert search.slept == []


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"",
        b"{}",
        b"null",
        b"[1, 2]",
        b'{"results": 7}',
        b"[" * 100_000,
        b'{"results": ["x"]}',
    ],
)
@pytest.mark.parametrize("provider", ["searxng", "duckduckgo", "json"])
def test_what_is_no_answer_is_told_so(provider, body, internet):
    answering(internet, body)
    path = "/?q={question}" if provider == "json" else ""

    with pytest.raises(UnreachableError, match="no form that is known"):
        a_search(internet, provider, path).search("wal", limit=3)


def test_a_provider_that_is_not_there_is_told_so():
    search = WebSearch(parse_provider("searxng http://127.0.0.1:1"), "")

    with pytest.raises(UnreachableError, match="cannot be reached"):
        search.search("wal", limit=3)


@pytest.mark.parametrize("question", ["", "  ", "x" * (QUESTION_CHARS_MAX + 1)])
def test_a_question_that_no_provider_takes_is_refused_before_it_is_sent(question, internet):
    with pytest.raises(InvalidInputError):
        a_search(internet, "searxng").search(question, limit=3)
    assert internet.requests == []


def test_neither_question_nor_key_is_logged(internet, caplog):
    answering(internet, BRAVE)

    with caplog.at_level(logging.DEBUG, logger="tilth"):
        a_search(internet, "brave", key=KEY).search("a secret plan", limit=3)

    assert "secret plan" not in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    "words",
    [
        "",
        "google key=KEY",
        "searxng",
        "searxng ftp://example.org",
        "brave",
        f"brave key={KEY}",
        "json http://example.org/",
        "duckduckgo one two",
        "searxng http://a http://b",
    ],
)
def test_a_choice_that_cannot_be_meant_is_refused(words):
    with pytest.raises(InvalidInputError) as refused:
        parse_provider(words)
    assert "searxng, brave, duckduckgo, json" in refused.value.hint
    assert KEY not in str(refused.value)


def test_a_provider_without_its_key_is_a_problem_and_the_others_work(tmp_path):
    choices = [*map(parse_provider, ["brave key=NO_SUCH", "duckduckgo"])]

    found = web_access(choices, {}, is_fetching=False, ports=())

    assert [one.name for one in found.searches] == ["duckduckgo"]
    assert found.problems == ("brave: the variable NO_SUCH holds no key",)
    assert found.pages is None
