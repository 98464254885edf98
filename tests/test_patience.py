"""A test that hangs or takes its process down fails alone: all others are run and told of."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HANGING = """
import threading, time
import pytest
from hypothesis import given, strategies

def test_before(): pass

def test_waits_for_what_never_comes():
    threading.Event().wait()

def test_survives_whatever_fails():
    while True:
        try:
            time.sleep(60)
        except Exception:
            pass

@given(strategies.integers())
def test_hangs_in_an_example(number):
    threading.Event().wait()

@pytest.fixture
def never():
    threading.Event().wait()

def test_whose_fixture_hangs(never): pass

@pytest.fixture
def stuck():
    yield
    threading.Event().wait()

def test_whose_end_hangs(stuck): pass

def test_after(): pass
"""
DYING = """
import os

def test_amid(): pass

def test_takes_its_process_down():
    os._exit(1)

def test_that_not_even_a_signal_ends():
    import signal
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(600)

def test_last(): pass
"""


@pytest.fixture
def run(tmp_path):
    def run(tests, *options):
        """Return the last line of what pytest says of *tests*, and all of it."""
        (tmp_path / "test_it.py").write_text(tests)
        (tmp_path / "pytest.ini").write_text("[pytest]\npatience = 0.5\n")
        environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "pytest", "-p", "tests.patience", "-p", "no:randomly"]
        done = subprocess.run(
            [*command, *options], cwd=tmp_path, env=environ, capture_output=True, check=False
        )
        out = done.stdout.decode()
        return out.rstrip().splitlines()[-1], out + done.stderr.decode()

    return run


def test_a_test_that_hangs_fails_alone_and_says_where(run):
    last, out = run(HANGING)

    assert "3 failed, 3 passed, 2 errors in" in last, out
    assert "OverdueError: the call took more than" in out
    assert "OverdueError: the setup took more than" in out
    assert "OverdueError: the teardown took more than" in out
    assert "in test_waits_for_what_never_comes" in out.partition("stacks")[2]


def test_a_test_that_takes_its_process_down_fails_alone(run):
    options = ("-o", "faulthandler_timeout=10", "-o", "faulthandler_exit_on_timeout=true")
    last, out = run(HANGING + DYING, "-n", "1", "--max-worker-restart", "4", *options)

    assert "5 failed, 5 passed, 2 errors in" in last, out
    assert "crashed while running 'test_it.py::test_takes_its_process_down'" in out
    assert "crashed while running 'test_it.py::test_that_not_even_a_signal_ends'" in out
