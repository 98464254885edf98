"""A brain whose every part obeys."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from threading import Event, RLock

from tests.fakes import CountingIds, HashingEmbedder, KeptOutbox, NoExports, Nowhere, PlainFence
from tilth.app import Brain, Parts
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.budget import Budget, Limits, Price
from tilth.domain.scope import DEFAULT_OWNER, Owner
from tilth.domain.task import Task
from tilth.files.export_file import FileExporter
from tilth.files.importer import FileImporter
from tilth.hosts.task_lists import LocalTaskLists
from tilth.ports import Clock, Embedder, Store
from tilth.ports.models import Model
from tilth.retrieval.lexicon import Lexicon
from tilth.settings import Settings
from tilth.system import SystemPatience
from tilth.usecases.candidates import Recaller
from tilth.usecases.exporting import Scribe
from tilth.usecases.remember import Recorder
from tilth.usecases.thinking import Staff, Worker

AGENT = Actor("agent", ActorKind.AGENT)
AMPLE = Budget(day=Limits(1_000, 10_000_000, 10**9))
FREE = Price(Decimal(0), Decimal(0))
PRICED = Price(Decimal(1), Decimal(5))


def a_staff(
    model: Model | None = None,
    tasks: Iterable[Task] = (),
    *,
    budget: Budget = AMPLE,
    price: Price = FREE,
    seconds: float = 20.0,
    over: Event | None = None,
) -> Staff:
    """Let one model do some tasks; without one, nobody does any."""
    ended = over or Event()
    worker = None if model is None else Worker(name=model.name, model=model, price=price)
    return Staff(
        workers={} if worker is None else dict.fromkeys(tasks, worker),
        budget=budget,
        patience=lambda: SystemPatience(seconds, ended),
        cancel=ended.set,
        ids=CountingIds(),
        run="r1",
    )


def staffed(brain: Brain, staff: Staff) -> Brain:
    """Return the same brain with other staff."""
    return Brain(replace(brain._parts, staff=staff))


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
        Parts(
            store=store,
            clock=clock,
            first=first,
            second=second,
            importer=FileImporter(),
            scribe=Scribe(FileExporter(), NoExports(), clock),
            settings=settings or Settings(),
            recorder=Recorder(by=by, owner=owner),
            recaller=Recaller(first, second, Lexicon(first, RLock()), clock, ThreadPoolExecutor(2)),
            fence=PlainFence(),
            staff=a_staff(),
            outside=Nowhere(),
            outbox=KeptOutbox(),
            tasks=LocalTaskLists({}),
        )
    )
