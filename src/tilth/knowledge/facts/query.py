"""Read a caller's words as a filter of facts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypedDict

from tilth.core.actor import ActorKind
from tilth.core.ids import EntityId, EpisodeId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.core.verb import Arg
from tilth.knowledge.entities.resolve_name import resolve_entity_id
from tilth.knowledge.facts.fact import parse_channel
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.statement import component_among
from tilth.knowledge.vocabulary.registries import Channel
from tilth.ledger.store import Store


class FactQuery(TypedDict, total=False):
    """The fields by which a caller may filter facts; see `FactFilter`."""

    as_of: Annotated[datetime | None, Arg("facts that held at this instant")]
    known_at: Annotated[datetime | None, Arg("as it was known at this instant")]
    lifecycles: Annotated[
        frozenset[Lifecycle] | None,
        Arg("only facts in this state, not current ones; may be repeated", flags=("--lifecycle",)),
    ]
    reviews: Annotated[
        frozenset[Review] | None,
        Arg("only in this state of review; may be repeated", flags=("--review",)),
    ]
    since: Annotated[datetime | None, Arg("only facts that began at this instant or later")]
    by: Annotated[
        frozenset[ActorKind] | None,
        Arg("only facts by this author; may be repeated", flags=("--by",)),
    ]
    channel: Annotated[str | None, Arg("only of this channel", choices=tuple(Channel))]
    subject: Annotated[str | None, Arg("what the triple is about", metavar="NAME")]
    predicate: Annotated[str | None, Arg("how subject and object are joined", metavar="NAME")]
    object: Annotated[str | None, Arg("the value of the triple", metavar="NAME")]
    area: Annotated[str | None, Arg("the field, such as Network or Study", metavar="NAME")]
    environment: Annotated[str | None, Arg("such as home or office", metavar="NAME")]
    system: Annotated[str | None, Arg("the system", metavar="NAME")]
    component: Annotated[str | None, Arg("the component of the system", metavar="NAME")]
    tags: Annotated[Sequence[str], Arg("may be repeated", metavar="TAG", flags=("--tag",))]
    about: Annotated[
        str | None,
        Arg("only about this entity, by ID or name", id=EntityId.prefix, metavar="NAME"),
    ]
    episode_id: Annotated[
        str | None,
        Arg("only facts that rest on this episode", id=EpisodeId.prefix, flags=("--episode",)),
    ]


def parse_asking(store: Store, asking: FactQuery, within: Visibility) -> FactFilter:
    """
    Return the filter for a caller's fields; *store* resolves names of entities.

    Raises:
        InvalidInputError: a word is not allowed in its field.
        NotFoundError: no visible entity has the name.
        ConflictError: several have it.
    """
    channel, about = asking.get("channel"), asking.get("about")
    component, tags = component_among(asking.get("component") or "", asking.get("tags", ()))
    episode_id = asking.get("episode_id")
    return FactFilter(
        within=within,
        moment=Moment(asking.get("as_of"), asking.get("known_at")),
        began_from=asking.get("since"),
        by=asking.get("by"),
        lifecycles=asking.get("lifecycles"),
        reviews=asking.get("reviews"),
        channel=None if channel is None else parse_channel(channel),
        subject=asking.get("subject"),
        predicate=asking.get("predicate"),
        object=asking.get("object"),
        area=asking.get("area"),
        environment=asking.get("environment"),
        system=asking.get("system"),
        component=component or asking.get("component"),
        tags=tags,
        about=None if about is None else _meant(store, about, within),
        episode_id=None if episode_id is None else EpisodeId(episode_id),
    )


def _meant(store: Store, word: str, within: Visibility) -> EntityId:
    is_id = word.startswith(EntityId.prefix)
    return EntityId.parse(word) if is_id else resolve_entity_id(store, word, within)
