"""
Which statements a test asks of its store: what shows which tests need no second engine.

    python -m pytest -k sqlite -p tests.statements --statements FOLDER
    python -m tests.statements FOLDER

The second command lists the modules whose every statement is asked by tests of three other modules,
dearest first, each without those listed before it.
"""

import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tilth.ledger.sqlite.connection import SqliteConnection

# What holds the contract of a store runs on every engine, whoever else asks the same.
CONTRACT = ("tests/ledger/", "tests/episodes/", "tests/erasure/", "tests/snapshots/")
_OTHERS_MIN = 3
_SPACE = re.compile(r"\s+")
_PLACES = re.compile(r"\?(?:, ?\?)+|\d+")


class Statements:
    """A plugin that notes what each test asks, and how many seconds it works."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._asked: dict[str, set[str]] = defaultdict(set)
        self._seconds: Counter[str] = Counter()
        self._test = ""

    def note(self, sql: str) -> None:
        self._asked[self._test].add(sql)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._test, began = item.nodeid, time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.process_time() - began
            self._test = ""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        worker = getattr(session.config, "workerinput", {"workerid": "alone"})["workerid"]
        told = {
            test: {"seconds": self._seconds[test], "asked": sorted({_form(sql) for sql in asked})}
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


def spared(asked: Mapping[str, set[str]], cost: Mapping[str, float]) -> Iterator[str]:
    """Yield the modules that ask nothing that is not asked by enough of those that are left."""
    by = Counter(sql for sqls in asked.values() for sql in sqls)
    for module in sorted(asked, key=lambda one: -cost[one]):
        if not module.startswith(CONTRACT) and all(by[sql] > _OTHERS_MIN for sql in asked[module]):
            by.subtract(asked[module])
            yield module


def main(told: Sequence[str]) -> None:
    asked: dict[str, set[str]] = defaultdict(set)
    cost: Counter[str] = Counter()
    for file in Path(told[0]).glob("*.json"):
        for test, noted in json.loads(file.read_text()).items():
            module = test.partition("::")[0]
            asked[module] |= set(noted["asked"])
            cost[module] += noted["seconds"]
    for module in spared(asked, cost):
        sys.stdout.write(f"{cost[module]:7.1f} s  {module}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
