"""What somebody says, as extractors are given it."""

from datetime import UTC, datetime

from tilth.core.actor import HOOKS
from tilth.core.ids import EpisodeId
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.episode import Episode, EpisodeDraft, EpisodeKind, Role
from tilth.learning.candidate import Turn

SAID_AT = datetime(2026, 11, 20, 9, tzinfo=UTC)


def an_episode(text, *, role=Role.USER, kind=EpisodeKind.MESSAGE, scope="project:tilth"):
    return Episode.recorded(
        EpisodeDraft(text=text, role=role, kind=kind, scope=scope, occurred_at=SAID_AT),
        id=EpisodeId("epi_1"),
        seq=1,
        owner=DEFAULT_OWNER,
        recorded_at=SAID_AT,
        by=HOOKS,
    )


def a_turn(text, *, before=None, **about):
    # An agent speaks to somebody.
    if before is None and about.get("role") is Role.ASSISTANT:
        before = "Go on."
    asked = None if before is None else an_episode(before)
    return Turn(an_episode(text, **about), asked)


def triples(extract, text, **about):
    """Return the triples that are found in a text, as plain tuples."""
    found = [one.said.triple for one in extract(a_turn(text, **about))]
    return [(one.subject, one.predicate, one.object) for one in found if one is not None]
