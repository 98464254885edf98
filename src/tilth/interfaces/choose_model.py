"""The settings for a chosen language model: its name, its price and the budget of a day."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from tilth.core.errors import InvalidInputError
from tilth.llm.budget import MILLIONTHS, Limits
from tilth.llm.task import ModelChoice, Strength, parse_choice
from tilth.runtime.settings import Settings

# What a day may come to where nobody says more: enough for a day's sessions, and no great loss.
_DAY = Limits(calls=200, tokens=5_000_000, millionths=MILLIONTHS)


def model_settings(
    now: Settings, choice: str, price: str, day: Mapping[str, object], *, is_strong: bool
) -> dict[str, str]:
    """
    Return each setting with its value.

    Args:
        now: What is set.
        choice: The model, as `model_cheap` takes it.
        price: What a million tokens cost, in and out; empty if nobody said.
        day: The limits of a day by name; of what is empty or None, as now.
        is_strong: It is for the tasks that need judgement.

    Raises:
        InvalidInputError: No model is named, or nobody said what it costs.
    """
    chosen = _chosen(choice)
    return {
        f"model_{Strength.STRONG if is_strong else Strength.CHEAP}": choice,
        "model_prices": ", ".join(_prices(now, chosen, price)),
        "spend_day": ", ".join(_day(now, {name: one for name, one in day.items() if one})),
    }


def consequences(choice: str) -> Iterator[str]:
    """Yield where sessions go when *choice* is set, and what to do next."""
    chosen = _chosen(choice)
    if chosen.is_here:
        where = f"{chosen.url}, which is on this machine"
    elif chosen.is_program:
        where = f"the program {chosen.provider}, and by it to whoever runs its model"
    else:
        where = chosen.url or f"the API of {chosen.provider}"
    yield f"what is said in sessions goes to {where}; secrets are taken out of it before"
    yield "to see whether it answers: tilth model try"
    yield "what was read without it is read again by: tilth distil --again"


def _chosen(choice: str) -> ModelChoice:
    chosen = parse_choice(choice)
    if chosen is None:
        raise InvalidInputError("no model is named", hint="tilth model off sets none")
    return chosen


def _prices(now: Settings, chosen: ModelChoice, price: str) -> Iterator[str]:
    """
    Yield what models cost, *chosen* among them.

    Raises:
        InvalidInputError: nobody said what it costs, and it is not for free.
    """
    known = now.prices
    if not price and chosen.name not in known:
        if not (chosen.is_program or chosen.is_here):
            raise InvalidInputError(
                f"nobody said what {chosen.name} costs",
                hint="--price IN/OUT, for a million tokens; 0/0 if it costs nothing",
            )
        price = "0/0"
    for word in now.model_prices:
        if not price or word.rpartition("=")[0].strip() != chosen.name:
            yield word
    if price:
        yield f"{chosen.name}={price}"


def _day(now: Settings, told: Mapping[str, object]) -> Iterator[str]:
    """Yield the limits of a day: what was *told*, else what holds, else what is usual."""
    limits = _DAY if now.budget.is_off else now.budget.day
    holding = {
        "calls": limits.calls,
        "tokens": limits.tokens,
        "money": f"{Decimal(limits.millionths or 0) / MILLIONTHS:f}",
    }
    return (f"{name}={amount}" for name, amount in {**holding, **told}.items())
