"""The hook program, called as hosts call it: whatever happens, it exits with 0."""

import json
import os
import shlex
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import tilth_hook
import tilth_spool
from tests.agents.replaying import EXPECTED, payloads
from tilth.agents.spool import SpoolFolder
from tilth.agents.state_folder import StateFolder
from tilth.runtime.places import folders

SOURCE = str(Path(tilth_hook.__file__).parent)
RUN = f"import sys; sys.path.insert(0, {SOURCE!r}); from tilth_hook import main; main()"
PROGRAM = [sys.executable, "-I", "-S", "-c", RUN]
PROMPT = b'{"session_id": "s1", "cwd": "/home/ada/work/kettle", "prompt": "hello"}'


def call(*words, home, stdin=PROMPT, environ=None, **how):
    """Run the program; it must exit with 0 and say nothing on stderr."""
    kept = {"PATH": "/usr/bin", "HOME": str(home), "TILTH_HOME": str(home)}
    done = subprocess.run(
        [*PROGRAM, *words],
        input=stdin,
        capture_output=True,
        env=kept | (environ or {}),
        timeout=100,
        check=False,
        **how,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def kept(home):
    records = [one for batch in SpoolFolder(home / "spool").batches() for one in batch.records]
    return [(one.host, one.event, one.payload) for one in records]


def test_an_event_is_kept_as_it_came(tmp_path):
    assert call("claude-code", "UserPromptSubmit", home=tmp_path) == ""

    assert kept(tmp_path) == [("claude-code", "UserPromptSubmit", PROMPT)]


@pytest.mark.parametrize("host", EXPECTED)
def test_each_host_hears_only_what_it_accepts(tmp_path, host):
    silence = {"cursor": "{}", "gemini-cli": "{}", "vscode": "{}"}.get(host, "")
    for event in dict.fromkeys(event for event, _ in payloads(host)):
        said = call(host, event, home=tmp_path)
        assert said == ('{"continue":true}' if event == "beforeSubmitPrompt" else silence)


def test_spool_and_files_are_private(tmp_path):
    home = tmp_path / "home"
    call("codex", "Stop", home=home)

    assert oct(home.stat().st_mode)[-3:] == "700"
    assert oct((home / "spool").stat().st_mode)[-3:] == "700"
    assert oct((home / "spool" / "00000001.spool").stat().st_mode)[-3:] == "600"


@pytest.mark.parametrize(
    "stdin", [b"", b"{", b"\xff\xfe\x00", b"[" * 10_000, b'{"a": "' + b"x" * 2_000_000, b"\n\n\n"]
)
def test_no_input_makes_it_fail(tmp_path, stdin):
    call("claude-code", "SessionStart", home=tmp_path, stdin=stdin)

    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("words", [[], ["codex"], ["--home"], ["a b", "c\nd"], ["x" * 5000, "é"]])
def test_no_arguments_make_it_fail(tmp_path, words):
    call(*words, home=tmp_path)

    assert len(kept(tmp_path)) == 1


@pytest.mark.row("MP-11")
def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path):
    home = tmp_path / "a file"
    home.write_text("not a folder")

    assert call("claude-code", "Stop", home=home) == ""
    assert "cannot keep what is said" in call("cursor", "sessionStart", home=home)


@pytest.mark.parametrize(
    ("host", "opening"), [("claude-code", "SessionStart"), ("codex", "SessionStart")]
)
def test_what_a_spool_does_not_take_is_counted_and_told_when_sessions_begin(
    tmp_path, host, opening
):
    blocked = tmp_path / "spool"
    blocked.write_text("no folder")
    now = call(host, opening, home=tmp_path)
    call(host, "Stop", home=tmp_path)
    blocked.unlink()
    later = call(host, opening, home=tmp_path)
    os.utime(tmp_path / "state" / "lost", (1, 1))
    much_later = call(host, opening, home=tmp_path)

    assert "cannot keep what is said in this session" in now
    assert StateFolder(tmp_path / "state").lost_count() == 2
    assert "Tilth lost 2 events" in later
    assert much_later == ""


