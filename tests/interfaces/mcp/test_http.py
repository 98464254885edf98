"""Who is let in over HTTP, and where it is offered."""

import errno
import json
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier

import anyio
import pytest

from tilth.core.errors import ForbiddenError, InvalidInputError, UnavailableError
from tilth.interfaces.mcp.http import Guard, listen, security_of, token_at

TOKEN = "t" * 43
GOOD_HOSTS = [b"127.0.0.1:{port}", b"localhost:{port}", b"[::1]:{port}"]
BAD_HOSTS = [
    None,
    b"",
    b"127.0.0.1",
    b"127.0.0.1:1",
    b"evil.example",
    b"evil.example:{port}",
    b"127.0.0.1:{port}.evil.example",
    b"LOCALHOST:{port} ",
    b"user@localhost:{port}",
    b"0.0.0.0:{port}",
]
GOOD_ORIGINS = [None, b"http://127.0.0.1:{port}", b"http://localhost:{port}"]
BAD_ORIGINS = [
    b"null",
    b"",
    b"http://evil.example",
    b"http://localhost:1",
    b"http://localhost",
    b"https://localhost:{port}",
    b"http://127.0.0.1:{port}.evil.example",
    b"http://127.0.0.1:{port}/",
    b"file://",
]
GOOD_TOKENS = [b"Bearer " + TOKEN.encode()]
BAD_TOKENS = [
    None,
    b"",
    b"Bearer",
    b"Bearer ",
    b"Bearer " + b"t" * 42,
    b"Bearer " + b"t" * 44,
    b"bearer " + TOKEN.encode(),
    b"Basic " + TOKEN.encode(),
    TOKEN.encode(),
    "Bearer é".encode(),
]
STATUSES = [421, 403, 401]


@pytest.fixture(scope="module")
def listening():
    with listen("127.0.0.1", 0) as taken:
        yield taken


@pytest.fixture(scope="module")
def check(listening):
    async def never(_scope, _receive, _send):
        raise AssertionError("let in")

    guard = Guard(never, security_of(listening), TOKEN)
    port = b"%d" % listening.getsockname()[1]

    def checked(host, origin, authorization):
        told = {b"host": host, b"origin": origin, b"Authorization": authorization}
        headers = [
            (name, value.replace(b"{port}", port))
            for name, value in told.items()
            if value is not None
        ]
        refused = guard.check(headers)
        return None if refused is None else refused.status

    return checked


@pytest.mark.row("I38")
@pytest.mark.parametrize("host", GOOD_HOSTS + BAD_HOSTS)
def test_nothing_else_is_let_in_whatever_its_headers(check, host):
    for origin, authorization in product(GOOD_ORIGINS + BAD_ORIGINS, GOOD_TOKENS + BAD_TOKENS):
        is_good = host in GOOD_HOSTS, origin in GOOD_ORIGINS, authorization in GOOD_TOKENS
        refusals = [status for good, status in zip(is_good, STATUSES, strict=True) if not good]

        expected = refusals[0] if refusals else None
        assert check(host, origin, authorization) == expected, (origin, authorization)


@pytest.mark.row("I38")
@pytest.mark.parametrize("name", [b"host", b"origin", b"authorization"])
def test_a_header_that_comes_twice_is_not_let_in(listening, name):
    guard = Guard(None, security_of(listening), TOKEN)
    host = b"127.0.0.1:%d" % listening.getsockname()[1]
    told = {b"host": host, b"origin": b"http://" + host, b"authorization": GOOD_TOKENS[0]}

    assert guard.check([*told.items()]) is None
    assert guard.check([*told.items(), (name, told[name])]) is not None


def test_what_is_refused_is_answered_in_our_one_form_and_read_by_nobody(listening):
    sent = []

    async def never(*_):
        raise AssertionError("read")

    async def send(message):
        sent.append(message)

    host = b"127.0.0.1:%d" % listening.getsockname()[1]
    guard = Guard(never, security_of(listening), TOKEN)
    anyio.run(guard, {"type": "http", "headers": [(b"host", host)]}, never, send)

    head, body = sent
    assert head["status"] == 401
    assert (b"www-authenticate", b"Bearer") in head["headers"]
    assert json.loads(body["body"])["error"]["code"] == "forbidden"


@pytest.mark.parametrize("kind", ["websocket", "something"])
def test_nothing_but_http_is_let_in(listening, kind):
    async def never(*_):
        raise AssertionError("let in")

    guard = Guard(never, security_of(listening), TOKEN)

    anyio.run(guard, {"type": kind, "headers": []}, never, never)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.3.88", "8.8.8.8"])
def test_an_address_that_others_could_reach_is_refused(address):
    with pytest.raises(ForbiddenError):
        listen(address, 0)


@pytest.mark.parametrize(("address", "port"), [("evil.example", 0), ("", 0), ("127.0.0.1", 65536)])
def test_what_is_no_address_is_refused(address, port):
    with pytest.raises(InvalidInputError):
        listen(address, port)


def test_a_port_that_is_taken_is_told_in_words(listening):
    with pytest.raises(UnavailableError) as refused:
        listen("127.0.0.1", listening.getsockname()[1])
    assert refused.value.hint == "choose another: --port 0"
    assert str(refused.value).endswith(f"cannot be taken: {os.strerror(errno.EADDRINUSE)}")


class TestToken:
    def test_a_token_is_made_once_for_its_user_alone(self, tmp_path):
        path = tmp_path / "state" / "token"

        token = token_at(path)

        assert len(token) == 43
        assert token_at(path) == token
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert list(path.parent.iterdir()) == [path]
        assert token_at(tmp_path / "other") != token

    def test_all_who_ask_at_once_get_one_token(self, tmp_path):
        together = Barrier(8)

        def ask(_):
            together.wait()
            return token_at(tmp_path / "token")

        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(ask, range(8)))) == 1
        assert list(tmp_path.iterdir()) == [tmp_path / "token"]

    @pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o666])
    def test_a_token_that_others_may_read_is_refused(self, tmp_path, mode):
        token_at(tmp_path / "token")
        (tmp_path / "token").chmod(mode)

        with pytest.raises(ForbiddenError):
            token_at(tmp_path / "token")

    @pytest.mark.row("I38")
    @pytest.mark.parametrize("text", ["", "\n", "short", "é" * 43, "a" * 20 + "\n" + "b" * 20])
    def test_without_a_token_that_is_a_secret_nothing_starts(self, tmp_path, text):
        (tmp_path / "token").touch(mode=0o600)
        (tmp_path / "token").write_text(text, encoding="utf-8")

        with pytest.raises(ForbiddenError):
            token_at(tmp_path / "token")
