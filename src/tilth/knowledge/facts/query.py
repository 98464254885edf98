"""Which facts are asked for, in plain words."""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypedDict, TypeVar

from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId, parse_entity_id
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import parse_channel
from tilth.knowledge.facts.filters import FactFilter, Moment


class Asking(TypedDict, total=False):
    """What a caller may narrow facts by; see `tilth.knowledge.facts.filters.FactFilter`."""

    as_of: datetime | None
    known_at: datetime | None
    lifecycles: Collection[str] | None
    reviews: Collection[str] | None
    channel: str | None
    subject: str | None
    predicate: str | None
    object: str | None
    area: str | None
    environment: str | None
    system: str | None
    component: str | None
    tags: Sequence[str]
    about: str | None
    episode_id: str | None


def parse_asking(asking: Asking, within: Visibility) -> FactFilter:
    """
    Read a caller's words as a filter.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    if unknown := sorted(asking.keys() - Asking.__annotations__.keys()):
        raise InvalidInputError(
            f"facts are not narrowed by {', '.join(unknown)}",
            hint=f"by {', '.join(sorted(Asking.__annotations__))}",
        )
    channel, about = asking.get("channel"), asking.get("about")
    episode_id = asking.get("episode_id")
    return FactFilter(
        within=within,
        moment=Moment(asking.get("as_of"), asking.get("known_at")),
        lifecycles=members(Lifecycle, asking.get("lifecycles")),
        reviews=members(Review, asking.get("reviews")),
        channel=None if channel is None else parse_channel(channel),
        subject=asking.get("subject"),
        predicate=asking.get("predicate"),
        object=asking.get("object"),
        area=asking.get("area"),
        environment=asking.get("environment"),
        system=asking.get("system"),
        component=asking.get("component"),
        tags=tuple(asking.get("tags", ())),
        about=None if about is None else parse_entity_id(about),
        episode_id=None if episode_id is None else EpisodeId(episode_id),
    )


_Member = TypeVar("_Member", bound=StrEnum)


def members(words: type[_Member], told: Collection[str] | None) -> frozenset[_Member] | None:
    """
    Read words as members of an enumeration; None stays None.

    Raises:
        InvalidInputError: a word is not one of them.
    """
    if told is None:
        return None
    try:
        return frozenset(words(word) for word in told)
    except ValueError as error:
        raise InvalidInputError(f"{error}", hint=f"use one of {', '.join(words)}") from error
