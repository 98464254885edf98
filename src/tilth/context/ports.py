"""Reading what was put before agents, and what came of it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tilth.context.context import ContextReceipt
from tilth.core.ids import ReceiptId, SessionId
from tilth.core.scope import Visibility
from tilth.recall.feedback import Vote


class ContextReader(Protocol):
    """The receipts and the votes as one snapshot shows them."""

    def receipt(self, receipt_id: ReceiptId, within: Visibility) -> ContextReceipt:
        """
        Return one receipt.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def receipts(
        self, within: Visibility, *, session_id: SessionId | None = None, limit: int
    ) -> list[ContextReceipt]:
        """Return receipts, of one session or of all, the newest first."""
        ...

    def votes(self, seqs: Sequence[int]) -> Mapping[int, Sequence[Vote]]:
        """Return the votes on what stands at *seqs*; without any, it is left out."""
        ...

    def votes_on(self, target: str) -> Sequence[Vote]:
        """Return the votes on the thing with this ID."""
        ...
