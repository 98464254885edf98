from datetime import UTC, datetime
from pathlib import Path

import pytest

from tilth.core.actor import ActorKind
from tilth.episodes.session import SessionInfo
from tilth.interfaces.to_json import to_json


def test_a_dataclass_becomes_an_object_with_the_same_names():
    assert to_json(SessionInfo(title="tides", tags=("sea",))) == {
        "title": "tides",
        "host": "",
        "folder": "",
        "uri": "",
        "tags": ["sea"],
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2026, 11, 20, 14, 3, tzinfo=UTC), "2026-11-20T14:03:00+00:00"),
        (ActorKind.HUMAN, "human"),
        (Path("a/b"), "a/b"),
        (frozenset({"b", "a"}), ["a", "b"]),
        ({1: (True, None, 2.5)}, {"1": [True, None, 2.5]}),
    ],
)
def test_values_become_what_json_holds(value, expected):
    assert to_json(value) == expected


def test_what_json_cannot_hold_is_a_bug():
    with pytest.raises(TypeError):
        to_json(object())
