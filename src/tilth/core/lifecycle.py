"""Two of the six axes of what is recorded: where it is in its life, and what a human said of it."""

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
