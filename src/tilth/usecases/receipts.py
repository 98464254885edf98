"""
Keeping and reading the receipts of what agents were shown.

A receipt names what was shown and repeats none of it, so it holds nothing that
would have to be erased apart from its sources, and counts as evidence of nothing.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from tilth.domain.context import Context, ContextReceipt
from tilth.domain.episode import Episode
from tilth.domain.events import ContextGiven
from tilth.domain.feedback import Vote
from tilth.domain.ids import RECEIPT_PREFIX, EpisodeId, ReceiptId, SessionId
from tilth.domain.scope import Visibility
from tilth.errors import InvalidInputError, NotFoundError
from tilth.ports import Reader, Store
from tilth.usecases.remember import Recorder

logger = logging.getLogger(__name__)

PAGE_MAX = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One thing that was shown: in which block, what it says now, and what came of it."""

    block: str
    source: str
    episode: Episode | None
    votes: Sequence[Vote]


def keep(store: Store, context: Context, *, recorder: Recorder) -> ReceiptId | None:
    """Record that *context* was given; what showed nothing leaves no receipt."""
    if not context.shown:
        return None
    with store.begin() as tx:
        appended = tx.append(ContextGiven(context), by=recorder.by, owner=recorder.owner)
    receipt_id = ReceiptId(RECEIPT_PREFIX + appended.recorded.event_id)
    logger.info("context given: receipt=%s tokens=%d", receipt_id, context.tokens)
    return receipt_id


def list_receipts(
    store: Store, within: Visibility, *, session_id: SessionId | None, limit: int
) -> list[ContextReceipt]:
    """Return receipts, of one session or of all, the newest first."""
    with store.read() as view:
        return view.contexts.receipts(within, session_id=session_id, limit=min(limit, PAGE_MAX))


def trace(
    store: Store, receipt_id: ReceiptId, within: Visibility
) -> tuple[ContextReceipt, list[Shown]]:
    """
    Return a receipt, and each thing that it names as it stands now (XR-02).

    What nobody voted on was ignored, as far as anybody said; what is gone is
    named without its words.

    Raises:
        NotFoundError: there is no such receipt that may be seen.
    """
    with store.read() as view:
        receipt = view.contexts.receipt(receipt_id, within)
        shown = [
            Shown(
                block=block,
                source=source,
                episode=_episode(view, source, within),
                votes=view.contexts.votes_on(source),
            )
            for block, source in receipt.context.items
        ]
    return receipt, shown


def _episode(view: Reader, source: str, within: Visibility) -> Episode | None:
    try:
        return view.episodes.get(EpisodeId(source), within)
    except (NotFoundError, InvalidInputError):
        return None
