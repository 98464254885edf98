"""What somebody wanted and nobody could do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilth.core.ids import EpisodeId, GapId, SessionId
from tilth.core.scope import GLOBAL, Scope
from tilth.gaps.filing import Way
from tilth.gaps.model import GapDraft, GapEvidence, GapKind, GapStatus
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True)
class GapDetected:
    """A gap was seen, or somebody told of it."""

    draft: GapDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class GapEvidenced:
    """More was said that shows a gap."""

    gap_id: GapId
    evidence: tuple[GapEvidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GapMoved:
    """Something became of a gap; `todo_ref` says where its task is, if that is told."""

    gap_id: GapId
    status: GapStatus
    todo_ref: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFiled:
    """The task of a gap is kept somewhere else from now on."""

    gap_id: GapId
    todo_ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GapsMerged:
    """A human said that two gaps are one; the second lives on as the first."""

    winner: GapId
    loser: GapId


@dataclass(frozen=True, slots=True, kw_only=True)
class GapsParted:
    """A human took back that two gaps are one."""

    winner: GapId
    loser: GapId


@dataclass(frozen=True, slots=True)
class GapsPulsed:
    """What was said up to a place was looked through for gaps."""

    through: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingChosen:
    """A human let the TODOs of a scope be filed in a repository."""

    scope: Scope
    repository: str
    way: Way


@dataclass(frozen=True, slots=True)
class FilingEnded:
    """The TODOs of a scope are filed in no repository any more."""

    scope: Scope


_DETECTED: Mapping[str, object] = {"scope": GLOBAL}


def _write_evidence(evidence: Sequence[GapEvidence]) -> list[list[object]]:
    return [
        [one.episode_id, one.start, one.end, *([] if one.root is None else [one.root])]
        for one in evidence
    ]


def _read_evidence(told: Sequence[Sequence[object]]) -> tuple[GapEvidence, ...]:
    return tuple(
        GapEvidence(
            EpisodeId(str(episode_id)),
            int(str(start)),
            int(str(end)),
            EpisodeId(str(root[0])) if root else None,
        )
        for episode_id, start, end, *root in told
    )


def _write_detected(event: GapDetected) -> Payload:
    draft = event.draft
    payload = {
        "description": draft.description,
        "kind": draft.kind,
        "scope": draft.scope,
        "evidence": _write_evidence(draft.evidence),
        "follows": draft.follows,
        "model": draft.model,
    }
    return without_defaults(payload, _DETECTED)


def _read_detected(payload: Payload, _: SessionId | None) -> GapDetected:
    follows = payload.get("follows")
    draft = GapDraft(
        description=payload["description"],
        kind=GapKind(payload["kind"]),
        evidence=_read_evidence(payload["evidence"]),
        scope=payload.get("scope", GLOBAL),
        follows=None if follows is None else GapId(follows),
        model=payload.get("model", ""),
    )
    return GapDetected(draft)


def _write_evidenced(event: GapEvidenced) -> Payload:
    return {"gap_id": event.gap_id, "evidence": _write_evidence(event.evidence)}


def _read_evidenced(payload: Payload, _: SessionId | None) -> GapEvidenced:
    return GapEvidenced(
        gap_id=GapId(payload["gap_id"]), evidence=_read_evidence(payload["evidence"])
    )


def _write_moved(event: GapMoved) -> Payload:
    payload = {
        "gap_id": event.gap_id,
        "status": event.status,
        "todo_ref": event.todo_ref,
        "note": event.note,
    }
    return without_defaults(payload, {})


def _read_moved(payload: Payload, _: SessionId | None) -> GapMoved:
    return GapMoved(
        gap_id=GapId(payload["gap_id"]),
        status=GapStatus(payload["status"]),
        todo_ref=payload.get("todo_ref", ""),
        note=payload.get("note", ""),
    )


def _write_filed(event: GapFiled) -> Payload:
    return {"gap_id": event.gap_id, "todo_ref": event.todo_ref}


def _read_filed(payload: Payload, _: SessionId | None) -> GapFiled:
    return GapFiled(gap_id=GapId(payload["gap_id"]), todo_ref=payload["todo_ref"])


def _write_pair(event: GapsMerged | GapsParted) -> Payload:
    return {"winner": event.winner, "loser": event.loser}


def _read_merged(payload: Payload, _: SessionId | None) -> GapsMerged:
    return GapsMerged(winner=GapId(payload["winner"]), loser=GapId(payload["loser"]))


def _read_parted(payload: Payload, _: SessionId | None) -> GapsParted:
    return GapsParted(winner=GapId(payload["winner"]), loser=GapId(payload["loser"]))


def _write_pulsed(event: GapsPulsed) -> Payload:
    return {"through": event.through}


def _read_pulsed(payload: Payload, _: SessionId | None) -> GapsPulsed:
    return GapsPulsed(int(payload["through"]))


def _write_chosen(event: FilingChosen) -> Payload:
    return {"scope": event.scope, "repository": event.repository, "way": event.way}


def _read_chosen(payload: Payload, _: SessionId | None) -> FilingChosen:
    return FilingChosen(
        scope=Scope(payload["scope"]), repository=payload["repository"], way=Way(payload["way"])
    )


def _write_ended(event: FilingEnded) -> Payload:
    return {"scope": event.scope}


def _read_ended(payload: Payload, _: SessionId | None) -> FilingEnded:
    return FilingEnded(Scope(payload["scope"]))


CODECS = (
    Codec("gap_detected", GapDetected, _write_detected, _read_detected),
    Codec("gap_evidenced", GapEvidenced, _write_evidenced, _read_evidenced),
    Codec("gap_moved", GapMoved, _write_moved, _read_moved),
    Codec("gap_filed", GapFiled, _write_filed, _read_filed),
    Codec("gaps_merged", GapsMerged, _write_pair, _read_merged),
    Codec("gaps_parted", GapsParted, _write_pair, _read_parted),
    Codec("gaps_pulsed", GapsPulsed, _write_pulsed, _read_pulsed),
    Codec("filing_chosen", FilingChosen, _write_chosen, _read_chosen),
    Codec("filing_ended", FilingEnded, _write_ended, _read_ended),
)
