"""What can be asked of language models, and about what they spent."""

from typing import Annotated, Protocol

from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context
from tilth.llm import client
from tilth.llm.answers import Answer
from tilth.llm.budget import midnight
from tilth.llm.client import (
    SESSIONS_SHOWN,
    ModelClient,
    ModelPool,
    Question,
    Refusal,
    SpentToday,
    Thought,
)
from tilth.llm.tables import Budgets


class Needs(Context, Protocol):
    """What asking a language model needs of a brain besides what every verb needs."""

    @property
    def thinker(self) -> ModelClient:
        """Whatever asks a language model."""

    @property
    def staff(self) -> ModelPool:
        """The language models, and what they may spend."""


@verb("", python="models.think", roles=ANYONE)
def think(
    brain: Needs,
    kind: Annotated[type[Answer], Arg("the task, by the class of its answer")],
    question: Annotated[Question, Arg("what is asked")],
) -> Thought[Answer] | Refusal:
    """
    Ask a language model, within its budget.

    Returns:
        The validated answer, or why there is none.
    """
    return client.think(brain.thinker, kind, question)


@verb("", python="models.spent_today", roles=ANYONE)
def spent_today(brain: Needs) -> SpentToday:
    """
    Return what language models spent today.

    Returns:
        Calls and money, of what the budget allows.
    """
    day = midnight(brain.clock.now())
    with brain.store.read() as view:
        return SpentToday(
            spent=Budgets(view).spent(brain.recorder.owner, since=day),
            by_model=Budgets(view).by_model(brain.recorder.owner, since=day),
            by_session=Budgets(view).by_session(
                brain.recorder.owner, since=day, limit=SESSIONS_SHOWN
            ),
            budget=brain.staff.budget,
        )
