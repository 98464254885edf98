"""Where something is in its life, what a human said of it, and whether its age invites doubt."""

from datetime import timedelta
from enum import StrEnum

from tilth.core.actor import ActorKind


class Lifecycle(StrEnum):
    """Where something is in its life."""

    DRAFT = "draft"
    CURRENT = "current"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    ARCHIVED = "archived"
    ERASED = "erased"


class Review(StrEnum):
    """What a human said of it."""

    UNREVIEWED = "unreviewed"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    REJECTED = "rejected"


def lifecycle_of(appended_by: ActorKind) -> Lifecycle:
    """Return the label of an episode: what an import brought is historical until promoted."""
    return Lifecycle.HISTORICAL if appended_by is ActorKind.IMPORT else Lifecycle.CURRENT


def is_side(lifecycle: Lifecycle, review: Review) -> bool:
    """Say whether a fact can be held against another: a draft that merely waits is not."""
    return lifecycle is Lifecycle.CURRENT or review is Review.DISPUTED


class Freshness(StrEnum):
    """How far the age of something invites to check it."""

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
