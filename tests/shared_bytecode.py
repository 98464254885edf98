"""
The workers of a run share the work of compiling the tests.

Each of them collects every test. On a new checkout each compiled all of them too, and rewrote
their asserts, which takes twice as long as the rest of collecting. Here each begins with another
part, and finds in the cache what the others have compiled by then.
"""

import importlib
from contextlib import suppress
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import, from a place of its own on, what this worker is going to collect."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    files = sorted({file for argument in session.config.args for file in _tests_in(argument)})
    first = len(files) * int(worker["workerid"][2:]) // worker["workercount"]
    for file in files[first:] + files[:first]:
        # What is wrong with it, or missing for it, its collection tells.
        with suppress(Exception, pytest.skip.Exception):
            parts = file.relative_to(session.config.rootpath).with_suffix("").parts
            importlib.import_module(".".join(parts))


def _tests_in(argument: str) -> list[Path]:
    path = Path(argument.partition("::")[0]).resolve()
    return [*path.rglob("test_*.py")] if path.is_dir() else []
