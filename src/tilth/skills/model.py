"""
Skills: a playbook as one file, `SKILL.md`, in the format of Agent Skills.

A human approves the exact bytes. A file of a skill exists where it was approved for as long
as it holds these bytes, and nowhere else.
"""

import hashlib
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, LimitExceededError
from tilth.core.ids import EventId, Id, Place, SessionId
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.playbooks.model import SessionEnd

TEXT_CHARS_MAX = 20_000
# KB-109: never used, used without success, not used any more; put away, reversibly.
NEVER_USED = timedelta(days=14)
STALE = timedelta(days=30)
DORMANT = timedelta(days=45)
DISABLED = timedelta(days=90)
_OUTCOMES_MIN = 3
_SUCCESS_MIN = 0.4


class SkillId(
    Id, prefix="skl_", noun="a skill", plural="skills", place=Place("skills", "skill_no")
):
    """The identifier of a skill."""


class SkillState(StrEnum):
    """What became of a skill; only an approved one is installed."""

    CANDIDATE = "candidate"
    APPROVED = "approved"
    DISABLED = "disabled"
    REVOKED = "revoked"
    RETIRED = "retired"


class Advice(StrEnum):
    """Why a human should look at a skill."""

    NONE = ""
    OUTDATED = "stale: its playbook was revised"
    NEVER_USED = "never used"
    FAILING = "fails too often"
    STALE = "not used for 30 days"
    DORMANT = "not used for 45 days"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDraft:
    """
    A skill about to be recorded.

    Attributes:
        name: Its folder, and what hosts call it.
        text: The whole file.
        scope: Where it applies.
        derived_from: The playbooks, and facts, that it rests on; none only if a human wrote it.
        signature: The digest of what it was drafted from; empty if a human wrote it.
    """

    name: str
    text: str
    scope: Scope
    derived_from: tuple[str, ...] = ()
    signature: str = ""

    @property
    def is_of_folder(self) -> bool:
        """Whether it is for the work in one folder, and not for all or for a domain."""
        return self.scope != GLOBAL and not self.scope.startswith("domain:")

    def __post_init__(self) -> None:
        if len(self.text) > TEXT_CHARS_MAX:
            raise LimitExceededError(f"a skill has at most {TEXT_CHARS_MAX} characters")
        if not self.name:
            raise InvalidInputError("a skill has a name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocations:
    """
    In how many sessions a skill was loaded, and how those ended.

    `success_rate` is the share of those with a known end that came through; 0 if there are none.
    """

    invoked: int = 0
    success_rate: float = field(init=False)
    ok: int = 0
    failed: int = 0
    failed_last: int = 0
    used_at: datetime | None = None

    def __post_init__(self) -> None:
        known = self.ok + self.failed
        object.__setattr__(self, "success_rate", self.ok / known if known else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """
    A skill as it is now.

    `places` are the files that were approved, and `digest` is the SHA-256 of what stands in them.
    `moved_in` is the operation that gave it its state, by which that is undone.
    `params` are what its text leaves open, such as `env` in "deploy to <env>". `advice` says why
    a human should look at it, as of when it was read.
    """

    id: SkillId
    seq: int
    owner: Owner
    draft: SkillDraft
    state: SkillState
    places: tuple[str, ...]
    evidence: Invocations
    recorded_at: datetime
    moved_at: datetime
    moved_by: Actor
    moved_in: EventId
    digest: str
    note: str = ""
    params: tuple[str, ...] = ()
    advice: Advice = Advice.NONE

    def is_of(self, made: SkillDraft) -> bool:
        """Whether it is of the same bytes, for the same scope, as a draft."""
        return (self.draft.text, self.draft.scope) == (made.text, made.scope)

    def advised(self, now: datetime, *, is_outdated: bool = False) -> "Skill":
        """Return it with what a human is advised of it *now* (KB-109)."""
        return replace(self, advice=Advice.OUTDATED if is_outdated else self._advice(now))

    def _advice(self, now: datetime) -> Advice:
        if self.state is not SkillState.APPROVED:
            return Advice.NONE
        found = self.evidence
        if found.ok + found.failed >= _OUTCOMES_MIN and found.success_rate < _SUCCESS_MIN:
            return Advice.FAILING
        idle = self._idle(now)
        if found.used_at is None:
            return Advice.NEVER_USED if idle > NEVER_USED else Advice.NONE
        if idle > DORMANT:
            return Advice.DORMANT
        return Advice.STALE if idle > STALE else Advice.NONE

    def is_dormant(self, now: datetime) -> bool:
        """Whether it is disabled for want of use; loading it once more begins anew."""
        return self.state is SkillState.APPROVED and self._idle(now) > DISABLED

    def _idle(self, now: datetime) -> timedelta:
        """How long it was neither loaded nor approved."""
        return now - max(self.evidence.used_at or self.moved_at, self.moved_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A session that loaded a skill, and how it ended."""

    root: SessionId
    ended: SessionEnd


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file, as approvals name it."""
    return hashlib.sha256(content).hexdigest()


_NEXT = {
    SkillState.CANDIDATE: frozenset({SkillState.APPROVED, SkillState.REVOKED}),
    SkillState.APPROVED: frozenset({SkillState.DISABLED, SkillState.REVOKED, SkillState.RETIRED}),
    SkillState.DISABLED: frozenset({SkillState.APPROVED, SkillState.REVOKED, SkillState.RETIRED}),
    SkillState.REVOKED: frozenset[SkillState](),
    SkillState.RETIRED: frozenset({SkillState.APPROVED, SkillState.REVOKED}),
}


def check_move(skill: Skill, state: SkillState) -> None:
    """
    Refuse what cannot become of a skill.

    Raises:
        ConflictError: it is that already, or cannot become it from what it is.
    """
    if state not in _NEXT[skill.state]:
        raise ConflictError(
            f"{skill.id} is {skill.state} already"
            if skill.state is state
            else f"{skill.id} is {skill.state}, and cannot become {state}",
            hint=f"see: tilth skill show {skill.id}",
        )
