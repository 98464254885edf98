from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.event_strategies import strategy_of
from tilth.core.errors import CorruptionError
from tilth.core.event import decode, encode, events_by_kind
from tilth.episodes.episode import EpisodeDraft, Role
from tilth.episodes.events import EpisodeRecorded

KINDS = events_by_kind()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_happened_comes_back_whole(kind, data):
    event = data.draw(strategy_of(KINDS[kind]))

    assert decode(event.kind, encode(event), event.session) == event


@pytest.mark.row("I9")
def test_a_payload_is_the_one_that_was_written_before():
    draft = EpisodeDraft(
        text="naïve\n",
        role=Role.ASSISTANT,
        session_id="s1",
        occurred_at=datetime(2026, 11, 20, 12, 0, 0, 7, tzinfo=UTC),
        metadata={"b": [1], "a": None},
    )

    assert encode(EpisodeRecorded(draft)) == (
        '{"at":1795176000000007,"metadata":{"a":null,"b":[1]},"role":"assistant","text":"naïve\\n"}'
    )


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("episode_forgotten", "{}"),
        ("episode_recorded", "{}"),
        ("episode_recorded", "[]"),
        ("episode_recorded", '{"text":1}'),
        ("episode_recorded", '{"text":"x","role":"boss"}'),
        ("episode_recorded", '{"text":"x"'),
        ("session_described", "{}"),
    ],
)
def test_a_payload_that_cannot_be_read_is_our_fault(kind, payload):
    with pytest.raises(CorruptionError):
        decode(kind, payload, None)
