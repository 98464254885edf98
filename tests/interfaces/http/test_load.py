"""Slow, huge, idle and many clients keep nobody else out; a feed goes on where it was left."""

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.brains import a_brain
from tests.interfaces.http.served import Served
from tilth.interfaces.http import call_verb, connections, guard
from tilth.interfaces.http.tokens import Role, Tokens
from tilth.interfaces.serve_all import app_of, listen, server_of, url_of


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


def opened(served: Served):
    parts = urlsplit(served.url)
    return socket.create_connection((parts.hostname, parts.port), timeout=20)


def head(served: Served, *lines):
    name = urlsplit(served.url).netloc
    bits = served.tokens.add(f"raw-{len(served.tokens.list())}", Role.AGENT)
    first = ["POST /v1/remember HTTP/1.1", f"Host: {name}", f"Authorization: Bearer {bits}"]
    return "\r\n".join([*first, "Content-Type: application/json", *lines, "", ""]).encode()


def status(raw):
    return int(raw.recv(4096).split()[1])


def is_ended(raw):
    """Read what is left; a connection that stays open times out."""
    try:
        while raw.recv(4096):
            pass
    except ConnectionResetError:
        return True
    return True


def test_260_idle_connections_keep_nobody_out(served: Served):
    client = served.client()
    with ExitStack() as open_:
        for _ in range(260):
            open_.enter_context(opened(served))
        assert client.post("/v1/sessions/list").status_code == 200
        assert served.client().post("/v1/sessions/list").status_code == 200


@pytest.mark.parametrize("said", [b"", b"POST /v1/rem", b"GET /v1/health HTTP/1.1\r\nHo"])
def test_a_head_that_does_not_end_ends_the_connection(served: Served, monkeypatch, said):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with opened(served) as raw:
        raw.sendall(said)
        assert is_ended(raw)


