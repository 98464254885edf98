"""What leads from page to page, and what the page of the house says about it."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import tilth
from tilth.core.table import tables

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
HOUSE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
DECISIONS = sorted((ROOT / "docs" / "adr").glob("*.md"))


def _targets(page: Path):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            yield (page.parent / target).resolve()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    assert [target for target in _targets(page) if not target.exists()] == []


def test_the_first_page_leads_to_every_page_of_reference():
    linked = set(_targets(ROOT / "README.md"))

    assert set((ROOT / "docs" / "reference").glob("*.md")) <= linked


def test_decisions_are_numbered_without_a_gap():
    numbers = [
        int(re.match(r"# (\d+)\. ", page.read_text(encoding="utf-8"))[1]) for page in DECISIONS
    ]

    assert numbers == [int(page.name[:4]) for page in DECISIONS] == [*range(1, len(DECISIONS) + 1)]


@pytest.mark.parametrize("table", [table.name for table in tables()])
def test_the_house_says_from_what_a_table_is_made(table):
    assert f"`{table}`" in HOUSE


def test_the_house_names_every_package():
    packages = {path.parent.name for path in Path(tilth.__file__).parent.glob("*/__init__.py")}

    assert {name for name in packages if f"\n  {name}/" not in HOUSE} == set()


# The changelog is of the past. A decision tells what holds; what it did away with is in the log.
@pytest.mark.parametrize(
    "page", sorted({*PAGES} - {ROOT / "CHANGELOG.md"}), ids=lambda page: page.name
)
def test_the_code_that_a_page_names_is_there(page):
    named = re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))
    files = [one for one in named if re.fullmatch(r"[\w/]+\.py", one)]
    names = [one for one in named if re.fullmatch(r"tilth(\.[a-z]\w*)+(\.[A-Z]\w*)?", one)]

    assert [one for one in files if not _is_file(one)] == []
    assert [one for one in names if one != "tilth.db" and not _is_there(one)] == []


@cache
def _files():
    folders = ("src", "tests", "bench", "prove", "scripts")
    return [path for folder in folders for path in (ROOT / folder).rglob("*.py")]


def _is_file(name):
    return any(f"/{path.relative_to(ROOT)}".endswith(f"/{name}") for path in _files())


def _is_there(name):
    """Say whether a dotted name is that of a module, or of something in one."""
    module, _, attribute = name.rpartition(".")
    try:
        import_module(name)
    except ModuleNotFoundError:
        return hasattr(import_module(module), attribute)
    return True
