"""Things and their names."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import EdgeId, EntityId
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.identity import Address, IdentityDraft
from tilth.knowledge.vocabulary.registries import EntityType


@event("entity_recorded", makes=EntityId, goes_with=())
class EntityRecorded(Event):
    """A thing was met for the first time."""

    draft: Inline[EntityDraft]

    def headline(self) -> Headline:
        """Return its name."""
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
    """An entity goes by one more name."""

    entity_id: EntityId
    alias: str

    def headline(self) -> Headline:
        """Return the name."""
        return Headline("alias", self.alias)


@event("alias_removed", kw_only=True, subject="entity_id", goes_with=("entity_id",))
class AliasRemoved(Event):
    """An entity does not go by this name after all."""

    entity_id: EntityId
    alias: str

    def headline(self) -> Headline:
        """Return the name."""
        return Headline("alias removed", self.alias)


@event(
    "entity_typed",
    kw_only=True,
    subject="entity_id",
    goes_with=("entity_id",),
    is_telling=True,
)
class EntityTyped(Event):
    """Somebody said what kind of thing an entity is."""

    entity_id: EntityId
    type: EntityType

    def headline(self) -> Headline:
        """Return what it is."""
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

    It is a redirect: nothing moves, so a split restores exactly. `edges` are those that
    are seen at `winner` from now on, named for whoever reads the history.
    """

    winner: EntityId
    loser: EntityId
    edges: tuple[EdgeId, ...] = ()
    reason: str = ""

    def headline(self) -> Headline:
        """Return what it is another name of."""
        return Headline("merged", f"into {self.winner}")


@event("entity_split", kw_only=True, subject="loser", goes_with=("loser",), drops="reason")
class EntitySplit(Event):
    """A merge was taken back; `loser` is itself again."""

    loser: EntityId
    reason: str = ""

    def headline(self) -> Headline:
        """Return why."""
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
        """Return the address."""
        return Headline("linked", self.draft.address.words)


@event("identity_verified", kw_only=True, subject="entity_id", goes_with=("entity_id",))
class IdentityVerified(Event):
    """A human confirmed that an address is an entity's."""

    entity_id: EntityId
    address: Inline[Address]

    def headline(self) -> Headline:
        """Return the address."""
        return Headline("verified", self.address.words)


@event("identity_unlinked", kw_only=True, subject="entity_id", goes_with=("entity_id",))
class IdentityUnlinked(Event):
    """
    An address is not an entity's any more.

    With `keeps` it changed hands: what came by it until then stays the entity's.
    """

    entity_id: EntityId
    address: Inline[Address]
    reason: str = ""
    keeps: bool = False

    def headline(self) -> Headline:
        """Return the address."""
        return Headline("unlinked", self.address.words)
