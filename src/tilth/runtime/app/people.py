"""What a brain does with identities and profiles: the persons, agents and services behind names."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from tilth.core.ids import EntityId, EpisodeId, event_id_of
from tilth.core.scope import GLOBAL, parse_scope
from tilth.episodes.episode import check_transport
from tilth.knowledge.entities.entity import EntityDraft, parse_entity_type
from tilth.knowledge.entities.identity import (
    Address,
    Identity,
    IdentityDraft,
    parse_address,
    parse_link_confidence,
)
from tilth.knowledge.entities.naming import Suggestion
from tilth.people import identities, profiles
from tilth.people.identities import Interactions, Known, Linked
from tilth.people.introduce import Introduced, Introducing, introduce, parse_introduction
from tilth.people.profile import Trait, TraitDraft, parse_profile_confidence
from tilth.runtime.parts import Parts, by_transport, within


class People:
    """Who is reached where, and how they are. Where a name is asked for, an ID does too."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def introduce(
        self,
        name: str,
        *,
        type: str = "person",  # noqa: A002 - as it is called everywhere
        scope: str = GLOBAL,
        is_namesake: bool = False,
        **introducing: Unpack[Introducing],
    ) -> Introduced:
        """See `tilth.people.introduce.introduce`."""
        draft = EntityDraft(
            name=name,
            type=parse_entity_type(type),
            aliases=tuple(introducing.get("aliases", ())),
            scope=parse_scope(scope),
        )
        told = parse_introduction(draft, introducing, is_namesake=is_namesake)
        return introduce(self._parts.store, told, self._parts.recorder)

    def link(
        self,
        entity_id: str,
        transport: str,
        address: str,
        *,
        display_name: str = "",
        confidence: str = "suggested",
    ) -> Linked:
        """See `tilth.people.identities.link_identity`."""
        parts = self._parts
        draft = IdentityDraft(
            address=parse_address(transport, address),
            display_name=display_name,
            confidence=parse_link_confidence(confidence),
        )
        entity = EntityId.parse(entity_id)
        return identities.link_identity(parts.store, entity, draft, parts.recorder)

    def unlink(self, transport: str, address: str, *, reason: str = "") -> Identity:
        """See `tilth.people.identities.unlink_identity`."""
        parts = self._parts
        parted = parse_address(transport, address)
        return identities.unlink_identity(parts.store, parted, parts.recorder, reason=reason)

    def verify(self, transport: str, address: str) -> Identity:
        """See `tilth.people.identities.verify_identity`."""
        parts = self._parts
        meant = parse_address(transport, address)
        return identities.verify_identity(parts.store, meant, parts.recorder)

    def resolve(self, transport: str, address: str, *, scope: str | None = None) -> Known | None:
        """See `tilth.people.identities.resolve_address`."""
        seen = within(self._parts, scope)
        meant = self._address(transport, address)
        return identities.resolve_address(self._parts.store, meant, seen)

    def suggest(
        self,
        transport: str,
        address: str,
        *,
        display_name: str = "",
        limit: int = 10,
        scope: str | None = None,
    ) -> Sequence[Suggestion]:
        """See `tilth.people.identities.suggest_for_address`."""
        seen = within(self._parts, scope)
        meant = self._address(transport, address)
        return identities.suggest_for_address(
            self._parts.store, meant, seen, display_name=display_name, limit=limit
        )

    def identities(self, name: str, *, scope: str | None = None) -> Sequence[Identity]:
        """See `tilth.people.identities.list_identities`."""
        return identities.list_identities(self._parts.store, name, within(self._parts, scope))

    def interactions(
        self,
        name: str,
        *,
        transport: str | None = None,
        limit: int = 20,
        is_private: bool = False,
        scope: str | None = None,
    ) -> Interactions:
        """See `tilth.people.identities.read_interactions`."""
        parts = self._parts
        said = identities.read_interactions(
            parts.store,
            name,
            within(parts, scope),
            transport=by_transport(parts, transport),
            limit=limit,
            is_private=is_private,
        )
        return parts.excluded.shown(said)

    def stats(self, *, scope: str | None = None) -> Mapping[str, Mapping[str, int]]:
        """See `tilth.people.identities.people_stats`."""
        return identities.people_stats(self._parts.store, within(self._parts, scope))

    def tell(
        self,
        entity_id: str,
        key: str,
        value: str,
        *,
        confidence: str = "medium",
        evidence: Sequence[str] = (),
    ) -> Trait:
        """See `tilth.people.profiles.tell_trait`."""
        parts = self._parts
        draft = TraitDraft(
            entity_id=EntityId.parse(entity_id),
            key=key,
            value=value,
            confidence=parse_profile_confidence(confidence),
            evidence=tuple(EpisodeId.of(event_id_of(EpisodeId(one))) for one in evidence),
        )
        return profiles.tell_trait(parts.store, draft, parts.recorder)

    def profile(self, name: str, *, scope: str | None = None) -> Sequence[Trait]:
        """See `tilth.people.profiles.read_profile`."""
        parts = self._parts
        told = profiles.read_profile(parts.store, name, within(parts, scope))
        return parts.excluded.shown(told)

    def history(
        self, name: str, *, key: str | None = None, scope: str | None = None
    ) -> Sequence[Trait]:
        """See `tilth.people.profiles.read_history`."""
        return profiles.read_history(self._parts.store, name, within(self._parts, scope), key=key)

    def _address(self, transport: str, address: str) -> Address:
        """Return where somebody is looked for; by a way that nobody configured nobody is."""
        check_transport(transport, self._parts.recorder.transports)
        return parse_address(transport, address)
