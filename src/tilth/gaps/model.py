"""
The model of gaps: what somebody wanted and nobody could do, and what became of it.

A gap refers to its evidence and keeps no words of it. It counts roots, which are occasions and not
mentions: a copy, quotation or import of the same words counts with the root that it repeats.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from tilth.core.actor import Actor
from tilth.core.codec import Row
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, LimitExceededError
from tilth.core.ids import EpisodeId, Id, Place
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.episodes.episode import Episode

DESCRIPTION_CHARS_MAX = 300
TODO_REF_CHARS_MAX = 500
NOTE_CHARS_MAX = 2000


class GapId(Id, prefix="gap_", noun="a gap", plural="gaps", place=Place("gaps", "gap_no")):
    """The identifier of a gap."""


class GapKind(StrEnum):
    """What kind of thing is missing (EM-045)."""

    MISSING_FEATURE = "missing_feature"
    WORKFLOW_GAP = "workflow_gap"
    KNOWLEDGE_GAP = "knowledge_gap"
    INTEGRATION_GAP = "integration_gap"
    UX_FRICTION = "ux_friction"


class GapStatus(StrEnum):
    """The status of a gap (EM-046)."""

    DETECTED = "detected"
    TODO_CREATED = "todo_created"
    RESOLVED = "resolved"
    WONT_FIX = "wont_fix"


class GapSort(StrEnum):
    """The order of a list of gaps: most frequent first, latest first, or open ones first."""

    FREQUENCY = "frequency"
    DATE = "date"
    STATUS = "status"


# A gap gets one TODO in its life, so no status leads back to one before it.
_NEXT = {
    GapStatus.DETECTED: frozenset({GapStatus.TODO_CREATED, GapStatus.RESOLVED, GapStatus.WONT_FIX}),
    GapStatus.TODO_CREATED: frozenset({GapStatus.RESOLVED, GapStatus.WONT_FIX}),
    GapStatus.RESOLVED: frozenset[GapStatus](),
    GapStatus.WONT_FIX: frozenset[GapStatus](),
}


@dataclass(frozen=True, slots=True)
class GapEvidence:
    """
    Words of an episode that show a gap.

    `root` is the episode that these words repeat; None if they are a root themselves.
    """

    episode_id: EpisodeId
    start: int
    end: int
    root: EpisodeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapDraft:
    """
    A gap to be recorded, with its evidence.

    `follows` is a gap that was resolved or will not be fixed, and came up again. `model` worded it;
    empty if the words are its evidence's.
    """

    description: str
    kind: GapKind
    evidence: tuple[Annotated[GapEvidence, Row()], ...]
    scope: Scope = GLOBAL
    follows: GapId | None = None
    model: str = ""

    def __post_init__(self) -> None:
        if not self.description.strip():
            raise InvalidInputError("a gap says what is missing")
        if len(self.description) > DESCRIPTION_CHARS_MAX:
            raise LimitExceededError(
                f"a gap is described in at most {DESCRIPTION_CHARS_MAX} characters",
                hint="say what is missing in one sentence; the rest is in its evidence",
            )
        if not self.evidence:
            raise InvalidInputError("a gap rests on something that was said")


def often(count: int) -> str:
    """Return how often something came up, in words."""
    return "once" if count == 1 else f"{count} times"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """
    One recorded gap.

    `frequency` counts its roots, `evidence_count` every mention, with those of gaps merged into it.
    `seen_at` is the last mention, `moved_at` the last change of status. `todo_path` is the path of
    its draft, which only `gaps.todo` and `gaps.get` fill.
    """

    id: GapId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    description: str
    kind: GapKind
    scope: Scope
    status: GapStatus
    todo_ref: str
    follows: GapId | None
    merged_into: GapId | None
    model: str
    frequency: int
    evidence_count: int
    seen_at: datetime
    moved_at: datetime
    todo_path: str = ""

    @property
    def how_often(self) -> str:
        """How often it came up, in words."""
        return often(self.frequency)

    @property
    def is_over(self) -> bool:
        """Whether its status is final."""
        return not _NEXT[self.status]


@dataclass(frozen=True, slots=True)
class Trace:
    """
    A piece of evidence of a gap, with its episode.

    The episode is None if it was erased; its ID stays as a tombstone.
    """

    evidence: GapEvidence
    episode: Episode | None

    @property
    def is_erased(self) -> bool:
        """Whether only the ID is left."""
        return self.episode is None

    @property
    def quote(self) -> str:
        """The words, as they stand in the episode."""
        if self.episode is None:
            return ""
        return self.episode.text[self.evidence.start : self.evidence.end]


@dataclass(frozen=True, slots=True)
class KnownGap:
    """A gap with its evidence."""

    gap: Gap
    trail: Sequence[Trace]


@dataclass(frozen=True, slots=True)
class GapScan:
    """When the last search for gaps was, and up to which place of the ledger."""

    at: datetime
    through: int


def check_move(gap: Gap, status: GapStatus) -> None:
    """
    Check a change of status.

    Raises:
        ConflictError: the present status does not lead to *status*.
    """
    if gap.merged_into is not None:
        raise ConflictError(f"{gap.id} was merged", hint=f"it lives on as {gap.merged_into}")
    if status not in _NEXT[gap.status]:
        steps = ", ".join(one for one in GapStatus if one in _NEXT[gap.status])
        task = gap.todo_path or gap.todo_ref
        has = f"its TODO is {task}; " if status is gap.status and task else ""
        raise ConflictError(
            f"{gap.id} is {gap.status}, and cannot become {status}",
            hint=f"{has}it can become {steps}"
            if steps
            else f"that is final; record it anew: tilth gap add TEXT --follows {gap.id}",
        )
