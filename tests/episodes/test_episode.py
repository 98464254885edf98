from datetime import UTC, datetime

import pytest

import tilth
from tilth.core.actor import HOOKS
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.ids import EpisodeId
from tilth.core.scope import Owner
from tilth.episodes.episode import (
    TEXT_CHARS_MAX,
    TRANSPORTS,
    Direction,
    Episode,
    EpisodeDraft,
    EpisodeKind,
    Role,
    check_transport,
    parse_draft,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.row("EM-066")
@pytest.mark.parametrize("text", ["", "  ", "undefined", "null", "None"])
def test_a_word_for_nothing_is_no_text(text):
    with pytest.raises(InvalidInputError):
        EpisodeDraft(text=text)


def test_a_text_is_bounded():
    with pytest.raises(LimitExceededError, match=str(TEXT_CHARS_MAX)):
        EpisodeDraft(text="x" * (TEXT_CHARS_MAX + 1))


@pytest.mark.row("EM-003")
@pytest.mark.parametrize(
    "saying",
    [
        {"role": "boss"},
        {"kind": "thought"},
        {"direction": "sideways"},
        {"scope": "everywhere"},
        {"session_id": "null"},
        {"metadata": {"x": float("nan")}},
        {"metadata": {"x": "\ud800"}},
        {"at": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"speaker": "\ud800"},
    ],
)
def test_what_no_field_allows_is_refused(saying):
    with pytest.raises(InvalidInputError):
        parse_draft("hello", saying)


@pytest.mark.row("EM-003")
@pytest.mark.parametrize(
    "said",
    [
        *({"text": None}, {"text": 5}, {"speaker": None}, {"session_id": 7}, {"session_id": ""}),
        *({"role": "boss"}, {"kind": "thought"}, {"direction": "sideways"}, {"scope": "here"}),
        *({"occurred_at": "2026-01-01"}, {"idempotency_key": 5}, {"idempotency_key": "\ud800"}),
    ],
)
def test_a_draft_of_a_program_is_read_whatever_its_types_say(said, tmp_path):
    with tilth.connect(tmp_path / "t.db", create=True) as brain:
        with pytest.raises(InvalidInputError):
            brain.remember_many([EpisodeDraft(**{"text": "hello"} | said)])
        in_words = EpisodeDraft(text="hi", role="assistant", kind="note", direction="outbound")
        told = brain.fetch(brain.remember_many([in_words]))[0]

        assert (told.role, told.kind) == (Role.ASSISTANT, EpisodeKind.NOTE)
        assert brain.verify().findings == ()


def test_an_empty_key_is_none_so_that_nothing_said_twice_is_lost(tmp_path):
    with tilth.connect(tmp_path / "t.db", create=True) as brain:
        said = [brain.remember("yes", idempotency_key="") for _ in range(2)]

    assert len(set(said)) == 2


@pytest.mark.row("EM-004")
@pytest.mark.parametrize("transport", sorted(TRANSPORTS))
def test_every_transport_of_the_design_is_known(transport):
    check_transport(transport)


@pytest.mark.row("EM-004")
def test_a_transport_must_be_configured():
    check_transport("carrier-pigeon", TRANSPORTS | {"carrier-pigeon"})

    with pytest.raises(InvalidInputError, match="carrier-pigeon"):
        check_transport("carrier-pigeon")


@pytest.mark.parametrize(
    ("role", "direction"),
    [("user", "inbound"), ("assistant", "outbound"), ("tool", "system"), ("system", "system")],
)
def test_the_role_tells_the_direction(role, direction):
    assert EpisodeDraft(text="x", role=Role(role)).travels == Direction(direction)
    assert EpisodeDraft(text="x", role=Role(role), direction=Direction.INBOUND).travels == "inbound"


def test_an_episode_happened_when_it_was_recorded_unless_it_says_otherwise():
    def at(moment):
        return Episode.recorded(
            EpisodeDraft(text="x", occurred_at=moment),
            id=EpisodeId("epi_x"),
            seq=7,
            owner=Owner("ana"),
            recorded_at=NOON,
            by=HOOKS,
        ).occurred_at

    assert at(None) == NOON
    assert at(datetime(2026, 1, 1, tzinfo=UTC)) == datetime(2026, 1, 1, tzinfo=UTC)
