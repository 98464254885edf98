"""What language models were allowed to spend, and what they spent."""

from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.core.scope import GLOBAL
from tilth.ledger.codec import Codec, Payload
from tilth.llm.budget import Reservation, ReservationId, Spending
from tilth.llm.task import Task


@dataclass(frozen=True, slots=True)
class BudgetReserved:
    """What a call may come to was set aside, before it was made."""

    reservation: Reservation


@dataclass(frozen=True, slots=True)
class BudgetSettled:
    """A call was made, and this is what it came to."""

    reservation_id: ReservationId
    spent: Spending


def _write_reserved(event: BudgetReserved) -> Payload:
    reserved = event.reservation
    payload: Payload = {
        "task": reserved.task.value,
        "model": reserved.model,
        "run": reserved.run,
        "held": _write_spending(reserved.held),
    }
    if reserved.scope != GLOBAL:
        payload |= {"scope": reserved.scope}
    return payload if reserved.session_id is None else payload | {"session": reserved.session_id}


def _read_reserved(payload: Payload, _: SessionId | None) -> BudgetReserved:
    return BudgetReserved(
        Reservation(
            task=Task(payload["task"]),
            model=payload["model"],
            run=payload["run"],
            held=_read_spending(payload["held"]),
            scope=payload.get("scope", GLOBAL),
            session_id=payload.get("session"),
        )
    )


def _write_settled(event: BudgetSettled) -> Payload:
    return {"reservation_id": event.reservation_id, "spent": _write_spending(event.spent)}


def _read_settled(payload: Payload, _: SessionId | None) -> BudgetSettled:
    return BudgetSettled(ReservationId(payload["reservation_id"]), _read_spending(payload["spent"]))


def _write_spending(spending: Spending) -> Payload:
    return {
        "calls": spending.calls,
        "tokens": spending.tokens,
        "millionths": spending.millionths,
    }


def _read_spending(payload: Payload) -> Spending:
    return Spending(payload["calls"], payload["tokens"], payload["millionths"])


CODECS = (
    Codec("budget_reserved", BudgetReserved, _write_reserved, _read_reserved),
    Codec("budget_settled", BudgetSettled, _write_settled, _read_settled),
)