def test_a_full_disk_is_no_reason_to_fail():
    full_disk = Path("/dev/full")
    if not full_disk.exists():
        pytest.skip("no /dev/full here")
    with full_disk.open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "cursor", "stop", "--home", "/proc/nowhere"],
            input=PROMPT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.row("MP-11")
def test_a_write_that_is_cut_off_is_made_again_and_tears_no_other(tmp_path):
    def call_with_room(kib, number):
        payload = json.dumps({"n": number, "text": "x" * 900})
        words = [*PROGRAM, "codex", "Stop", payload, "--home", str(tmp_path)]
        # A limit on the size of a file cuts a write off in the middle, as a full disk does.
        limited = f"ulimit -f {kib}; exec {shlex.join(words)}"
        done = subprocess.run(["bash", "-c", limited], capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    for number in range(6):
        call_with_room(2, number)
    call_with_room(100, 6)

    spool, told = SpoolFolder(tmp_path / "spool"), []
    for batch in spool.batches():
        told += [json.loads(record.payload)["n"] for record in batch.records]
        spool.settle(batch)
    assert told == list(range(7))
    assert spool.aside_bytes() > 0


def test_closed_descriptors_are_no_reason_to_fail(tmp_path):
    command = f"{shlex.join([*PROGRAM, 'cursor', 'stop', '--home', str(tmp_path)])} <&- >&- 2>&-"
    done = subprocess.run(["sh", "-c", command], check=False)

    assert done.returncode == 0
    assert kept(tmp_path) == [("cursor", "stop", b"")]


def test_no_home_is_no_reason_to_fail():
    done = subprocess.run(
        [*PROGRAM, "codex", "Stop"],
        input=PROMPT,
        capture_output=True,
        env={"HOME": "/proc/nowhere"},
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_payload_may_come_as_an_argument(tmp_path):
    call("codex", "notify", '{"type":"agent-turn-complete"}', home=tmp_path, stdin=b"")

    assert kept(tmp_path) == [("codex", "notify", b'{"type":"agent-turn-complete"}')]


def test_a_home_may_be_baked_in(tmp_path):
    baked = tmp_path / "baked"
    call("codex", "Stop", "--home", str(baked), home=tmp_path / "other")

    assert len(kept(baked)) == 1
    assert not (tmp_path / "other").exists()


@pytest.mark.row("MP-11")
@pytest.mark.parametrize("name", ["TILTH_DISABLE", "TILTH_INTERNAL"])
def test_a_switch_in_the_environment_silences_it(tmp_path, name):
    call("cursor", "stop", home=tmp_path, environ={name: "1"})
    assert kept(tmp_path) == []

    call("cursor", "stop", home=tmp_path, environ={name: "0"})
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize(
    ("content", "is_paused"), [("", True), ("4102444800", True), ("1000", False), ("soon", True)]
)
def test_a_pause_holds_until_its_end(tmp_path, content, is_paused):
    pause = Path(tilth_hook.pause_path(str(tmp_path / "state")))
    pause.parent.mkdir()
    pause.write_text(content)

    call("codex", "Stop", home=tmp_path)

    assert (kept(tmp_path) == []) is is_paused


def test_a_huge_payload_keeps_its_shape_and_says_what_was_left_out(tmp_path):
    told = {"session_id": "s1", "tool_response": {"stdout": "head" + "x" * 5_000_000 + "tail"}}
    call("claude-code", "PostToolUse", home=tmp_path, stdin=json.dumps(told).encode())

    ((_, _, payload),) = kept(tmp_path)
    read = json.loads(payload)["tool_response"]["stdout"]
    assert len(payload) <= tilth_spool.RECORD_BYTES_MAX
    assert read.startswith("head")
    assert read.endswith("tail")
    assert "characters left out by tilth-hook" in read


def test_a_huge_payload_that_is_no_json_is_marked_as_cut(tmp_path):
    call("codex", "Stop", home=tmp_path, stdin=b"x" * 3_000_000)

    (batch,) = SpoolFolder(tmp_path / "spool").batches()
    assert [one.is_cut for one in batch.records] == [True]


def test_a_host_that_never_closes_stdin_is_not_waited_for_forever(tmp_path):
    reading, writing = os.pipe()
    os.write(writing, PROMPT)
    try:
        environ = {"TILTH_HOME": str(tmp_path)}
        done = subprocess.run(
            [*PROGRAM, "codex", "Stop"], stdin=reading, env=environ, timeout=100, check=False
        )
    finally:
        os.close(reading)
        os.close(writing)

    assert done.returncode == 0
    assert kept(tmp_path) == [("codex", "Stop", PROMPT)]


def test_many_at_once_lose_nothing(tmp_path):
    running = [
        subprocess.Popen([*PROGRAM, "codex", "Stop", f'{{"n": {number}}}', "--home", str(tmp_path)])
        for number in range(24)
    ]

    assert {process.wait(20) for process in running} == {0}
    assert sorted(json.loads(payload)["n"] for _, _, payload in kept(tmp_path)) == list(range(24))


@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/home/ada"},
        {"HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"},
        {"HOME": "/home/ada", "XDG_DATA_HOME": "relative"},
        {"HOME": "/home/ada", "TILTH_HOME": "/brain"},
    ],
)
def test_it_looks_where_the_rest_of_tilth_looks(environ, monkeypatch):
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "TILTH_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    known = folders(environ)

    assert tilth_hook.folders(environ) == (str(known.data), str(known.state))


