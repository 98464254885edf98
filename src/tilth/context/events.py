"""What was put before an agent, and what came of it."""

from tilth.context.context import Context
from tilth.core.codec import Inline
from tilth.core.event import Event, event
from tilth.core.ids import ReceiptId
from tilth.recall.feedback import Feedback


@event("context_given", makes=ReceiptId, goes_with=("context.sources",))
class ContextGiven(Event):
    """An agent was shown something."""

    context: Inline[Context]


@event("feedback_given", makes="votes", goes_with=("feedback.target",))
class FeedbackGiven(Event):
    """Somebody said what came of something that was recalled."""

    feedback: Inline[Feedback]
