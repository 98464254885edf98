"""What is cut off is no statement."""

import pytest

from tilth.learning.text.wholeness import is_whole


@pytest.mark.parametrize(
    "text",
    [
        "The fix is to make it deterministic by",
        "Which means in practice",
        "Stage B is just the rollup.)",
        "The index lives in `scripts",
        "<@U0BMS113R> uploaded a file",
        "Answer: All 3.",
        "The matches don't show [Image #11]",
        "Progress matters...",
        "No matter how it is kept warm",
    ],
)
def test_what_is_cut_off_or_a_programs_is_not_whole(text):
    assert not is_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "Postgres it is",
        "Our stand-up is at 9:15 :)",
        'The shelf is 30" deep',
        "/var/lib/tilth holds the backups",
        "`minSpan` is 28 now (Java 9)",
        "Which port? 8081",
        "The index lives in `scripts/lib`",
    ],
)
def test_a_sentence_with_its_end_is_whole(text):
    assert is_whole(text)
