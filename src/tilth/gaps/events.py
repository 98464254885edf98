"""What somebody wanted and nobody could do."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Annotated

from tilth.core.codec import Inline, Row
from tilth.core.event import ERASED, Event, Headline, event
from tilth.core.scope import Scope
from tilth.gaps.model import GapDraft, GapEvidence, GapId, GapStatus
from tilth.gaps.todos import Way

# Where a TODO lies that we put there: in the outbox, in a repository's file or among its issues.
# Whatever else stands in its place are somebody's words.
_TODO_REF = re.compile(
    r"outbox:todo-[0-9a-z]{26}\.md|TODO\.md#gap_[0-9A-Z]{26}|https://[\w./-]+/issues/[0-9]+"
)


@event(
    "gap_detected",
    makes=GapId,
    goes_with=(),
    rests_on="draft.evidence",
    says=("draft.description",),
)
class GapDetected(Event):
    """A gap was seen, or somebody told of it."""

    draft: Inline[GapDraft]

    def headline(self) -> Headline:
        """Return what is missing."""
        return Headline("gap", self.draft.description)

    def remains(self, gone: AbstractSet[str]) -> "GapDetected":  # noqa: ARG002 - it stays, whatever goes
        """Return that there was a gap."""
        return GapDetected(replace(self.draft, description=ERASED, model=""))


# What shows a gap, and what it is one with, are IDs alone: they stay, as tombstones (EM-048).
@event("gap_evidenced", kw_only=True, subject="gap_id", goes_with=())
class GapEvidenced(Event):
    """More was said that shows a gap."""

    gap_id: GapId
    evidence: tuple[Annotated[GapEvidence, Row()], ...]

    def headline(self) -> Headline:
        """Say that it came up again."""
        return Headline("gap", "came up again")


@event("gap_moved", kw_only=True, subject="gap_id", goes_with=("gap_id",))
class GapMoved(Event):
    """Something became of a gap; `todo_ref` says where its task is, if that is told."""

    gap_id: GapId
    status: GapStatus
    todo_ref: str = ""
    note: str = ""

    def headline(self) -> Headline:
        """Return what became of it."""
        return Headline("gap", self.status)

    def remains(self, gone: AbstractSet[str]) -> "GapMoved":  # noqa: ARG002 - it stays, whatever goes
        """Return what became of it, without a word."""
        return replace(self, note="", todo_ref=_ours(self.todo_ref))


@event("gap_filed", kw_only=True, subject="gap_id", goes_with=("gap_id",))
class GapFiled(Event):
    """The task of a gap is kept somewhere else from now on."""

    gap_id: GapId
    todo_ref: str

    def headline(self) -> Headline:
        """Return where."""
        return Headline("gap filed", self.todo_ref)

    def remains(self, gone: AbstractSet[str]) -> "GapFiled":  # noqa: ARG002 - it stays, whatever goes
        """Return where its task is, if that is a place of ours."""
        return replace(self, todo_ref=_ours(self.todo_ref))


@event("gaps_merged", kw_only=True, subject="loser", goes_with=())
class GapsMerged(Event):
    """A human said that two gaps are one; the second lives on as the first."""

    winner: GapId
    loser: GapId

    def headline(self) -> Headline:
        """Return as which it lives on."""
        return Headline("gap merged", f"into {self.winner}")


@event("gaps_parted", kw_only=True, subject="loser", goes_with=())
class GapsParted(Event):
    """A human took back that two gaps are one."""

    winner: GapId
    loser: GapId

    def headline(self) -> Headline:
        """Return from which."""
        return Headline("gap parted", f"from {self.winner}")


@event("gaps_pulsed", goes_with=(), stays=True)
class GapsPulsed(Event):
    """What was said up to a place was looked through for gaps."""

    through: int


@event("filing_chosen", kw_only=True, goes_with=(), named=("filing", "scope"))
class FilingChosen(Event):
    """A human let the TODOs of a scope be filed in a repository."""

    scope: Scope
    repository: str
    way: Way

    def headline(self) -> Headline:
        """Return where they are filed."""
        return Headline("filing", f"into {self.repository}", self.scope)


@event("filing_ended", goes_with=(), named=("filing", "scope"))
class FilingEnded(Event):
    """The TODOs of a scope are filed in no repository any more."""

    scope: Scope

    def headline(self) -> Headline:
        """Say that it ended."""
        return Headline("filing", "ended", self.scope)


def _ours(todo_ref: str) -> str:
    return todo_ref if not todo_ref or _TODO_REF.fullmatch(todo_ref) else ERASED
