"""The figures that are promised, by the benches on what is committed with them."""

import pytest

from bench.continuity import ANYTHING, SOMEBODY, measured, written


@pytest.mark.row("EM-014", "EM-056")
def test_a_context_keeps_what_counts_and_what_is_still_to_do_for_a_tenth_of_the_log():
    kept = measured(written("first"))

    anything, somebody = kept[ANYTHING], kept[SOMEBODY]
    assert anything["questions"] == anything["answered_by_log"] == 50
    assert anything["continuity"] >= 0.8
    assert somebody["questions"] == somebody["answered_by_log"] > 30
    assert somebody["continuity"] >= 0.85
    assert anything["cost"] == somebody["cost"] <= 0.1
