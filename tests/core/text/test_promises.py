"""What later words report of a promise, and which do not."""

import pytest

from tilth.core.text.promises import is_done_by, is_reported


@pytest.mark.parametrize(
    ("promised", "told", "is_it"),
    [
        ("I will send you the export by Thursday.", "The export arrived, thank you.", True),
        ("I will send you the export by Thursday.", "Here is the export.", True),
        ("I will send you the export by Thursday.", "The export has not arrived.", False),
        ("I will send you the export by Thursday.", "Has the export arrived?", False),
        ("I will send you the export by Thursday.", "The invoice arrived.", False),
        ("I'll check whether the totals agree.", "I checked the totals.", True),
        ("I'll check whether the totals agree.", "I'll check the totals tomorrow.", False),
        ("I'll restart the server.", "The server was restarted.", True),
        ("I'll restart the server.", "The server burned down.", False),
        ("We'll move the tests to pytest later.", "Please move the tests to pytest.", False),
    ],
)
def test_a_sentence_reports_a_promise_as_done_or_not(promised, told, is_it):
    assert is_reported(promised, told) is is_it


def test_a_commit_does_what_was_put_off_if_its_title_says_most_of_it():
    put_off = "The retry of failed uploads is left for later."
    assert is_done_by(put_off, "fix: retry failed uploads")
    assert not is_done_by(put_off, "fix: failed tests")
