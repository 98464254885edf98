"""The lifecycle, review and freshness of a record."""

from datetime import timedelta
from enum import StrEnum

from tilth.core.actor import ActorKind


class Lifecycle(StrEnum):
    """The stage in the life of a record."""

    DRAFT = "draft"
    CURRENT = "current"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    ARCHIVED = "archived"
    ERASED = "erased"


class Review(StrEnum):
    """The review of a record by humans."""

    UNREVIEWED = "unreviewed"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    REJECTED = "rejected"


def lifecycle_of(appended_by: ActorKind) -> Lifecycle:
    """Return the lifecycle of a new episode: an import is historical until promoted."""
    return Lifecycle.HISTORICAL if appended_by is ActorKind.IMPORT else Lifecycle.CURRENT


def may_contradict(lifecycle: Lifecycle, review: Review) -> bool:
    """Say whether a fact may contradict another; a waiting draft may not."""
    return lifecycle is Lifecycle.CURRENT or review is Review.DISPUTED


class Freshness(StrEnum):
    """How far the age of a record calls for a check."""

    FRESH = "fresh"
    AGEING = "ageing"
    VERIFY = "verify"
    GUESS = "guess"


def freshness_of(age: timedelta) -> Freshness:
    """Return the label of an age: up to 7 days, from 90, from 400 (seed 002)."""
    if age >= timedelta(days=400):
        return Freshness.GUESS
    if age >= timedelta(days=90):
        return Freshness.VERIFY
    return Freshness.FRESH if age <= timedelta(days=7) else Freshness.AGEING
