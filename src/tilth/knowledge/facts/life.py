"""
The life of a fact: six axes, each with a column of its own (DESIGN §3).

A life is the state of a fact for a while. Every change ends one life and begins the next, so that
the state known at any moment can be read. The functions here are the only possible changes, and
projections apply nothing else.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EventId, FactId
from tilth.core.instant import DAY_US, from_micros, to_micros, written_day
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope

_FIRST_US = to_micros(datetime.min.replace(tzinfo=UTC))


class Authority(StrEnum):
    """Whether a fact says what is, or what to do."""

    EVIDENCE = "evidence"
    INSTRUCTION = "instruction"


class Grade(StrEnum):
    """How far a fact may be relied on."""

    # A person typed, answered or confirmed it, or a tool proved it.
    KNOWN = "known"
    # Another session repeated it, or a tool proved the work on it.
    CORROBORATED = "corroborated"
    # Somebody said so.
    CANDIDATE = "candidate"


GRADED = "grade"
# The metadata key of the day by which a promise is due.
DUE = "due"
# The metadata key of habits, each session of which is one piece of evidence.
RECURS = "recurs"
# Metadata keys of facts that a language model worded: the model, and whether the words are from an
# agent, or from something that a person handed on, such as a pasted log.
BY_MODEL, OF_AGENT, HANDED_ON = "model", "of_agent", "handed_on"


# An instant, or its microseconds since 1970.
At = TypeVar("At", datetime, int)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """
    The state of a fact until something changes it.

    It holds from `valid_from` until before `valid_to`; None is an unknown end. `checked_at` is when
    it was recorded, or last confirmed by a human.
    """

    scope: Scope
    lifecycle: Lifecycle
    review: Review
    authority: Authority
    valid_from: datetime
    valid_to: datetime | None
    checked_at: datetime
    successor: FactId | None = None

    def fresh_from(self, recorded_at: datetime) -> datetime:
        """Return from when the age of a fact recorded at *recorded_at* counts."""
        return fresh_from(recorded_at, self.valid_from, self.checked_at)

    def holds_at(self, now: datetime) -> bool:
        """
        Say whether it holds at *now*.

        A fact that had begun when it was recorded has begun, even if the clock was set back since.
        """
        has_begun = self.valid_from <= max(now, self.checked_at)
        return has_begun and (self.valid_to is None or self.valid_to > now)


def fresh_from(recorded_at: At, valid_from: At, checked_at: At) -> At:
    """
    Return from when the age of a fact counts.

    That is the last confirmation by a human, or else its beginning: a fact recorded today of a year
    ago is a year old.
    """
    return checked_at if checked_at > recorded_at else min(valid_from, checked_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastLife:
    """
    One life of a fact: its first and last place in the ledger, and the event that began it.

    `why` is the reason given for that event, if asked for (`Facts.told_lives`).
    """

    fact_id: FactId
    since: int
    until: int | None
    began_at: datetime
    event_id: EventId
    event_kind: str
    by: Actor
    life: Life
    why: str = ""


def check_interval(valid_from: datetime | None, valid_to: datetime | None) -> None:
    """
    Check an interval (OB-058).

    Raises:
        InvalidInputError: it ends before it begins.
    """
    if valid_from is not None and valid_to is not None and valid_to < valid_from:
        raise _inverted(valid_from, valid_to)


def check_stated_interval(valid_from: datetime | None, valid_to: datetime | None) -> None:
    """
    Check the interval of a statement, which must hold at some moment.

    Recorded facts may end as they begin, if they were taken back in the same instant.

    Raises:
        InvalidInputError: it ends no later than it begins.
    """
    if valid_from is not None and valid_to is not None and valid_to <= valid_from:
        raise _inverted(valid_from, valid_to)


def ended_by(now: datetime, valid_to: datetime | None) -> datetime | None:
    """
    Return the end of something that no longer holds; None is now.

    A day that is not over ends now.

    Raises:
        InvalidInputError: it ends later, and holds until then.
    """
    if valid_to is None or valid_to <= now:
        return valid_to
    is_day = not to_micros(valid_to) % DAY_US
    if is_day and valid_to - now <= timedelta(days=1):
        return None
    raise InvalidInputError(
        f"it would end at {valid_to.isoformat()}, and holds until then",
        hint="end it when it is over",
    )


def _inverted(valid_from: datetime, valid_to: datetime) -> InvalidInputError:
    ends, last = to_micros(valid_to), f"at {valid_to.isoformat()}"
    if ends > _FIRST_US and not ends % DAY_US:
        # A day ends with the first moment of the next; the message names the day as written.
        last = f"with {written_day(from_micros(ends - 1))}"
    return InvalidInputError(
        f"it cannot end {last}, before it begins", hint=f"it begins at {valid_from.isoformat()}"
    )


def superseded(life: Life, by: FactId, at: datetime) -> Life:
    """End *life* where its successor begins, or at its own earlier end."""
    return replace(life, lifecycle=Lifecycle.SUPERSEDED, valid_to=_end(life, at), successor=by)


def confirmed(life: Life, *, since: datetime, at: datetime) -> Life:
    """
    Make *life* current from *since* on, confirmed by a human at *at*.

    A draft whose end is past by *at* held then, and is not current now.
    """
    is_draft = life.lifecycle is Lifecycle.DRAFT
    if is_draft and life.valid_to is not None and life.valid_to <= max(since, at):
        return replace(life, lifecycle=Lifecycle.HISTORICAL, review=Review.CONFIRMED, checked_at=at)
    return replace(
        life,
        lifecycle=Lifecycle.CURRENT,
        review=Review.CONFIRMED,
        valid_from=since,
        valid_to=life.valid_to if is_draft else None,
        checked_at=at,
        successor=None,
    )


def affirmed(life: Life, *, since: datetime | None, at: datetime) -> Life:
    """Confirm *life*; a current one keeps its beginning, unless *since* gives one."""
    if since is None and life.lifecycle is Lifecycle.CURRENT:
        return replace(life, review=Review.CONFIRMED, checked_at=at)
    return confirmed(life, since=since or at, at=at)


def retired(life: Life, at: datetime) -> Life:
    """End *life* without a successor; *at* may be in the past."""
    return replace(life, lifecycle=Lifecycle.HISTORICAL, valid_to=_end(life, at))


def archived(life: Life) -> Life:
    """Archive *life*; nothing else changes."""
    return replace(life, lifecycle=Lifecycle.ARCHIVED)


def rejected(life: Life) -> Life:
    """Reject *life*."""
    lifecycle = Lifecycle.ARCHIVED if life.lifecycle is Lifecycle.CURRENT else life.lifecycle
    return replace(life, review=Review.REJECTED, lifecycle=lifecycle)


def disputed(life: Life) -> Life:
    """Mark *life* as disputed; it goes on, and is shown with the other side."""
    return replace(life, review=Review.DISPUTED)


def stale(life: Life) -> Life:
    """Remove the confirmation of *life*; a draft is kept as evidence."""
    if life.lifecycle is Lifecycle.DRAFT:
        return as_evidence(life)
    return replace(life, checked_at=min(life.checked_at, life.valid_from))


def as_evidence(life: Life) -> Life:
    """Keep *life* as something that was said, not as what is so."""
    return replace(life, lifecycle=Lifecycle.HISTORICAL, authority=Authority.EVIDENCE)


def restricted(life: Life, scope: Scope, *, since: datetime, at: datetime) -> Life:
    """Restrict *life* to *scope*, where a draft becomes current, since a human says so."""
    narrow = replace(life, scope=scope)
    return confirmed(narrow, since=since, at=at) if life.lifecycle is Lifecycle.DRAFT else narrow


def _end(life: Life, at: datetime) -> datetime:
    """Return the earlier of two ends; a life that had not begun never held."""
    return max(life.valid_from, at if life.valid_to is None else min(life.valid_to, at))
