"""
Playbooks: what several sessions did, in the same way, and came through with.

A playbook is drafted from what tools did and stays a candidate until a human confirms it.
It counts sessions: those that it was drafted from, and those that did the same later.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from math import sqrt
from typing import Annotated

from tilth.core.actor import Actor
from tilth.core.codec import Row
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.ids import EpisodeId, EventId, Id, Place, SessionId
from tilth.core.json import canonical
from tilth.core.scope import Owner, Scope

# The normal quantile of a one-sided 90 % bound.
_Z = 1.2816


class PlaybookId(
    Id,
    prefix="plb_",
    noun="a playbook",
    plural="playbooks",
    place=Place("playbooks", "playbook_no"),
):
    """The identifier of a playbook."""


class PlaybookState(StrEnum):
    """What became of a playbook."""

    CANDIDATE = "candidate"
    CONFIRMED = "confirmed"
    VETOED = "vetoed"
    RETIRED = "retired"
    ARCHIVED = "archived"


# Who drafted what a person wrote.
BY_HAND = "hand"
# What may still be followed: nobody refused it, and it did not go.
LIVE = frozenset({PlaybookState.CANDIDATE, PlaybookState.CONFIRMED})


class SessionEnd(StrEnum):
    """How a session ended that did what a playbook says."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"


def failed_last(ended: Sequence[SessionEnd]) -> int:
    """Return how many sessions failed one after the other at the end, as far as is known."""
    known = [one for one in ended if one is not SessionEnd.UNKNOWN]
    return next(
        (place for place, one in enumerate(reversed(known)) if one is SessionEnd.OK), len(known)
    )


class Told(StrEnum):
    """Who says so: the record of what tools did, or somebody."""

    OBSERVED = "observed"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Cited:
    """A span of an episode that shows something; no word of it is kept a second time."""

    episode_id: EpisodeId
    start: int
    end: int

    def words(self, text: str) -> str:
        """Return the words of the span in the *text* of its episode."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Heard:
    """Words of an episode that a pitfall repeats."""

    episode_id: EpisodeId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookDraft:
    """
    How a class of work is done.

    Attributes:
        key: What the work comes down to: the key of the command that it ends with.
        title: What it is, in a few words.
        applies_when: When it is of use.
        steps: What is done, in order.
        pitfalls: What went wrong on the way, and what helped.
        uses: The commands of its steps.
        evidence: Spans of the sessions that it was drafted from.
        heard: The words of sessions that its pitfalls repeat.
        sessions: Those sessions.
        failures: Sessions that tried the same and failed, before it was drafted.
        signature: The digest of what it was drafted from, without who did it and when.
        drafter: `rules`, or the language model that put it into words.
        not_worded: Why the words of a language model were left, if one was asked.
        follows: The vetoed playbook that new evidence brings up once more.
        lifted_from: The playbooks of several projects that it stands for.
        revises: The playbook whose place it takes once it is confirmed.
        why: What speaks for the revision.
    """

    key: str
    title: str
    applies_when: str
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    evidence: tuple[Annotated[Cited, Row()], ...] = ()
    heard: tuple[Annotated[Heard, Row()], ...] = ()
    sessions: tuple[SessionId, ...] = ()
    failures: int = 0
    minutes: int = 0
    scope: Scope
    signature: str
    drafter: str = "rules"
    not_worded: str = ""
    follows: PlaybookId | None = None
    lifted_from: tuple[PlaybookId, ...] = ()
    revises: PlaybookId | None = None
    why: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says, part by part."""
        return (self.title, self.applies_when, *self.steps, *self.pitfalls)

    @property
    def grounds(self) -> tuple[Cited | Heard, ...]:
        """The episodes that it rests on."""
        return (*self.evidence, *self.heard)

    @property
    def words(self) -> tuple[str, ...]:
        """The words in it that may be somebody's own."""
        own = self.texts if self.drafter == BY_HAND else ()
        return (*own, self.why, self.not_worded, *self.uses, *(one.text for one in self.heard))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """
    How a playbook did: sessions, each counted once.

    `applied` counts those after it was drafted, `seeds` those that it was drafted from and
    `misses` those that had failed at the same before. `unseen` are outcomes that were reported
    and that no tool shows: they count, but neither promote nor retire. `failed_last` are those
    that tools show to have failed one after the other since it was last confirmed or brought
    back: whoever did that knew of the others. `success_least` is the rate of
    success that is at least to be expected of what tools show: the lower bound of Wilson's
    score interval (Wilson, JASA 22, 1927), one-sided at 90 %.
    """

    seeds: int
    misses: int = 0
    applied: int = field(init=False)
    ok: int = 0
    failed: int = 0
    unknown: int = 0
    unseen: int = 0
    failed_last: int = 0
    success_least: float = field(init=False)
    used_at: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "applied", self.ok + self.failed + self.unknown)
        count = self.proven + self.failed + self.misses
        object.__setattr__(self, "success_least", wilson(self.proven, count))

    @property
    def proven(self) -> int:
        """How many sessions came through, by what tools show."""
        return self.seeds + self.ok - self.unseen

    @property
    def missed(self) -> int:
        """How many sessions failed at it, before and after it was drafted."""
        return self.failed + self.misses


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """
    A playbook as it is now; a human confirms it by the `digest` of its words.

    `moved_in` is the operation that gave it its state, by which that is undone.
    """

    id: PlaybookId
    seq: int
    owner: Owner
    draft: PlaybookDraft
    state: PlaybookState
    evidence: Evidence
    recorded_at: datetime
    revised_at: datetime
    moved_at: datetime
    moved_by: Actor
    moved_in: EventId
    digest: str
    note: str = ""

    @property
    def is_waiting_revision(self) -> bool:
        """Whether it would take the place of another one, and nobody has decided that yet."""
        return self.state is PlaybookState.CANDIDATE and self.draft.revises is not None


