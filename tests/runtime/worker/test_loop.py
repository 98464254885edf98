"""The worker's loop: what it does, when it ends, and what it counts."""

import errno
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.fakes import START, FixedClock
from tilth.core.errors import UnavailableError
from tilth.runtime.stages import (
    BARREN_RUNS_MAX,
    FAILED_RUNS_MAX,
    StageCounts,
    StageRun,
    after_failure,
    after_run,
    alarm,
)
from tilth.runtime.worker import loop
from tilth.runtime.worker.loop import Stage, Until, work
from tilth.runtime.worker.stage_log import StageLog


@pytest.fixture
def log(tmp_path):
    return StageLog(tmp_path / "state" / "stages.json")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(loop, "PAUSE_S", 0.001)


class Work:
    """A stage that does one thing after the other, and fails where it is told to."""

    def __init__(self, *runs):
        self.left = list(runs)
        self.stage = Stage("work", self.run)

    def run(self):
        ran = self.left.pop(0) if self.left else StageRun()
        if isinstance(ran, Exception):
            raise ran
        return ran


def test_everything_that_waits_is_done_and_counted(log):
    first, second = Work(StageRun(2, 2), StageRun(1, 1)), Work(StageRun(5, 4))
    stages = [first.stage, Stage("other", second.run)]

    work(stages, log, FixedClock())

    counts = log.read()
    assert first.left == second.left == []
    assert (counts["work"].run_count, counts["work"].made_count) == (2, 3)
    assert (counts["other"].found_count, counts["other"].made_count) == (5, 4)
    assert counts["work"].last_made_at == START


def test_counts_go_on_with_the_next_worker(log):
    work([Work(StageRun(2, 2)).stage], log, FixedClock())
    work([Work(StageRun(3, 1)).stage], log, FixedClock())

    assert log.read()["work"].found_count == 5


def test_a_run_that_found_nothing_is_not_counted(log):
    work([Work().stage], log, FixedClock())

    assert log.read() == {}


def test_a_worker_for_one_round_says_why_it_could_not(log):
    with pytest.raises(UnavailableError):
        work([Work(UnavailableError("the store is locked")).stage], log, FixedClock())

    assert log.read()["work"].last_error == "unavailable"


def test_a_worker_that_stays_tries_again_and_keeps_nobody_from_working(log):
    locked = Work(UnavailableError("the store is locked"), StageRun(1, 1))
    other = Work(StageRun(1, 1))

    work([locked.stage, Stage("other", other.run)], log, FixedClock(), Until(idle_s=0.01))

    assert log.read()["work"].made_count == 1
    assert log.read()["work"].failed_runs == 0
    assert log.read()["other"].made_count == 1


def full(*_args, **_named):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_worker_on_a_full_disk_works_on_without_its_counts_and_leaves_no_half_of_them(
    log, tmp_path, monkeypatch, caplog
):
    done = Work(StageRun(1, 1), StageRun(1, 1))
    with monkeypatch.context() as patch:
        patch.setattr(json, "dump", full)
        work([done.stage], log, FixedClock())

    assert done.left == []
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["stages.present"]
    assert caplog.text.count("the counts of the worker are not kept") == 2


def test_a_worker_that_cannot_name_what_it_does_does_it(tmp_path):
    (tmp_path / "state").write_text("a file where a folder should be")
    done = Work(StageRun(1, 1))

    work([done.stage], StageLog(tmp_path / "state" / "stages.json"), FixedClock())

    assert done.left == []


def test_what_the_machine_refuses_a_stage_is_tried_again(log):
    refused = Work(OSError(errno.ENOSPC, "No space left on device"), StageRun(1, 1))
    other = Work(StageRun(1, 1))

    work([refused.stage, Stage("other", other.run)], log, FixedClock(), Until(idle_s=0.01))

    assert (log.read()["work"].made_count, log.read()["other"].made_count) == (1, 1)
    refused.left.append(OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(UnavailableError, match="No space left on device"):
        work([refused.stage], log, FixedClock())
    assert log.read()["work"].last_error == "unavailable"


def test_a_worker_ends_once_nothing_waits_and_nobody_asks(log):
    asked = iter([time.monotonic() + 60] * 3)
    began = time.monotonic()

    work([Work().stage], log, FixedClock(), Until(idle_s=0.02, asked_at=lambda: next(asked, 0.0)))

    assert next(asked, None) is None
    assert time.monotonic() - began < 5


def test_a_worker_that_is_told_to_stop_ends_after_its_round(log):
    endless = Work(*[StageRun(1, 1)] * 9)
    until = Until(idle_s=None, is_stopped=lambda: len(endless.left) == 6)

    work([endless.stage], log, FixedClock(), until)

    assert len(endless.left) == 6


def test_a_stage_that_finds_work_and_makes_nothing_of_it_raises_an_alarm():
    counts = StageCounts()
    for _ in range(BARREN_RUNS_MAX - 1):
        counts = after_run(counts, StageRun(3, 0), START)
    assert alarm(counts) == ""

    counts = after_run(after_run(counts, StageRun(), START), StageRun(1, 0), START)

    assert "found work 10 times in a row and made nothing of it" in alarm(counts)
    assert alarm(after_run(counts, StageRun(1, 1), START)) == ""


def test_a_stage_that_fails_again_and_again_raises_an_alarm():
    counts = StageCounts()
    for _ in range(FAILED_RUNS_MAX):
        assert alarm(counts) == ""
        counts = after_failure(counts, "unavailable", START)

    assert alarm(counts) == "failed 3 times in a row, with unavailable"
    assert alarm(after_run(counts, StageRun(), START)) == ""


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}', '{"a": {"run_count": []}}'])
def test_a_broken_file_of_counts_begins_anew(tmp_path, content):
    path = tmp_path / "stages.json"
    path.write_text(content)

    work([Work(StageRun(1, 1)).stage], StageLog(path), FixedClock())

    assert StageLog(path).read()["work"].made_count == 1


@pytest.mark.row("DU-056")
def test_a_run_that_its_worker_did_not_survive_is_counted_by_the_next(log, tmp_path):
    begun = f"""
import os, signal
from pathlib import Path
from tests.fakes import FixedClock
from tilth.runtime.worker.loop import Stage, work
from tilth.runtime.worker.stage_log import StageLog
killed = Stage("reading", lambda: os.kill(os.getpid(), signal.SIGKILL))
work([killed], StageLog(Path({str(tmp_path / "state" / "stages.json")!r})), FixedClock())
"""
    ended = subprocess.run([sys.executable, "-c", begun], check=False)

    work([Work().stage], log, FixedClock())
    work([Work().stage], log, FixedClock())

    counts = log.read()["reading"]
    assert ended.returncode == -signal.SIGKILL
    assert (counts.run_count, counts.failed_runs, counts.last_error) == (1, 1, "killed")


def test_a_stage_that_finds_nothing_writes_nothing(log, monkeypatch):
    work([Work().stage], log, FixedClock())
    monkeypatch.setattr("os.open", lambda *_: pytest.fail("a file was opened"))

    work([Work().stage] * 20, log, FixedClock())


def test_a_run_that_failed_or_was_interrupted_is_not_counted_as_killed(log):
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work([Stage("reading", interrupted)], log, FixedClock())
    work([Work().stage], log, FixedClock())

    assert "reading" not in log.read()
