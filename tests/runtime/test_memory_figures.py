"""The figures that are promised, by the benches on what is committed with them."""

import pytest

from bench.continuity import OF_SOMEBODY, measured, written


@pytest.mark.row("EM-014")
def test_a_context_keeps_four_fifths_of_the_continuity_for_a_tenth_of_the_log():
    kept = measured(written("first"))

    assert kept["questions"] == kept["answered_by_log"] == 50
    assert kept["continuity"] >= 0.8
    assert kept["cost"] <= 0.1


@pytest.mark.row("EM-056")
def test_what_is_still_to_do_and_how_somebody_is_outlives_nine_tenths_of_the_log():
    kept = measured(written("first", OF_SOMEBODY))

    assert kept["questions"] == kept["answered_by_log"] > 30
    assert kept["continuity"] >= 0.85
    assert kept["cost"] <= 0.1
