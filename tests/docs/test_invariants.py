"""Every test that the page of invariants names carries its number, and every invariant has one."""

import functools
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.rows import rows

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"(?=^\*\*I\d+\.)", PAGE, flags=re.MULTILINE)[1:]
NUMBERS = [*range(1, 28), 29, *range(31, 42), 43, 44, 46]


@functools.cache
def carrying():
    """Return the names of the tests that carry each number."""
    found = defaultdict(set)
    for held in rows():
        found[held.row].add(held.test.rpartition(":")[2])
    return found


def test_the_page_holds_every_invariant_of_what_is_built():
    assert [int(section[3:].partition(".")[0]) for section in SECTIONS] == NUMBERS


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section[2:].partition(".")[0])
def test_an_invariant_names_tests_that_carry_its_number(section):
    named = set(re.findall(r"`(test_\w+)`", section))
    number = section[2:].partition(".")[0]

    assert named
    assert named <= carrying()[number]
