"""What leads from page to page, and what the page of the house says about it."""

import re
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
