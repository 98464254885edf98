"""A brain whose every part obeys."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, RLock

from tests.fakes import CountingIds, HashingEmbedder, KeptOutbox, Nowhere, PlainFence
from tilth.app import Brain, Parts
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.scope import DEFAULT_OWNER, Owner
from tilth.files.export_file import FileExporter
from tilth.files.importer import FileImporter
from tilth.hosts.task_lists import LocalTaskLists
from tilth.ports import Clock, Embedder, Store
from tilth.retrieval.lexicon import Lexicon
from tilth.settings import Settings
from tilth.system import SystemPatience
from tilth.usecases.candidates import Recaller
from tilth.usecases.remember import Recorder
from tilth.usecases.thinking import Staff

AGENT = Actor("agent", ActorKind.AGENT)


def a_staff() -> Staff:
    """Nobody, for nothing."""
    over = Event()
    return Staff(
        patience=lambda: SystemPatience(1, over), cancel=over.set, ids=CountingIds(), run="r1"
    )


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
            exporter=FileExporter(),
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
