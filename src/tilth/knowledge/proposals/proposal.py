"""
The model of proposals: questions that wait for a human, and the human's answers.

One queue holds every kind. Knowing a proposal's ID gives no right to decide it: only a human
decides, names what the decision retires, and gives the digest of what was shown. Decisions are
remembered for ever, rejections above all.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated

from tilth.core.actor import Actor
from tilth.core.codec import Absent, Key
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import EntityId, EpisodeId, EventId, FactId, ProposalId
from tilth.core.json import Json, JsonObject, canonical
from tilth.core.scope import GLOBAL, Owner, Scope

REASON_CHARS_MAX = 2000
# In characters, the least reason of an agent for a removal (OB-060).
RATIONALE_CHARS_MIN = 20
# The detail that names the rejected fact that the proposal repeats.
REJECTED = "rejected"
# The detail that tells when the fact to be removed ended, if the proposer said so.
ENDED = "ended"


class ProposalKind(StrEnum):
    """What is asked for."""

    SUPERSESSION = "supersession"
    PROMOTION = "promotion"
    REMOVAL = "removal"
    CONTRADICTION = "contradiction"
    CORRECTION = "correction"
    DUPLICATE = "duplicate"
    MERGE = "merge"
    SPLIT = "split"
    IDENTITY_LINK = "identity_link"
    GAP_MERGE = "gap_merge"
    SUGGESTION = "suggestion"


class Action(StrEnum):
    """The answers of a human (XR-03)."""

    CONFIRM = "confirm"
    EDIT = "edit"
    EVIDENCE_ONLY = "evidence_only"
    RESTRICT_SCOPE = "restrict_scope"
    MARK_STALE = "mark_stale"
    MERGE = "merge"
    REJECT = "reject"
    DISPUTE = "dispute"
    SUPERSEDE = "supersede"


class ProposalState(StrEnum):
    """Whether it still waits."""

    OPEN = "open"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalDraft:
    """
    A question for a human.

    `facts` and `entities` are what it is about, `retires` the facts that end if it is confirmed.
    `shown_by` are the episodes that the reason quotes, without which nothing is asked. `detail`
    holds what the kind needs besides. Proposals with one `key` are one question: a decided one is
    not asked again.
    """

    kind: ProposalKind
    reason: str
    scope: Annotated[Scope, Absent(GLOBAL)]
    facts: tuple[FactId, ...] = ()
    entities: tuple[EntityId, ...] = ()
    retires: tuple[FactId, ...] = ()
    shown_by: tuple[EpisodeId, ...] = ()
    detail: JsonObject = field(default_factory=dict)
    key: str = ""

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise InvalidInputError("a proposal says why")
        if len(self.reason) > REASON_CHARS_MAX:
            raise LimitExceededError(f"a reason has at most {REASON_CHARS_MAX} characters")
        if not (self.facts or self.entities or self.retires or self.detail):
            raise InvalidInputError("a proposal is about something")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """
    What an answer means for facts.

    The action applies to `facts`; `retires` end, and `rejects` are rejected. `since` is when what
    was confirmed begins; None is the moment of the decision. `scope` is the scope that it is
    restricted to, `edited` the fact in the human's own words, recorded just before.
    """

    action: Action
    facts: tuple[FactId, ...] = ()
    retires: tuple[FactId, ...] = ()
    rejects: tuple[FactId, ...] = ()
    edited: FactId | None = None
    since: datetime | None = None
    scope: Annotated[Scope | None, Key("restricted_to")] = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One recorded proposal; the answer and its event are set once it is decided."""

    id: ProposalId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    draft: ProposalDraft
    state: ProposalState
    snoozed_until: datetime | None = None
    ruling: Ruling | None = None
    decided_by: Actor | None = None
    decided_at: datetime | None = None
    decision_id: EventId | None = None


parse_action = partial(parse_word, Action, noun="action")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    A human's answer, and what the human was shown.

    `retires` must name exactly what the proposal would retire, if it is confirmed. `facts`
    restricts the action to some of those named. `keeps` is the side of a contradiction that stays,
    `since` its beginning. `text` and `value` are the human's own words, and the object of the
    triple, for an edit.
    """

    action: Action
    digest: str
    retires: tuple[FactId, ...] = ()
    facts: tuple[FactId, ...] = ()
    keeps: FactId | None = None
    since: datetime | None = None
    scope: Scope | None = None
    text: str = ""
    value: str = ""
    note: str = ""


def digest_of(proposal: Proposal, facts: Sequence[Json] = (), retires: Sequence[Json] = ()) -> str:
    """Return the digest of what was shown: the proposal, and the state of its facts."""
    parts: Json = [
        [proposal.id, proposal.draft.kind, proposal.draft.reason, proposal.draft.detail],
        [list(proposal.draft.entities), proposal.draft.scope],
        list(facts),
        list(retires),
    ]
    return hashlib.sha256(canonical(parts).encode()).hexdigest()
