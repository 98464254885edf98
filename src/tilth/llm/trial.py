"""Try a language model on a sample session, read in the worker's way."""

from collections.abc import Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, encode_ulid
from tilth.episodes.episode import Episode, EpisodeDraft
from tilth.llm.answers import Claims
from tilth.llm.client import ModelClient, ModelSlot, Question, Refusal, think
from tilth.llm.spending import Spending
from tilth.llm.task import Task

# One thing to be kept, and why, so that an answer shows how well it was read.
SAID = (
    "From now on the integration tests run against PostgreSQL, never SQLite: only there is"
    " row-level security."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """
    What one model made of `SAID`.

    `statements` are its words for what is to be kept; `refusal` says why it gave no answer, and
    is None where it did. `seconds` is how long that took.
    """

    model: str
    statements: Sequence[str]
    refusal: Refusal | None
    spent: Spending
    seconds: float


def try_model(thinker: ModelClient, slot: ModelSlot) -> Trial:
    """
    Have a model read one sentence, within the budget.

    One that is left alone after a silence is asked all the same. Where it answers, the tasks
    that wait for it need not wait on.
    """
    model_pool = thinker.model_pool.of(slot, Task.EXTRACT)
    began = thinker.clock.now()
    question = Question(episodes=[_said(thinker)])
    thought = think(replace(thinker, model_pool=model_pool), Claims, question)
    statements, refusal = list[str](), None
    if isinstance(thought, Refusal):
        refusal = thought
    else:
        statements = [one.statement for one in thought.answer.claims]
        thinker.model_pool.silent_since.pop(slot.name, None)
    return Trial(
        model=slot.name,
        statements=statements,
        refusal=refusal,
        spent=thought.spent,
        seconds=(thinker.clock.now() - began).total_seconds(),
    )


def _said(thinker: ModelClient) -> Episode:
    """Return the episode that a model is shown; nothing records it."""
    now, recorder = thinker.clock.now(), thinker.recorder
    return Episode.recorded(
        EpisodeDraft(text=SAID),
        id=EpisodeId.of(encode_ulid(thinker.model_pool.ids.ulid(now))),
        seq=0,
        owner=recorder.owner,
        recorded_at=now,
        by=recorder.by,
    )
