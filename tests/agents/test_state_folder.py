"""What hooks and the rest of Tilth tell each other by files and a socket."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

import tilth_hook
import tilth_spool
from tests.fakes import START, FixedClock
from tilth.agents import hook_server, spool, worker_socket
from tilth.agents.hook_server import HookReply, HookServer
from tilth.agents.state_folder import StateFolder
from tilth.core.errors import UnavailableError
from tilth.runtime.system import SystemClock


def test_program_and_package_mean_the_same_places(tmp_path):
    state = StateFolder(tmp_path)
    state.pause()
    state.keep_brief("/home/ada/work/kettle", "Port 5433.")

    assert str(state.worker_address) == tilth_hook.worker_address(str(tmp_path))
    assert Path(tilth_hook.pause_path(str(tmp_path))).exists()
    brief = Path(tilth_hook.brief_path(str(tmp_path), "/home/ada/work/kettle"))
    assert brief.read_text() == "Port 5433."
    assert hook_server.GREETING + b"\n" == tilth_hook.RECALL_GREETING
    assert spool.SUFFIX == tilth_spool.SEGMENT_SUFFIX


def test_a_pause_holds_until_it_is_ended(tmp_path):
    state = StateFolder(tmp_path)
    assert not state.is_paused(START)

    state.pause()
    assert state.is_paused(START + timedelta(days=9999))

    state.resume()
    state.resume()
    assert not state.is_paused(START)


def test_a_pause_may_have_an_end(tmp_path):
    state = StateFolder(tmp_path)
    state.pause(START + timedelta(hours=1))

    assert state.is_paused(START)
    assert not state.is_paused(START + timedelta(hours=1))


def test_program_and_package_agree_on_the_end_of_a_pause(tmp_path):
    state = StateFolder(tmp_path)
    now = SystemClock().now()
    for hours in (-1, 1):
        state.pause(now + timedelta(hours=hours))
        assert tilth_hook._is_switched_off({}, str(tmp_path)) is state.is_paused(now)


# A hook waits 200 ms and no longer; a busy machine may need more than one of them.
_TRIES = 25


def ask(address, payload=b'{"cwd": "/a"}', words=b" codex SessionStart\n", seconds=0.2):
    question = hook_server.GREETING + words + payload
    return tilth_hook.ask_worker(str(address), question, seconds)


def test_a_hooks_question_is_answered(tmp_path):
    def answer(record):
        return HookReply(f"{record.host} {record.event} {record.payload.decode()} {record.at:%Y}")

    address = tmp_path / "state" / "worker.sock"
    with HookServer(address, answer, FixedClock()):
        assert ask(address) == 'codex SessionStart {"cwd": "/a"} 2026'
        assert ask(address) == 'codex SessionStart {"cwd": "/a"} 2026'
        assert oct(address.stat().st_mode)[-3:] == "600"

    assert not address.exists()
    assert ask(address) is None


def test_what_is_to_be_done_once_a_hook_was_told_is_done_after_it(tmp_path):
    is_told, is_done = threading.Event(), threading.Event()

    def then():
        is_told.wait(5)
        is_done.set()

    with HookServer(tmp_path / "s", lambda _: HookReply("fine", then), FixedClock()) as answering:
        began = answering.asked_at()
        assert any(ask(tmp_path / "s") == "fine" for _ in range(_TRIES))
        assert not is_done.is_set()
        is_told.set()
        assert is_done.wait(5)
        assert answering.asked_at() > began


def test_a_socket_that_a_dead_worker_left_is_taken_over(tmp_path):
    address = tmp_path / "worker.sock"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(address))
    dead.close()

    assert ask(address) is None
    with HookServer(address, lambda _: HookReply("alive"), FixedClock()):
        assert any(ask(address) == "alive" for _ in range(_TRIES))


def test_a_question_that_cannot_be_answered_leaves_the_worker_answering(tmp_path):
    def answer(record):
        if record.event == "Bad":
            raise UnavailableError("the store is locked")
        return HookReply("fine")

    address = tmp_path / "worker.sock"
    with HookServer(address, answer, FixedClock()):
        assert ask(address, words=b" codex Bad\n") is None
        assert ask(address, words=b"nonsense") is None
        assert ask(address, payload=b"x" * (400 << 10)) is None
        assert any(ask(address) == "fine" for _ in range(_TRIES))


def test_when_all_are_busy_the_next_is_turned_away_at_once(tmp_path):
    free = threading.Event()
    address = tmp_path / "worker.sock"
    with HookServer(address, lambda _: HookReply(str(free.wait(5))), FixedClock()):
        lines = []
        for _ in range(worker_socket.AT_ONCE_MAX):
            line = socket.socket(socket.AF_UNIX)
            line.connect(str(address))
            line.sendall(hook_server.GREETING + b" codex Stop\n")
            line.shutdown(socket.SHUT_WR)
            lines.append(line)
        refused = socket.socket(socket.AF_UNIX)
        refused.settimeout(5)
        refused.connect(str(address))
        assert refused.recv(10) == b""
        free.set()
        for line in (*lines, refused):
            line.close()


class Counting:
    """Answers slowly, and counts how many it answers at once, and in all."""

    def __init__(self, seconds):
        self.seconds, self.lock = seconds, threading.Lock()
        self.here = self.most = self.all = 0

    def __call__(self, _record):
        with self.lock:
            self.here, self.all = self.here + 1, self.all + 1
            self.most = max(self.most, self.here)
        time.sleep(self.seconds)
        with self.lock:
            self.here -= 1
        return HookReply("fine")


def asked_at_once(address, answer):
    with (
        HookServer(address, answer, FixedClock()),
        ThreadPoolExecutor(worker_socket.AT_ONCE_MAX) as many,
    ):
        return [*many.map(lambda _: ask(address, seconds=30), range(worker_socket.AT_ONCE_MAX))]


def test_few_are_answered_at_once_and_the_others_in_their_turn(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_socket, "_TURN_SECONDS_MAX", 30)
    answer = Counting(0.02)

    assert asked_at_once(tmp_path / "worker.sock", answer) == ["fine"] * worker_socket.AT_ONCE_MAX
    assert answer.most == worker_socket.TURNS


def test_no_answer_is_made_for_who_has_waited_until_they_are_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_socket, "_TURN_SECONDS_MAX", 0.01)
    answer = Counting(0.5)

    told = asked_at_once(tmp_path / "worker.sock", answer)

    assert told.count("fine") == answer.all
    assert answer.all < worker_socket.AT_ONCE_MAX


def test_no_answer_is_made_for_who_hung_up_before_their_turn(tmp_path):
    free, answered = threading.Event(), []

    def answer(record):
        answered.append(record.payload)
        free.wait(30)
        return HookReply("fine")

    address = tmp_path / "worker.sock"
    with (
        HookServer(address, answer, FixedClock()),
        ThreadPoolExecutor(worker_socket.TURNS + 1) as many,
    ):
        busy = [many.submit(ask, address, b"busy", seconds=30) for _ in range(worker_socket.TURNS)]
        while len(answered) < worker_socket.TURNS:
            time.sleep(0.01)
        assert ask(address, b"gone", seconds=0.05) is None
        waits = many.submit(ask, address, b"waits", seconds=30)
        time.sleep(0.1)
        free.set()
        assert [one.result() for one in (*busy, waits)] == ["fine"] * (worker_socket.TURNS + 1)

    assert answered == [*[b"busy"] * worker_socket.TURNS, b"waits"]


def test_who_waits_for_an_answer_is_told_until_they_have_it(tmp_path):
    free, begun = threading.Event(), threading.Event()

    def answer(_record):
        begun.set()
        return HookReply(str(free.wait(30)))

    address = tmp_path / "worker.sock"
    with HookServer(address, answer, FixedClock()) as open_, ThreadPoolExecutor(1) as other:
        assert not open_.is_asked()
        told = other.submit(ask, address, seconds=30)
        assert begun.wait(30)
        assert open_.is_asked()
        free.set()
        assert told.result() == "True"
        while open_.is_asked():
            time.sleep(0.01)


def test_an_address_that_is_too_long_is_an_error_and_no_crash_of_the_hook(tmp_path):
    address = tmp_path / ("x" * 200) / "worker.sock"

    with (
        pytest.raises(OSError, match="too long"),
        HookServer(address, lambda _: HookReply(), FixedClock()),
    ):
        pass

    assert ask(address) is None
