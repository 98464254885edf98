"""What was put before an agent, and the receipt that tells of it afterwards."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from tilth.core.codec import Absent, FromHeader
from tilth.core.ids import ReceiptId, SessionId
from tilth.core.scope import GLOBAL, Scope


def words_digest(text: str) -> str:
    """Return what stands for *text* in a receipt; an empty one for no text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """
    What an agent was shown, by reference: no word of it is kept a second time.

    `via` is the hook, tool or command it came by, `asked` the digest of the
    question, `shown` the digest of the words; `items` name what was shown by
    block and ID, in order.
    """

    via: Annotated[str, Absent("")]
    session_id: FromHeader[SessionId | None] = None
    scope: Scope = GLOBAL
    tokens: int
    asked: str = ""
    shown: Annotated[str, Absent("")]
    items: tuple[tuple[str, str], ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The IDs of what was shown."""
        return tuple(source for _, source in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReceipt:
    """A context that was given, and when."""

    id: ReceiptId
    at: datetime
    context: Context
