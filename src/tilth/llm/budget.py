"""
The budgets of language models, and what they spent.

Money is counted in millionths of whatever currency the prices are in, so a price for a million
tokens is the price of one token in millionths. Everything here rounds up: a budget that errs, errs
on the side of less.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Annotated

from tilth.core.codec import Key, Whole
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import Id, SessionId
from tilth.core.scope import GLOBAL, Scope
from tilth.llm.spending import Spending
from tilth.llm.task import Task

MILLIONTHS = 1_000_000
# What one number of the ledger may hold in both databases.
_AMOUNT_MAX = 1 << 53


class ReservationId(Id, prefix="rsv_", noun="a reservation", plural="reservations"):
    """The identifier of what was set aside for a call."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call, as its model counted them."""

    input_tokens: int
    output_tokens: int

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that may be spent; None leaves a measure to wider limits."""

    calls: int | None = None
    tokens: int | None = None
    millionths: int | None = None

    def exceeded_by(self, spent: Spending, more: Spending) -> str:
        """Name the first measure that *more* would take beyond its limit; empty if none."""
        measures = (
            ("calls", self.calls, spent.calls + more.calls),
            ("tokens", self.tokens, spent.tokens + more.tokens),
            ("money", self.millionths, spent.millionths + more.millionths),
        )
        return next((name for name, most, sum_ in measures if most is not None and sum_ > most), "")


NOTHING = Limits(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Budget:
    """
    What may be spent in a day of UTC, in a day for one scope, by one run, and on one session.

    The day bounds everything, so a measure that it does not name is 0 there.
    """

    day: Limits = NOTHING
    scope: Limits = Limits()
    run: Limits = Limits()
    session: Limits = Limits()

    @property
    def is_off(self) -> bool:
        """Whether no call at all is allowed."""
        return bool(self.lacking)

    @property
    def lacking(self) -> str:
        """What the day allows none of, so that no call is possible; empty if one is."""
        found = [name for name in ("calls", "tokens") if not getattr(self.day, name)]
        return " and no ".join(found)


OFF = Budget()


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, those that go in and those that come out."""

    input: Decimal
    output: Decimal

    @property
    def text(self) -> str:
        """Both, as `parse_price` reads them."""
        return f"{self.input}/{self.output}"

    def cost(self, usage: Usage) -> int:
        """Return what *usage* costs, in millionths."""
        exact = usage.input_tokens * self.input + usage.output_tokens * self.output
        return int(exact.to_integral_value(ROUND_CEILING))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What one call may come to, set aside before it is made. Nobody settled it, it is spent."""

    task: Task
    model: str
    run: str
    held: Whole[Spending]
    scope: Scope = GLOBAL
    session_id: Annotated[SessionId | None, Key("session")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpending:
    """What one model spent on one task; *open_count* of its calls were never settled."""

    task: Task
    model: str
    spent: Spending
    open_count: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSpending:
    """What models spent on one session (DU-023)."""

    session_id: SessionId
    spent: Spending


def midnight(now: datetime) -> datetime:
    """Return when the day of *now* began; *now* is in UTC, as every instant is."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def parse_limits(words: Sequence[str], *, unnamed: int | None = None) -> Limits:
    """
    Read limits such as ``calls=200, tokens=500000, money=1.5``.

    Args:
        words: One for each measure.
        unnamed: The limit of a measure that is not among them.

    Raises:
        InvalidInputError: a word is not a measure and an amount that is not negative.
    """
    limits: dict[str, int | None] = dict.fromkeys(("calls", "tokens", "money"), unnamed)
    for word in words:
        name, _, amount = word.partition("=")
        name = name.strip()
        if name not in limits:
            raise InvalidInputError(
                f"{word[:40]!r} is no limit", hint="such as: calls=200, tokens=500000, money=1.5"
            )
        unit = MILLIONTHS if name == "money" else 1
        limits[name] = int(_amount(amount) * unit)
    return Limits(limits["calls"], limits["tokens"], limits["money"])


def parse_price(word: str) -> tuple[str, Price]:
    """
    Read what a model costs, such as ``small-model=0.25/1.5``: a million tokens in, and out.

    Raises:
        InvalidInputError: it is none.
    """
    model, is_there, amounts = word.rpartition("=")
    each = amounts.split("/")
    if not is_there or not model.strip() or len(each) != len(("input", "output")):
        raise InvalidInputError(
            f"{word[:60]!r} is no price",
            hint="MODEL=INPUT/OUTPUT for a million tokens, 0/0 if free",
        )
    return model.strip(), Price(_amount(each[0]), _amount(each[1]))


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text.strip())
    except InvalidOperation as error:
        raise InvalidInputError(f"{text[:20]!r} is not an amount") from error
    if not amount.is_finite() or not 0 <= amount <= _AMOUNT_MAX // MILLIONTHS:
        raise InvalidInputError(f"{text[:20]!r} is not an amount that can be spent")
    return amount
