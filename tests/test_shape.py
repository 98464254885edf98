"""The shape of the code itself: what a linter cannot be told."""

import ast
import re
from pathlib import Path

import pytest

import tilth

SRC = Path(tilth.__file__).parent
MODULES = sorted(SRC.rglob("*.py"))
MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
CAPTURE_LINES_MAX = 400
NAMES_THAT_SAY_NOTHING = {"utils", "helpers", "common", "manager", "base", "misc"}
# Events are appended and projections made again: nothing above the stores updates or deletes.
VERBS_OF_THE_STORES = re.compile(r"^(update|delete)(_|$)")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_modules_and_functions_fit_on_a_screen_or_two(path):
    source = path.read_text()
    assert source.count("\n") <= MODULE_LINES_MAX
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < FUNCTION_LINES_MAX, f"{node.name} is too long"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_nothing_is_swallowed(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ExceptHandler):
            silent = len(node.body) == 1 and isinstance(node.body[0], ast.Pass | ast.Continue)
            assert not silent, f"line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_nothing_above_the_stores_updates_or_deletes(path):
    if path.stem in {"tables", "rows", "lives", "sweeps"} or "ledger" in path.parts:
        pytest.skip("tables are where it happens")
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert not VERBS_OF_THE_STORES.match(node.name), f"line {node.lineno}"


def test_every_module_has_a_name_that_says_something():
    assert not NAMES_THAT_SAY_NOTHING & {path.stem for path in MODULES}


def test_what_is_exported_is_sorted_and_there():
    assert tilth.__all__ == sorted(tilth.__all__)
    assert all(hasattr(tilth, name) for name in tilth.__all__)


def test_du_023_the_capture_worker_is_small_enough_to_be_read_at_once():
    parts = ("agents/ingest.py", "learning/distil.py")
    assert sum((SRC / part).read_text().count("\n") for part in parts) < CAPTURE_LINES_MAX
