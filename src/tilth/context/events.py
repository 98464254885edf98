"""What was put before an agent, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilth.context.context import Context
from tilth.core.ids import ReceiptId, SessionId
from tilth.core.scope import GLOBAL
from tilth.ledger.codec import Codec, Payload, without_defaults
from tilth.recall.feedback import Feedback, Verdict


@dataclass(frozen=True, slots=True)
class ContextGiven:
    """An agent was shown something."""

    context: Context


@dataclass(frozen=True, slots=True)
class FeedbackGiven:
    """Somebody said what came of something that was recalled."""

    feedback: Feedback


_DEFAULTS: Mapping[str, object] = {"scope": GLOBAL}


def _write_context(event: ContextGiven) -> Payload:
    context = event.context
    payload = {
        "via": context.via,
        "scope": context.scope,
        "tokens": context.tokens,
        "asked": context.asked,
        "shown": context.shown,
        "items": [list(item) for item in context.items],
    }
    return without_defaults(payload, _DEFAULTS)


def _read_context(payload: Payload, session_id: SessionId | None) -> ContextGiven:
    context = Context(
        via=payload.get("via", ""),
        session_id=session_id,
        scope=payload.get("scope", GLOBAL),
        tokens=payload["tokens"],
        asked=payload.get("asked", ""),
        shown=payload.get("shown", ""),
        items=tuple((str(block), str(source)) for block, source in payload["items"]),
    )
    return ContextGiven(context)


def _write_feedback(event: FeedbackGiven) -> Payload:
    feedback = event.feedback
    payload = {
        "target": feedback.target,
        "verdict": feedback.verdict,
        "receipt_id": feedback.receipt_id,
        "scope": feedback.scope,
    }
    return without_defaults(payload, _DEFAULTS)


def _read_feedback(payload: Payload, session_id: SessionId | None) -> FeedbackGiven:
    receipt_id = payload.get("receipt_id")
    feedback = Feedback(
        target=payload["target"],
        verdict=Verdict(payload["verdict"]),
        session_id=session_id,
        receipt_id=None if receipt_id is None else ReceiptId(receipt_id),
        scope=payload.get("scope", GLOBAL),
    )
    return FeedbackGiven(feedback)


CODECS = (
    Codec("context_given", ContextGiven, _write_context, _read_context),
    Codec("feedback_given", FeedbackGiven, _write_feedback, _read_feedback),
)