def test_it_imports_nothing_but_small_parts_of_the_standard_library():
    listing = "import sys; before = set(sys.modules); import tilth_hook; "
    listing += "print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", listing],
        env={"PYTHONPATH": SOURCE},
        capture_output=True,
        check=True,
    )

    of_os = {"_collections_abc", "_stat", "genericpath", "os", "os.path", "posixpath", "stat"}
    assert set(done.stdout.decode().split()) == {
        *("select", "tilth_hook", "tilth_spool", "zlib"),
        *of_os,
    }


# --- answers ---


class Worker:
    """A worker of a few lines that says one thing, after a while."""

    def __init__(self, home, says: bytes, after_s: float = 0):
        state = home / "state"
        state.mkdir(parents=True, exist_ok=True)
        self.heard = b""
        self._says, self._after_s = says, after_s
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(tilth_hook.worker_address(str(state)))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self):
        line, _ = self._listener.accept()
        with line:
            while chunk := line.recv(65536):
                self.heard += chunk
            time.sleep(self._after_s)
            try:
                line.sendall(self._says)
            except BrokenPipeError:
                self.heard += b" (gone)"

    def close(self):
        self._thread.join(5)
        self._listener.close()


@pytest.fixture
def worker(tmp_path):
    started = []

    def start(says, **how):
        started.append(Worker(tmp_path, says, **how))
        return started[0]

    yield start
    for one in started:
        one.close()


GREETING = tilth_hook.RECALL_GREETING


@pytest.mark.parametrize(
    ("host", "event", "said"),
    [
        (
            "claude-code",
            "SessionStart",
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Hi é"}},
        ),
        (
            "codex",
            "UserPromptSubmit",
            {
                "hookSpecificOutput": {
                    "hookEventName": "UserPromptSubmit",
                    "additionalContext": "Hi é",
                }
            },
        ),
        ("gemini-cli", "BeforeAgent", {"hookSpecificOutput": {"additionalContext": "Hi é"}}),
        ("cursor", "sessionStart", {"additional_context": "Hi é"}),
        (
            "vscode",
            "SessionStart",
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Hi é"}},
        ),
        ("opencode", "session.created", {"context": "Hi é"}),
        ("opencode", "message.user", {"context": "Hi é"}),
        ("opencode", "session.compacting", {"context": "Hi é"}),
    ],
)
def test_the_workers_answer_reaches_the_agent_in_the_hosts_form(
    tmp_path, worker, host, event, said
):
    listening = worker(GREETING + "Hi é".encode())

    assert json.loads(call(host, event, home=tmp_path)) == said
    assert listening.heard == GREETING.strip() + f" {host} {event}\n".encode() + PROMPT


