import contextlib
import json
import logging
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from tilth.core.errors import InvalidInputError, TilthError, UnavailableError, UnsupportedError
from tilth.embedding.openai_compatible import OpenAiCompatibleEmbedder

CANARY = "canary-7f3a"


class Endpoint(ThreadingHTTPServer):
    """A local server that speaks the wire format, or whatever a test makes it say."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.status = 200
        self.body: bytes | None = None
        self.dimensions = 3
        self.pause_s = 0.0  # between two bytes of an answer
        self.release = threading.Event()
        self.release.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, texts: list[str]) -> bytes:
        data = [
            {"object": "embedding", "index": i, "embedding": self.vector(text)}
            for i, text in enumerate(texts)
        ]
        return json.dumps({"object": "list", "data": data[::-1], "model": "m"}).encode()

    def vector(self, text: str) -> list[float]:
        return [float(len(text)), 2.0, *[0.0] * (self.dimensions - 2)]


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        self.server.paths.append(self.path)
        self.server.keys.append(self.headers.get("Authorization"))
        self.server.release.wait(5)
        body = self.server.body
        if body is None:
            body = self.server.answer(request["input"])
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        step = 1 if self.server.pause_s else len(body) + 1
        with contextlib.suppress(ConnectionError):  # the client may have given up
            for first in range(0, len(body), step):
                self.wfile.write(body[first : first + step])
                time.sleep(self.server.pause_s)

    def log_message(self, *args: object) -> None:
        """Stay silent."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.release.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def embedder(endpoint: Endpoint) -> Iterator[OpenAiCompatibleEmbedder]:
    embedder = OpenAiCompatibleEmbedder(endpoint.url, "nomic", timeout_s=2)
    yield embedder
    embedder.close()


def test_vectors_come_in_the_order_of_the_texts_and_with_length_one(
    embedder: OpenAiCompatibleEmbedder,
):
    vectors = embedder.embed(["a", "bbbb", "cc"])

    expected = np.array([[1, 2, 0], [4, 2, 0], [2, 2, 0]])
    np.testing.assert_allclose(
        vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6
    )
    assert vectors.dtype == np.float32


def test_the_space_is_named_for_the_model_and_not_for_the_host(
    endpoint: Endpoint, embedder: OpenAiCompatibleEmbedder
):
    assert embedder.space == "openai:nomic:3"
    assert embedder.dimensions == 3
    assert len(endpoint.requests) == 1  # both were learnt from one answer


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "/v1/embeddings"),
        ("/", "/v1/embeddings"),
        ("/v1", "/v1/embeddings"),
        ("/openai/v1/", "/openai/v1/embeddings"),
    ],
)
def test_a_base_url_may_leave_out_v1(endpoint: Endpoint, path: str, expected: str):
    embedder = OpenAiCompatibleEmbedder(endpoint.url + path, "m")

    embedder.embed(["a"])
    embedder.close()

    assert endpoint.paths[0] == expected


def test_the_key_is_sent_as_a_bearer_token(endpoint: Endpoint):
    embedder = OpenAiCompatibleEmbedder(endpoint.url, "m", "s3cret")

    embedder.embed(["a"])
    embedder.close()

    assert endpoint.keys[0] == "Bearer s3cret"


def test_many_texts_are_sent_in_batches(endpoint: Endpoint, embedder: OpenAiCompatibleEmbedder):
    vectors = embedder.embed([str(number) for number in range(150)])

    assert [len(request["input"]) for request in endpoint.requests] == [1, 64, 64, 22]
    assert vectors.shape == (150, 3)


def test_an_empty_text_is_not_sent_and_has_zeros(
    endpoint: Endpoint, embedder: OpenAiCompatibleEmbedder
):
    vectors = embedder.embed(["", " \n", "a"])

    assert endpoint.requests[-1]["input"] == ["a"]
    assert not vectors[:2].any()


