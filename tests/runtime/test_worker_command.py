import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import tilth as package
import tilth_spool
from tests.program import acting
from tilth import connect
from tilth.agents.state_folder import StateFolder
from tilth.core.actor import HOOKS
from tilth.core.io.file_lock import lock_holder, try_lock
from tilth.ledger.search import Search
from tilth.runtime.places import serve_lock
from tilth.runtime.worker import process
from tilth.runtime.worker.loop import PAUSE_S
from tilth.runtime.worker.process import end, end_processes, start

SAMPLE = Path(package.__file__).parent / "runtime" / "sample"


def eventually(holds, *, seconds=60):
    """Wait until *holds* does, within a bound."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.02)


@pytest.fixture
def filled(ready):
    ready("import", SAMPLE / "codex-backup-restore.jsonl", "--no-background")
    return ready


def backlog(program):
    checks = {check["id"]: check for check in program("doctor", "--json").answer["checks"]}
    return checks["vectors.backlog"]["detail"]["episode_count"]


def has_second_tier(brain):
    with brain._parts.store.read() as view:
        return len(Search(view).spaces()) > 1


def test_a_worker_of_a_store_that_is_not_there_makes_nothing(tilth, tmp_path):
    refused = tilth("--store", tmp_path / "none" / "x.db", "worker", "--once")

    assert (refused.code, "there is no store" in refused.err) == (3, True)
    assert not (tmp_path / "none").exists()


@pytest.mark.model
def test_a_worker_brings_the_second_tier_up_to_date_and_ends(filled, program):
    assert backlog(filled) == 15

    worked = program("worker", "--once", "--json")

    stated = worked.answer["stated_count"]
    assert stated > 0
    assert worked.answer == {
        "is_alone": True,
        "recorded_count": 0,
        "stated_count": stated,
        "asked_count": 0,
        "archived_count": 0,
        "embedded_count": 15 + stated,
    }
    assert backlog(filled) == 0


@pytest.fixture
def woken(ready):
    """A worker as hooks start it, which says on stderr what it does."""
    state = StateFolder(ready.home / "tilth" / "state")
    state.let_hooks_wake(["true"])
    command = [sys.executable, "-m", "tilth", "worker", "--idle-minutes", "15"]
    environ = os.environ | {"HOME": str(ready.home), "TILTH_HOME": str(ready.home / "tilth")}
    worker = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    yield worker, state
    worker.kill()
    worker.communicate()


def test_a_worker_ends_by_itself_once_the_last_host_was_unplugged(woken):
    worker, state = woken
    eventually(state.worker_address.exists)
    assert worker.poll() is None

    state.let_nobody_wake()

    assert worker.wait(240) == 0


def test_a_worker_ends_by_itself_once_its_program_is_replaced(ready, tmp_path):
    installed, source = tmp_path / "installed" / "tilth", Path(package.__file__).parent
    installed.mkdir(parents=True)
    for part in source.iterdir():
        (installed / part.name).symlink_to(part)
    program = installed / "__init__.py"
    program.unlink()
    program.write_bytes((source / program.name).read_bytes())
    environ = os.environ | {"TILTH_HOME": str(ready.home / "tilth")}
    command = [sys.executable, "-m", "tilth", "worker"]
    worker = subprocess.Popen(
        command,
        env=environ | {"PYTHONPATH": str(installed.parent)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        eventually(lambda: lock_holder(Path(f"{ready.store}.worker")) == worker.pid)
        os.utime(program, (0, 0))
        _, told = worker.communicate(timeout=60)
    finally:
        worker.kill()

    assert worker.returncode == 0
    assert "was replaced or removed" in told.splitlines()[-1]


def test_a_worker_with_nothing_to_do_says_nothing(woken):
    worker, state = woken
    eventually(state.worker_address.exists)
    time.sleep(2 * PAUSE_S + 1)
    state.let_nobody_wake()

    _, told = worker.communicate(timeout=60)

    # Each stage may speak when it runs first, and not with every round.
    lines = [line.split(" ", 3)[-1] for line in told.splitlines()]
    assert not [line for line in lines if lines.count(line) > 1]


@pytest.mark.row("MP-11")
def test_a_second_worker_says_so_and_leaves(filled):
    with try_lock(Path(f"{filled.store}.worker")) as is_alone:
        second = filled("worker", "--once", "--json")
        told = filled("worker", "--once")

    assert is_alone
    assert "to end it: tilth worker stop" in told.err
    assert second.answer["is_alone"] is False
    assert second.answer["recorded_count"] == 0


@pytest.mark.row("DU-020")
def test_a_worker_states_what_an_agent_wrote_into_its_answer(ready):
    line = "MEMORY: wrote=(Acme | uses | Postgres)"
    ready("remember", line, "--session", "s1", "--role", "assistant", "--at", "2026-01-01")

    worked = ready("worker", "--once", "--json")

    assert worked.answer["stated_count"] == 1
    assert ready("distil", "--json").answer["window_count"] == 0
    assert "Acme uses Postgres" in ready("state").out


@pytest.mark.row("DU-019")
def test_distilling_by_hand_shows_what_was_read_without_urns(ready):
    with acting("human"):
        ready("remember", '/remember "Marina is CTO at Acme"', "--session", "s1")

    assert "Marina is CTO at Acme  recorded" in ready("distil").out


def test_the_lock_is_free_again_whatever_became_of_its_holder(tmp_path):
    lock = tmp_path / "store.worker"
    code = f"""