def test_an_empty_answer_is_silence(tmp_path, worker):
    worker(GREETING)

    assert call("claude-code", "UserPromptSubmit", home=tmp_path) == ""


def test_an_answer_of_somebody_else_is_not_passed_on(tmp_path, worker):
    worker(b"HTTP/1.1 200 OK\r\n\r\nhello")

    assert call("claude-code", "UserPromptSubmit", home=tmp_path) == ""


def test_a_session_waits_longer_for_its_brief_than_a_prompt_for_what_answers(tmp_path, worker):
    worker(GREETING + b"Hi", after_s=0.4)

    assert "Hi" in call("claude-code", "SessionStart", home=tmp_path)
    assert call("claude-code", "UserPromptSubmit", home=tmp_path) == ""


def test_a_slow_worker_is_not_waited_for(tmp_path, worker):
    worker(GREETING + b"too late", after_s=1)

    assert call("claude-code", "UserPromptSubmit", home=tmp_path) == ""
    assert len(kept(tmp_path)) == 1


def test_an_answer_that_the_host_would_cut_is_no_answer(tmp_path, worker):
    worker(GREETING + b"x" * 50_000)

    assert call("claude-code", "SessionStart", home=tmp_path) == ""


def brief(home, text, hours_old):
    path = Path(tilth_hook.brief_path(str(home / "state"), "/home/ada/work/kettle"))
    path.parent.mkdir(parents=True)
    path.write_text(text)
    then = time.time_ns() - int(hours_old * 3600 * 10**9)
    os.utime(path, ns=(then, then))


@pytest.mark.row("DU-057")
@pytest.mark.parametrize(
    ("hours_old", "starts", "has_text"),
    [
        (0, "Port 5433.", True),
        (3.5, "Tilth is degraded: its worker does not answer. From 3 hours ago:", True),
        (7.5, "Tilth is degraded: its worker does not answer; its last brief is 7 hours", False),
        # The clock was set back since.
        (-7.5, "Tilth is degraded: its worker does not answer; its last brief is of", False),
    ],
)
def test_without_a_worker_the_last_brief_is_shown_as_old_as_it_is(
    tmp_path, hours_old, starts, has_text
):
    brief(tmp_path, "Port 5433.", hours_old)

    said = json.loads(call("claude-code", "SessionStart", home=tmp_path))

    context = said["hookSpecificOutput"]["additionalContext"]
    assert context.startswith(starts)
    assert ("Port 5433." in context) is has_text


def test_a_brief_of_another_folder_is_never_shown(tmp_path):
    brief(tmp_path, "Port 5433.", 0)
    elsewhere = b'{"session_id": "s1", "cwd": "/home/ada/work/toaster"}'

    assert call("claude-code", "SessionStart", home=tmp_path, stdin=elsewhere) == ""


def test_without_worker_and_brief_nothing_is_said(tmp_path):
    assert call("claude-code", "SessionStart", home=tmp_path) == ""


# --- waking a worker ---


def waker(home, script='echo "$TILTH_HOME" >> "$TILTH_HOME/awake"'):
    state = StateFolder(home / "state")
    state.let_hooks_wake(["/bin/sh", "-c", script])
    assert Path(tilth_hook.wake_path(str(home / "state"))).exists()
    return state


def was_woken(home, times=1):
    for _ in range(3_000):
        path = home / "awake"
        if path.exists() and len(path.read_text().splitlines()) >= times:
            return path.read_text().splitlines()
        time.sleep(0.02)
    return []


@pytest.mark.row("DU-056")
def test_the_end_of_a_session_starts_a_worker_and_does_not_wait_for_it(tmp_path):
    until_then = 'while [ ! -e "$TILTH_HOME/go" ]; do sleep 0.05; done'
    waker(tmp_path, f'{until_then}; echo done >> "$TILTH_HOME/awake"')

    call("claude-code", "SessionEnd", home=tmp_path)

    assert not (tmp_path / "awake").exists()
    (tmp_path / "go").touch()
    assert was_woken(tmp_path) == ["done"]


