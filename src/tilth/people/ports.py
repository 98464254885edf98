"""Who is reached where, how they are, and what passed between us."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tilth.core.ids import EntityId
from tilth.core.scope import Owner, Visibility
from tilth.episodes.episode import Episode
from tilth.knowledge.entities.identity import Address, Identity, Tally
from tilth.people.profile import Trait


class PeopleReader(Protocol):
    """Identities, profiles and interactions; what was merged into an entity counts as it."""

    def holder(self, owner: Owner, address: Address) -> Identity | None:
        """Return whose an address is, wherever that entity may be seen; None if nobody's."""
        ...

    def identity(self, address: Address, within: Visibility) -> Identity | None:
        """Return whose an address is among what may be seen."""
        ...

    def identities(self, entity_id: EntityId, within: Visibility) -> list[Identity]:
        """Return the addresses of an entity, the one that was linked first at the beginning."""
        ...

    def sharing(self, key: str, within: Visibility) -> list[Identity]:
        """Return the identities with an address of this key, on any transport."""
        ...

    def like(self, words: str, within: Visibility, *, limit: int) -> list[Identity]:
        """
        Return the identities with *words* in the address, or in what the bearer is called there.

        Case and spaces do not count, and no sign stands for another.
        """
        ...

    def interactions(
        self, entity_id: EntityId, within: Visibility, *, transport: str | None = None, limit: int
    ) -> list[Episode]:
        """Return the last episodes with an entity, the newest at the end."""
        ...

    def tally(
        self, entity_id: EntityId, within: Visibility, *, transport: str | None = None
    ) -> Tally:
        """Return how many episodes there were with an entity."""
        ...

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Return how many there are: entities by type, identities by transport and confidence."""
        ...

    def profile(self, entity_id: EntityId, within: Visibility) -> list[Trait]:
        """Return what holds of an entity now, by key."""
        ...

    def history(
        self, entity_id: EntityId, within: Visibility, *, key: str | None = None
    ) -> Sequence[Trait]:
        """Return all that was ever told of an entity, or under one key, the oldest first."""
        ...
