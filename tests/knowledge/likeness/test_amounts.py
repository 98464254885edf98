"""Numbers and parts of times, in the form in which they compare."""

import pytest

from tilth.knowledge.likeness.amounts import read_amounts


def read(text):
    return [(amount.value, amount.part) for amount in read_amounts(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 days", [("1209600", "s")]),
        ("two weeks", [("1209600", "s")]),
        ("500ms and 0.5 s", [("0.5", "s"), ("0.5", "s")]),
        ("32 GB, 30%", [("32000000000", "byte"), ("30", "%")]),
        ("$1,200 for three seats", [("1200", "$"), ("3", "")]),
        ("one of them", []),
        ("port 8080, v1.2.3, 10.0.0.5", [("8080", ""), ("1.2.3", ""), ("10.0.0.5", "")]),
        ("gpt-4 on db1", []),
    ],
)
def test_a_quantity_is_told_in_one_unit(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2023-03-14", [("2023", "year"), ("3", "month"), ("14", "day")]),
        ("on 14 March 2023", [("14", "day"), ("3", "month"), ("2023", "year")]),
        ("on March 14th, 2023", [("3", "month"), ("14", "day"), ("2023", "year")]),
        ("in Sept 2021", [("9", "month"), ("2021", "year")]),
        ("since 2018, port 2049", [("2018", "year"), ("2049", "")]),
        ("on Sundays at 2:30 pm", [("sunday", "weekday"), ("14:30", "clock")]),
        ("at 02:00, 12am", [("2:00", "clock"), ("0:00", "clock")]),
        ("may march on", []),
    ],
)
def test_a_time_is_told_by_its_parts(text, expected):
    assert read(text) == expected