def test_a_worker_is_started_once_a_minute_at_the_most(tmp_path):
    waker(tmp_path)
    for _ in range(3):
        call("codex", "Stop", home=tmp_path)

    assert was_woken(tmp_path) == [str(tmp_path)]
    woken = tmp_path / "state" / "woken"
    os.utime(woken, ns=(0, 0))
    call("codex", "Stop", home=tmp_path)
    assert len(was_woken(tmp_path, times=2)) == 2


def test_a_clock_that_was_set_back_keeps_no_worker_asleep(tmp_path):
    waker(tmp_path)
    woken = tmp_path / "state" / "woken"
    woken.write_text(str(os.getpid()))
    ahead = time.time_ns() + 7 * 3600 * 10**9
    os.utime(woken, ns=(ahead, ahead))

    call("codex", "Stop", home=tmp_path)

    assert was_woken(tmp_path) == [str(tmp_path)]


def test_a_worker_that_was_killed_while_it_started_is_started_again(tmp_path):
    # It never existed: a number beyond all that the system gives to processes.
    dead, alive = str(1 << 29), str(os.getpid())
    waker(tmp_path)
    woken = tmp_path / "state" / "woken"

    for pid, seconds_ago in ((alive, 9), (dead, 2), (dead, 9)):
        woken.write_text(pid)
        at = time.time_ns() - seconds_ago * 10**9
        os.utime(woken, ns=(at, at))
        call("codex", "Stop", home=tmp_path)

    assert was_woken(tmp_path) == [str(tmp_path)]
    assert woken.read_text() not in (dead, alive)


def test_what_a_worker_says_goes_to_a_log_that_begins_anew_when_it_is_long(tmp_path):
    waker(tmp_path, 'echo said; echo warned >&2; echo done >> "$TILTH_HOME/awake"')
    log = tmp_path / "state" / "worker.log"
    log.write_bytes(b"x" * (2 << 20))

    call("codex", "Stop", home=tmp_path)

    assert was_woken(tmp_path) == ["done"]
    assert log.read_text() == "said\nwarned\n"


def test_a_store_that_only_one_shell_means_is_not_the_workers(tmp_path):
    waker(tmp_path, 'echo "${TILTH_STORE-none}" >> "$TILTH_HOME/awake"')

    call("codex", "Stop", home=tmp_path, environ={"TILTH_STORE": "/elsewhere.db"})

    assert was_woken(tmp_path) == ["none"]


def test_a_home_that_is_baked_in_is_the_workers_too(tmp_path):
    baked = tmp_path / "baked"
    waker(baked)

    call("codex", "Stop", "--home", str(baked), home=tmp_path)

    assert was_woken(baked) == [str(baked)]


def test_a_worker_that_answers_is_not_woken(tmp_path, worker):
    waker(tmp_path)
    listening = worker(GREETING)

    call("codex", "Stop", home=tmp_path)

    assert listening.heard.endswith(b" tilth wake\n")
    assert not (tmp_path / "awake").exists()


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolUse", "PreCompact"])
def test_in_the_middle_of_a_turn_nobody_is_woken(tmp_path, event):
    waker(tmp_path)

    call("codex", event, home=tmp_path)

    assert not (tmp_path / "state" / "woken").exists()


@pytest.mark.parametrize("command", [[], ["/nowhere/tilth"], ["\u00e9\x00"], [""]])
def test_a_worker_that_cannot_be_started_is_no_reason_to_fail(tmp_path, command):
    StateFolder(tmp_path / "state").let_hooks_wake(command)

    call("codex", "Stop", home=tmp_path)

    assert len(kept(tmp_path)) == 1


def test_who_was_told_so_wakes_nobody(tmp_path):
    waker(tmp_path).let_nobody_wake()

    call("codex", "Stop", home=tmp_path)

    assert not (tmp_path / "state" / "woken").exists()
