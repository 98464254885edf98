"""The shape of the code itself: what a linter cannot be told."""

import ast
import functools
import re
from collections import Counter
from pathlib import Path

import pytest

import tilth

SRC = Path(tilth.__file__).parent
ROOT = Path(__file__).parents[1]
MODULES = sorted(SRC.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})
CONCEPTS = [folder for folder in FOLDERS if folder.parent == SRC]
FUNCTION_LINES_MAX = 60
MODULES_MAX = 16
# What every concept is made of; other names stand once in a concept, so that a name finds a module.
PARTS_OF_A_CONCEPT = {"model", "rules", "events", "tables", "decisions", "verbs", "views"}
# Two engines are alike part by part, and so are a noun's commands and its screens.
TWINS = {"sqlite", "postgres", "commands", "cli", "verbs"}
CAPTURE_LINES_MAX = 350
NAMES_THAT_SAY_NOTHING = {"utils", "helpers", "common", "manager", "base", "misc"}
# Events are appended and projections made again: nothing above the stores updates or deletes.
VERBS_OF_THE_STORES = re.compile(r"^(update|delete)(_|$)")


@functools.cache
def parsed():
    return {path: ast.parse(path.read_text()) for path in MODULES}


def nodes(*kinds):
    """Yield every node of *kinds* in the code, with its module and where it stands."""
    for path, tree in parsed().items():
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                yield path, node, f"{path.relative_to(SRC)}:{node.lineno}"


def test_functions_fit_on_a_screen():
    long = [
        f"{where} {node.name}"
        for _, node, where in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        # What it takes is a declaration, however long.
        if node.end_lineno - node.body[0].lineno >= FUNCTION_LINES_MAX
    ]
    assert not long


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: str(p.relative_to(SRC)))
def test_a_folder_is_seen_at_once_and_says_what_it_is(folder):
    modules = [path for path in folder.glob("*.py") if path.stem != "__init__"]
    assert len(modules) <= MODULES_MAX
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda p: p.name)
def test_a_name_stands_once_in_a_concept(concept):
    stems = Counter(
        path.stem
        for path in concept.rglob("*.py")
        if path.stem != "__init__" and path.parent.name not in TWINS
    )
    twice = {stem for stem, count in stems.items() if count > 1}
    assert not twice - PARTS_OF_A_CONCEPT


def test_nothing_is_swallowed():
    silent = [
        where
        for _, node, where in nodes(ast.ExceptHandler)
        if len(node.body) == 1 and isinstance(node.body[0], ast.Pass | ast.Continue)
    ]
    assert not silent


def test_nothing_above_the_stores_updates_or_deletes():
    named = [
        f"{where} {node.name}"
        for path, node, where in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if path.stem not in {"tables", "rows", "lives", "sweeps"} and "ledger" not in path.parts
        if VERBS_OF_THE_STORES.match(node.name)
    ]
    assert not named


def test_every_module_has_a_name_that_says_something():
    assert not NAMES_THAT_SAY_NOTHING & {path.stem for path in MODULES}


def test_what_is_exported_is_sorted_and_there():
    assert tilth.__all__ == sorted(tilth.__all__)
    assert all(hasattr(tilth, name) for name in tilth.__all__)


@pytest.mark.row("DU-023")
def test_the_capture_worker_is_small_enough_to_be_read_at_once():
    parts = ("agents/ingest.py", "learning/distil.py")
    nodes = [node for part in parts for node in ast.parse((SRC / part).read_text()).body]
    code = [node for node in nodes if not isinstance(node, ast.Import | ast.ImportFrom)]
    assert sum(node.end_lineno - node.lineno + 1 for node in code) < CAPTURE_LINES_MAX


def test_dataclasses_are_made_by_the_decorator_that_loads_fast():
    standard = [
        where
        for path, node, where in nodes(ast.ImportFrom)
        if node.module == "dataclasses" and "dataclass" in {one.name for one in node.names}
        if path != SRC / "core" / "dataclass.py"
    ]
    assert not standard, "it is in tilth.core.dataclass"


def test_what_runs_on_sqlite_alone_is_a_test_that_is_there():
    """A name that is gone is taken out, or `tests/statements.py` makes the list anew."""
    listed = (ROOT / "tests/on_sqlite.txt").read_text().splitlines()
    defined = functools.cache(lambda file: set(re.findall(r"def (test_\w+)", file.read_text())))

    gone = [
        name
        for name in listed
        if not (file := ROOT / name.partition("::")[0]).is_file()
        or name.rpartition("::")[2] not in defined(file)
    ]

    assert gone == []
    assert listed == sorted(set(listed))
