"""
Ask a language model within a budget, and check everything it says.

Reserve, ask, settle, check; once more if the answer can be mended. What comes back is an answer of
its class, of which every quote stands where it says and every ID was shown, or a refusal that says
why. Nothing is written here but what it cost.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Generic, TypeVar

from tilth.core.clock import Clock, Ids
from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    InvalidInputError,
    LimitExceededError,
    UnavailableError,
    UnsupportedError,
)
from tilth.core.ids import SessionId
from tilth.core.json import Json, canonical
from tilth.core.scope import GLOBAL, Scope
from tilth.core.text.surrogates import without_surrogates
from tilth.episodes.episode import Episode
from tilth.episodes.remember import WriteContext
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.answer_schema import Given, read_answer, schema_of
from tilth.llm.answers import Answer
from tilth.llm.budget import OFF, Budget, Price, Reservation, ReservationId, Usage, midnight
from tilth.llm.cancellation import Patience
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.llm.model import Again, Model, ModelRequest, Reply
from tilth.llm.prompts import ASSIGNMENTS, fenced, instructions
from tilth.llm.spending import NOTHING_SPENT, Spending
from tilth.llm.tables import Budgets
from tilth.llm.task import Task
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

DATA_CHARS_MAX = 200_000
# One request and one to mend it; each may be put off so often.
_ANSWERS_MAX = 2
_TRIES_MAX = 4
_SAID_CHARS_MAX = 8_000
_FIRST_PAUSE_S = 0.5
# A model that hangs takes all the patience there is. Who waits for it task by task does nothing
# else meanwhile, and each silence may have been paid (KB-033).
LEFT_ALONE = timedelta(minutes=5)
_OF_SESSION = "spend_session"
_TASKS: Mapping[type[object], Task] = {
    assignment.answer: task for task, assignment in ASSIGNMENTS.items()
}

_A = TypeVar("_A", bound=Answer)


class Reason(StrEnum):
    """Why there is no answer; `words` tell it to a person."""

    OFF = "off"
    NO_PRICE = "no_price"
    BUDGET = "budget"
    SESSION_BUDGET = "session_budget"
    SILENT = "silent"
    LEFT_ALONE = "left_alone"
    CANCELLED = "cancelled"
    UNUSABLE = "unusable"
    REFUSED = "refused"
    CUT = "cut"
    INVALID = "invalid"

    @property
    def words(self) -> str:
        """Why *it*, a language model, gave no answer."""
        return _WORDS[self]


_WORDS: Mapping[Reason, str] = {
    Reason.OFF: "none may be asked for this",
    Reason.NO_PRICE: "nobody said what it costs, in the setting model_prices",
    Reason.BUDGET: "what models may spend is used up",
    Reason.SESSION_BUDGET: "what they may spend on a session is used up",
    Reason.SILENT: "it does not answer; is its server up, and its URL right?",
    Reason.LEFT_ALONE: "it did not answer just now, and is left alone for a while",
    Reason.CANCELLED: "it was interrupted",
    Reason.UNUSABLE: "it cannot be asked; are its name, its URL and its key right?",
    Reason.REFUSED: "it refused the question",
    Reason.CUT: "its answer was cut off",
    Reason.INVALID: "its answer could not be used",
}
# Whatever is asked, it would be the same for now.
_OF_THE_MODEL = frozenset({Reason.SILENT, Reason.UNUSABLE})


@dataclass(frozen=True, slots=True)
class Refusal:
    """No answer: why, in a word and in a sentence without any content, and what it cost."""

    reason: Reason
    detail: str
    spent: Spending = NOTHING_SPENT


@dataclass(frozen=True, slots=True)
class Thought(Generic[_A]):
    """An answer that was checked, whose it is, and what it cost."""

    answer: _A
    model: str
    spent: Spending = NOTHING_SPENT


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSlot:
    """Whoever does a task: a model and its price, or the problem that keeps it from working."""

    name: str
    model: Model | None = None
    price: Price | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPool:
    """
    Who does which task, within which budget, and for how long.

    `run` names one life of a program; `cancel` ends whatever is being waited for. `silent_since`
    holds by name when a model last gave no answer, for as long as this program lives.
    """

    workers: Mapping[Task, ModelSlot] = field(default_factory=dict)
    budget: Budget = OFF
    patience: Callable[[], Patience]
    cancel: Callable[[], None]
    ids: Ids
    run: str
    silent_since: dict[str, datetime] = field(default_factory=dict)

    def of(self, slot: ModelSlot, task: Task) -> "ModelPool":
        """Return the pool in which *slot* alone does *task*, whatever became of it before."""
        return replace(self, workers={task: slot}, silent_since={})


@dataclass(frozen=True, slots=True)
class ModelClient:
    """
    A client of language models: their pool, the store with the ledger of spending, and the user.

    `run` names what pays, such as a cycle of the garden, which outlives the program that runs it;
    empty, the program's own run does.
    """

    model_pool: ModelPool
    store: Store
    clock: Clock
    recorder: WriteContext
    run: str = ""

    @property
    def paying(self) -> str:
        """The run that pays."""
        return self.run or self.model_pool.run


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """
    What a model is shown: episodes, and texts of other things by their IDs.

    What it costs is counted for `scope`, and for the session, if it is about one.
    """

    episodes: Sequence[Episode] = ()
    things: Mapping[str, str] = field(default_factory=dict)
    scope: Scope = GLOBAL
    session_id: SessionId | None = None


def think(thinker: ModelClient, kind: type[_A], question: Question) -> Thought[_A] | Refusal:
    """
    Have a model do the task whose answers are of class *kind*.

    Raises:
        LimitExceededError: the question is longer than is sent.
        UnavailableError: the store does not answer.
    """
    task = _TASKS[kind]
    worker = thinker.model_pool.workers.get(task)
    outcome: Thought[_A] | Refusal
    if refusal := why_unavailable(thinker.model_pool, task) or _paused(thinker, worker):
        outcome = refusal
    else:
        assert worker is not None
        conversation = _Conversation(thinker, task, worker, question)
        outcome = conversation.answer(kind)
        outcome = replace(outcome, spent=conversation.spent)
        if isinstance(outcome, Refusal) and outcome.reason in _OF_THE_MODEL:
            thinker.model_pool.silent_since[worker.name] = thinker.clock.now()
    name, reason = worker.name if worker else "none", getattr(outcome, "reason", "answered")
    logger.info("model asked: task=%s model=%s outcome=%s", task, name, reason)
    return outcome


def why_unavailable(model_pool: ModelPool, task: Task) -> Refusal | None:
    """Return why no model can be asked for *task*; None if one may be."""
    worker, budget = model_pool.workers.get(task), model_pool.budget
    if worker is None:
        return Refusal(Reason.OFF, "no model does this task")
    if worker.model is None:
        return Refusal(Reason.OFF, worker.problem)
    if budget.is_off:
        return Refusal(Reason.OFF, f"the setting spend_day allows no {budget.lacking}")
    if worker.price is None:
        return Refusal(
            Reason.NO_PRICE, f"nobody said what {worker.name} costs; see the setting model_prices"
        )
    return None


def _paused(thinker: ModelClient, worker: ModelSlot | None) -> Refusal | None:
    """Return a refusal if the model gave no answer just now; None if it may be asked."""
    since = thinker.model_pool.silent_since.get(worker.name) if worker else None
    if since is None or thinker.clock.now() >= since + LEFT_ALONE:
        return None
    return Refusal(
        Reason.LEFT_ALONE, f"it gave no answer at {since:%H:%M}, and is asked again later"
    )


class _Conversation:
    """One task given to one worker, until it is done or refused."""

    def __init__(
        self, thinker: ModelClient, task: Task, worker: ModelSlot, question: Question
    ) -> None:
        assert worker.model is not None
        assert worker.price is not None
        self._thinker = thinker
        self._task = task
        self._model = worker.model
        self._price = worker.price
        self._question = question
        self._patience = thinker.model_pool.patience()
        self._fence = f"DATA-{thinker.model_pool.ids.salt().hex()}"
        self._items = _items(question)
        texts = {str(episode.id): episode.text for episode in question.episodes}
        self._given = Given(texts, question.things.keys())
        self.spent = NOTHING_SPENT

    def answer(self, kind: type[_A]) -> Thought[_A] | Refusal:
        """Return the answer, the second one if the first could not be read."""
        refusal, said = Refusal(Reason.INVALID, ""), ""
        for number in range(_ANSWERS_MAX):
            got = self._reply(self._request(kind, refusal.detail, said))
            if isinstance(got, Refusal):
                return got
            if got.is_declined:
                return Refusal(Reason.REFUSED, "the model declines")
            if got.is_cut:
                refusal = Refusal(Reason.CUT, "the answer was longer than it may be, and cut off")
            else:
                try:
                    is_last = number == _ANSWERS_MAX - 1
                    read = read_answer(kind, got.text, self._given, is_last=is_last)
                except InvalidInputError as error:
                    refusal = Refusal(Reason.INVALID, str(error))
                else:
                    return Thought(read, self._model.name)
            said = without_surrogates(got.text[:_SAID_CHARS_MAX])
        return refusal

    def _request(self, kind: type[_A], problem: str, said: str) -> ModelRequest:
        items = [*self._items, {"your_answer": said}] if said else self._items
        return ModelRequest(
            instructions=instructions(self._task, self._fence, problem),
            data=fenced(items, self._fence),
            schema=schema_of(kind),
            output_tokens=ASSIGNMENTS[self._task].output_tokens,
        )

    def _reply(self, request: ModelRequest) -> Reply | Refusal:
        """Return what the model wrote, trying again where nothing was made."""
        held, pause_s, why = self._upper_bound(request), _FIRST_PAUSE_S, ""
        for _ in range(_TRIES_MAX):
            if self._patience.remaining_s() <= 0:
                break
            reserved = self._reserve(held)
            if isinstance(reserved, Refusal):
                return reserved
            got = self._ask(request, reserved, held)
            if not isinstance(got, Again):
                return got
            why, after_s = got.reason, pause_s if got.after_s is None else got.after_s
            if after_s > self._patience.remaining_s():
                break
            self._patience.wait(after_s)
            pause_s *= 2
        if self._patience.is_cancelled:
            return Refusal(Reason.CANCELLED, "nobody waits for the answer any more")
        return Refusal(Reason.SILENT, why or f"{self._model.name} did not answer in time")

    def _ask(
        self, request: ModelRequest, reserved: ReservationId, held: Spending
    ) -> Reply | Again | Refusal:
        """Ask once, and settle; a silence stays reserved, for nobody knows what it cost."""
        try:
            got = self._model.ask(request, self._patience)
        except UnavailableError as error:
            self.spent = self.spent.plus(held)
            is_cancelled = self._patience.is_cancelled
            return Refusal(Reason.CANCELLED if is_cancelled else Reason.SILENT, str(error))
        except (UnsupportedError, InvalidInputError) as error:
            self._settle(reserved, Spending(calls=1))
            is_unusable = isinstance(error, UnsupportedError)
            return Refusal(Reason.UNUSABLE if is_unusable else Reason.REFUSED, str(error))
        if isinstance(got, Again):
            self._settle(reserved, Spending(calls=int(got.is_sent)))
        else:
            self._settle(reserved, self._spent(got, held))
        return got

    def _upper_bound(self, request: ModelRequest) -> Spending:
        """Return the most that *request* can come to: no token is shorter than a byte."""
        sent = request.instructions + request.data + canonical(request.schema)
        most = Usage(len(sent.encode()) + self._model.overhead_tokens, request.output_tokens)
        return Spending(1, most.tokens, self._price.cost(most))

    def _spent(self, reply: Reply, held: Spending) -> Spending:
        if reply.usage is None:
            return held
        cost = self._price.cost(reply.usage)
        # What a model says that it cost counts where it costs anything at all.
        return Spending(1, reply.usage.tokens, max(cost, reply.millionths) if cost else 0)

    def _reserve(self, held: Spending) -> ReservationId | Refusal:
        """Set *held* aside, in the transaction that finds that there is room for it."""
        thinker = self._thinker
        event = BudgetReserved(
            Reservation(
                task=self._task,
                model=self._model.name,
                run=thinker.paying,
                held=held,
                scope=self._question.scope,
                session_id=self._question.session_id,
            )
        )
        with thinker.store.begin() as tx:
            if refusal := self._over_budget(tx, held):
                return refusal
            recorder = thinker.recorder
            appended = tx.append(event, by=recorder.by, owner=recorder.owner)
        return ReservationId.of(appended.recorded.event_id)

    def _over_budget(self, view: Snapshot, held: Spending) -> Refusal | None:
        model_pool, owner = self._thinker.model_pool, self._thinker.recorder.owner
        day, scope = midnight(self._thinker.clock.now()), self._question.scope
        spent_by, budget = partial(Budgets(view).spent, owner), model_pool.budget
        spans = [
            ("spend_day", budget.day, spent_by(since=day)),
            ("spend_project", budget.scope, spent_by(since=day, scope=scope)),
            ("spend_run", budget.run, spent_by(run=self._thinker.paying)),
        ]
        if (session_id := self._question.session_id) is not None:
            spans.append((_OF_SESSION, budget.session, spent_by(session_id=session_id)))
        for setting, limits, spent in spans:
            if measure := limits.exceeded_by(spent, held):
                reason = Reason.SESSION_BUDGET if setting == _OF_SESSION else Reason.BUDGET
                return Refusal(reason, f"{measure} would exceed the setting {setting}")
        return None

    def _settle(self, reserved: ReservationId, spent: Spending) -> None:
        self.spent = self.spent.plus(spent)
        recorder = self._thinker.recorder
        with self._thinker.store.begin() as tx:
            tx.append(BudgetSettled(reserved, spent), by=recorder.by, owner=recorder.owner)


def _items(question: Question) -> list[Mapping[str, Json]]:
    """
    Return what a model is shown, without secrets: newer rules may find what an older store holds.

    Raises:
        LimitExceededError: it is too long.
    """
    items = [_episode_item(episode) for episode in question.episodes]
    items += [{"id": id_, "text": scrub(text).text} for id_, text in question.things.items()]
    length = sum(len(str(item["text"])) for item in items)
    if length > DATA_CHARS_MAX:
        raise LimitExceededError(
            f"{length:,} characters are more than a model is shown at once",
            hint=f"ask about at most {DATA_CHARS_MAX:,}",
        )
    return items


def _episode_item(episode: Episode) -> Mapping[str, Json]:
    return {
        "id": episode.id,
        "at": episode.occurred_at.isoformat(),
        "role": episode.role.value,
        "speaker": scrub(episode.speaker).text,
        "text": scrub(episode.text).text,
    }
