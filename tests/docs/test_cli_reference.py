import runpy
from pathlib import Path

import pytest

from tilth.core import errors

REPOSITORY = Path(__file__).parents[2]
REFERENCE = REPOSITORY / "docs" / "reference"


@pytest.fixture
def pages(monkeypatch):
    module = runpy.run_path(str(REPOSITORY / "scripts" / "write_reference.py"))
    monkeypatch.setenv("COLUMNS", module["COLUMNS"])
    return module["pages"]()


def test_the_pages_say_what_the_code_does(pages):
    stale = [name for name in pages if (REFERENCE / name).read_text("utf-8") != pages[name]]

    assert not stale, "run: python scripts/write_reference.py"


def test_the_drawn_tree_of_errors_names_every_error():
    drawn = errors.__doc__ or ""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]

    assert all(f" {kind.__name__}" in drawn for kind in kinds if issubclass(kind, Exception))
