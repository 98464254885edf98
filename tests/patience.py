"""
A test that hangs fails alone, and a machine that has much else to do gets longer.

pytest-timeout rings for a whole test, so that its bell may strike between two phases, where
pytest takes it for an error of its own and ends the run. Here each phase has its bell.
What not even a signal ends, for it never comes back to Python, `faulthandler_timeout` ends with
its process: under xdist another worker takes over, and only that test fails.
"""

import faulthandler
import os
import signal
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest


class OverdueError(BaseException):
    """
    A phase of a test took too long.

    No Exception, for then a loop that survives whatever fails would survive this, and hypothesis
    would look for a smaller example that hangs.
    """


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the bound be set with `-o patience=600`, too."""
    parser.addini("patience", "seconds for each phase of a test on an idle machine", default="120")


@contextmanager
def _within(item: pytest.Item, phase: str) -> Iterator[None]:
    seconds = float(item.config.getini("patience"))
    begun = time.monotonic()

    def ring(_signal: int, _frame: FrameType | None) -> None:
        allowed = seconds * _crowding()
        left = allowed - (time.monotonic() - begun)
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
            return
        # A finaliser swallows whatever is raised in it: then it rings again.
        signal.setitimer(signal.ITIMER_REAL, seconds)
        item.add_report_section(phase, "stacks", _stacks())
        raise OverdueError(f"the {phase} took more than {allowed:.0f} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _crowding() -> float:
    """Return how many programs share one processor, at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _stacks() -> str:
    """Return where every thread of this process is."""
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        return file.read()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Bound what comes before a test."""
    with _within(item, "setup"):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Bound a test itself."""
    with _within(item, "call"):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Bound what comes behind a test."""
    with _within(item, "teardown"):
        return (yield)


def pytest_enter_pdb() -> None:
    """Let whoever looks for a fault take all the time they want."""
    signal.setitimer(signal.ITIMER_REAL, 0)