def words_digest(draft: PlaybookDraft) -> str:
    """Return the digest of what a playbook says."""
    said = [draft.title, draft.applies_when, [*draft.steps], [*draft.pitfalls]]
    return hashlib.sha256(canonical(said).encode()).hexdigest()[:16]


def wilson(passed: int, count: int) -> float:
    """Return the lower bound of the rate of which *passed* of *count* are a sample."""
    if count == 0:
        return 0.0
    rate, square = passed / count, _Z * _Z
    middle = rate + square / (2 * count)
    margin = _Z * sqrt((rate * (1 - rate) + square / (4 * count)) / count)
    return max((middle - margin) / (1 + square / count), 0.0)


_NEXT = {
    PlaybookState.CANDIDATE: frozenset(
        {PlaybookState.CONFIRMED, PlaybookState.VETOED, PlaybookState.ARCHIVED}
    ),
    PlaybookState.CONFIRMED: frozenset(
        {PlaybookState.VETOED, PlaybookState.RETIRED, PlaybookState.ARCHIVED}
    ),
    PlaybookState.VETOED: frozenset({PlaybookState.CANDIDATE}),
    PlaybookState.RETIRED: frozenset({PlaybookState.CONFIRMED, PlaybookState.VETOED}),
    PlaybookState.ARCHIVED: frozenset(
        {PlaybookState.CANDIDATE, PlaybookState.CONFIRMED, PlaybookState.VETOED}
    ),
}


def check_move(playbook: Playbook, state: PlaybookState) -> None:
    """
    Refuse what cannot become of a playbook.

    Raises:
        ConflictError: it is that already, or cannot become it from what it is.
    """
    if state not in _NEXT[playbook.state]:
        raise ConflictError(
            f"{playbook.id} is {playbook.state} already"
            if playbook.state is state
            else f"{playbook.id} is {playbook.state}, and cannot become {state}",
            hint=f"see: tilth playbook show {playbook.id}",
        )


# The end of work on a change that nothing is done with but to check it.
CHECK = "check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A command of an experience: its key, its wording, its kind, and where it was run."""

    key: str
    line: str
    kind: str
    call_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """
    One session's way to one end: the commands that came through before it, and how it ended.

    `key` says which end: that of its last command, or `CHECK` for a change that was checked.
    """

    key: str
    root: SessionId
    scope: Scope
    goal: Step
    steps: tuple[Step, ...]
    ended: SessionEnd
    at: datetime
    minutes: int
    outcome_no: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """The experiences of one scope that come down to the same command."""

    key: str
    scope: Scope
    goal: Step
    steps: tuple[Step, ...]
    passed: Sequence[Experience]
    failed: Sequence[Experience]
    minutes: int
    pitfalls: tuple[str, ...] = field(default=())

    @property
    def score(self) -> int:
        """What knowing it saves: how often it came up, times how long it took."""
        return len(self.passed) * self.minutes

    @property
    def signature(self) -> str:
        """The digest of what a draft is made of."""
        told = [self.key, [[one.key, one.line] for one in self.steps], [*self.pitfalls]]
        return hashlib.sha256(canonical(told).encode()).hexdigest()[:16]
