"""The events of proposals."""

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
    """A proposal was opened."""

    draft: Inline[ProposalDraft]

    def headline(self) -> Headline:
        """Return the headline: the facts that it is about, and the reason."""
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
    A human decided; all changes of facts follow from this event.

    `digest` covers what was shown when the human decided.
    """

    proposal_id: ProposalId
    digest: Annotated[str, Absent("")]
    ruling: Inline[Ruling]

    def headline(self) -> Headline:
        """Return the headline: the answer."""
        return Headline("decided", self.ruling.action)

    def remains(self, gone: AbstractSet[str]) -> "ProposalDecided | None":
        """Return what an erase leaves: the effects on things that remain."""
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
    """A human postponed a proposal."""

    proposal_id: ProposalId
    until: datetime

    def headline(self) -> Headline:
        """Return the headline: until when."""
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
    """The effect of one event on lives of facts was undone; the event itself stays."""

    event_id: EventId
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: the reason."""
        return Headline("undone", self.reason, self.event_id)
