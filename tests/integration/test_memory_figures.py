"""The figures that are promised, measured by the benches on what is committed with them."""

from bench.continuity import measured, written


def test_em_014_a_context_keeps_four_fifths_of_the_continuity_for_a_tenth_of_the_log():
    kept = measured(written("dev"))

    assert kept["questions"] == kept["answered_by_log"] == 50
    assert kept["continuity"] >= 0.8
    assert kept["cost"] <= 0.1
