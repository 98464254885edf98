"""What a brain does with the receipts of what agents were shown."""

from collections.abc import Sequence

from tilth.context import receipts
from tilth.context.context import Context, ContextReceipt
from tilth.context.receipts import Trace
from tilth.core.ids import ReceiptId, parse_session_id
from tilth.runtime.parts import Parts, within


class Receipts:
    """The receipts of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def keep(self, context: Context) -> ReceiptId | None:
        """See `tilth.context.receipts.keep`."""
        return receipts.keep(self._parts.store, context, recorder=self._parts.recorder)

    def list(
        self, session_id: str | None = None, *, limit: int = 20, scope: str | None = None
    ) -> Sequence[ContextReceipt]:
        """See `tilth.context.receipts.list_receipts`."""
        return receipts.list_receipts(
            self._parts.store,
            within(self._parts, scope),
            session_id=None if session_id is None else parse_session_id(session_id),
            limit=limit,
        )

    def trace(self, receipt_id: str, *, scope: str | None = None) -> Trace:
        """See `tilth.context.receipts.trace`."""
        seen = within(self._parts, scope)
        return receipts.trace(self._parts.store, ReceiptId(receipt_id), seen)
