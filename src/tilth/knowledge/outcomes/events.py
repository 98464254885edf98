"""What came of putting a fact to the test."""

from dataclasses import dataclass

from tilth.core.ids import EpisodeId, FactId, OutcomeId, SessionId
from tilth.knowledge.outcomes.outcome import OutcomeDraft, OutcomeKind
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True)
class OutcomeObserved:
    """Somebody put a fact to the test, and it held."""

    draft: OutcomeDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRevoked:
    """An outcome counts no more."""

    outcome_id: OutcomeId
    fact_id: FactId
    reason: str = ""


def _write_observed(event: OutcomeObserved) -> Payload:
    draft = event.draft
    payload = {
        "fact_id": draft.fact_id,
        "kind": draft.kind,
        "evidence": list(draft.evidence),
        "note": draft.note,
    }
    return without_defaults(payload, {})


def _read_observed(payload: Payload, _: SessionId | None) -> OutcomeObserved:
    return OutcomeObserved(
        OutcomeDraft(
            fact_id=FactId(payload["fact_id"]),
            kind=OutcomeKind(payload["kind"]),
            evidence=tuple(EpisodeId(one) for one in payload["evidence"]),
            note=payload.get("note", ""),
        )
    )


def _write_revoked(event: OutcomeRevoked) -> Payload:
    payload = {
        "outcome_id": event.outcome_id,
        "fact_id": event.fact_id,
        "reason": event.reason,
    }
    return without_defaults(payload, {})


def _read_revoked(payload: Payload, _: SessionId | None) -> OutcomeRevoked:
    return OutcomeRevoked(
        outcome_id=OutcomeId(payload["outcome_id"]),
        fact_id=FactId(payload["fact_id"]),
        reason=payload.get("reason", ""),
    )


CODECS = (
    Codec("outcome_observed", OutcomeObserved, _write_observed, _read_observed),
    Codec("outcome_revoked", OutcomeRevoked, _write_revoked, _read_revoked),
)
