"""A brain whose every part obeys."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from tempfile import mkdtemp
from threading import Event, RLock

from tests.fakes import CountingIds, HashingEmbedder, KeptOutbox, Nowhere, PlainFence
from tilth.core.actor import Actor, ActorKind
from tilth.core.clock import Clock
from tilth.core.scope import DEFAULT_OWNER, Owner
from tilth.embedding.embedder import Embedder
from tilth.episodes.remember import WriteContext
from tilth.gaps.task_lists import LocalTaskLists
from tilth.ledger.store import Store
from tilth.llm.budget import Budget, Limits, Price
from tilth.llm.client import ModelPool, ModelSlot
from tilth.llm.model import Model
from tilth.llm.task import Task
from tilth.recall.lexicon import Lexicon
from tilth.recall.recaller import Recaller
from tilth.runtime.brain import Brain
from tilth.runtime.dependencies import Dependencies
from tilth.runtime.lazy import lazy
from tilth.runtime.settings import Settings
from tilth.runtime.system import SystemPatience
from tilth.snapshots.folder import SnapshotFolder
from tilth.transfer.export import ExportContext
from tilth.transfer.export_file import NotedExports
from tilth.transfer.file_importer import FileImporter

AGENT = Actor("agent", ActorKind.AGENT)
AMPLE = Budget(day=Limits(1_000, 10_000_000, 10**9))
FREE = Price(Decimal(0), Decimal(0))
PRICED = Price(Decimal(1), Decimal(5))


def a_model_pool(
    model: Model | None = None,
    tasks: Iterable[Task] = (),
    *,
    budget: Budget = AMPLE,
    price: Price = FREE,
    seconds: float = 20.0,
    over: Event | None = None,
) -> ModelPool:
    """Let one model do some tasks; without one, nobody does any."""
    ended = over or Event()
    worker = None if model is None else ModelSlot(name=model.name, model=model, price=price)
    return ModelPool(
        workers={} if worker is None else dict.fromkeys(tasks, worker),
        budget=budget,
        patience=lambda: SystemPatience(seconds, ended),
        cancel=ended.set,
        ids=CountingIds(),
        run="r1",
    )


def with_model_pool(brain: Brain, model_pool: ModelPool) -> Brain:
    """Return the same brain with other model_pool."""
    return Brain(replace(brain._parts, model_pool=model_pool))


def a_brain(
    store: Store,
    clock: Clock,
    *,
    second: Embedder | None = None,
    owner: Owner = DEFAULT_OWNER,
    by: Actor = AGENT,
    settings: Settings | None = None,
) -> Brain:
    first = HashingEmbedder()
    return Brain(
        Dependencies(
            store=store,
            clock=clock,
            first=first,
            second=second,
            importer=FileImporter(),
            export_context=lazy(lambda: ExportContext(NotedExports(Path(mkdtemp())), clock)),
            settings=settings or Settings(),
            recorder=WriteContext(by=by, owner=owner),
            recaller=Recaller(first, second, Lexicon(first, RLock()), clock, ThreadPoolExecutor(2)),
            fence=PlainFence(),
            model_pool=a_model_pool(),
            surrounding_files=Nowhere(),
            outbox=KeptOutbox(),
            task_lists=LocalTaskLists({}),
            snapshots=lazy(lambda: SnapshotFolder(Path(mkdtemp()))),
        )
    )