def test_a_long_text_is_cut_and_a_lone_surrogate_replaced(
    endpoint: Endpoint, embedder: OpenAiCompatibleEmbedder
):
    embedder.embed(["x" * 100_000, "a\ud800b"])

    long, odd = endpoint.requests[-1]["input"]
    assert len(long) == 8_000
    assert odd == "a?b"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b'{"data": [',
        b"[]",
        b"null",
        b'{"data": null}',
        b'{"data": []}',
        b'{"data": [{"embedding": [1]}]}',
        b'{"data": [{"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": 7}]}',
        b'{"data": [{"index": 0, "embedding": ["x"]}]}',
        b'{"data": [{"index": 0, "embedding": [[1]]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [1e300]}]}',
        b'{"data": [{"index": "0", "embedding": [1]}]}',
        b"[" * 100_000,
        b"\xff\xfe\xff",
    ],
)
def test_an_answer_in_another_form_is_refused(
    endpoint: Endpoint, embedder: OpenAiCompatibleEmbedder, body: bytes
):
    endpoint.body = body

    with pytest.raises(UnsupportedError, match="does not answer as an embeddings endpoint"):
        embedder.embed(["a"])


@pytest.mark.parametrize(
    ("status", "expected", "advice"),
    [
        (400, InvalidInputError, "texts this long"),
        (401, UnsupportedError, "key"),
        (403, UnsupportedError, "key"),
        (404, UnsupportedError, "pull"),
        (307, UnsupportedError, "base URL"),
        (413, InvalidInputError, "texts this long"),
        (429, UnavailableError, "later"),
        (500, UnavailableError, "log"),
        (503, UnavailableError, "log"),
    ],
)
def test_a_refusal_says_what_to_do(
    endpoint: Endpoint,
    embedder: OpenAiCompatibleEmbedder,
    status: int,
    expected: type[TilthError],
    advice: str,
):
    endpoint.status = status

    with pytest.raises(expected, match=str(status)) as raised:
        embedder.embed(["a"])

    assert advice in raised.value.hint


def test_a_slow_endpoint_is_unavailable(endpoint: Endpoint):
    endpoint.release.clear()
    embedder = OpenAiCompatibleEmbedder(endpoint.url, "m", timeout_s=0.1)

    with pytest.raises(UnavailableError, match="does not answer") as raised:
        embedder.embed(["a"])
    embedder.close()

    assert "0.1 seconds" in raised.value.hint


def test_an_endpoint_that_drips_is_given_up_in_time(endpoint: Endpoint):
    endpoint.pause_s = 0.15  # 70 bytes and more: the whole answer takes ten seconds
    embedder = OpenAiCompatibleEmbedder(endpoint.url, "m", timeout_s=0.2)
    started = time.monotonic()

    with pytest.raises(UnavailableError):
        embedder.embed(["a"])
    embedder.close()

    assert time.monotonic() - started < 5


def test_an_endpoint_that_is_not_there_is_unavailable():
    with Endpoint() as closed:
        url = closed.url
    embedder = OpenAiCompatibleEmbedder(url, "m", timeout_s=2)

    with pytest.raises(UnavailableError, match=r"127\.0\.0\.1"):
        embedder.dimensions  # noqa: B018
    embedder.close()


def test_vectors_of_another_length_are_another_model(
    endpoint: Endpoint, embedder: OpenAiCompatibleEmbedder
):
    embedder.embed(["a"])
    endpoint.dimensions = 5

    with pytest.raises(UnsupportedError, match="5 numbers instead of 3"):
        embedder.embed(["a"])

    assert embedder.space == "openai:nomic:3"


@pytest.mark.parametrize(
    "url", ["", "localhost:11434", "ftp://host", "http://", "http://[bad", "http://host:99999999"]
)
def test_a_base_url_that_is_none_is_refused(url: str):
    with pytest.raises(InvalidInputError, match="http://"):
        OpenAiCompatibleEmbedder(url, "m")


def test_a_model_without_a_name_is_refused():
    with pytest.raises(InvalidInputError, match="name"):
        OpenAiCompatibleEmbedder("http://localhost", "")


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(key: str):
    with pytest.raises(InvalidInputError) as raised:
        OpenAiCompatibleEmbedder("http://localhost", "m", key)

    assert key not in str(raised.value)


@pytest.mark.parametrize("status", [200, 400, 500])
def test_no_text_gets_into_a_log_or_an_error(
    endpoint: Endpoint,
    embedder: OpenAiCompatibleEmbedder,
    caplog: pytest.LogCaptureFixture,
    status: int,
):
    caplog.set_level(logging.DEBUG)
    endpoint.status = status
    endpoint.body = f'{{"error": "{CANARY}"}}'.encode()

    with pytest.raises(TilthError) as raised:
        embedder.embed([CANARY])

    assert CANARY not in caplog.text
    assert CANARY not in f"{raised.value} {raised.value.hint}"
