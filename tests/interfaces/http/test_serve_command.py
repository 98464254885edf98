"""`tilth serve`: the API, the pages and the worker in one process that ends when it is told to."""

import json
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw
import httpx2
import pytest

from tilth.core.io.file_lock import lock_holder, try_lock
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.serve_all import tokens_of
from tilth.runtime.places import serve_lock
from tilth.runtime.system import SystemClock

LINE = "MEMORY: wrote=(Acme | uses | Postgres)"


@contextmanager
def server(ready):
    """Yield a running `tilth serve` and what its first line says."""
    command = [sys.executable, "-m", "tilth", "--store", str(ready.store), "serve"]
    with subprocess.Popen(
        [*command, "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = read(process)
            assert "url" in said, said
            yield process, said
        finally:
            process.kill()


@contextmanager
def newer(store):
    """Yield the store as a newer program has it open."""
    with closing(apsw.Connection(str(store))) as raw:
        raw.set_busy_timeout(10_000)
        yield raw


def read(process):
    text = ""
    while True:
        line = process.stdout.readline()
        assert line, "the server says nothing"
        text += line
        try:
            return json.loads(text)
        except ValueError:
            continue


@pytest.fixture
def client(ready, monkeypatch):
    # Tokens lie among the user's state, which is not to be that of whoever runs the tests.
    monkeypatch.setenv("TILTH_HOME", str(ready.home / "tilth"))
    bits = tokens_of(str(ready.store), SystemClock()).add("bot", Role.AGENT)
    with httpx2.Client(headers={"authorization": f"Bearer {bits}"}, timeout=30) as one:
        yield one


@pytest.mark.slow
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_server_works_in_the_background_and_ends_when_it_is_told(ready, client, told):
    lock = Path(f"{ready.store}.worker")
    with server(ready) as (process, said):
        body = {"text": LINE, "session_id": "s1", "role": "assistant", "at": "2026-01-01"}
        assert client.post(f"{said['url']}/v1/remember", json=body).status_code == 200
        ends_at = time.monotonic() + 60
        while not client.post(f"{said['url']}/v1/state").json()["facts"]:
            assert time.monotonic() < ends_at, "nobody distils"
            time.sleep(0.2)
        assert lock_holder(lock) == process.pid
        process.send_signal(told)
        # Ctrl-C is how a person is told to end it, and so no failure; `make run` calls it none.
        assert process.wait(20) == (0 if told is signal.SIGINT else -told)
    assert lock_holder(lock) is None
    with pytest.raises(httpx2.ConnectError):
        client.post(f"{said['url']}/v1/state")
    assert ready("verify").code == 0


@pytest.mark.slow
def test_a_server_serves_beside_another_worker_and_takes_over_from_it(ready, client):
    lock = Path(f"{ready.store}.worker")
    with ExitStack() as open_:
        with try_lock(lock) as is_alone:
            assert is_alone
            process, said = open_.enter_context(server(ready))
            assert client.post(f"{said['url']}/v1/state").status_code == 200
            assert lock_holder(lock) != process.pid
        ends_at = time.monotonic() + 30
        while lock_holder(lock) != process.pid:
            assert time.monotonic() < ends_at, "nobody takes over"
            time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.row("I42")
def test_a_server_whose_store_was_upgraded_says_to_start_it_again_and_writes_nothing(ready, client):
    lock = Path(f"{ready.store}.worker")
    with server(ready) as (process, said):
        assert client.post(f"{said['url']}/v1/state").status_code == 200
        ends_at = time.monotonic() + 30
        while lock_holder(lock) != process.pid:
            assert time.monotonic() < ends_at, "no worker begins"
            time.sleep(0.1)
        with client.stream("GET", f"{said['url']}/v1/live") as live:
            lines = live.iter_lines()
            assert next(lines) == "retry: 2000"
            with newer(ready.store) as raw:
                raw.execute("PRAGMA user_version = 99")
                before = raw.execute("SELECT count(*) FROM ledger").fetchall()
            list(lines)  # The stream ends.

        told = [
            client.post(f"{said['url']}/v1/remember", json={"text": "too late"}),
            client.post(f"{said['url']}/v1/recall", json={"question": "too late"}),
            client.post(f"{said['url']}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        ]
        while lock_holder(lock) is not None:
            assert time.monotonic() < ends_at + 30, "the worker goes on"
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)

    assert [one.status_code for one in told] == [501] * 3
    for one in told:
        error = one.json()["error"]
        assert (error["code"], error["message"].count("99")) == ("newer_schema", 1)
        assert "start it again" in error["hint"]
    assert log.count("start it again") == 1
    assert "Traceback" not in log
    with newer(ready.store) as raw:
        assert raw.execute("SELECT count(*) FROM ledger").fetchall() == before


@pytest.mark.slow
@pytest.mark.usefixtures("as_person")
@pytest.mark.parametrize("words", [["restore", "copy.db", "--replace"], ["worker", "stop"]])
def test_what_ends_the_worker_of_a_server_waits_for_it_and_says_so(ready, client, words):
    assert ready("backup", "copy.db").code == 0
    with server(ready) as (process, said):
        assert client.post(f"{said['url']}/v1/state").status_code == 200
        ends_at = time.monotonic() + 30
        while lock_holder(Path(f"{ready.store}.worker")) != process.pid:
            assert time.monotonic() < ends_at, "no worker begins"
            time.sleep(0.1)

        # As a page that is open does.
        with client.stream("GET", f"{said['url']}/v1/live"):
            done = ready(*words)

        assert done.code == 0, done.err
        assert "the server has ended, too; start it again: tilth serve" in done.out
        assert lock_holder(serve_lock(str(ready.store))) is None
        process.wait(20)
    assert ready("verify").code == 0


def test_a_store_has_one_server_at_a_time(ready, client):
    with try_lock(serve_lock(str(ready.store))) as is_alone:
        assert is_alone
        second = ready("serve", "--port", "0", "--json")
    assert second.code == 4
    assert second.answer["error"]["message"] == "another process serves this store"
    assert "tilth token link" in second.answer["error"]["hint"]
