"""What was asked of a human, and what the human said."""

from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from tilth.core.codec import Absent, Inline
from tilth.core.event import Event, Headline, event, is_named
from tilth.core.ids import EventId, Place, ProposalId
from tilth.core.instant import written_day
from tilth.knowledge.proposals.proposal import ProposalDraft, Ruling


@event(
    "proposal_opened",
    makes=ProposalId,
    goes_with=("draft.facts", "draft.retires", "draft.entities"),
    rests_on="draft.shown_by",
)
class ProposalOpened(Event):
    """Something waits for a human."""

    draft: Inline[ProposalDraft]

    def headline(self) -> Headline:
        """Return the facts that it is about, and what speaks for it, which may name them itself."""
        reason = self.draft.reason
        about = [one for one in self.draft.facts or self.draft.retires if one not in reason]
        return Headline("proposed", ": ".join(filter(None, [", ".join(about), reason])))


@event(
    "proposal_decided",
    kw_only=True,
    subject="proposal_id",
    goes_with=(
        "proposal_id",
        "ruling.edited",
        "ruling.facts",
        "ruling.retires",
        "ruling.rejects",
    ),
)
class ProposalDecided(Event):
    """
    A human decided; this one event does all that follows for facts.

    `digest` is that of what was shown when the human decided.
    """

    proposal_id: ProposalId
    digest: Annotated[str, Absent("")]
    ruling: Inline[Ruling]

    def headline(self) -> Headline:
        """Return what the human said."""
        return Headline("decided", self.ruling.action)

    def remains(self, gone: AbstractSet[str]) -> "ProposalDecided | None":
        """Return what it did to things that stay."""
        ruling = self.ruling
        facts, retires, rejects = (
            tuple(id_ for id_ in ids if not is_named(gone, id_))
            for ids in (ruling.facts, ruling.retires, ruling.rejects)
        )
        edited = None if is_named(gone, ruling.edited) else ruling.edited
        if is_named(gone, self.proposal_id) and not (facts or retires or rejects):
            return None
        kept = replace(
            ruling, facts=facts, retires=retires, rejects=rejects, edited=edited, note=""
        )
        return replace(self, digest="", ruling=kept)


@event("proposal_snoozed", kw_only=True, subject="proposal_id", goes_with=("proposal_id",))
class ProposalSnoozed(Event):
    """A human will look at it later."""

    proposal_id: ProposalId
    until: datetime

    def headline(self) -> Headline:
        """Return until when."""
        return Headline("snoozed", f"until {written_day(self.until)}")


@event(
    "change_undone",
    kw_only=True,
    seen_in=Place("lives", "since"),
    undoes="event_id",
    goes_with=(),
    drops="reason",
)
class ChangeUndone(Event):
    """What one event did to the lives of facts was taken back; the event itself stays."""

    event_id: EventId
    reason: str = ""

    def headline(self) -> Headline:
        """Return why."""
        return Headline("undone", self.reason, self.event_id)
