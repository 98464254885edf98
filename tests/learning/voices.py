"""What people and agents say to one another, and what the extractor of speech makes of it."""

from dataclasses import replace
from datetime import UTC, datetime

from tests.learning.turns import an_episode
from tilth.episodes.episode import Role
from tilth.learning.candidate import Turn
from tilth.learning.spoken.plain_statements import speech

# A Wednesday.
SAID_AT = datetime(2026, 3, 11, 10, tzinfo=UTC)


def a_saying(text, *, role=Role.USER, speaker=""):
    return replace(an_episode(text, role=role), speaker=speaker, occurred_at=SAID_AT)


def a_turn(text, *, after="", role=Role.USER, speaker=""):
    other = Role.ASSISTANT if role is Role.USER else Role.USER
    before = a_saying(after, role=other) if after else None
    return Turn(a_saying(text, role=role, speaker=speaker), before)


def read(text, **about):
    """Return all that is read from what somebody says."""
    return list(speech(a_turn(text, **about)))


def the_one(text, **about):
    """Return the only thing that is read from what somebody says."""
    (found,) = read(text, **about)
    return found
