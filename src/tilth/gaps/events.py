"""The events of gaps."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Annotated

from tilth.core.codec import Inline, Row
from tilth.core.event import ERASED, Event, Headline, event
from tilth.core.scope import Scope
from tilth.gaps.model import GapDraft, GapEvidence, GapId, GapStatus
from tilth.gaps.todos import Way

# A reference to a TODO that Tilth made: in the outbox, in a repository's file or among its issues.
# Any other reference is in somebody's own words.
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
    """A gap was detected, or somebody reported it."""

    draft: Inline[GapDraft]

    def headline(self) -> Headline:
        """Return the headline: what is missing."""
        return Headline("gap", self.draft.description)

    def remains(self, gone: AbstractSet[str]) -> "GapDetected":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: that there was a gap."""
        return GapDetected(replace(self.draft, description=ERASED, model=""))


# Evidence and merges are IDs only, which stay as tombstones (EM-048).
@event("gap_evidenced", kw_only=True, subject="gap_id", goes_with=())
class GapEvidenced(Event):
    """More evidence of a gap was found."""

    gap_id: GapId
    evidence: tuple[Annotated[GapEvidence, Row()], ...]

    def headline(self) -> Headline:
        """Return the headline: that it came up again."""
        return Headline("gap", "came up again")


@event("gap_moved", kw_only=True, subject="gap_id", goes_with=("gap_id",))
class GapMoved(Event):
    """A gap changed its status; `todo_ref` is the place of its task, if given."""

    gap_id: GapId
    status: GapStatus
    todo_ref: str = ""
    note: str = ""

    def headline(self) -> Headline:
        """Return the headline: the status."""
        return Headline("gap", self.status)

    def remains(self, gone: AbstractSet[str]) -> "GapMoved":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: the status without words."""
        return replace(self, note="", todo_ref=_ours(self.todo_ref))


@event("gap_filed", kw_only=True, subject="gap_id", goes_with=("gap_id",))
class GapFiled(Event):
    """The task of a gap moved to another place."""

    gap_id: GapId
    todo_ref: str

    def headline(self) -> Headline:
        """Return the headline: the place."""
        return Headline("gap filed", self.todo_ref)

    def remains(self, gone: AbstractSet[str]) -> "GapFiled":  # noqa: ARG002 - it stays, whatever goes
        """Return what an erase leaves: the place of the task, if Tilth made it."""
        return replace(self, todo_ref=_ours(self.todo_ref))


@event("gaps_merged", kw_only=True, subject="loser", goes_with=())
class GapsMerged(Event):
    """A human merged two gaps; the second lives on as the first."""

    winner: GapId
    loser: GapId

    def headline(self) -> Headline:
        """Return the headline: the gap that remains."""
        return Headline("gap merged", f"into {self.winner}")


@event("gaps_parted", kw_only=True, subject="loser", goes_with=())
class GapsParted(Event):
    """A human separated two merged gaps."""

    winner: GapId
    loser: GapId

    def headline(self) -> Headline:
        """Return the headline: the gap it was merged into."""
        return Headline("gap parted", f"from {self.winner}")


@event("gaps_pulsed", goes_with=(), stays=True)
class GapsPulsed(Event):
    """Messages up to a place were searched for gaps."""

    through: int


@event("filing_chosen", kw_only=True, goes_with=(), named=("filing", "scope"))
class FilingChosen(Event):
    """A human chose a repository for the TODOs of a scope."""

    scope: Scope
    repository: str
    way: Way

    def headline(self) -> Headline:
        """Return the headline: the repository."""
        return Headline("filing", f"into {self.repository}", self.scope)


@event("filing_ended", goes_with=(), named=("filing", "scope"))
class FilingEnded(Event):
    """The TODOs of a scope are no longer filed in a repository."""

    scope: Scope

    def headline(self) -> Headline:
        """Return the headline: that it ended."""
        return Headline("filing", "ended", self.scope)


def _ours(todo_ref: str) -> str:
    return todo_ref if not todo_ref or _TODO_REF.fullmatch(todo_ref) else ERASED
