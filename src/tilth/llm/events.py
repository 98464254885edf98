"""The events of language models: reservations and spending."""

from tilth.core.codec import Inline, Whole
from tilth.core.event import Event, event
from tilth.llm.budget import Reservation, ReservationId
from tilth.llm.spending import Spending


@event("budget_reserved", goes_with=(), stays=True)
class BudgetReserved(Event):
    """What a call may come to was set aside, before it was made."""

    reservation: Inline[Reservation]


@event("budget_settled", goes_with=(), stays=True)
class BudgetSettled(Event):
    """A call was made, and this is what it came to."""

    reservation_id: ReservationId
    spent: Whole[Spending]
