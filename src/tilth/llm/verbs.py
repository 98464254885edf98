"""The verbs on language models and their spending."""

from typing import Annotated, Protocol

from tilth.core.verb import ANYONE, HUMANS, Arg, Section, noun, verb
from tilth.episodes.context import Context
from tilth.llm import client, views
from tilth.llm.answers import Answer
from tilth.llm.budget import midnight
from tilth.llm.client import ModelClient, ModelPool, Question, Refusal, Thought
from tilth.llm.status import SESSIONS_SHOWN, ModelsNow, SpentToday, model_statuses, silences
from tilth.llm.tables import Budgets
from tilth.llm.trial import Trial, try_model


class Needs(Context, Protocol):
    """What asking a language model needs of a brain besides what every verb needs."""

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""

    @property
    def model_pool(self) -> ModelPool:
        """The language models, and what they may spend."""


noun(
    "model",
    "language models: which is set, whether it answers, what it spent",
    section=Section.LOOK_AFTER,
    bare="list",
)


@verb(
    "model list",
    roles=ANYONE,
    view=views.models,
    examples=("tilth model", "tilth model list --json"),
)
def list_(brain: Needs) -> ModelsNow:
    """
    Show the language models that are set, their tasks, and today's spending.

    For a model that cannot be asked, it shows what is missing; for a model that gave no answer last
    time, when that was. No model is asked.

    Returns:
        The models, and today's spending beside the budget.
    """
    with brain.store.read() as view:
        silent = silences(view, brain.recorder.owner, brain.clock.now())
    return ModelsNow(models=model_statuses(brain.model_pool, silent), today=spent_today(brain))


@verb(
    "model try",
    python="models.try_all",
    roles=HUMANS,
    view=views.trials,
    key="trials",
    status=lambda done: int(any(one.refusal for one in done)),
    examples=("tilth model try",),
)
def try_all(brain: Needs) -> list[Trial]:
    """
    Have each language model that is set read one sentence, and show its answer.

    Each is asked as the worker asks it, within the budget, and is shown nothing that you recorded.

    Returns:
        A trial of each model: its answer or the reason for none, its cost, and its duration.
    """
    slots = {slot.name: slot for slot in brain.thinker.model_pool.workers.values()}
    return [try_model(brain.thinker, slot) for slot in slots.values()]


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
            budget=brain.model_pool.budget,
        )
