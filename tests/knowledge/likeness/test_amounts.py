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
        ("port 8080, v1.2.3", [("8080", ""), ("1.2.3", "")]),
        ("gpt-4 on db1", []),
    ],
)
def test_a_quantity_is_told_in_one_unit(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 192.0.2.1:80", [("192.0.2.1", "ipv4 address"), ("80", "")]),
        ("192.0.2.0/24.", [("192.0.2.0", "ipv4 address"), ("24", "")]),
        ("at 2001:DB8::1", [("2001:db8::1", "ipv6 address")]),
        ("00:1A:2b:3c:4d:5e", [("00:1a:2b:3c:4d:5e", "hardware address")]),
        ("at 10:30:45", [("10:30", "clock")]),
        ("v1.2.3.4.5", [("1.2.3.4.5", "")]),
    ],
)
def test_an_address_is_whole_and_of_its_kind(text, expected):
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
