"""Typed dataclasses as JSON, and back."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

import pytest

from tilth.core.codec import (
    Absent,
    Always,
    FromHeader,
    Inline,
    Key,
    Own,
    Row,
    Unwritten,
    Whole,
    codec_of,
)
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.json import JsonObject

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Span:
    episode_id: EpisodeId
    start: int = 0
    end: int = 0
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    width: int = 1
    height: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    text: str
    colour: Colour = Colour.RED
    session_id: FromHeader[SessionId | None] = None
    at: Annotated[datetime | None, Key("happened_at")] = None
    tags: tuple[str, ...] = ()
    spans: tuple[Annotated[Span, Row(keeps=2)], ...] = ()
    pairs: tuple[tuple[Colour, str], ...] = ()
    size: Whole[Size] = field(default_factory=lambda: Size(width=0))
    metadata: JsonObject = field(default_factory=dict)
    name: str | None = None
    secret: Unwritten[str] = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    draft: Inline[Draft]
    reason: Annotated[str, Absent("")]
    version: Always[int] = 1


def through(value, session=None):
    """Return a value after it was written and read, and its payload."""
    codec = codec_of(type(value))
    payload = codec.write(value)
    return codec.read(dict(payload), session), payload


def test_defaults_are_left_out_and_read_back():
    value = Recorded(Draft(text="x"), "")

    again, payload = through(value)

    assert payload == {"text": "x", "version": 1}
    assert again == value


def test_every_type_comes_back_as_it_went():
    value = Recorded(
        Draft(
            text="",
            colour=Colour.BLUE,
            at=NOON,
            tags=("a",),
            spans=(Span(EpisodeId("e")), Span(EpisodeId("e"), 1, 2, is_whole=True)),
            pairs=((Colour.BLUE, "sky"),),
            size=Size(),
            metadata={"a": [1]},
            name="n",
        ),
        "because",
    )

    again, payload = through(value)

    assert again == value
    assert payload == {
        "text": "",
        "colour": "blue",
        "happened_at": 1795176000000000,
        "tags": ("a",),
        "spans": [["e", 0], ["e", 1, 2, 1]],
        "pairs": ((Colour.BLUE, "sky"),),
        "size": {"width": 1, "height": 1},
        "metadata": {"a": [1]},
        "name": "n",
        "reason": "because",
        "version": 1,
    }


def test_what_the_header_has_is_in_no_payload():
    value = Recorded(Draft(text="x", session_id=SessionId("s1"), secret="hush"), "")

    again, payload = through(value, SessionId("s1"))

    assert payload == {"text": "x", "version": 1}
    assert again.draft.session_id == codec_of(Recorded).session(value) == "s1"
    assert again.draft.secret == ""


def test_what_nobody_knows_is_passed_over():
    payload = {"text": "x", "version": 1, "colour_of_the_future": "octarine"}

    assert codec_of(Recorded).read(payload, None) == Recorded(Draft(text="x"), "")


@pytest.mark.parametrize(
    "payload",
    [
        {},
        [],
        {"text": "x", "colour": "octarine"},
        {"text": "x", "colour": []},
        {"text": "x", "happened_at": "noon"},
        {"text": "x", "version": "one"},
        {"text": "x", "spans": [["e"]]},
        {"text": "x", "spans": [["e", 0, 1, 1, 1]]},
        {"text": "x", "pairs": [["red"]]},
        {"text": "x", "size": 3},
    ],
)
def test_what_no_writer_of_ours_wrote_cannot_be_read(payload):
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        codec_of(Recorded).read(payload, None)


def test_a_session_that_must_be_there_is_missed():
    @dataclass(frozen=True)
    class Described:
        session_id: FromHeader[SessionId]

    with pytest.raises(ValueError, match="no session in the header"):
        codec_of(Described).read({}, None)


def test_a_field_may_have_both_ways_of_its_own():
    @dataclass(frozen=True)
    class Both:
        pair: Annotated[
            tuple[str, str] | None,
            Own(
                lambda pair: {} if pair is None else {"left": pair[0], "right": pair[1]},
                lambda told: (told["left"], told["right"]) if "left" in told else None,
            ),
        ] = None

    assert through(Both(("a", "b"))) == (Both(("a", "b")), {"left": "a", "right": "b"})
    assert through(Both()) == (Both(), {})


def test_what_has_no_form_is_refused_with_its_name():
    @dataclass(frozen=True)
    class Odd:
        what: Any

    @dataclass(frozen=True)
    class Twice:
        one: Annotated[str, Key("two")]
        two: str

    with pytest.raises(TypeError, match=r"Odd\.what"):
        codec_of(Odd)
    with pytest.raises(TypeError, match="two fields under the key 'two'"):
        codec_of(Twice)
