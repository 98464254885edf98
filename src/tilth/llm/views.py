"""Language models, what they spent and how they answer, as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.instant import written_minute
from tilth.core.view import Bold, Dim, Line, Note, Row, number_of
from tilth.llm.budget import MILLIONTHS, Limits
from tilth.llm.spending import Spending
from tilth.llm.status import ModelsNow, ModelStatus, SpentToday
from tilth.llm.trial import Trial

_NONE_SET = (
    "no language model is set, and none is needed; one that reads your sessions makes briefs"
    " worth far more: tilth help model use"
)


def models(now: ModelsNow) -> Iterator[Line]:
    """Yield each model with its tasks, what keeps it from work, and what was spent today."""
    yield from status_lines(now.models)
    if now.models:
        yield from spending(now.today)


def status_lines(chosen: Sequence[ModelStatus]) -> Iterator[Line]:
    """Yield each model with its tasks, and what keeps it from work."""
    if not chosen:
        yield Note(_NONE_SET)
    for one in chosen:
        yield from _status_lines(one)


def _status_lines(one: ModelStatus) -> Iterator[Line]:
    price = "counted as free" if one.price == "0/0" else one.price or "no price"
    yield (Bold(one.name), Dim(f"  {price}  "), "may be asked" if not one.problems else "is off")
    yield f"   {', '.join(one.tasks)}"
    yield from (f"   {problem}" for problem in one.problems)
    if why := silence(one):
        yield f"   {why}; see: tilth model try"


def silence(one: ModelStatus) -> str:
    """Say that a model gave no answer when it was asked last; empty if it did."""
    at = one.silent_at
    return f"it gave no answer when it was asked last, {written_minute(at)}" if at else ""


def trials(done: Sequence[Trial]) -> Iterator[Line]:
    """Yield what each model answered, how soon and at what cost."""
    for one in done:
        if one.refusal is not None:
            yield (Bold(one.model), f"  gave no answer: {one.refusal.detail}")
            continue
        tokens = number_of(one.spent.tokens, "token")
        took = f"  answered in {one.seconds:.1f} s for {tokens}"
        yield (Bold(one.model), took, Dim(f", {_money(one.spent.millionths)} money"))
        yield from (f"   “{statement}”" for statement in one.statements)
        if not one.statements:
            yield "   it found nothing to keep where one thing was said to be kept"
    if not done:
        yield Note(_NONE_SET)


def spending(today: SpentToday) -> Iterator[Line]:
    """Yield what models spent today, by task and by session."""
    if today.budget.is_off and not today.by_model:
        yield "models: off; what is set, and what keeps it from working: tilth model"
        return
    yield f"models today: {_of(today.spent, today.budget.day)}"
    if today.by_model:
        yield Row(map(Dim, ("task", "model", "calls", "tokens", "money", "unsettled")))
    for one in today.by_model:
        yield Row((Bold(one.task), one.model, *_amounts(one.spent), f"{one.open_count:,}"))
    if today.by_session:
        yield ""
        yield Row(map(Dim, ("session", "calls", "tokens", "money")))
    for session in today.by_session:
        yield Row((Bold(session.session_id), *_amounts(session.spent)))


def _amounts(spent: Spending) -> tuple[str, str, str]:
    return f"{spent.calls:,}", f"{spent.tokens:,}", _money(spent.millionths)


def _of(spent: Spending, most: Limits) -> str:
    return (
        f"{spent.calls:,} of {most.calls or 0:,} calls,"
        f" {spent.tokens:,} of {most.tokens or 0:,} tokens,"
        f" {_money(spent.millionths)} of {_money(most.millionths or 0)} money"
    )


def _money(millionths: int) -> str:
    return f"{millionths / MILLIONTHS:.4f}"