import time
from contextlib import contextmanager
from pathlib import Path
from tilth.core.io.file_lock import try_lock
with try_lock(Path({str(lock)!r})) as is_alone:
    print(is_alone, flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"True\n"
        with try_lock(lock) as is_alone:
            assert not is_alone
        process.send_signal(signal.SIGKILL)

    with try_lock(lock) as is_alone:
        assert is_alone


@pytest.mark.row("GA-036")
def test_a_worker_runs_the_cycle_of_the_garden_that_is_due_and_none_where_nothing_is_tended(tilth):
    quiet = {"TILTH_EMBEDDER": "none"}
    assert tilth("init").code == 0
    assert tilth("worker", "--once", environ=quiet).code == 0
    kinds = "select distinct kind from ledger where kind like 'cycle%'"

    def cycles():
        with sqlite3.connect(tilth.store) as conn:
            return {kind for (kind,) in conn.execute(kinds)}

    assert cycles() == set()
    assert tilth("topic", "add", "backups").code == 0

    assert tilth("worker", "--once", environ=quiet).code == 0

    assert "cycle_step_ended" in cycles()


@pytest.mark.model
def test_a_killed_worker_leaves_a_whole_store_and_the_rest_for_the_next(filled, program):
    command = [sys.executable, "-m", "tilth", "worker"]
    with subprocess.Popen(command, env=program.environ(), stderr=subprocess.DEVNULL) as worker:
        with connect(filled.store) as brain:
            eventually(lambda: has_second_tier(brain))
        worker.send_signal(signal.SIGKILL)

    assert filled("verify").code == 0
    filled("worker", "--once")
    assert backlog(filled) == 0


@pytest.mark.model
def test_an_import_starts_a_worker_that_outlives_it(ready, program):
    log = ready.home / "tilth" / "state" / "worker.log"

    program("import", SAMPLE / "codex-backup-restore.jsonl")

    eventually(lambda: "embedded" in log.read_text())
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert backlog(ready) == 0


@pytest.mark.model
def test_a_worker_that_has_much_to_do_before_it_ends_answers_meanwhile(ready, program):
    with connect(ready.store) as brain:
        brain.remember_many(
            [{"text": f"Kettle {one} boils at {one} degrees."} for one in range(600)]
        )
    command = [sys.executable, "-m", "tilth", "worker", "--once"]
    with subprocess.Popen(command, env=program.environ(), stderr=subprocess.DEVNULL) as worker:
        try:
            eventually((ready.home / "tilth" / "state" / "worker.sock").exists)
        finally:
            worker.kill()


def test_what_is_started_is_no_child_of_ours_and_has_the_environment_it_was_given(tmp_path):
    out = tmp_path / "out"
    code = f"""
import os, time
while os.getppid() == {os.getpid()}:
    time.sleep(0.01)
open({str(out)!r}, "w").write(os.environ["MARK"])
"""

    start([sys.executable, "-c", code], {**os.environ, "MARK": "seen"}, tmp_path / "log")

    eventually(lambda: out.exists() and out.read_text() == "seen")


def test_a_log_that_has_grown_too_long_is_begun_anew(tmp_path):
    log = tmp_path / "log"
    log.write_bytes(b"x" * (2 << 20))

    start(["/bin/echo", "begun"], os.environ, log)

    eventually(lambda: log.read_text() == "begun\n")


@contextmanager
def working(program):
    """A worker of its own process; none is left, whatever a test meets."""
    command = [sys.executable, "-m", "tilth", "worker"]
    with subprocess.Popen(command, env=program.environ(), stderr=subprocess.DEVNULL) as worker:
        try:
            yield worker
        finally:
            worker.kill()


@pytest.mark.model
def test_a_worker_tells_that_it_runs_and_ends_when_it_is_told_to(filled, program):
    none = {"was_running": False, "was_importing": False, "was_serving": False}
    assert filled("worker", "stop", "--json").answer == none
    with working(program) as worker:
        eventually(lambda: filled("worker", "status", "--json").answer["process"] == worker.pid)
        stopped = program("worker", "stop", "--json")
        worker.wait(60)

    assert stopped.answer == {**none, "was_running": True}
    status = filled("worker", "status", "--json").answer
    assert (status["is_running"], status["process"]) == (False, None)
    assert filled("verify").code == 0


def test_an_import_in_the_background_is_told_and_ends_when_it_is_told_to(ready, program, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    for one in range(20):
        parts = (f"# Part {one}.{no}\n\nThe lamp {no} is green." for no in range(2_000))
        (notes / f"{one}.md").write_text("\n\n".join(parts))
    # As a shell starts it, which lets it hear no Ctrl-C.
    start(
        [sys.executable, "-m", "tilth", "import", str(notes)], program.environ(), tmp_path / "log"
    )

    eventually(lambda: ready("worker", "status", "--json").answer["import_process"])
    stopped = ready("worker", "stop", "--json").answer

    assert stopped == {"was_running": False, "was_importing": True, "was_serving": False}
    assert ready("worker", "status", "--json").answer["import_process"] is None
    assert "interrupted" in (tmp_path / "log").read_text()
    assert ready("verify").code == 0


def test_a_worker_that_does_not_hear_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "_END_S", 0.5)
    lock = tmp_path / "lock"
    code = f"""
import signal, time
from pathlib import Path
from tilth.core.io.file_lock import try_lock
signal.signal(signal.SIGINT, signal.SIG_IGN)
with try_lock(Path({str(lock)!r})):
    print(flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as worker:
        assert worker.stdout.readline() == b"\n"
        assert lock_holder(lock) == worker.pid
        assert end(lock)

    assert (lock_holder(lock), end(lock)) == (None, False)


def test_a_server_has_ended_once_it_closed_its_store_which_is_after_its_worker(tmp_path):
    where = str(tmp_path / "tilth.db")
    code = f"""
import time
from tilth.runtime.places import serve_lock, worker_lock
from tilth.core.io.file_lock import try_lock
with try_lock(serve_lock({where!r})):
    try:
        with try_lock(worker_lock({where!r})):
            print(flush=True)
            time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(1)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as server:
        assert server.stdout.readline() == b"\n"
        assert end_processes(where) == (False, True, True)
        assert lock_holder(serve_lock(where)) is None


@pytest.mark.parametrize(
    ("worked", "passed", "rest"), [(1.0, 1.2, 0.8), (0.1, 8.0, 0.0), (0.0, 0.0, 0.0), (60, 60, 5.0)]
)
def test_after_work_a_worker_rests_until_it_took_half_of_the_time(worked, passed, rest):
    assert process.rest_s(worked, passed, share=0.5) == pytest.approx(rest)


def test_while_somebody_is_answered_a_worker_rests_on_for_a_second_at_most(monkeypatch):
    monkeypatch.setattr(process, "_GIVES_WAY_S_MAX", 0.3)
    told = iter([True, True, False])
    pace = process.Pace(1.0, lambda: next(told))

    pace.rest()

    assert next(told, None) is None
    began = time.monotonic()
    process.Pace(1.0, lambda: True).rest()
    assert time.monotonic() - began >= 0.3


@pytest.mark.model
@pytest.mark.usefixtures("as_person")
def test_a_restore_ends_the_worker_of_the_store_that_it_replaces(filled, program, tmp_path):
    filled("backup", tmp_path / "copy.db")
    with working(program) as worker:
        eventually(lambda: lock_holder(Path(f"{filled.store}.worker")) == worker.pid)
        restored = filled("restore", tmp_path / "copy.db", "--replace")
        assert restored.code == 0, restored.err
        worker.wait(60)


def test_what_hooks_write_while_sessions_are_looked_through_waits_for_one_at_most(
    ready, monkeypatch
):
    with connect(ready.store, actor=HOOKS) as brain:
        brain.remember_many(
            [
                {"text": f'/remember "Ana uses tool{one}"', "session_id": f"s{one}"}
                for one in range(11)
            ]
        )
    told = {"session_id": "live", "prompt": "The kettle is to be green."}
    record = tilth_spool.framed("claude-code", "UserPromptSubmit", 1, json.dumps(told).encode())
    waiting = [record]

    def rest(_pace):
        if waiting:
            tilth_spool.append(str(ready.store.parent / "spool"), waiting.pop())

    monkeypatch.setattr(process.Pace, "rest", rest)
    assert ready("worker", "--once").code == 0

    with connect(ready.store) as brain:
        (said,) = brain.episodes.list(session_id="claude-code:live")
        stated = [one.seq for one in brain.facts.list(limit=20)]
    assert len(stated) == 11
    assert said.seq < max(stated)
    assert ready("metrics", "--json").answer["stages"]["spool"]["made_count"] == 1


def prompted(program, prompt):
    """Let a hook write that somebody typed *prompt*."""
    payload = json.dumps({"session_id": "s1", "prompt": prompt}).encode()
    record = tilth_spool.framed("claude-code", "UserPromptSubmit", 1, payload)
    tilth_spool.append(str(program.home / "tilth" / "spool"), record)


def test_distilling_by_hand_records_first_what_hooks_wrote(ready):
    prompted(ready, "We decided to use Caddy as the reverse proxy.")

    stated = ready("distil", "--json").answer["stated"]

    assert ["Caddy" in one["fact"]["said"]["text"] for one in stated] == [True]


def test_reflecting_by_hand_records_first_what_hooks_wrote(ready):
    prompted(ready, "Deploy the ferry.")

    assert ready("reflect").code == 0

    (session,) = ready("session", "list", "--json").answer["sessions"]
    assert session["id"] == "claude-code:s1"


def test_a_worker_says_which_store_hooks_write_for(ready, tmp_path):
    other = {"TILTH_STORE": str(tmp_path / "other.db")}
    ready("init", environ=other)
    prompted(ready, "Deploy the ferry.")

    worked = ready("worker", "--once", environ=other)
    told = ready("worker", "status", environ=other)
    counted = ready("worker", "status", "--json", environ=other).answer

    assert f"what hooks wrote waits for {ready.store}, and this is" in worked.err
    assert f"what hooks wrote waits for {ready.store}, and this is" in told.err
    assert "0 bytes of hooks" in told.out
    assert "to start one now: tilth worker run" in told.err
    assert "session of an agent" not in told.err
    assert (counted["waiting_bytes"], counted["waits_for"]) == (0, str(ready.store))
    asked = ready("worker", "status").err
    assert "the next session of an agent that is set up starts one" in asked
    own = ready("worker", "status", "--json").answer
    assert own["waiting_bytes"] > 0
    assert own["waits_for"] == str(ready.store)
    assert "waits for" not in ready("worker", "--once").err
