"""What an agent reports under headings, item by item."""

import pytest

from tests.unit.extraction.turns import a_turn
from tilth.domain.episode import Role
from tilth.extraction.spoken.reports import reports

REPORT = """I went through the importer.

## Done
- The importer reads 40 files at once now.
- Add a test for the empty file

**Not done**
* The Windows installer is still unsigned.

### Lessons for next time
The staging database has half of the rows, so its timings say little of Production.

### Suggestions
1. One could drop Python 3.9.
"""


def read(text, **about):
    return [(str(one.kind), one.said.text) for one in reports(a_turn(text, **about))]


def test_a_heading_says_of_what_kind_its_items_are():
    assert read(REPORT, role=Role.ASSISTANT) == [
        ("milestone", "The importer reads 40 files at once now."),
        ("gap", "The Windows installer is still unsigned."),
        (
            "fact",
            "The staging database has half of the rows, so its timings say little of Production.",
        ),
    ]


def test_an_item_is_quoted_word_for_word():
    for found in reports(a_turn(REPORT, role=Role.ASSISTANT)):
        assert found.quote in REPORT


@pytest.mark.parametrize(
    "text",
    [
        "## Plan\n- The importer reads 40 files at once.",
        "- The importer reads 40 files at once.",
        "## Done\n- `src/importer.py` - reads the files\n- Everything",
        "## Done\n```\n- The importer reads 40 files at once.\n```",
    ],
)
def test_what_no_heading_vouches_for_is_no_report(text):
    assert read(text, role=Role.ASSISTANT) == []


def test_a_person_reports_in_prose():
    assert read(REPORT) == []
