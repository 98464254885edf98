"""What was asked of a human, and what the human said."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tilth.core.ids import EntityId, FactId, ProposalId, SessionId
from tilth.core.scope import GLOBAL
from tilth.knowledge.facts.events import instant, micros
from tilth.knowledge.proposals.proposal import Action, ProposalDraft, ProposalKind, Ruling
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True)
class ProposalOpened:
    """Something waits for a human."""

    draft: ProposalDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalDecided:
    """
    A human decided; this one event does all that follows for facts.

    `digest` is that of what was shown when the human decided.
    """

    proposal_id: ProposalId
    digest: str
    ruling: Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalSnoozed:
    """A human will look at it later."""

    proposal_id: ProposalId
    until: datetime


_DEFAULTS: Mapping[str, object] = {
    "scope": GLOBAL,
    "facts": [],
    "entities": [],
    "retires": [],
    "rejects": [],
    "detail": {},
}


def _write_opened(event: ProposalOpened) -> Payload:
    draft = event.draft
    payload = {
        "kind": draft.kind,
        "reason": draft.reason,
        "scope": draft.scope,
        "facts": list(draft.facts),
        "entities": list(draft.entities),
        "retires": list(draft.retires),
        "detail": dict(draft.detail),
        "key": draft.key,
    }
    return without_defaults(payload, _DEFAULTS)


def _read_opened(payload: Payload, _: SessionId | None) -> ProposalOpened:
    draft = ProposalDraft(
        kind=ProposalKind(payload["kind"]),
        reason=payload["reason"],
        scope=payload.get("scope", GLOBAL),
        facts=_facts(payload, "facts"),
        entities=tuple(EntityId(one) for one in payload.get("entities", ())),
        retires=_facts(payload, "retires"),
        detail=payload.get("detail", {}),
        key=payload.get("key", ""),
    )
    return ProposalOpened(draft)


def _write_decided(event: ProposalDecided) -> Payload:
    ruling = event.ruling
    payload = {
        "proposal_id": event.proposal_id,
        "digest": event.digest,
        "action": ruling.action,
        "facts": list(ruling.facts),
        "retires": list(ruling.retires),
        "rejects": list(ruling.rejects),
        "edited": ruling.edited,
        "since": micros(ruling.since),
        "restricted_to": ruling.scope,
        "note": ruling.note,
    }
    return without_defaults(payload, _DEFAULTS)


def _read_decided(payload: Payload, _: SessionId | None) -> ProposalDecided:
    edited = payload.get("edited")
    ruling = Ruling(
        action=Action(payload["action"]),
        facts=_facts(payload, "facts"),
        retires=_facts(payload, "retires"),
        rejects=_facts(payload, "rejects"),
        edited=None if edited is None else FactId(edited),
        since=instant(payload, "since"),
        scope=payload.get("restricted_to"),
        note=payload.get("note", ""),
    )
    return ProposalDecided(
        proposal_id=ProposalId(payload["proposal_id"]),
        digest=payload.get("digest", ""),
        ruling=ruling,
    )


def _write_snoozed(event: ProposalSnoozed) -> Payload:
    return {"proposal_id": event.proposal_id, "until": micros(event.until)}


def _read_snoozed(payload: Payload, _: SessionId | None) -> ProposalSnoozed:
    until = instant(payload, "until")
    if until is None:
        raise ValueError("it is put off without an end")
    return ProposalSnoozed(proposal_id=ProposalId(payload["proposal_id"]), until=until)


def _facts(payload: Payload, name: str) -> tuple[FactId, ...]:
    return tuple(FactId(one) for one in payload.get(name, ()))


CODECS = (
    Codec("proposal_opened", ProposalOpened, _write_opened, _read_opened),
    Codec("proposal_decided", ProposalDecided, _write_decided, _read_decided),
    Codec("proposal_snoozed", ProposalSnoozed, _write_snoozed, _read_snoozed),
)
