"""The events of entities, their names and their addresses."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import EdgeId, EntityId
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.identity import Address, IdentityDraft
from tilth.knowledge.vocabulary.registries import EntityType


@event("entity_recorded", makes=EntityId, goes_with=())
class EntityRecorded(Event):
    """An entity was recorded."""

    draft: Inline[EntityDraft]

    def headline(self) -> Headline:
        """Return the headline: its name."""
        return Headline("entity", self.draft.name)


@event(
    "alias_added",
    kw_only=True,
    makes="aliases",
    subject="entity_id",
    goes_with=("entity_id",),
    is_telling=True,
)
class AliasAdded(Event):
    """A name was added to an entity."""

    entity_id: EntityId
    alias: str

    def headline(self) -> Headline:
        """Return the headline: the name."""
        return Headline("alias", self.alias)


@event("alias_removed", kw_only=True, subject="entity_id", goes_with=("entity_id",))
class AliasRemoved(Event):
    """A name was removed from an entity."""

    entity_id: EntityId
    alias: str

    def headline(self) -> Headline:
        """Return the headline: the name."""
        return Headline("alias removed", self.alias)


@event(
    "entity_typed",
    kw_only=True,
    subject="entity_id",
    goes_with=("entity_id",),
    is_telling=True,
)
class EntityTyped(Event):
    """Somebody set the type of an entity."""

    entity_id: EntityId
    type: EntityType

    def headline(self) -> Headline:
        """Return the headline: the type."""
        return Headline("typed", self.type)


@event(
    "entities_merged",
    kw_only=True,
    subject="loser",
    goes_with=("winner", "loser"),
    is_telling=True,
    drops="reason",
)
class EntitiesMerged(Event):
    """
    One entity became another name of a second.

    A merge is a redirect: nothing moves, so a split restores it exactly. `edges` are those that are
    seen at `winner` from now on, listed for the history.
    """

    winner: EntityId
    loser: EntityId
    edges: tuple[EdgeId, ...] = ()
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: the entity it is another name of."""
        return Headline("merged", f"into {self.winner}")


@event("entity_split", kw_only=True, subject="loser", goes_with=("loser",), drops="reason")
class EntitySplit(Event):
    """A merge was taken back; `loser` is an entity of its own again."""

    loser: EntityId
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: the reason."""
        return Headline("split", self.reason)


@event(
    "identity_linked",
    kw_only=True,
    makes="identities",
    subject="entity_id",
    goes_with=("entity_id",),
    is_telling=True,
)
class IdentityLinked(Event):
    """An address was linked to an entity."""

    entity_id: EntityId
    draft: Inline[IdentityDraft]

    def headline(self) -> Headline:
        """Return the headline: the address."""
        return Headline("linked", self.draft.address.words)


@event("identity_verified", kw_only=True, subject="entity_id", goes_with=("entity_id",))
class IdentityVerified(Event):
    """A human confirmed that an address belongs to an entity."""

    entity_id: EntityId
    address: Inline[Address]

    def headline(self) -> Headline:
        """Return the headline: the address."""
        return Headline("verified", self.address.words)


@event("identity_unlinked", kw_only=True, subject="entity_id", goes_with=("entity_id",))
class IdentityUnlinked(Event):
    """
    An address no longer belongs to an entity.

    With `keeps` it changed hands: earlier episodes from it stay the entity's.
    """

    entity_id: EntityId
    address: Inline[Address]
    reason: str = ""
    keeps: bool = False

    def headline(self) -> Headline:
        """Return the headline: the address."""
        return Headline("unlinked", self.address.words)
