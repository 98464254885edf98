"""Every test that the page of invariants names is there, and every invariant names one."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"(?=^\*\*I\d+\.)", PAGE, flags=re.MULTILINE)[1:]
NUMBERS = [*range(1, 26), 29, *range(31, 42), 43, 44, 46]


def _tests():
    for path in (ROOT / "tests").rglob("test_*.py"):
        yield from re.findall(r"^ *def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_page_holds_every_invariant_of_what_is_built():
    assert [int(section[3:].partition(".")[0]) for section in SECTIONS] == NUMBERS


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section[2:].partition(".")[0])
def test_an_invariant_names_tests_that_are_there(section):
    named = re.findall(r"`(test_i?\w+)`", section)

    assert named
    assert set(named) <= set(_tests())