def test_a_head_after_an_answer_has_its_time_too(served: Served, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with opened(served) as raw:
        body = b'{"text": "The kettle is on."}'
        raw.sendall(head(served, f"Content-Length: {len(body)}") + body)
        assert status(raw) == 200
        raw.sendall(b"POST /v1/rem")
        assert is_ended(raw)


def test_a_slow_answer_outlives_the_time_for_a_head(served: Served, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    first = call_verb.call

    def slow(*args):
        time.sleep(0.6)
        return first(*args)

    monkeypatch.setattr(call_verb, "call", slow)
    assert served.client().post("/v1/sessions/list").status_code == 200


def test_a_huge_head_is_refused(served: Served):
    with opened(served) as raw:
        raw.sendall(head(served, f"X-Long: {'x' * 100_000}"))
        assert status(raw) == 400


def test_a_body_that_trickles_is_refused_in_time(served: Served, monkeypatch):
    monkeypatch.setattr(guard, "_BODY_SECONDS_MAX", 0.3)
    before = served.brain.parts.store.digest()
    with opened(served) as raw:
        raw.sendall(head(served, "Content-Length: 5000") + b'{"text": "')
        assert status(raw) == 408
    assert served.brain.parts.store.digest() == before


def test_a_huge_body_without_a_length_is_refused_on_the_way(served: Served):
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with opened(served) as raw:
        raw.sendall(head(served, "Transfer-Encoding: chunked"))
        try:
            for _ in range(guard.BODY_BYTES_MAX // 0x10000 + 2):
                raw.sendall(chunk)
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert status(raw) == 413


def test_50_clients_at_once_lose_nothing(served: Served):
    def told(number):
        client = served.client(name=f"client-{number}")
        for turn in range(4):
            body = {"text": f"Client {number} says {turn}.", "session_id": f"s{number}"}
            assert client.post("/v1/remember", json=body).status_code == 200
        return client.post("/v1/sessions/show", json={"session_id": f"s{number}"}).json()

    with ThreadPoolExecutor(50) as pool:
        pages = list(pool.map(told, range(50)))
    assert [len(page["episodes"]) for page in pages] == [4] * 50


def test_two_requests_at_once_under_a_key_run_once(served: Served, monkeypatch):
    first, runs, both_asked = call_verb.call, [], threading.Event()

    def slow(*args):
        runs.append(args)
        both_asked.wait(5)
        return first(*args)

    monkeypatch.setattr(call_verb, "call", slow)
    client = served.client()
    asked = {"json": {"text": "Tea is at four."}, "headers": {"idempotency-key": "k"}}
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(client.post, "/v1/remember", **asked) for _ in range(4)]
        time.sleep(0.5)
        both_asked.set()
        told = [one.result() for one in answers]
    assert len(runs) == 1
    assert len({one.json()["episode_id"] for one in told}) == 1
    assert sorted(one.headers.get("idempotency-replayed", "") for one in told) == [
        "",
        *["true"] * 3,
    ]
    assert len(served.brain.episodes.list()) == 1


def test_what_was_refused_may_be_asked_again_under_its_key(served: Served):
    client, headers = served.client(), {"idempotency-key": "k"}
    asked = {"entity": "Marina", "text": "She is here."}
    assert client.post("/v1/remember", json=asked, headers=headers).status_code == 404
    served.brain.entities.add("Marina", type="person")
    assert client.post("/v1/remember", json=asked, headers=headers).status_code == 200


@contextmanager
def listening(client, since=""):
    """Yield what the feed tells, event by event."""
    headers = {"last-event-id": since} if since else {}
    with client.stream("GET", "/v1/live", headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        yield parsed(answer.iter_lines())


def parsed(lines):
    told = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            told[name] = value
        elif told:
            if "data" in told:
                yield told["event"], json.loads(told["data"]), told["id"]
            told = {}


def next_texts(feed):
    for name, told, place in feed:
        if name == "changes":
            return [one["text"] for one in told["items"]], place
    raise AssertionError("the feed ended")


def test_a_feed_goes_on_where_a_client_left_it(served: Served):
    client = served.client(Role.REVIEWER)
    served.brain.remember("It was before.")
    with listening(client) as feed:
        assert next(feed)[0] == "review"
        served.brain.remember("The kettle is on.")
        texts, place = next_texts(feed)
        assert texts == ["The kettle is on."]
    for text in ("It boils.", "Tea is ready."):
        served.brain.remember(text)
    with listening(client, since=place) as feed:
        assert next_texts(feed)[0] == ["It boils.", "Tea is ready."]


def test_a_client_that_stops_reading_the_feed_keeps_nobody_else_waiting(served: Served):
    client = served.client(Role.REVIEWER)
    with opened(served) as stuck, listening(client) as feed:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        asked = head(served).replace(b"POST /v1/remember", b"GET /v1/live")
        stuck.sendall(asked)
        assert status(stuck) == 200  # And reads no more.
        assert next(feed)[0] == "review"
        told = [f"Line {number}: {'tea ' * 4000}" for number in range(40)]
        for text in told:
            assert client.post("/v1/remember", json={"text": text}).status_code == 200
        heard = []
        while len(heard) < len(told):
            heard += next_texts(feed)[0]
        assert len(heard) == len(told)


def test_a_request_that_runs_is_answered_before_the_server_ends(place, tmp_path, monkeypatch):
    began, go_on, first = threading.Event(), threading.Event(), call_verb.call

    def slow(*args):
        began.set()
        assert go_on.wait(10)
        return first(*args)

    with a_brain(place.open(), place.clock) as brain, ThreadPoolExecutor(2) as pool:
        tokens = Tokens(tmp_path / "tokens.json", place.clock)
        taken = listen("127.0.0.1", 0)
        server = server_of(app_of(brain, str(tmp_path / "tilth.db"), tokens), taken)
        running = pool.submit(server.run, sockets=[taken])
        headers = {"authorization": f"Bearer {tokens.add('bot', Role.AGENT)}"}
        with httpx2.Client(base_url=url_of(taken), headers=headers, timeout=20) as client:
            while client.post("/v1/sessions/list").status_code != 200:
                time.sleep(0.01)
            monkeypatch.setattr(call_verb, "call", slow)
            answer = pool.submit(client.post, "/v1/remember", json={"text": "Tea is at four."})
            assert began.wait(10)
            server.should_exit = True
            time.sleep(0.3)
            assert not running.done()
            go_on.set()
            assert answer.result().status_code == 200
            running.result(10)
            with pytest.raises(httpx2.ConnectError):
                client.post("/v1/sessions/list")
        assert [one.text for one in brain.episodes.list()] == ["Tea is at four."]


def test_a_place_in_the_feed_that_is_none_is_refused(served: Served):
    answer = served.client().get("/v1/live", headers={"last-event-id": "nowhere"})
    assert answer.status_code == 400


def test_who_hangs_up_in_the_midst_of_a_body_leaves_no_error_in_the_log(served: Served, caplog):
    with opened(served) as raw:
        raw.sendall(head(served, "Content-Length: 100") + b'{"text": "half')
    served.client().post("/v1/recall", json={"question": "x"})

    assert [one for one in caplog.records if one.levelname == "ERROR"] == []
