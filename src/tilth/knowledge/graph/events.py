"""The events of edges."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import EdgeId
from tilth.knowledge.graph.edge import EdgeDraft


@event(
    "edge_recorded",
    makes=EdgeId,
    goes_with=("draft.source", "draft.target"),
    is_telling=True,
)
class EdgeRecorded(Event):
    """An edge was recorded."""

    draft: Inline[EdgeDraft]

    def headline(self) -> Headline:
        """Return the headline: both nodes and the kind."""
        return Headline("edge", f"{self.draft.source} {self.draft.kind} {self.draft.target}")


@event("edge_retired", kw_only=True, subject="edge_id", goes_with=("edge_id",), drops="reason")
class EdgeRetired(Event):
    """An edge was retired."""

    edge_id: EdgeId
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: the reason."""
        return Headline("edge retired", self.reason)
