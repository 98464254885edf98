"""
Which tests hold a row of the specification: `@pytest.mark.row("KB-006")`.

`make rows` lists every row with its tests, `make rows ROW=KB-006` those of one;
`pytest --row KB-006` runs them.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent
# Promises (KB-006), invariants (I24), threats (T9) and surfaces (S11).
WELL_FORMED = re.compile(r"(KB|EM|OB|DU|GA|MP|XR)-\d{2,3}|[CX]-\d{2}|[IST]\d{1,2}")


class Held(NamedTuple):
    """A row, and a test that holds it."""

    row: str
    path: Path
    test: str


def rows(folder: Path = TESTS) -> Iterator[Held]:
    """Read from the source which test holds which rows."""
    for path in sorted(folder.rglob("test_*.py")):
        yield from _rows_of(ast.parse(path.read_text(encoding="utf-8")), path, (), ())


def _rows_of(
    node: ast.Module | ast.ClassDef, path: Path, within: tuple[str, ...], marked: tuple[str, ...]
) -> Iterator[Held]:
    for part in node.body:
        if isinstance(part, ast.ClassDef):
            names, marks = (*within, part.name), (*marked, *_marks(part))
            yield from _rows_of(part, path, names, marks)
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            for row in (*marked, *_marks(part)):
                yield Held(row, path, "::".join((*within, part.name)))


def _marks(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.row":
            yield from (ast.literal_eval(row) for row in mark.args)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests be chosen by the rows that they hold."""
    parser.addoption("--row", action="append", help="run what holds this row, such as KB-006")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse what is no row, and keep the tests of those that were asked for."""
    asked = set(config.getoption("row") or ())
    held = [{row for mark in item.iter_markers("row") for row in mark.args} for item in items]
    if wrong := {row for rows in (asked, *held) for row in rows if not WELL_FORMED.fullmatch(row)}:
        raise pytest.UsageError(f"no row of the specification: {', '.join(sorted(wrong))}")
    if asked:
        others = [item for item, rows in zip(items, held, strict=True) if not asked & rows]
        items[:] = [item for item, rows in zip(items, held, strict=True) if asked & rows]
        config.hook.pytest_deselected(items=others)


def main(asked: list[str]) -> None:
    """Print the rows in order, each with its tests."""
    listed = defaultdict(list)
    for row, path, test in rows():
        if not asked or row in asked:
            listed[row].append(f"{path.relative_to(TESTS.parent)}::{test}")
    for row in sorted(listed, key=lambda row: [row.rstrip("0123456789"), len(row), row]):
        sys.stdout.write("\n  ".join((row, *listed[row])) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
