"""Gaps: whatever is said, what shows one stands there, and comparing is fair."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.actor import HOOKS
from tilth.core.ids import EpisodeId
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.episode import Episode, EpisodeDraft, Role
from tilth.gaps.gap_detection import detect_gaps
from tilth.gaps.gap_matching import Likeness, compare, read_want
from tilth.gaps.model import DESCRIPTION_CHARS_MAX

ASKED = st.sampled_from(
    ["Can you ", "I wish you could ", "is there a way to ", "why can't I ", "please ", "> ", "\n"]
)
TEXTS = st.lists(st.one_of(ASKED, st.text(max_size=20)), min_size=1, max_size=6).map("".join)


def an_episode(number, role, text):
    return Episode.recorded(
        EpisodeDraft(text=f".{text}", role=role),
        id=EpisodeId(f"epi_{number:026}"),
        seq=number + 1,
        owner=DEFAULT_OWNER,
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        by=HOOKS,
    )


def encodable(text):
    return text.encode("utf-8", "replace").decode()


@pytest.mark.row("EM-048")
@given(st.lists(st.tuples(st.sampled_from(Role), TEXTS), max_size=6))
def test_what_shows_a_gap_stands_in_its_episode(said):
    thread = [an_episode(n, role, encodable(text)) for n, (role, text) in enumerate(said)]
    by_id = {one.id: one for one in thread}

    for lack in detect_gaps(thread):
        quote = by_id[lack.episode_id].text[lack.start : lack.end]
        assert quote.strip()
        assert lack.description.strip()
        assert len(lack.description) <= DESCRIPTION_CHARS_MAX
        assert by_id[lack.episode_id].role is Role.USER


@pytest.mark.row("EM-053")
@given(TEXTS, TEXTS, st.floats(-1, 1))
def test_two_wants_are_compared_alike_from_either_side(one, other, cosine):
    here, there = read_want(one), read_want(other)

    assert compare(here, there, cosine) is compare(there, here, cosine)
    assert compare(here, here, 1.0) is (Likeness.SAME if here.things else Likeness.OTHER)
