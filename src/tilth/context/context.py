"""A context, which is what an agent was shown, and the receipt that records it."""

import hashlib
from datetime import datetime
from typing import Annotated

from tilth.core.codec import Absent, FromHeader
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import ReceiptId, SessionId, parse_session_id
from tilth.core.scope import GLOBAL, Scope, parse_scope
from tilth.core.text.pattern import pattern

_VIA_CHARS_MAX = 100
_TOKENS_MAX = 1_000_000_000
_DIGEST = pattern(r"(?:[0-9a-f]{64})?")


def words_digest(text: str) -> str:
    """Return the digest that stands for *text* in a receipt; empty for an empty text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """
    What an agent was shown, by reference: a context repeats no word of it.

    `via` names the hook, tool or command, `asked` is the digest of the question, `shown` the digest
    of the text; `items` lists what was shown as pairs of block and ID, in order.
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


def check_told(context: Context) -> None:
    """
    Check a context that comes from outside.

    Raises:
        InvalidInputError: a scope, session or digest is malformed, or a count is out of bounds.
    """
    parse_scope(context.scope)
    if context.session_id is not None:
        parse_session_id(context.session_id)
    if len(context.via) > _VIA_CHARS_MAX or not (context.via.isprintable() or not context.via):
        raise InvalidInputError(f"via is at most {_VIA_CHARS_MAX} printable characters")
    if not 0 <= context.tokens <= _TOKENS_MAX:
        raise InvalidInputError(f"tokens are 0 to {_TOKENS_MAX}, not {context.tokens}")
    if not all(_DIGEST.fullmatch(one) for one in (context.asked, context.shown)):
        raise InvalidInputError(
            "what was asked and shown is told by its SHA-256", hint="64 digits, or nothing"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReceipt:
    """A recorded context, with its time."""

    id: ReceiptId
    at: datetime
    context: Context
