"""The events of what agents were shown, of feedback on it, and of projects at rest."""

from tilth.context.context import Context
from tilth.context.model import ProjectState
from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import ReceiptId
from tilth.core.scope import Scope
from tilth.recall.feedback import Feedback


@event("context_given", makes=ReceiptId, goes_with=("context.sources",))
class ContextGiven(Event):
    """An agent was shown something."""

    context: Inline[Context]


@event("feedback_given", makes="votes", goes_with=("feedback.target",))
class FeedbackGiven(Event):
    """Somebody gave a verdict on a recalled record."""

    feedback: Inline[Feedback]


@event("project_moved", kw_only=True, goes_with=(), named=("project", "scope"))
class ProjectMoved(Event):
    """A person paused a project, archived it, or took it up again."""

    scope: Scope
    state: ProjectState

    def headline(self) -> Headline:
        """Return the headline: the project's new state."""
        return Headline("project", f"{self.scope} is {self.state}", self.scope)
