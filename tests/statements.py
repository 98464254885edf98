"""
Which statements a test asks of its store: what shows which tests need no second engine.

    python -m pytest -k sqlite -p tests.statements --statements FOLDER
    python -m tests.statements FOLDER > tests/on_sqlite.txt

The second command lists the tests whose every statement is asked by ten others that are not on the
list. What is there runs on SQLite alone, but in `make prove`.
"""

import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tilth.ledger.sqlite.connection import SqliteConnection

# The contract of a store runs on every engine, whoever else asks the same, and so do scenarios and
# invariants, by their rows.
CONTRACT = ("tests/ledger/", "tests/episodes/", "tests/erasure/", "tests/snapshots/")
_ROWS = re.compile(r"XR?-|I\d")
_OTHERS_MIN = 10
_SPACE = re.compile(r"\s+")
_PLACES = re.compile(r"\?(?:, ?\?)+|\d+")


class Statements:
    """A plugin that notes what each test of every engine asks, and how many seconds it works."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._asked: dict[str, set[str]] = defaultdict(set)
        self._seconds: Counter[str] = Counter()
        self._kept: set[str] = set()
        self._test = ""

    def note(self, sql: str) -> None:
        self._asked[self._test].add(sql)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        case = getattr(item, "callspec", None)
        if case is None or "make_place" not in case.params:
            return (yield)
        self._test, began = item.nodeid.partition("[")[0], time.process_time()
        rows = [row for mark in item.iter_markers("row") for row in mark.args]
        if item.nodeid.startswith(CONTRACT) or any(map(_ROWS.match, rows)):
            self._kept.add(self._test)
        try:
            return (yield)
        finally:
            self._seconds[self._test] += time.process_time() - began
            self._test = ""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        worker = getattr(session.config, "workerinput", {"workerid": "alone"})["workerid"]
        told = {
            test: {
                "is_kept": test in self._kept,
                "seconds": self._seconds[test],
                "asked": sorted({_form(sql) for sql in asked}),
            }
            for test, asked in self._asked.items()
            if test
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{worker}.json").write_text(json.dumps(told))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--statements", type=Path, help="note in this folder what each test asks")


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("--statements")
    if folder is None:
        return
    plugin = Statements(folder)
    config.pluginmanager.register(plugin)
    for name in ("rows", "stream"):
        setattr(SqliteConnection, name, _noted(getattr(SqliteConnection, name), plugin))


def _noted(method: Any, plugin: Statements) -> Any:
    def run(self: SqliteConnection, sql: str, *told: Any) -> Any:
        plugin.note(sql)
        return method(self, sql, *told)

    return run


def _form(sql: str) -> str:
    """Return a statement without what differs from one call to the next."""
    return _PLACES.sub("?", _SPACE.sub(" ", sql)).strip()


def spared(
    asked: Mapping[str, Collection[str]], seconds: Mapping[str, float], kept: Collection[str]
) -> Iterator[str]:
    """Yield, dearest first, the tests that ask what enough of those that are left ask too."""
    askers = Counter(sql for sqls in asked.values() for sql in sqls)
    for test in sorted(asked.keys() - kept, key=lambda one: (-seconds[one], one)):
        if all(askers[sql] > _OTHERS_MIN for sql in asked[test]):
            askers.subtract(asked[test])
            yield test


def main(folder: Path) -> None:
    """Print the tests of the notes in *folder* that need no second engine."""
    asked: dict[str, set[str]] = defaultdict(set)
    seconds: Counter[str] = Counter()
    kept = set()
    for file in folder.glob("*.json"):
        for test, noted in json.loads(file.read_text()).items():
            asked[test].update(noted["asked"])
            seconds[test] += noted["seconds"]
            if noted["is_kept"]:
                kept.add(test)
    sys.stdout.writelines(f"{test}\n" for test in sorted(spared(asked, seconds, kept)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
