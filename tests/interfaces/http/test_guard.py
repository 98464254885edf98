"""Who may ask at all: our names, our site, small bodies, not too often."""

import http.client
import json
import socket
from contextlib import suppress
from itertools import product
from urllib.parse import urlsplit

import pytest

from tests.interfaces.http.served import Served
from tilth.core.errors import ForbiddenError, InvalidInputError, UnavailableError
from tilth.interfaces.http.guard import BODY_BYTES_MAX, Rates
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.serve_all import listen, url_of


def asked(served: Served, headers, *, method="POST", path="/v1/sessions/list", body=b"{}"):
    """Ask with exactly these headers, and return the status."""
    parts = urlsplit(served.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in [*headers, ("Content-Length", str(len(body)))]:
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    with suppress(ConnectionResetError):  # who is refused before its body was read may be cut off
        answer.read()
    connection.close()
    return answer.status


@pytest.mark.row("I38")
def test_only_our_own_name_and_site_get_in(served: Served):
    port = urlsplit(served.url).port
    bits = served.tokens.add("probe", Role.AGENT)
    hosts = {
        f"127.0.0.1:{port}": True,
        f"localhost:{port}": True,
        f"127.0.0.1:{port + 1}": False,
        "evil.example": False,
        f"evil.example:{port}": False,
        f"localhost.evil.example:{port}": False,
        f"127.0.0.1.nip.io:{port}": False,
    }
    origins = {
        None: True,
        f"http://127.0.0.1:{port}": True,
        f"http://localhost:{port}": True,
        "null": False,
        "http://evil.example": False,
        f"http://127.0.0.1:{port + 1}": False,
        f"http://localhost:{port}.evil.example": False,
    }
    tokens = {f"Bearer {bits}": True, f"bearer{bits}": False, "Bearer x": False, bits: False}
    common = [("Content-Type", "application/json")]
    for host, origin, token in product(hosts, origins, tokens):
        headers = [("Host", host), ("Authorization", token), *common]
        headers += [("Origin", origin)] if origin else []
        is_in = hosts[host] and origins[origin] and tokens[token]
        assert (asked(served, headers) == 200) is is_in, headers


def test_two_hosts_and_a_browser_of_another_site_are_refused(served: Served):
    port = urlsplit(served.url).port
    bits = served.tokens.add("probe", Role.AGENT)
    told = [("Host", f"127.0.0.1:{port}"), ("Authorization", f"Bearer {bits}")]
    assert asked(served, [*told, ("Host", "evil.example")]) in {400, 421}
    assert asked(served, [*told, ("Sec-Fetch-Site", "cross-site")]) == 403
    assert asked(served, [*told, ("Content-Type", "application/json")]) == 200


def test_a_body_that_is_too_large_is_refused_unread(served: Served):
    client = served.client()
    text = json.dumps({"text": "x" * BODY_BYTES_MAX})
    answer = client.post("/v1/remember", content=text, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_a_form_is_no_request_of_a_program(served: Served):
    answer = served.client().post("/v1/remember", data={"text": "hello"})
    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]["message"]


def test_answers_may_not_be_framed_sniffed_or_kept(served: Served):
    for answer in (served.client().get("/v1/health"), served.client(None).get("/login")):
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


def test_nobody_asks_more_often_than_the_rate():
    rates = Rates(burst=3, per_second=0)
    assert [rates.admits(b"a") for _ in range(5)] == [True, True, True, False, False]
    assert rates.admits(b"b")


@pytest.mark.row("I38")
def test_other_machines_are_let_in_only_when_that_is_said():
    with pytest.raises(ForbiddenError, match="other machines"):
        listen("0.0.0.0", 0)
    with listen("0.0.0.0", 0, is_open=True) as listening:
        # Browsers go to no machine of the name 0.0.0.0.
        assert url_of(listening) == f"http://127.0.0.1:{listening.getsockname()[1]}"
    with pytest.raises(InvalidInputError, match="not an address"):
        listen("example.org", 0)
    with pytest.raises(InvalidInputError, match="at most"):
        listen("127.0.0.1", 70_000)


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UnavailableError, match=f"port {port}"):
            listen("127.0.0.1", port)
