"""By which addresses somebody is reached, and how somebody is."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilth.core.ids import EntityId, EpisodeId, SessionId
from tilth.knowledge.entities.identity import Address, IdentityDraft, LinkConfidence
from tilth.ledger.codec import Codec, Payload, without_defaults
from tilth.people.profile import ProfileConfidence, TraitDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityLinked:
    """An address was linked to an entity."""

    entity_id: EntityId
    draft: IdentityDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityVerified:
    """A human confirmed that an address is an entity's."""

    entity_id: EntityId
    address: Address


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityUnlinked:
    """An address is not an entity's any more."""

    entity_id: EntityId
    address: Address
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TraitTold:
    """Something was told of how an entity is; what was told under this key before is past."""

    draft: TraitDraft


_LINK: Mapping[str, object] = {"confidence": LinkConfidence.SUGGESTED}
_TRAIT: Mapping[str, object] = {"confidence": ProfileConfidence.MEDIUM, "evidence": []}


def _write_linked(event: IdentityLinked) -> Payload:
    draft = event.draft
    payload = {
        "entity_id": event.entity_id,
        "transport": draft.address.transport,
        "address": draft.address.address,
        "display_name": draft.display_name,
        "confidence": draft.confidence,
    }
    return without_defaults(payload, _LINK)


def _read_linked(payload: Payload, _: SessionId | None) -> IdentityLinked:
    draft = IdentityDraft(
        address=_address(payload),
        display_name=payload.get("display_name", ""),
        confidence=LinkConfidence(payload.get("confidence", LinkConfidence.SUGGESTED)),
    )
    return IdentityLinked(entity_id=EntityId(payload["entity_id"]), draft=draft)


def _write_verified(event: IdentityVerified) -> Payload:
    address = event.address
    return {
        "entity_id": event.entity_id,
        "transport": address.transport,
        "address": address.address,
    }


def _read_verified(payload: Payload, _: SessionId | None) -> IdentityVerified:
    return IdentityVerified(entity_id=EntityId(payload["entity_id"]), address=_address(payload))


def _write_unlinked(event: IdentityUnlinked) -> Payload:
    payload = {
        "entity_id": event.entity_id,
        "transport": event.address.transport,
        "address": event.address.address,
        "reason": event.reason,
    }
    return without_defaults(payload, {})


def _read_unlinked(payload: Payload, _: SessionId | None) -> IdentityUnlinked:
    return IdentityUnlinked(
        entity_id=EntityId(payload["entity_id"]),
        address=_address(payload),
        reason=payload.get("reason", ""),
    )


def _address(payload: Payload) -> Address:
    return Address(payload["transport"], payload["address"])


def _write_trait(event: TraitTold) -> Payload:
    draft = event.draft
    payload = {
        "entity_id": draft.entity_id,
        "key": draft.key,
        "value": draft.value,
        "confidence": draft.confidence,
        "evidence": list(draft.evidence),
    }
    return without_defaults(payload, _TRAIT)


def _read_trait(payload: Payload, _: SessionId | None) -> TraitTold:
    draft = TraitDraft(
        entity_id=EntityId(payload["entity_id"]),
        key=payload["key"],
        value=payload["value"],
        confidence=ProfileConfidence(payload.get("confidence", ProfileConfidence.MEDIUM)),
        evidence=tuple(EpisodeId(one) for one in payload.get("evidence", ())),
    )
    return TraitTold(draft)


CODECS = (
    Codec("identity_linked", IdentityLinked, _write_linked, _read_linked),
    Codec("identity_verified", IdentityVerified, _write_verified, _read_verified),
    Codec("identity_unlinked", IdentityUnlinked, _write_unlinked, _read_unlinked),
    Codec("trait_told", TraitTold, _write_trait, _read_trait),
)
