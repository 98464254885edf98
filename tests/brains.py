"""A brain whose every part obeys."""

from concurrent.futures import ThreadPoolExecutor
from threading import RLock

from tests.fakes import HashingEmbedder, PlainFence
from tilth.app import Brain, Parts
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.scope import DEFAULT_OWNER, Owner
from tilth.files.importer import FileImporter
from tilth.ports import Clock, Embedder, Store
from tilth.retrieval.lexicon import Lexicon
from tilth.settings import Settings
from tilth.usecases.brief import Fence
from tilth.usecases.candidates import Recaller
from tilth.usecases.remember import Recorder

AGENT = Actor("agent", ActorKind.AGENT)


def a_brain(
    store: Store,
    clock: Clock,
    *,
    second: Embedder | None = None,
    owner: Owner = DEFAULT_OWNER,
    by: Actor = AGENT,
    fence: Fence | None = None,
) -> Brain:
    first = HashingEmbedder()
    return Brain(
        Parts(
            store=store,
            clock=clock,
            first=first,
            second=second,
            importer=FileImporter(),
            settings=Settings(),
            recorder=Recorder(by=by, owner=owner),
            recaller=Recaller(first, second, Lexicon(first, RLock()), clock, ThreadPoolExecutor(2)),
            fence=fence or PlainFence(),
        )
    )
